// States that were expanded, by their keys, each with what was left of the bounds then. A state
// that is met again is expanded again where more is left of a bound than ever: something may be in
// reach now that was not. With two bounds there may be several remainders of which none covers
// another.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <vector>

#include "schism/base/hash.hpp"

namespace schism::check {

struct Remainder {
  std::uint32_t depth = 0, delays = 0;
  bool covers(const Remainder& o) const { return depth >= o.depth && delays >= o.delays; }
};

class KnownStates {
 public:
  // `wide`: by the whole key, not half of it.
  explicit KnownStates(bool wide) : wide_(wide) {}

  // True: new, or with a remainder that no earlier one covers.
  bool add(const Hash128& key, const Remainder& left) {
    return wide_ ? add_to(whole_, key, key, left) : add_to(half_, key.lo, key, left);
  }
  std::size_t size() const { return half_.size() + whole_.size(); }

 private:
  template <class Map, class Key>
  bool add_to(Map& map, const Key& key, const Hash128& full, const Remainder& left) {
    const auto [at, fresh] = map.try_emplace(key, left);
    if (fresh) return true;
    if (at->second.covers(left)) return false;
    const Hash128 name = wide_ ? full : Hash128{full.lo, 0};
    const auto more = others_.find(name);
    if (more != others_.end())
      for (const Remainder& other : more->second)
        if (other.covers(left)) return false;
    if (left.covers(at->second)) {
      at->second = left;
      return true;
    }
    std::vector<Remainder>& others = others_[name];
    std::erase_if(others, [&](const Remainder& other) { return left.covers(other); });
    others.push_back(left);
    return true;
  }

  bool wide_;
  absl::flat_hash_map<std::uint64_t, Remainder> half_;
  absl::flat_hash_map<Hash128, Remainder> whole_;
  absl::flat_hash_map<Hash128, std::vector<Remainder>> others_;
};

}  // namespace schism::check
