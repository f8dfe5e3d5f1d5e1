// Pending events in order of their due times, for schedulers in which time decides. Ties go to the
// one that was queued first. Cancelled events stay in the heap until they come up.
#pragma once

#include <cstdint>
#include <vector>

#include "schism/world/world.hpp"

namespace schism {

class TimedQueue {
 public:
  void clear() {
    heap_.clear();
    parked_.clear();
    order_ = 0;
  }
  bool empty() const { return heap_.empty(); }
  // A pending event of the world: `kind` is what will happen to it, and says in which table it is.
  void push(Micros due, Do kind, std::uint32_t slot, std::uint32_t generation);
  Micros next_due() const { return heap_.front().due; }
  // The earliest event that is still pending and enabled, as the action that serves it, its clock
  // moved to the due time; Do::nothing when there is none. Events that are pending but not enabled
  // (receiver paused, link holding, not first in order) wait aside until they are.
  Action pop(World& world);

 private:
  struct Item {
    Micros due;
    std::uint32_t order, slot, generation;
    Do kind;
    // Without branches: which of two due times is earlier cannot be predicted.
    bool before(const Item& o) const {
      return ((due < o.due) | ((due == o.due) & (order < o.order))) != 0;
    }
  };
  static const Slot& slot_of(const Pending& pending, const Item& item);
  static bool stale(const Slot& slot, const Item& item) {
    return !slot.alive() || slot.generation != item.generation;
  }
  void take_back(const Pending& pending);
  void sift_up(std::size_t at);
  void fill_hole();

  std::vector<Item> heap_;  // 4-ary: shallower, and children share cache lines
  std::vector<Item> parked_;
  std::uint32_t order_ = 0;
};

// Everything that is pending now, for a scheduler that takes over in the middle of a run.
void queue_all(World& world, TimedQueue& queue, Micros latency);

}  // namespace schism
