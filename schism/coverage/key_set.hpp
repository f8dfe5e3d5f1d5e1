// The different keys of one run, in the order in which they were seen. Cleared in the time that it
// took to fill; the last ones can be taken out again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace schism {

class KeySet {
 public:
  // `key` is well mixed.
  bool add(std::uint64_t key);
  void clear();
  // Forgets all but the first ones.
  void shrink(std::size_t count);
  std::size_t size() const { return keys_.size(); }
  std::span<const std::uint64_t> keys() const { return keys_; }

 private:
  std::size_t home(std::uint64_t key) const { return key >> 8 & (slots_.size() - 1); }
  std::size_t find(std::uint64_t key) const;
  void grow();

  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(256);  // place in keys_, from 1
};

inline std::size_t KeySet::find(std::uint64_t key) const {
  std::size_t at = home(key);
  while (slots_[at] != 0 && keys_[slots_[at] - 1] != key) at = (at + 1) & (slots_.size() - 1);
  return at;
}

inline bool KeySet::add(std::uint64_t key) {
  const std::size_t at = find(key);
  if (slots_[at] != 0) return false;
  keys_.push_back(key);
  slots_[at] = static_cast<std::uint32_t>(keys_.size());
  if (keys_.size() * 2 > slots_.size()) grow();
  return true;
}

}  // namespace schism
