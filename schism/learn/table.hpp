// What a learner knows: a value and a number of visits for each pair of state and action that it
// met, by their hash. Open addressing, 16 bytes a pair and at most 30 with the room between them.
//
// Memory changes only when an episode is over. What is learnt within one is noted and taken back
// unless it is kept: a run may be played twice, and the second time must see what the first saw.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schism/base/hash.hpp"
#include "schism/base/result.hpp"

namespace schism::learn {

using Key = std::uint64_t;

inline Key pair_key(Key state, Key action) { return mix64(state + mix64(action)) | 1; }

struct Known {
  Key key = 0;  // 0: there is nothing
  float value = 0;
  std::uint32_t visits = 0;

  friend bool operator==(const Known&, const Known&) = default;
};
static_assert(sizeof(Known) == 16);

class Table {
 public:
  explicit Table(float fallback) : fallback_(fallback) {}

  float fallback() const { return fallback_; }
  float value(Key key) const {
    const Known* known = find(key);
    return known ? known->value : fallback_;
  }
  std::uint32_t visits(Key key) const {
    const Known* known = find(key);
    return known ? known->visits : 0;
  }
  bool knows(Key key) const { return find(key) != nullptr; }
  void set(Key key, float value, std::uint32_t visits);

  void keep() { noted_.clear(); }  // what was set since the last time
  void take_back();

  std::size_t size() const { return used_; }
  std::size_t bytes() const { return slots_.capacity() * sizeof(Known); }
  // In the order of keys: equal contents are equal bytes.
  std::string save() const;
  Status load(std::string_view bytes);

 private:
  std::size_t home(Key key) const {
    return static_cast<std::size_t>((static_cast<U128>(mix64(key)) * slots_.size()) >> 64);
  }
  const Known* find(Key key) const;
  Known& place(Key key);
  void grow(std::size_t slots);

  float fallback_;
  std::vector<Known> slots_ = std::vector<Known>(64);
  std::vector<Known> noted_;  // as it was before; visits and value of a pair that was not there: 0
  std::size_t used_ = 0;
};

inline const Known* Table::find(Key key) const {
  for (std::size_t at = home(key);; at = at + 1 == slots_.size() ? 0 : at + 1) {
    if (slots_[at].key == key) return &slots_[at];
    if (slots_[at].key == 0) return nullptr;
  }
}

}  // namespace schism::learn
