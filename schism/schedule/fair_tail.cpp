#include "schism/schedule/fair_tail.hpp"

namespace schism {
namespace {

constexpr Micros kLatency = 1000;
constexpr Micros kThinkTime = 1000;  // of a client, and of a disk

}  // namespace

void FairTail::begin(const Setup& setup, std::uint64_t) {
  queue_.clear();
  round_.clear();
  served_ = 0;
  idle_rounds_ = 0;
  ends_ = -1;
  until_calm_ = setup.options.until_calm;
}

Action FairTail::next(World& world) {
  const Pending& pending = world.pending();
  if (ends_ < 0) {
    if (pending.severed.size() > 0) return pending.nth(Do::heal, 0);
    if (pending.paused.size() > 0) return pending.nth(Do::resume, 0);
    if (pending.count(Do::restart) > 0) return pending.nth(Do::restart, 0);
    // A scenario is a part of the world: what it holds back stays back, unless it says otherwise.
    world.release_all(Holder::scheduler);
    if (until_calm_) world.release_all(Holder::scenario);
    if (!world.calm()) return make_action(Do::calm, Name());
    ends_ = world.clock() + bound_;
    queue_all(world, queue_, kLatency);
  } else {
    count_round(world);
  }
  if (liar_)
    if (const Action lie = liar_->lie(world); lie.kind != Do::nothing) return lie;
  const Action action = queue_.pop(world);
  const bool late =
      action.kind == Do::fire ? pending.timers[action.hint].due > ends_ : world.clock() > ends_;
  if (liar_ && !late && action.kind == Do::deliver) liar_->delivers(world, action);
  return late ? Action{} : action;
}

void FairTail::on_pending(World& world, Do kind, std::uint32_t slot) {
  if (liar_ && kind == Do::deliver) liar_->hear(world, slot);
  if (ends_ < 0) return;  // it will be found by queue_all
  const Slot& event = world.pending().slot(kind, slot);
  const Micros due = kind == Do::fire      ? event.due
                     : kind == Do::deliver ? world.clock() + kLatency
                                           : world.clock() + kThinkTime;
  queue_.push(due, kind, slot, event.generation);
}

void FairTail::count_round(const World& world) {
  const Pending& pending = world.pending();
  const auto waits = [&](const Item& item) {
    const Slot& slot = pending.slot(item.kind, item.slot);
    return slot.alive() && slot.generation == item.generation && !slot.held();
  };
  while (served_ < round_.size() && !waits(round_[served_])) ++served_;
  if (served_ < round_.size()) return;
  if (!round_.empty()) ++idle_rounds_;
  round_.clear();
  served_ = 0;
  pending.each([&](Do kind, std::uint32_t slot) {
    const Slot& event = pending.slot(kind, slot);
    // What waits for somebody who stays down is not served in any round.
    const bool stuck = kind == Do::deliver && !world.runs(event.name.to());
    if (!event.held() && !stuck) round_.push_back({kind, slot, event.generation});
  });
}

}  // namespace schism
