// `timed`: a simulated network. Every message gets a latency, a function of the seed and of the
// message's name, so that removing an action does not shift the rest; the earliest due event is
// next. Loss, duplication, partitions and crashes come and go within the run's fault budgets.
#include <algorithm>
#include <cmath>

#include "schism/schedule/faults.hpp"
#include "schism/schedule/registry.hpp"
#include "schism/schedule/scheduler.hpp"
#include "schism/schedule/timed_queue.hpp"

namespace schism {

SCHISM_ENUM(LatencyShape, uniform, exponential, pareto);

namespace {

class TimedScheduler final : public Scheduler {
 public:
  struct Options {
    Micros min = 1000, max = 10'000;
    LatencyShape shape = LatencyShape::uniform;
    double slow_links = 0;
    double slowness = 10;
    double loss = 0.02, duplication = 0.02;
    Micros disk = 2000, think = 5000;
    Micros crash_every = 500'000, down_for = 200'000;
    Micros pause_every = 500'000, pause_for = 100'000;
    Micros partition_every = 500'000, partition_for = 200'000;
    double disk_errors = 0.02;
  };

  explicit TimedScheduler(const Options& options) : options_(options) {}

  TimeUse time_use() const override { return TimeUse::timed; }
  bool plays(Do fault) const override {
    return fault != Do::inject && fault != Do::mutate && fault != Do::omit;
  }
  bool sees_pending() const override { return true; }

  Status check(const Setup&) const override {
    if (options_.min > options_.max)
      return error("timed: min is at most max, not {} and {}", print_duration(options_.min),
                   print_duration(options_.max));
    return {};
  }

  void begin(const Setup& setup, std::uint64_t seed) override {
    seed_ = mix64(seed ^ 0x74696d6564ULL);
    rng_ = Rng(seed_);
    queue_.clear();
    script_.clear();
    agenda_.clear();
    const Faults& faults = setup.options.faults;
    if (faults.crash > 0) plan(Turn::crash, options_.crash_every);
    if (faults.pause > 0) plan(Turn::pause, options_.pause_every);
    if (faults.partition + faults.cut > 0) plan(Turn::split, options_.partition_every);
  }

  Action next(World& world) override {
    for (;;) {
      if (!script_.empty()) {
        const Action action = script_.front();
        script_.pop_front();
        return action;
      }
      queue_.refresh(world);
      const Micros now = world.clock();
      const bool fault_first =
          !agenda_.empty() && (queue_.empty() || agenda_.front().due <= queue_.next_due());
      // Faults alone do not keep a run going, but what undoes them does.
      if (queue_.empty() && !undoing()) return {};
      if (!fault_first) {
        const Action action = serve(world);
        if (action.kind != Do::nothing) return action;
        if (agenda_.empty()) return {};
        continue;
      }
      const Planned turn = agenda_.front();
      if (turn.due > now) return advance_by(turn.due - now);
      agenda_.erase(agenda_.begin());
      take_turn(world, turn);
    }
  }

  void on_pending(World& world, Do kind, std::uint32_t slot) override {
    const Micros now = world.clock();
    if (kind == Do::deliver) {
      on_message(world.pending(), now, slot);
      return;
    }
    const Slot& event = world.pending().slot(kind, slot);
    const Micros due =
        kind == Do::fire
            ? event.due
            : now + spread(event.name, kind == Do::complete ? options_.disk : options_.think);
    queue_.push(due, kind, slot, event.generation);
  }

  std::uint32_t on_choice(World&, std::uint32_t n) override {
    return static_cast<std::uint32_t>(rng_.below(n));
  }

 private:
  enum class Turn : std::uint8_t { crash, restart, pause, resume, split, heal };
  struct Planned {
    Micros due;
    Turn turn;
    NodeId node;
  };

  void on_message(const Pending& pending, Micros now, std::uint32_t slot) {
    const Flight& flight = pending.flights[slot];
    const std::uint64_t name = flight.name.bits();
    if (pending.left.drop > 0 && to_unit(keyed(seed_, name, 1)) < options_.loss) {
      queue_.push(now, Do::drop, slot, flight.generation);
    } else if (pending.left.duplicate > 0 &&
               to_unit(keyed(seed_, name, 2)) < options_.duplication) {
      queue_.push(now, Do::duplicate, slot, flight.generation);
    }
    // A scheduler around this one may have said that it does not leave before its due time.
    queue_.push(std::max(now, flight.due) + latency(flight.name), Do::deliver, slot,
                flight.generation);
  }

  Micros latency(Name name) const {
    const double u = to_unit(keyed(seed_, name.bits()));
    const auto span = static_cast<double>(options_.max - options_.min);
    double us = static_cast<double>(options_.min);
    switch (options_.shape) {
      case LatencyShape::uniform: us += u * span; break;
      // The spread is then where nine of ten messages lie.
      case LatencyShape::exponential: us += -std::log(1 - u) * span / 2.302585; break;
      case LatencyShape::pareto: us += span * (std::pow(1 - u, -1 / 1.5) - 1) / 3.64; break;
    }
    if (options_.slow_links > 0) {
      const auto link = static_cast<std::uint64_t>(name.from() * kNodesMax + name.to());
      if (to_unit(keyed(seed_, link, 3)) < options_.slow_links) us *= options_.slowness;
    }
    return static_cast<Micros>(std::min(us, 3.6e9));
  }

  Micros spread(Name name, Micros mean) const {
    return mean / 2 + static_cast<Micros>(scale_below(keyed(seed_, name.bits(), 4),
                                                      static_cast<std::uint64_t>(mean) + 1));
  }

  // An event of the queue, unless the budget for its fate is used up by now.
  Action serve(World& world) {
    for (;;) {
      const Action action = queue_.pop(world);
      const Faults& left = world.pending().left;
      if (action.kind == Do::drop && left.drop == 0) continue;
      if (action.kind == Do::duplicate && left.duplicate == 0) continue;
      if (action.kind == Do::complete && left.disk_error > 0 &&
          to_unit(keyed(seed_, action.name.bits(), 5)) < options_.disk_errors)
        return failing(action);
      return action;
    }
  }

  bool undoing() const {
    return std::any_of(agenda_.begin(), agenda_.end(), [](const Planned& p) {
      return p.turn == Turn::restart || p.turn == Turn::resume || p.turn == Turn::heal;
    });
  }

  void plan(Turn turn, Micros mean, Micros from = 0, NodeId node = 0) {
    const Micros due =
        from + mean / 2 + static_cast<Micros>(rng_.below(static_cast<std::uint64_t>(mean) + 1));
    const Planned planned{due, turn, node};
    const auto at =
        std::upper_bound(agenda_.begin(), agenda_.end(), planned,
                         [](const Planned& a, const Planned& b) { return a.due < b.due; });
    agenda_.insert(at, planned);
  }

  void take_turn(const World& world, const Planned& turn) {
    const Pending& pending = world.pending();
    const Micros now = world.clock();
    const auto some = [&](Do kind) {
      return pending.nth(kind, static_cast<std::uint32_t>(rng_.below(pending.count(kind))));
    };
    switch (turn.turn) {
      case Turn::crash:
        if (pending.left.crash == 0) return;
        if (pending.count(Do::crash) > 0) {
          script_.push_back(random_crash(world, some(Do::crash), rng_));
          plan(Turn::restart, options_.down_for, now, script_.back().name.from());
        }
        plan(Turn::crash, options_.crash_every, now);
        return;
      case Turn::restart:
        if (!world.runs(turn.node) && pending.recovers)
          script_.push_back(node_action(Do::restart, turn.node));
        return;
      case Turn::pause:
        if (pending.left.pause == 0) return;
        if (pending.count(Do::pause) > 0) {
          script_.push_back(some(Do::pause));
          plan(Turn::resume, options_.pause_for, now, script_.back().name.from());
        }
        plan(Turn::pause, options_.pause_every, now);
        return;
      case Turn::resume:
        if (pending.paused.has(static_cast<std::uint32_t>(turn.node)))
          script_.push_back(node_action(Do::resume, turn.node));
        return;
      case Turn::split:
        if (pending.left.partition + pending.left.cut == 0) return;
        if (pending.left.partition > 0 && pending.live.size() > 1)
          partition(world, *random_sides(world, rng_), script_);
        else if (pending.count(Do::cut) > 0) script_.push_back(some(Do::cut));
        plan(Turn::heal, options_.partition_for, now);
        plan(Turn::split, options_.partition_every, now + options_.partition_for);
        return;
      case Turn::heal: heal_all(world, script_); return;
    }
  }

  Options options_;
  std::uint64_t seed_ = 0;
  Rng rng_;
  TimedQueue queue_;
  Script script_;
  std::vector<Planned> agenda_;  // by due time
};

using O = TimedScheduler::Options;
const Registration registered =
    scheduler<TimedScheduler>("timed", "a simulated network: latencies decide what is next")
        .duration<&O::min>("min", 0, 10_s, "shortest latency of a message")
        .duration<&O::max>("max", 0, 10_s, "longest latency (uniform), or of nine in ten")
        .param<&O::shape>("shape", "how latencies are distributed")
        .param<&O::slow_links>("slow-links", 0.0, 1.0, "share of links that are slow")
        .param<&O::slowness>("slowness", 1.0, 1000.0, "how many times slower they are")
        .param<&O::loss>("loss", 0.0, 1.0, "chance that a message is lost, within its budget")
        .param<&O::duplication>("duplication", 0.0, 1.0, "chance that it is duplicated")
        .duration<&O::disk>("disk", 0, 10_s, "mean time of a disk operation")
        .param<&O::disk_errors>("disk-errors", 0.0, 1.0, "chance that one fails")
        .duration<&O::think>("think", 0, 10_s, "mean time between a client's requests")
        .duration<&O::crash_every>("crash-every", 1_ms, 3600_s, "mean time between crashes")
        .duration<&O::down_for>("down-for", 1_ms, 3600_s, "mean time until the restart")
        .duration<&O::pause_every>("pause-every", 1_ms, 3600_s, "mean time between pauses")
        .duration<&O::pause_for>("pause-for", 1_ms, 3600_s, "mean length of a pause")
        .duration<&O::partition_every>("partition-every", 1_ms, 3600_s,
                                       "mean time between partitions")
        .duration<&O::partition_for>("partition-for", 1_ms, 3600_s, "mean length of a partition");

}  // namespace
}  // namespace schism
