#include "schism/schedule/fault_plan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "schism/run/runner.hpp"
#include "schism/schedule/registry.hpp"
#include "schism/schism.hpp"
#include "schism/sim/sim_world.hpp"
#include "schism/system/systems.hpp"

namespace schism {
namespace {

Setup tokens(const Faults& faults) {
  Setup setup;
  setup.system = systems().find("tokens");
  setup.config = setup.system->fresh_config();
  setup.nodes = 5;
  setup.options.faults = faults;
  if (faults.mutate > 0) setup.options.liars = {0, 1, 2, 3, 4};
  return setup;
}

// Messages are delivered in turn where the plan has nothing to do.
std::vector<Action> play(const Setup& setup, std::uint64_t horizon, std::uint64_t seed, int steps,
                         FaultPlan& plan, SimWorld& world) {
  plan.begin(setup.options.faults, horizon, seed);
  world.reset(setup);
  for (int step = 0; step < steps; ++step) {
    Action action = plan.next(world);
    if (action.kind == Do::nothing && world.pending().deliverable.size() > 0)
      action = world.pending().nth_deliver(static_cast<std::uint32_t>(step) %
                                           world.pending().deliverable.size());
    if (action.kind == Do::nothing) action = plan.hasten(world);
    if (action.kind == Do::nothing) break;
    EXPECT_EQ(world.apply(action), Refusal::none) << action_name(action.kind);
  }
  return {world.decisions().begin(), world.decisions().end()};
}

std::map<Do, std::uint32_t> count(const std::vector<Action>& actions) {
  std::map<Do, std::uint32_t> counts;
  for (const Action& action : actions) ++counts[action.kind];
  return counts;
}

TEST(FaultPlan, SpendsItsBudgetsAndNoMore) {
  const Faults faults{
      .drop = 3, .duplicate = 2, .mutate = 2, .crash = 2, .pause = 2, .cut = 2, .partition = 1};
  const auto setup = tokens(faults);
  FaultPlan plan;
  SimWorld world;
  std::map<Do, std::uint32_t> spent;
  constexpr std::uint32_t kRuns = 200;
  for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
    const auto counts = count(play(setup, 100, seed, 400, plan, world));
    const auto within = [&](Do kind, std::uint32_t budget) {
      const auto at = counts.find(kind);
      if (at == counts.end()) return;
      EXPECT_LE(at->second, budget) << action_name(kind);
      spent[kind] += at->second;
    };
    within(Do::drop, faults.drop);
    within(Do::duplicate, faults.duplicate);
    within(Do::mutate, faults.mutate);
    within(Do::crash, faults.crash);
    within(Do::pause, faults.pause);
    within(Do::begin, faults.partition);
  }
  // What cannot happen at its step (no message left, too many nodes down) is left out.
  EXPECT_GT(spent[Do::drop], kRuns * faults.drop * 3 / 4);
  EXPECT_GT(spent[Do::crash], kRuns * faults.crash * 3 / 4);
  EXPECT_GT(spent[Do::pause], kRuns * faults.pause * 3 / 4);
  EXPECT_GT(spent[Do::begin], kRuns * faults.partition * 3 / 4);
}

TEST(FaultPlan, RepairsWhatItBreaks) {
  const auto setup = tokens({.crash = 3, .pause = 3, .cut = 3, .partition = 2});
  FaultPlan plan;
  SimWorld world;
  int broken = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    auto counts = count(play(setup, 60, seed, 2000, plan, world));
    EXPECT_EQ(counts[Do::crash], counts[Do::restart]);
    EXPECT_FALSE(plan.repairs_pending());
    const Pending& pending = world.pending();
    EXPECT_EQ(pending.down.size() + pending.paused.size() + pending.severed.size(), 0U);
    broken += counts[Do::crash] > 0 && counts[Do::cut] > 0;
  }
  EXPECT_GT(broken, 100);
}

TEST(FaultPlan, SpreadsFaultsEvenlyOverTheHorizon) {
  constexpr std::uint64_t kHorizon = 100;
  constexpr int kRuns = 10'000, kParts = 10;
  const auto setup = tokens({.drop = 1});
  FaultPlan plan;
  SimWorld world;
  int parts[kParts] = {};
  for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
    const auto actions = play(setup, kHorizon, seed, kHorizon, plan, world);
    const auto at = std::find_if(actions.begin(), actions.end(),
                                 [](const Action& a) { return a.kind == Do::drop; });
    ASSERT_NE(at, actions.end());
    ++parts[(at - actions.begin()) * kParts / static_cast<std::ptrdiff_t>(kHorizon)];
  }
  for (const int part : parts) EXPECT_NEAR(part, kRuns / kParts, 5 * std::sqrt(kRuns * 0.1 * 0.9));
}

TEST(FaultPlan, IsAFunctionOfItsSeed) {
  const auto setup = tokens({.drop = 2, .mutate = 1, .crash = 2, .pause = 1, .partition = 1});
  FaultPlan one, two;
  SimWorld world;
  int different = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto actions = play(setup, 80, seed, 300, one, world);
    EXPECT_EQ(actions, play(setup, 80, seed, 300, two, world));
    different += actions != play(setup, 80, seed + 1, 300, two, world);
  }
  EXPECT_EQ(different, 100);
}

}  // namespace
}  // namespace schism
