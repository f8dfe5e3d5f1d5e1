// `pos`: Yuan, Yang, Gu, "Partial Order Aware Concurrency Sampling", CAV 2018. Every pending event
// has a random priority; the highest is executed, and the events that race with it (those at the
// same node) draw anew. Faults are spread over the run within their budgets. See docs/pctcp.md.
#include "schism/schedule/fault_plan.hpp"
#include "schism/schedule/pos_race.hpp"
#include "schism/schedule/registry.hpp"
#include "schism/schedule/scheduler.hpp"

namespace schism {
namespace {

class Pos final : public Scheduler {
 public:
  struct Options {
    std::int64_t horizon = 500;
    std::int64_t timers = 3;
    double timer_weight = 0.25;
  };

  explicit Pos(const Options& options) : options_(options) {}

  TimeUse time_use() const override { return TimeUse::untimed; }
  bool plays(Do fault) const override { return FaultPlan::plays(fault); }
  bool sees_pending() const override { return true; }
  double price() const override { return 1.5; }  // measured on raft with 3 and 5 nodes

  void begin(const Setup& setup, std::uint64_t seed) override {
    rng_ = Rng(seed ^ 0x706f73ULL);
    faults_.begin(setup.options.faults, static_cast<std::uint64_t>(options_.horizon), seed);
    anywhere_ = static_cast<std::size_t>(setup.places());
    events_.reset(anywhere_ + 1);
    timers_.reset(anywhere_ + 1);
    fired_ = 0;
  }

  Action next(World& world) override {
    if (const Action fault = faults_.next(world); fault.kind != Do::nothing) return fault;
    const Action action = choose(world.pending());
    return action.kind != Do::nothing ? action : faults_.hasten(world);
  }

  void on_pending(World& world, Do kind, std::uint32_t slot) override {
    const Pending& pending = world.pending();
    const Race::Item item{slot, pending.slot(kind, slot).generation, kind};
    (kind == Do::fire ? timers_ : events_).add(place(pending, kind, slot), item, rng_);
  }

  std::uint32_t on_choice(World&, std::uint32_t n) override {
    return static_cast<std::uint32_t>(rng_.below(n));
  }

 private:
  // The node at which it would happen; one more place is for requests to any node.
  std::size_t place(const Pending& pending, Do kind, std::uint32_t slot) const {
    if (kind == Do::deliver) return static_cast<std::size_t>(pending.flights[slot].name.to());
    if (kind != Do::submit) return static_cast<std::size_t>(pending.slot(kind, slot).name.from());
    const NodeId target = pending.askings[slot].target;
    return target == kAnyNode ? anywhere_ : static_cast<std::size_t>(target);
  }

  Action choose(const Pending& pending) {
    const auto fit = [&](const Race::Item& item) {
      const Slot& slot = pending.slot(item.kind, item.slot);
      if (!slot.alive() || slot.generation != item.generation) return Race::Fit::never;
      const bool blocked =
          slot.at == kNone || (item.kind == Do::submit && pending.takers(slot.name).size() == 0);
      return blocked ? Race::Fit::later : Race::Fit::now;
    };
    const auto event = events_.best(fit, rng_);
    const bool messages_first = fired_ >= options_.timers && pending.deliverable.size() > 0;
    if (!messages_first && pending.armed_total > 0) {
      const auto timer = timers_.best(fit, rng_);
      if (timer && (!event || weighted(timer->priority) > event->priority)) {
        ++fired_;
        return serve(pending, timers_, *timer);
      }
    }
    if (!event) return {};
    if (event->item.kind == Do::deliver) fired_ = 0;
    return serve(pending, events_, *event);
  }

  // Timers are always pending: with equal chances they would crowd out the messages.
  std::uint64_t weighted(std::uint64_t priority) const {
    return static_cast<std::uint64_t>(static_cast<double>(priority >> 11) * options_.timer_weight)
           << 11;
  }

  Action serve(const Pending& pending, Race& race, const Race::Best& best) {
    const auto [kind, slot] = std::pair(best.item.kind, best.item.slot);
    race.take(best);
    std::size_t node = best.place;
    if (node == anywhere_) {
      race.redraw(node);
      const IdSet& takers = pending.takers(pending.askings[slot].name);
      node = takers[static_cast<std::uint32_t>(rng_.below(takers.size()))];
    }
    // What raced with it is all that waits at the node.
    events_.redraw(node);
    timers_.redraw(node);
    const auto arg = static_cast<std::uint32_t>(kind == Do::submit ? node : 0);
    return make_action(kind, pending.slot(kind, slot).name, arg, slot);
  }

  Options options_;
  Rng rng_;
  FaultPlan faults_;
  std::size_t anywhere_ = 0;
  Race events_, timers_;
  std::int64_t fired_ = 0;  // timers in a row
};

using O = Pos::Options;
const Registration registered =
    scheduler<Pos>("pos", "random priorities of events, redrawn for those that race")
        .param<&O::horizon>("horizon", 1, 1'000'000'000, "steps over which faults are spread")
        .param<&O::timers>("timers", 0, 1'000'000, "timers that may fire in a row before messages")
        .param<&O::timer_weight>("timer-weight", 0.0, 1.0,
                                 "how high timers draw, against messages");

}  // namespace
}  // namespace schism
