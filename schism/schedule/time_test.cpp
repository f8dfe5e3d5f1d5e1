// Runs with a clock: it never goes back, messages take their latency, timers fire when they are
// due, nodes that are paused or down do nothing, and latencies depend on seed and name alone. And
// schedulers give up only when there is nothing left to do.
#include <gtest/gtest.h>

#include "schism/run/runner.hpp"
#include "schism/testing/drive.hpp"
#include "schism/testing/strategies.hpp"

namespace schism {
namespace {

using namespace contract;

std::unique_ptr<Scheduler> make(const std::string& text) {
  return std::move(*schedulers().make(*parse_spec(text), "scheduler"));
}

schism::Setup calm_setup(const System& system, std::uint64_t seed) {
  schism::Setup setup;
  setup.system = &system;
  setup.config = system.fresh_config();
  setup.nodes = std::clamp(3, system.node_range.low, system.node_range.high);
  setup.node_seed = seed;
  return setup;
}

// What a run with a clock must look like at every step.
class Watch {
 public:
  explicit Watch(bool fires_exactly) : exactly_(fires_exactly) {}

  void operator()(const World& world) {
    if (world.step() == 0) sent_.clear(), due_.clear(), silent_.clear(), last_ = 0;
    const Micros now = world.clock();
    EXPECT_GE(now, last_) << "the clock went back";
    last_ = now;
    for (const Event& e : world.events()) {
      switch (e.kind) {
        case Happened::sent: sent_[e.value] = now; break;
        case Happened::duplicated: sent_[e.value] = now; break;
        case Happened::delivered: {
          const auto sent = sent_.find(e.value);
          ASSERT_NE(sent, sent_.end()) << "delivered, but never sent";
          EXPECT_GE(now, sent->second);
          latency[e.value] = now - sent->second;
          if (world.setup().options.down != WhenDown::empty) acts(e);
          break;
        }
        case Happened::timer_set: {
          const Pending& p = world.pending();
          // It may be cancelled or re-armed within the step.
          for (std::uint32_t s = 0; s < p.timers.size(); ++s)
            if (p.timers[s].alive() && p.timers[s].name.bits() == e.value)
              due_[e.value] = p.timers[s].due;
          break;
        }
        case Happened::timer_fired: {
          acts(e);
          const auto due = due_.find(e.value);
          ASSERT_NE(due, due_.end()) << "fired, but never set";
          EXPECT_GE(now, due->second) << "fired too early";
          if (exactly_) {
            EXPECT_EQ(now, due->second) << "fired too late";
          }
          ++fired;
          break;
        }
        case Happened::disk_completed: acts(e); break;
        case Happened::invoked:  // where nobody is there, an empty event
          if (world.setup().options.down != WhenDown::empty) acts(e);
          break;
        case Happened::crashed:
        case Happened::paused: silent_.insert(e.node); break;
        case Happened::restarted:
        case Happened::resumed: silent_.erase(e.node); break;
        default: break;
      }
    }
  }

  std::map<std::uint64_t, Micros> latency;
  std::size_t fired = 0, acted = 0;

 private:
  void acts(const Event& e) {
    ++acted;
    EXPECT_FALSE(silent_.contains(e.node))
        << happened_name(e.kind) << " at node " << e.node << ", which is down or paused";
  }
  bool exactly_;
  Micros last_ = 0;
  std::map<std::uint64_t, Micros> sent_, due_;
  std::set<int> silent_;
};

TEST(Time, GoesForwardAndEverythingHappensWhenItIsDue) {
  std::size_t runs = 0, fired = 0, acted = 0;
  for (const auto& system : sturdy_systems())
    for (const auto& entry : schedulers().sorted())
      for (const bool faulty : {false, true})
        for (std::uint64_t seed = 1; seed <= 8; ++seed) {
          SCOPED_TRACE(fmt::format("{}, {}, seed {}", system->name, entry.name, seed));
          const auto scheduler = testing_tools::made(entry);
          if (scheduler->time_use() == TimeUse::untimed) continue;
          Rng rng(seed);
          schism::Setup setup = faulty ? any_setup(*system, rng) : calm_setup(*system, seed);
          setup.options.faults.mutate = setup.options.faults.inject = 0;
          setup.options.drift_ppm.clear();
          Watch watch(!faulty && scheduler->time_use() == TimeUse::timed);
          Runner runner(setup, {200, 0, 0});
          runner.listen_to(kEveryEvent);
          runner.on_step(std::ref(watch));
          runner.run(*scheduler, {seed, seed});
          ++runs, fired += watch.fired, acted += watch.acted;
          if (::testing::Test::HasFailure()) return;
        }
  fmt::print("{} runs, {} timers fired, {} things happened\n", runs, fired, acted);
  EXPECT_GT(fired, 100U);
  EXPECT_GT(acted, 3000U);
}

TEST(Timed, LatenciesAreWithinTheirBounds) {
  const System& system = *systems().find("tokens");
  const auto scheduler = make("timed:min=2ms,max=5ms");
  Watch watch(true);
  Runner runner(calm_setup(system, 1), {300, 0, 0});
  runner.listen_to(kEveryEvent);
  runner.on_step(std::ref(watch));
  Micros least = 1'000'000, most = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    watch.latency.clear();
    runner.run(*scheduler, {seed, seed});
    for (const auto& [name, us] : watch.latency) {
      EXPECT_GE(us, 2000);
      EXPECT_LE(us, 5000);
      least = std::min(least, us), most = std::max(most, us);
    }
  }
  EXPECT_LT(least, 2200);  // and they use their range
  EXPECT_GT(most, 4800);
}

// What goes wrong elsewhere does not shift the rest: latencies are a function of seed and name.
TEST(Timed, LatenciesDependOnSeedAndNameAlone) {
  std::size_t compared = 0, changed = 0;
  for (const auto& system : sturdy_systems())
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      std::map<std::uint64_t, Micros> seen;
      for (const std::uint32_t drops : {0U, 1U, 3U}) {
        schism::Setup setup = calm_setup(*system, seed);
        setup.options.faults.drop = drops;
        const auto scheduler = make("timed:loss=0.2");
        Watch watch(true);
        Runner runner(setup, {150, 0, 0});
        runner.listen_to(kEveryEvent);
        runner.on_step(std::ref(watch));
        runner.run(*scheduler, {seed, seed});
        if (drops > 0 && watch.latency.size() != seen.size()) ++changed;
        for (const auto& [name, us] : watch.latency) {
          const auto [known, is_new] = seen.emplace(name, us);
          if (is_new) continue;
          ++compared;
          EXPECT_EQ(known->second, us) << system->name << ", seed " << seed;
        }
      }
    }
  fmt::print("{} latencies compared, {} runs changed\n", compared, changed);
  EXPECT_GT(compared, 2000U);
  EXPECT_GT(changed, 10U);
}

// A request for any node comes due while the only node is paused or down: it waits aside, and time
// goes on to what ends the fault.
TEST(Schedulers, GoOnWhileNobodyCanTakeARequest) {
  std::size_t waited = 0;
  for (const char* name : {"test-kitchen", "test-journal"})
    for (const char* spec : {"timed:think=1ms,pause-every=2ms,crash-every=2ms", "stepped:tick=1ms"})
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(fmt::format("{}, {}, seed {}", name, spec, seed));
        schism::Setup setup = calm_setup(*systems().find(name), seed);
        setup.nodes = 1;
        setup.options.faults.pause = setup.options.faults.crash = 3;
        Runner runner(setup, {500, 60'000'000, 1000});
        runner.on_step([&](const World& world) {
          const Pending& p = world.pending();
          waited += p.live.size() == 0 && p.askings.size() > 0 ? 1 : 0;
        });
        runner.run(*make(spec), {seed, seed});  // that it ends is the point
      }
  EXPECT_GT(waited, 50U);
}

// No faults, so nothing that could block: whoever stops has nothing to do. On links and disks that
// keep order, too.
TEST(Schedulers, StopOnlyWhenNothingIsLeftToDo) {
  std::size_t stopped = 0;
  for (const auto& system : sturdy_systems())
    for (const char* spec : {"random", "timed"})
      for (const LinkOrder links : {LinkOrder::any, LinkOrder::fifo})
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
          SCOPED_TRACE(
              fmt::format("{}, {}, links {}, seed {}", system->name, spec, enum_name(links), seed));
          schism::Setup setup = calm_setup(*system, seed);
          setup.options.links = links;
          const auto scheduler = make(spec);
          setup.options.time = scheduler->time_use();
          SimWorld world;
          world.attend(scheduler.get(), scheduler->sees_pending());
          scheduler->begin(setup, seed);
          world.reset(setup);
          bool ended = false;
          for (int i = 0; i < 500 && !ended; ++i) {
            const Action action = scheduler->next(world);
            ended = action.kind == Do::nothing;
            if (ended) break;
            ASSERT_EQ(world.apply(action), Refusal::none) << action_name(action.kind);
          }
          if (!ended) continue;
          ++stopped;
          const Pending& p = world.pending();
          ASSERT_EQ(p.deliverable.size(), 0U);
          ASSERT_EQ(p.completable.size(), 0U);
          ASSERT_EQ(p.count(Do::submit), 0U);
          ASSERT_EQ(p.armed_total, 0U);
        }
  fmt::print("{} runs stopped\n", stopped);
  EXPECT_GT(stopped, 100U);
}

TEST(Clock, SkewAndDriftAreExact) {
  schism::Setup setup = calm_setup(*systems().find("test-kitchen"), 1);
  setup.options.time = TimeUse::stepped;
  setup.options.skew_us = {500, -700};
  setup.options.drift_ppm = {100'000, -50'000, 0};
  SimWorld world;
  world.reset(setup);
  const auto due = [&](NodeId id) {  // of the timer that every node sets to 20 on its own clock
    const Pending& p = world.pending();
    for (std::uint32_t s = 0; s < p.timers.size(); ++s)
      if (p.timers[s].alive() && p.timers[s].name == Name(id, 1, 0, 0)) return p.timers[s].due;
    return Micros{-1};
  };
  EXPECT_EQ(due(0), 18);  // a clock that runs a tenth faster gets there earlier
  EXPECT_EQ(due(1), 21);
  EXPECT_EQ(due(2), 20);
  Micros now = 0;
  for (const Micros step : {Micros{7}, Micros{1'000'000}, Micros{86'400'000'000}}) {
    ASSERT_EQ(world.apply(advance_by(step)), Refusal::none);
    now += step;
    EXPECT_EQ(world.clock(), now);
    EXPECT_EQ(world.local_time(0), now + 500 + now / 10);
    EXPECT_EQ(world.local_time(1), now - 700 - now / 20);
    EXPECT_EQ(world.local_time(2), now);
  }
}

TEST(Clock, BelongsToEachNodeInUntimedRuns) {
  schism::Setup setup = calm_setup(*systems().find("test-kitchen"), 1);
  setup.options.skew_us = {0, 50};
  SimWorld world;
  world.reset(setup);
  ASSERT_EQ(world.apply(make_action(Do::fire, Name(0, 1, 0, 0))), Refusal::none);
  EXPECT_EQ(world.local_time(0), 20);
  EXPECT_EQ(world.local_time(1), 50);
  ASSERT_EQ(world.apply(make_action(Do::fire, Name(0, 0, 0, 0))), Refusal::none);  // was due before
  EXPECT_EQ(world.local_time(0), 20);
  EXPECT_EQ(world.clock(), 0);
}

}  // namespace
}  // namespace schism
