// How long a fair tail goes on: until nothing is left, all are satisfied, or the system's patience
// is over; and what a recording keeps of it.
#include <gtest/gtest.h>

#include "schism/oracle/eventually.hpp"
#include "schism/testing/checked.hpp"
#include "schism/trace/trace.hpp"

namespace schism {
namespace {

struct News {
  FIELDS()
};
struct Progress {
  int at = 0;
  FIELDS(at)
};
SCHISM_ENUM(Clock, tick);

// A clock that ticks for ever. After `done` ticks it is done, until then it says so at every
// `says`-th tick; 0: never.
struct Patient : Node<Patient, News> {
  struct Config {
    std::int64_t done = 0, says = 0;
    bool heard_is_bad = false;
  };
  using Timers = Clock;
  int ticks = 0, heard = 0;
  FIELDS(ticks, heard)
  void start(Context& c) {
    c.set_timer(Clock::tick, 1000);
    if (c.self == 0) c.send(1, News{});
  }
  void on(Context&, NodeId, const News&) { ++heard; }
  void on_timer(Context& c, Clock) {
    ++ticks;
    if (c.config().says > 0 && ticks % c.config().says == 0) c.announce(Progress{ticks});
    c.set_timer(Clock::tick, 1000);
  }
};

const Patient::Config& config_of(const World& world) {
  return *static_cast<const Patient::Config*>(world.setup().config.get());
}

bool done(const World& world) {
  const auto* node = world.as<Patient>(0);
  return node && config_of(world).done > 0 && node->ticks >= config_of(world).done;
}

// A safety property that is only looked at when the run is over, as histories are.
class Deaf final : public Oracle {
 public:
  std::string_view name() const override { return "deaf"; }
  EventMask wakes_on() const override { return 0; }
  void begin(const World&) override { absolve(); }
  void look(const World&, std::span<const Event>) override {}
  void finish(const World& world, const Ending&) override {
    const auto* node = world.as<Patient>(1);
    if (node && config_of(world).heard_is_bad && node->heard > 0)
      violate(world, "it heard something");
  }
};

const Registration registered =
    system<Patient>("test-patient", "a clock that ticks for ever")
        .nodes(2, 2, 2)
        .param<&Patient::Config::done>("done", 0, 1'000'000, "after so many ticks")
        .param<&Patient::Config::says>("says", 0, 1'000'000, "an announcement every so many ticks")
        .param<&Patient::Config::heard_is_bad>("heard-is-bad", "to hear something is a violation")
        .oracle([](const Setup&) { return std::make_unique<Deaf>(); })
        .oracle(eventually("done", done))
        .oracle(sometimes<Progress>("progress", [](const Progress&) { return true; }))
        .steps(10)
        .tail(100'000_s)
        .thread_safe();

struct Ran {
  RunSummary summary;
  Trace trace;
};

Ran run(const std::string& system, std::uint64_t seed = 1) {
  const RunConfig config = testing_tools::config_of(system, {});
  Runner runner(config.setup, config.limits);
  const auto scheduler = make_scheduler(config, 0);
  Ran out;
  RunPlan plan;
  plan.seed = plan.node_seed = seed;
  out.summary = runner.run(*scheduler, plan);
  const World& world = runner.world();
  RunConfig as_it_was = config;
  as_it_was.setup.options.time = world.setup().options.time;
  out.trace = make_trace(as_it_was, plan, 0, record(world.decisions(), world.contents()));
  return out;
}

TEST(Patience, WhatNeverComesIsToldSoonAndConfirmed) {
  const Ran r = run("test-patient");
  ASSERT_TRUE(r.summary.violated);
  // Two clocks, ten times a hundred rounds.
  EXPECT_GT(r.summary.steps, 1900U);
  EXPECT_LT(r.summary.steps, 2300U);
  // What is kept of it ends where the verdict was certain enough to be confirmed.
  ASSERT_TRUE(r.trace.violation);
  EXPECT_TRUE(r.trace.fair);
  EXPECT_LT(r.trace.steps.size(), 250U);
  const ReplayReport again = replay(r.trace);
  EXPECT_FALSE(again.difference);
  EXPECT_TRUE(again.unlike.empty());
}

TEST(Patience, WhatComesWithinTenTimesOfItIsNoViolation) {
  EXPECT_FALSE(run("test-patient:done=50").summary.violated);
  EXPECT_FALSE(run("test-patient:done=150").summary.violated);
  EXPECT_FALSE(run("test-patient:done=900").summary.violated);
  EXPECT_TRUE(run("test-patient:done=1500").summary.violated);
}

TEST(Patience, ProgressGivesMore) {
  EXPECT_TRUE(run("test-patient:done=4000").summary.violated);
  EXPECT_FALSE(run("test-patient:done=4000,says=90").summary.violated);
}

TEST(Patience, WhatHoldsIsNotWaitedFor) {
  EXPECT_LT(run("test-patient:done=1").summary.steps, 250U);
}

TEST(Patience, ASafetyViolationThatIsSeenAtTheEndHasNoTail) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Ran r = run("test-patient:done=1,heard-is-bad=true", seed);
    ASSERT_TRUE(r.trace.violation);
    EXPECT_EQ(r.trace.violation->property, "deaf");
    EXPECT_EQ(r.trace.steps.back().action.kind, Do::deliver);  // the news
    EXPECT_FALSE(replay(r.trace).difference);
  }
}

}  // namespace
}  // namespace schism
