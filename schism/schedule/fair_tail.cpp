#include "schism/schedule/fair_tail.hpp"

#include "schism/schedule/timed_queue.hpp"

namespace schism {
namespace {

constexpr Micros kLatency = 1000;
constexpr Micros kThinkTime = 1000;  // of a client, and of a disk

class FairTail final : public Scheduler {
 public:
  explicit FairTail(Micros bound) : bound_(bound) {}

  TimeUse time_use() const override { return TimeUse::timed; }
  bool plays(Do) const override { return true; }
  bool sees_pending() const override { return true; }

  void begin(const Setup& setup, std::uint64_t) override {
    queue_.clear();
    ends_ = -1;
    until_calm_ = setup.options.until_calm;
  }

  Action next(World& world) override {
    const Pending& pending = world.pending();
    if (ends_ < 0) {
      if (pending.severed.size() > 0) return pending.nth(Do::heal, 0);
      if (pending.paused.size() > 0) return pending.nth(Do::resume, 0);
      if (pending.down.size() > 0) return pending.nth(Do::restart, 0);
      // A scenario is a part of the world: what it holds back stays back, unless it says otherwise.
      world.release_all(Holder::scheduler);
      if (until_calm_) world.release_all(Holder::scenario);
      if (!world.calm()) return make_action(Do::calm, Name());
      ends_ = world.clock() + bound_;
      queue_all(world, queue_, kLatency);
    }
    const Action action = queue_.pop(world);
    const bool late =
        action.kind == Do::fire ? pending.timers[action.hint].due > ends_ : world.clock() > ends_;
    return late ? Action{} : action;
  }

  void on_pending(World& world, Do kind, std::uint32_t slot) override {
    if (ends_ < 0) return;  // it will be found by queue_all
    const Slot& event = world.pending().slot(kind, slot);
    const Micros due = kind == Do::fire      ? event.due
                       : kind == Do::deliver ? world.clock() + kLatency
                                             : world.clock() + kThinkTime;
    queue_.push(due, kind, slot, event.generation);
  }

 private:
  Micros bound_;
  Micros ends_ = -1;  // before the calm
  bool until_calm_ = false;
  TimedQueue queue_;
};

}  // namespace

std::unique_ptr<Scheduler> make_fair_tail(Micros bound) {
  return std::make_unique<FairTail>(bound);
}

}  // namespace schism
