// Liars that are two: protocols that survive a liar survive a pair, also one that goes back to an
// older disk; and bugs that need somebody who says two things are found by two honest copies.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "schism/run/config.hpp"
#include "schism/shrink/shrink.hpp"
#include "schism/testing/seeded.hpp"
#include "schism/trace/trace.hpp"

namespace schism {
namespace {

constexpr const char* kTimers =
    "random:timer.gossip=5,timer.precommit=20,timer.prevote=20,timer.propose=20";
constexpr const char* kTwo = "pbft:clients=2,requests=3";  // clients

RunConfig config_of(const std::string& system, const std::string& bug, const std::string& scheduler,
                    const Pairs& faults, const Pairs& world, const std::string& tail) {
  RunText text;
  text.system = *parse_spec(system);
  if (system == kTwo) text.nodes = "6";
  if (!bug.empty()) text.bugs = {bug};
  text.faults = faults;
  text.world = world;
  text.explorer = *parse_spec(scheduler);
  text.tail = tail;
  auto config = make_config(text);
  EXPECT_TRUE(config) << config.error();
  return *config;
}

struct Hunt {
  std::string system, bug, scheduler, tail;
  int runs;  // enough from each starting seed
};
const Hunt kHunts[] = {
    {kTwo, "slot-votes-unbound", "twins", "", 150},
    {"bft-smart:as=repaired", "decide-own-proposal", "twins", "", 300},
    {"tendermint", "precommit-quorum-2f", std::string("twins(") + kTimers + ")", "0s", 6000},
};

TEST(TwinsHunt, FindsWhatNeedsSomebodyWhoSaysTwoThings) {
  for (const Hunt& hunt : kHunts) {
    const RunConfig config =
        config_of(hunt.system, hunt.bug, hunt.scheduler, {}, {{"liars-drawn", "1"}}, hunt.tail);
    testing_tools::expect_found(config, 2, hunt.runs);
  }
}

// Without bugs, by rounds and free, with and without other faults.
TEST(TwinsHunt, WithoutBugsAPairBreaksNothing) {
  const std::pair<const char*, Pairs> forms[] = {
      {"bracha", {{"duplicate", "3"}, {"pause", "2"}}},
      {kTwo, {{"drop", "10"}, {"duplicate", "5"}, {"partition", "2"}}},
      {"tendermint", {{"drop", "10"}, {"crash", "2"}, {"partition", "2"}}},
      {"bft-smart:as=repaired", {{"crash", "1"}, {"pause", "2"}}}};
  const Pairs twins = {{"liars-drawn", "1"}, {"twins", "true"}};
  for (const auto& [form, faults] : forms)
    for (const char* scheduler : {"twins(timed)", "twins(random)", "twins:blocks=3(random)",
                                  "twins:leaders=twins(timed)", "random", "pos"}) {
      const bool faulty = std::string_view(scheduler).find("timed") == std::string_view::npos;
      const RunConfig config =
          config_of(form, "", scheduler, faulty && scheduler[0] != 'p' ? faults : Pairs{}, twins,
                    faulty ? "0s" : "");
      Runner runner(config.setup, config.limits);
      const auto by = make_scheduler(config);
      for (std::uint64_t seed = 1; seed <= (faulty ? 25 : 8); ++seed) {
        const bool violated = runner.run(*by, {seed, seed}).violated;
        ASSERT_FALSE(violated) << runner.violation()->property << ": "
                               << runner.violation()->message << " with seed " << seed << ": "
                               << to_flags(config);
      }
    }
}

// Tendermint's votes are on disk before they leave; who goes back votes again, and others hold.
TEST(OldDiskHunt, WithoutBugsWhoGoesBackBreaksNothing) {
  for (const std::string inner : {"random", "timed", kTimers}) {
    const RunConfig config = config_of("tendermint", "", "liar:old-disk=1(" + inner + ")", {},
                                       {{"liars-drawn", "1"}}, "");
    Runner runner(config.setup, config.limits);
    const auto by = make_scheduler(config);
    std::uint64_t went_back = 0;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
      const bool violated = runner.run(*by, {seed, seed}).violated;
      ASSERT_FALSE(violated) << runner.violation()->property << " with seed " << seed << ": "
                             << to_flags(config);
      for (const Action& action : runner.world().decisions())
        went_back += action.kind == Do::restart && action.arg() > 0 ? 1 : 0;
    }
    EXPECT_GT(went_back, 20U) << inner;
  }
}

// Raft survives no liars: a voter that is restored from a backup is enough. The story is small, and
// is the same when it is played again.
TEST(OldDiskHunt, ABackupBreaksRaft) {
  const RunConfig config =
      config_of("raft", "", "liar:old-disk=1(random)", {{"inject", "5"}}, {{"liars", "2"}}, "0s");
  Runner runner(config.setup, config.limits);
  const auto by = make_scheduler(config);
  std::uint64_t seed = 1;
  while (seed <= 200 && !runner.run(*by, {seed, seed}).violated) ++seed;
  ASSERT_LE(seed, 200U);
  const Trace trace = make_trace(config, {seed, seed}, 0,
                                 record(runner.world().decisions(), runner.world().contents()));
  ShrinkOptions options;
  options.replays_max = 4000;
  const std::atomic<bool> stop{false};
  const auto small = shrink(trace, options, stop);
  ASSERT_TRUE(small) << small.error();
  const auto& steps = small->trace.steps;
  // Nobody crashes, so that who restarts is the liar, whatever its number is now.
  EXPECT_EQ(std::count_if(steps.begin(), steps.end(),
                          [](const Recorded& s) { return s.action.kind == Do::restart; }),
            1);
  EXPECT_LT(steps.size(), 60U);
}

}  // namespace
}  // namespace schism
