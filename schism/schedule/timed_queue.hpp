// Pending events in order of their due times, for schedulers in which time decides. Ties go to the
// one that was queued first (among a million). Cancelled events stay until they come up.
//
// A radix heap (Ahuja et al. 1990): time does not go back, so an event only has to be told apart
// from the one served last. Bucket b holds the keys whose highest bit that differs from that one's
// is b-1; a bucket is spread over the lower ones when its turn comes. Its memory accesses are in
// sequence, which makes it twice as fast here as a 4-ary heap.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "schism/world/world.hpp"

namespace schism {

class TimedQueue {
 public:
  void clear();
  // Brings back what waited aside and is enabled again; before asking for the next.
  void refresh(const World& world) {
    if (!parked_.empty()) take_back(world.pending());
  }
  bool empty() const { return size_ == 0; }  // nothing that could be served now
  // A pending event of the world: `kind` is what will happen to it, and says in which table it is.
  void push(Micros due, Do kind, std::uint32_t slot, std::uint32_t generation);
  Micros next_due() { return first().due(); }  // not empty
  // The earliest event that is still pending and enabled, as the action that serves it, its clock
  // moved to the due time; Do::nothing when there is none. Events that are pending but not enabled
  // (receiver paused, link holding, not first in order) wait aside until they are.
  Action pop(World& world);

 private:
  // 16 bytes: the due time (200 days of microseconds) and the order of arrival are one number, so
  // that comparing two items is one comparison without a branch.
  struct Item {
    std::uint64_t key;
    std::uint32_t slot;
    std::uint32_t tag;  // generation and kind
    Micros due() const { return static_cast<Micros>(key >> kOrderBits); }
    Do kind() const { return static_cast<Do>(tag & 31); }
    std::uint32_t generation() const { return tag >> 5; }
  };
  static constexpr int kOrderBits = 20;

  static bool stale(const Slot& slot, const Item& item) {
    return !slot.alive() || (slot.generation & 0x7ffffff) != item.generation();
  }
  std::size_t bucket_of(std::uint64_t key) const {
    const std::uint64_t differs = key ^ last_;
    return differs == 0 ? 0 : static_cast<std::size_t>(64 - __builtin_clzll(differs));
  }
  void put(const Item& item) {
    const std::size_t b = bucket_of(item.key);
    buckets_[b].push_back(item);
    occupied_ |= std::uint64_t{1} << b;
  }
  void insert(const Item& item);
  const Item& first();  // brings the earliest into bucket 0
  void remove_first();
  void spread(std::uint64_t new_last, std::size_t bucket);
  void take_back(const Pending& pending);

  std::array<std::vector<Item>, 64> buckets_;  // the top bit of a key is never set
  std::uint64_t occupied_ = 0;                 // a bit a bucket
  std::uint64_t last_ = 0;
  std::size_t size_ = 0;
  std::vector<Item> parked_, scratch_;
  std::uint64_t order_ = 0;
};

// Everything that is pending now, for a scheduler that takes over in the middle of a run.
void queue_all(World& world, TimedQueue& queue, Micros latency);

}  // namespace schism
