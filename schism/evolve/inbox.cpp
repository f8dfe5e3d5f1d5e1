// `inbox`: messages wait in one inbox, from which the one with the best gene is delivered at a rate
// that follows the inbox's size. `rank`: the highest first (DiscoTest's Algorithm 2 and Equation
// 3.1). `aged`: the lowest first, all that wait are lowered at every delivery, and none waits for
// longer than a bound (Groot's section 3.1 and Algorithm 1). Everything else happens at its time.
#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "schism/evolve/obedient.hpp"
#include "schism/schedule/registry.hpp"
#include "schism/schedule/timed_queue.hpp"

namespace schism::evolve {

SCHISM_ENUM(InboxOrder, rank, aged);

namespace {

class Inbox final : public Obedient {
 public:
  struct Options {
    std::string classes, gauges;
    InboxOrder order = InboxOrder::rank;
    double high = 300, aging = 1;
    Micros cap = 0;
    double events = 0, sensitivity = 1.1, overflow = 1.25, underflow = 0.75;
    std::int64_t target = 20;
    Micros disk = 2000, think = 5000;
  };

  explicit Inbox(const Options& options)
      : Obedient(options.classes, options.gauges), options_(options) {}

  TimeUse time_use() const override { return TimeUse::timed; }
  bool plays(Do) const override { return false; }
  bool sees_pending() const override { return true; }

  void begin(const Setup& setup, std::uint64_t seed) override {
    seed_ = keyed(seed, hash_text("inbox"));
    const bool ranked = options_.order == InboxOrder::rank;
    settle(setup, seed, {0, 0, options_.high, ranked});
    // Equation 3.1: half as many a second as there are genes, within a sixth of them and all.
    events_ = options_.events > 0 ? options_.events : std::max(6.0, static_cast<double>(genes()));
    rate_ = events_ / 2;
    queue_.clear();
    waiting_.clear();
    tick_ = 0;
    served_ = arrived_ = gone_ = 0;
    steps_ = 0;
  }

  Action next(World& world) override {
    if (world.step() != steps_) forget_the_gone(world.pending());
    steps_ = world.step() + 1;
    const auto best = best_of(world.pending());
    const bool any = best != waiting_.end();
    const Micros at = any ? next_tick(world.clock()) : 0;
    // What the queue believes to be next may be cancelled: only what comes out of it is not.
    const Action other = queue_.pop(world);
    if (!any) return served(other);
    if (other.kind != Do::nothing && time_of(world, other) < at) return served(other);
    if (other.kind != Do::nothing && other.kind != Do::advance)  // an advance is still in it
      queue_.push(time_of(world, other), other.kind, other.hint,
                  world.pending().slot(other.kind, other.hint).generation);
    return deliver(world, best, at);
  }

  void on_pending(World& world, Do kind, std::uint32_t slot) override {
    const Slot& event = world.pending().slot(kind, slot);
    const Micros now = world.clock();
    if (kind != Do::deliver) {
      const Micros mean = kind == Do::complete ? options_.disk : options_.think;
      queue_.push(kind == Do::fire ? event.due : now + spread(event.name, mean), kind, slot,
                  event.generation);
      return;
    }
    waiting_.insert({key_of(world.pending().flights[slot]), arrived_++, slot, event.generation});
    if (options_.cap > 0) queue_.push(now + options_.cap, kind, slot, event.generation);
  }

  std::uint32_t on_choice(World&, std::uint32_t n) override {
    return static_cast<std::uint32_t>(scale_below(keyed(seed_, arrived_, served_), n));
  }

 private:
  struct Waiting {
    double key;  // the lowest is next
    std::uint64_t arrived;
    std::uint32_t slot, generation;

    bool alive(const Pending& pending) const {
      const Flight& flight = pending.flights[slot];
      return flight.alive() && flight.generation == generation;
    }
    friend bool operator<(const Waiting& a, const Waiting& b) {
      return std::tie(a.key, a.arrived) < std::tie(b.key, b.arrived);
    }
  };
  using Inboxed = std::set<Waiting>;

  // What the queue delivers has waited long enough, and is still in the inbox.
  Action served(const Action& action) {
    if (action.kind != Do::deliver) return action;
    ++served_;
    ++gone_;
    return action;
  }
  static Micros time_of(const World& world, const Action& action) {
    if (action.kind == Do::fire)
      return std::max(world.clock(), world.pending().timers[action.hint].due);
    if (action.kind == Do::advance) return world.clock() + static_cast<Micros>(action.name.bits());
    return action.kind == Do::submit ? world.clock() : world.clock() + action.arg();
  }

  // Lowering all that wait at each delivery is the same as adding to those who come later. What a
  // node sends to itself does not wait for others.
  double key_of(const Flight& flight) const {
    if (options_.order == InboxOrder::rank) return -gene_of(flight, 1e9);
    return std::floor(gene_of(flight, -1e9) + 0.5) + options_.aging * static_cast<double>(served_);
  }

  // After a step of somebody else, who may have taken messages away.
  void forget_the_gone(const Pending& pending) {
    std::erase_if(waiting_, [&](const Waiting& w) { return !w.alive(pending); });
    gone_ = 0;
  }

  // The best that can be delivered now; those that are gone are forgotten on the way.
  Inboxed::iterator best_of(const Pending& pending) {
    auto it = waiting_.begin();
    while (it != waiting_.end()) {
      if (!it->alive(pending)) {
        it = waiting_.erase(it);
        --gone_;
      } else if (pending.flights[it->slot].at == kNone) {
        ++it;
      } else {
        break;
      }
    }
    return it;
  }

  Micros period() const { return static_cast<Micros>(1e6 / rate_); }
  // The loop ticks on while there is nothing to do.
  Micros next_tick(Micros now) {
    if (tick_ < now) tick_ += (now - tick_ + period() - 1) / period() * period();
    return tick_;
  }

  Action deliver(const World& world, Inboxed::iterator best, Micros at) {
    const Micros wait = at - world.clock();
    if (wait > static_cast<Micros>(kArgMax)) return advance_by(wait);
    const std::uint32_t slot = best->slot;
    const Name name = world.pending().flights[slot].name;
    waiting_.erase(best);
    adjust_rate(waiting_.size() - gone_);
    ++served_;
    tick_ = at + period();
    return make_action(Do::deliver, name, static_cast<std::uint32_t>(wait), slot);
  }

  void adjust_rate(std::size_t waiting) {
    const auto size = static_cast<double>(waiting), target = static_cast<double>(options_.target);
    if (size > target * options_.overflow) rate_ = std::min(rate_ * options_.sensitivity, events_);
    else if (size < target * options_.underflow)
      rate_ = std::max(rate_ / options_.sensitivity, events_ / 6);
  }

  Micros spread(Name name, Micros mean) const {
    return mean / 2 + static_cast<Micros>(scale_below(keyed(seed_, name.bits(), 4),
                                                      static_cast<std::uint64_t>(mean) + 1));
  }

  Options options_;
  std::uint64_t seed_ = 0;
  TimedQueue queue_;  // timers, disks, requests; messages that may wait no longer
  Inboxed waiting_;
  std::size_t gone_ = 0;          // of these, how many are not there any more
  std::uint32_t steps_ = 0;       // that the world has when it has taken none but ours
  double rate_ = 1, events_ = 6;  // a second
  Micros tick_ = 0;
  std::uint64_t served_ = 0, arrived_ = 0;
};

using O = Inbox::Options;
const Registration registered =
    scheduler<Inbox>("inbox",
                     "one inbox for all messages, emptied by priority at a rate that follows its "
                     "size; priorities are drawn or evolved")
        .param<&O::order>("order",
                          "rank: the highest first; aged: the lowest first, all lowered "
                          "at every delivery")
        .param<&O::high>("high", 1.0, 1e6, "highest priority that is drawn, where they age")
        .param<&O::aging>("aging", 0.0, 1e6, "by how much they are lowered")
        .duration<&O::cap>("cap", 0, 60_s, "longest wait of a message; 0s: any")
        .param<&O::events>("events", 0.0, 1e6,
                           "deliveries a second at most; 0: as many as there are genes")
        .param<&O::sensitivity>("sensitivity", 1.0, 10.0, "by how much the rate changes at once")
        .param<&O::target>("target", 0, 100'000, "messages that should be in the inbox")
        .param<&O::overflow>("overflow", 1.0, 100.0, "times the target: more is too many")
        .param<&O::underflow>("underflow", 0.0, 1.0, "times the target: fewer is too few")
        .duration<&O::disk>("disk", 0, 10_s, "mean time of a disk operation")
        .duration<&O::think>("think", 0, 10_s, "mean time between a client's requests")
        .param<&O::classes>("classes", "which messages share a priority; none: as the system says")
        .param<&O::gauges>("gauges", "what is measured, such as time/steps");

}  // namespace
}  // namespace schism::evolve
