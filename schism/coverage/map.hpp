// Which keys were seen, and how often, up to "often": memory of a fixed size that one process
// writes, the director, and players read. Full, it takes no more: what is then new is not known.
//
// A player may look while the director writes. Both only ever see counts grow, and a run is counted
// after all runs before it: what a player sees often is often when its run is counted.
#pragma once

#include <unistd.h>
#include <atomic>
#include <cstdint>
#include <string>

#include "schism/base/result.hpp"
#include "schism/guard/shared_pages.hpp"

namespace schism {

class CoverageMap {
 public:
  static constexpr std::uint64_t kOften = 16;
  static constexpr int kBitsMin = 8, kBitsMax = 28;

  explicit CoverageMap(int bits);  // 2^bits places, 8 bytes each

  // How many runs have shown it, at most kOften. Its lowest byte does not count.
  std::uint64_t count(std::uint64_t key) const;
  // One more; how many there were before. Nothing is added where it is full: kOften.
  std::uint64_t add(std::uint64_t key);

  std::uint64_t keys() const { return keys_; }
  std::uint64_t places() const { return mask_ + 1; }
  double fill() const { return static_cast<double>(keys_) / static_cast<double>(places()); }
  bool full() const { return keys_ >= most_; }

  // In a process that is not its maker's it can be read, and no more, from then on.
  void protect();

  std::string save() const;
  Status load(std::string_view bytes);

 private:
  using Place = std::atomic<std::uint64_t>;
  static_assert(sizeof(Place) == 8 && Place::is_always_lock_free);
  static constexpr std::uint64_t kCount = 0xff;

  Place& at(std::uint64_t i) const { return reinterpret_cast<Place*>(pages_.data())[i]; }
  std::uint64_t find(std::uint64_t key) const;  // its place, or the empty one for it

  guard::SharedPages pages_;
  std::uint64_t mask_, most_;
  std::uint64_t keys_ = 0;  // as the writer knows
  pid_t maker_ = ::getpid();
  bool protected_ = false;
};

inline std::uint64_t CoverageMap::find(std::uint64_t key) const {
  std::uint64_t i = key >> 8 & mask_;
  for (;;) {
    const std::uint64_t there = at(i).load(std::memory_order_relaxed);
    if (there == 0 || (there & ~kCount) == (key & ~kCount)) return i;
    i = (i + 1) & mask_;
  }
}

inline std::uint64_t CoverageMap::count(std::uint64_t key) const {
  return at(find(key)).load(std::memory_order_relaxed) & kCount;
}

inline std::uint64_t CoverageMap::add(std::uint64_t key) {
  Place& place = at(find(key));
  const std::uint64_t there = place.load(std::memory_order_relaxed);
  const std::uint64_t before = there & kCount;
  if (there == 0 && full()) return kOften;
  if (before >= kOften) return before;
  if (there == 0) ++keys_;
  place.store((key & ~kCount) | (before + 1), std::memory_order_relaxed);
  return before;
}

}  // namespace schism
