// What happens between two steps of an input, whatever that says: disks complete, the clock
// advances, and timers that are due fire. And the inboxes that inputs serve.
#pragma once

#include <deque>

#include "schism/schedule/scheduler.hpp"

namespace schism::model {

// Messages in the order of sending.
class InboxQueue {
 public:
  void push(const Pending& pending, std::uint32_t slot) {
    waiting_.push_back({slot, pending.flights[slot].generation});
  }
  // The delivery of the first that can still be delivered; nothing: there is none.
  Action first(const Pending& pending) {
    for (; !waiting_.empty(); waiting_.pop_front()) {
      const Flight& flight = pending.flights[waiting_.front().slot];
      if (flight.alive() && flight.generation == waiting_.front().generation && flight.at != kNone)
        return make_action(Do::deliver, flight.name, 0, waiting_.front().slot);
    }
    return {};
  }
  void pop() { waiting_.pop_front(); }

 private:
  struct Waiting {
    std::uint32_t slot, generation;
  };
  std::deque<Waiting> waiting_;
};

class Upkeep {
 public:
  void begin(Micros tick) { tick_ = tick, phase_ = Phase::disk; }
  // Nothing: it is over, and begins anew after the next step.
  Action next(const World& world) {
    const Pending& pending = world.pending();
    if (phase_ == Phase::disk) {
      if (pending.count(Do::complete) > 0) return pending.nth(Do::complete, 0);
      phase_ = Phase::timers;
      return advance_by(tick_);
    }
    const Action fire = due_timer(world);
    if (fire.kind == Do::nothing) phase_ = Phase::disk;
    return fire;
  }

 private:
  enum class Phase : std::uint8_t { disk, timers };

  // The earliest.
  static Action due_timer(const World& world) {
    const Pending& pending = world.pending();
    Action best;
    Micros due = world.clock();
    for (std::uint32_t t = 0; t < pending.timer_classes(); ++t)
      for (std::uint32_t i = 0; i < pending.count_fire(t); ++i) {
        const Action fire = pending.nth_fire(t, i);
        const Micros own = pending.timers[fire.hint].due;
        const bool sooner =
            own < due ||
            (own == due && (best.kind == Do::nothing || fire.name.bits() < best.name.bits()));
        if (sooner) best = fire, due = own;
      }
    return best;
  }

  Micros tick_ = 0;
  Phase phase_ = Phase::disk;
};

}  // namespace schism::model
