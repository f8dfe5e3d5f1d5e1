// `stepped`: rounds. In each, the messages that are pending at its beginning are delivered in
// random order, disk operations complete, clients ask, then the clock advances by a tick and the
// timers that are due fire. Faults come between rounds, within their budgets.
#include <algorithm>

#include "schism/schedule/faults.hpp"
#include "schism/schedule/registry.hpp"
#include "schism/schedule/scheduler.hpp"

namespace schism {
namespace {

class SteppedScheduler final : public Scheduler {
 public:
  struct Options {
    Micros tick = 10'000;
    std::int64_t deliveries = 100;
    double skip = 0.1;
    double submit = 0.5;
    double fault = 0.1;
    double repair = 0.2;
    std::int64_t rounds = 200;
  };

  explicit SteppedScheduler(const Options& options) : options_(options) {}

  TimeUse time_use() const override { return TimeUse::stepped; }
  bool plays(Do fault) const override {
    return fault != Do::inject && fault != Do::mutate && fault != Do::omit && fault != Do::complete;
  }

  void begin(const Setup&, std::uint64_t seed) override {
    rng_ = Rng(seed ^ 0x73746570ULL);
    script_.clear();
    round_ = 0;
    idle_ = 0;
  }

  Action next(World& world) override {
    while (script_.empty()) {
      if (round_++ >= options_.rounds) return {};
      const std::size_t planned = plan_round(world);
      idle_ = planned == 0 && world.pending().armed_total == 0 ? idle_ + 1 : 0;
      if (idle_ > 1) return {};  // the same again for ever
    }
    const Action action = script_.front();
    script_.pop_front();
    return action;
  }

  std::uint32_t on_choice(World&, std::uint32_t n) override {
    return static_cast<std::uint32_t>(rng_.below(n));
  }

 private:
  // Actions of a round; those that are no longer possible when their turn comes are skipped. How
  // many of them are more than the passing of time.
  std::size_t plan_round(const World& world) {
    const Pending& pending = world.pending();
    plan_repairs(world);
    plan_fault(world);
    std::vector<Action> batch;
    for (std::uint32_t i = 0; i < pending.deliverable.size(); ++i)
      if (!rng_.chance(options_.skip)) batch.push_back(pending.nth(Do::deliver, i));
    for (std::uint32_t i = 0; i < pending.completable.size(); ++i)
      batch.push_back(pending.nth(Do::complete, i));
    for (std::size_t i = batch.size(); i > 1; --i) std::swap(batch[i - 1], batch[rng_.below(i)]);
    if (batch.size() > static_cast<std::size_t>(options_.deliveries))
      batch.resize(static_cast<std::size_t>(options_.deliveries));
    script_.insert(script_.end(), batch.begin(), batch.end());
    if (pending.count(Do::submit) > 0 && rng_.chance(options_.submit))
      script_.push_back(pending.nth(
          Do::submit, static_cast<std::uint32_t>(rng_.below(pending.count(Do::submit)))));
    const std::size_t planned = script_.size() + pending.deliverable.size();
    script_.push_back(advance_by(options_.tick));
    plan_timers(world, world.clock() + options_.tick);
    return planned;
  }

  void plan_timers(const World& world, Micros now) {
    const Pending& pending = world.pending();
    std::vector<std::pair<Micros, Action>> due;
    for (std::uint32_t t = 0; t < pending.timer_classes(); ++t)
      for (std::uint32_t i = 0; i < pending.count_fire(t); ++i) {
        const Action fire = pending.nth_fire(t, i);
        if (pending.timers[fire.hint].due <= now)
          due.emplace_back(pending.timers[fire.hint].due, fire);
      }
    std::stable_sort(due.begin(), due.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first < b.first : a.second.name.bits() < b.second.name.bits();
    });
    for (const auto& [when, fire] : due) script_.push_back(fire);
  }

  void plan_repairs(const World& world) {
    const Pending& pending = world.pending();
    if (pending.severed.size() > 0 && rng_.chance(options_.repair)) heal_all(world, script_);
    for (const Do kind : {Do::restart, Do::resume})
      for (std::uint32_t i = 0; i < pending.count(kind); ++i)
        if (rng_.chance(options_.repair)) script_.push_back(pending.nth(kind, i));
  }

  void plan_fault(const World& world) {
    if (!rng_.chance(options_.fault)) return;
    const Pending& pending = world.pending();
    std::vector<Do> kinds;
    for (const Do kind : {Do::drop, Do::duplicate, Do::crash, Do::pause, Do::cut})
      if (pending.count(kind) > 0) kinds.push_back(kind);
    const bool can_split =
        pending.left.partition > 0 && pending.live.size() > 1 && pending.severed.size() == 0;
    if (can_split) kinds.push_back(Do::begin);
    if (kinds.empty()) return;
    const Do kind = kinds[rng_.below(kinds.size())];
    if (kind == Do::begin) {
      partition(world, *random_sides(world, rng_), script_);
      return;
    }
    const Action fault =
        pending.nth(kind, static_cast<std::uint32_t>(rng_.below(pending.count(kind))));
    script_.push_back(kind == Do::crash ? random_crash(world, fault, rng_) : fault);
  }

  Options options_;
  Rng rng_;
  Script script_;
  std::int64_t round_ = 0;
  int idle_ = 0;
};

using O = SteppedScheduler::Options;
const Registration registered =
    scheduler<SteppedScheduler>("stepped", "rounds of deliveries, then a tick of the clock")
        .duration<&O::tick>("tick", 1, 10_s, "how far the clock advances a round")
        .param<&O::deliveries>("deliveries", 1, 1'000'000, "messages delivered a round, at most")
        .param<&O::skip>("skip", 0.0, 1.0, "chance that a message waits for the next round")
        .param<&O::submit>("submit", 0.0, 1.0, "chance of a client's request a round")
        .param<&O::fault>("fault", 0.0, 1.0, "chance of a fault a round, within the budgets")
        .param<&O::repair>("repair", 0.0, 1.0, "chance a round that a fault is undone")
        .param<&O::rounds>("rounds", 1, 10'000'000, "length of a run");

}  // namespace
}  // namespace schism
