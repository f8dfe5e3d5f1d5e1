// Multipaxos holds over the leader service and over heartbeats; its seeded bugs are found.
#include <gtest/gtest.h>

#include "schism/testing/checked.hpp"

namespace schism {
namespace {

using namespace testing_tools;

const Pairs kOneCrash = {{"crash", "1"}};

TEST(Multipaxos, HoldsInEverySchedule) {
  EXPECT_EQ(verdict_of("multipaxos", {.faults = kOneCrash}), "holds");
  EXPECT_EQ(
      verdict_of("multipaxos:own-notice=true", {.faults = kOneCrash, .world = {{"down", "empty"}}}),
      "holds");
  EXPECT_EQ(verdict_of("multipaxos:proposals=2"), "holds");
  EXPECT_EQ(verdict_of("multipaxos:learn=all"), "holds");
  EXPECT_EQ(verdict_of("multipaxos:self-delivery=only"), "holds");
  EXPECT_EQ(verdict_of("multipaxos:head-start=false"), "holds");
  EXPECT_EQ(verdict_of("multipaxos:wrong-leaders=1,misled=1"), "holds");
  EXPECT_EQ(verdict_of("multipaxos:wrong-leaders=1,misled=1", {.by = "dfs"}), "holds");
}

TEST(Multipaxos, BugsAreFoundByCheck) {
  const auto violated = [](const char* system, const char* bug, Asked asked = {}) {
    asked.bugs = {bug};
    return verdict_of(system, asked);
  };
  EXPECT_EQ(violated("multipaxos", "first-report-lost", {.faults = kOneCrash}),
            "violated: agreement");
  EXPECT_EQ(violated("multipaxos:proposals=2", "slot-shift", {.faults = kOneCrash}),
            "violated: agreement");
  EXPECT_EQ(violated("multipaxos:proposals=2", "no-phase-one", {.faults = kOneCrash}),
            "violated: agreement");
  EXPECT_EQ(violated("multipaxos:proposals=2", "apply-at-once"), "violated: order");
  EXPECT_EQ(
      violated("multipaxos:proposals=2,wrong-leaders=1,misled=1", "break-promise", {.by = "dfs"}),
      "violated: agreement");
}

TEST(Multipaxos, BugsAreFoundByHunt) {
  const std::tuple<const char*, const char*, Pairs> planted[] = {
      {"multipaxos", "first-report-lost", kOneCrash},
      {"multipaxos:proposals=2", "slot-shift", kOneCrash},
      {"multipaxos:head-start=false,wrong-leaders=1,proposals=2", "stale-promises", {}},
      {"multipaxos:wrong-leaders=1,proposals=2", "break-promise", {}},
      {"multipaxos:proposals=2", "no-phase-one", kOneCrash},
      {"multipaxos:wrong-leaders=1,learn=all,proposals=2", "mixed-ballots", {}},
      {"multipaxos:proposals=2", "apply-at-once", {}}};
  for (const auto& [system, bug, faults] : planted)
    EXPECT_TRUE(hunted(system, {.bugs = {bug}, .faults = faults}, 40'000)) << bug;
}

TEST(Multipaxos, WithoutABugNothingIsFound) {
  EXPECT_FALSE(
      hunted("multipaxos:wrong-leaders=2,proposals=3,ballots=3", {.faults = kOneCrash}, 3'000));
  EXPECT_FALSE(hunted("multipaxos:wrong-leaders=1,proposals=3,learn=all,self-delivery=only",
                      {.nodes = 5, .faults = {{"crash", "2"}}}, 2'000));
  // A real election, in a network with delays beyond its first timeout.
  EXPECT_FALSE(hunted("multipaxos:leader-by=heartbeats,proposals=3,ballots=16,learn=all",
                      {.faults = kOneCrash, .explorer = "timed:max=150ms"}, 100));
}

}  // namespace
}  // namespace schism
