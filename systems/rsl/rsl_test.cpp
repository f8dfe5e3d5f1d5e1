// The rules by hand. That bugs are found and nothing else is: hunt_test.cpp.
#include <gtest/gtest.h>

#include "systems/rsl/cluster.hpp"

namespace schism::rsl {
namespace {

TEST(RslElection, TheFirstPrimaryDecidesTheEmptyCommand) {
  Cluster cluster(3);
  cluster.elect(1);
  EXPECT_EQ(cluster.node(1).accepted.ballot, (Ballot{1, 1}));
  EXPECT_EQ(cluster.node(1).decided.last(), 1U);
  EXPECT_EQ(cluster.node(1).decided[1], kEmpty);
  for (const NodeId id : {0, 2}) {
    EXPECT_EQ(cluster.node(id).role, Role::secondary);
    EXPECT_EQ(cluster.node(id).prepared, (Ballot{1, 1}));
  }
}

TEST(RslVoting, TheNextDecreeTellsTheOthersThatTheLastIsDecided) {
  Cluster cluster(3);
  cluster.elect(0);
  cluster.decide(0);
  EXPECT_EQ(cluster.node(0).decided.last(), 2U);
  EXPECT_EQ(cluster.node(1).decided.last(), 1U);
  cluster.decide(0);
  EXPECT_EQ(cluster.node(1).decided.last(), 2U);
  EXPECT_EQ(cluster.node(1).decided.prefix(2), cluster.node(0).decided.prefix(2));
}

// The smallest story of the published bug: decided in one ballot, proposed again in the next.
std::uint32_t decided_after_change_of_primary(bool bug) {
  Cluster cluster(3, [&](Config& config) { config.execute_twice = bug; });
  cluster.elect(2);
  cluster.decide(2);
  EXPECT_EQ(cluster.node(2).decided.last(), 2U);
  cluster.elect(1);
  EXPECT_EQ(cluster.node(1).accepted.decree, 1U);
  cluster.decide(1);
  return cluster.node(2).decided.last();
}

TEST(RslVoting, ADecreeIsExecutedOnce) {
  EXPECT_EQ(decided_after_change_of_primary(false), 2U);
  EXPECT_EQ(decided_after_change_of_primary(true), 3U);
}

TEST(RslLearning, AReplicaThatMissedDecreesFetchesThem) {
  Cluster cluster(3);
  cluster.elect(0);
  cluster.isolate({2});
  cluster.decide(0);
  cluster.decide(0);
  EXPECT_EQ(cluster.node(2).accepted.decree, 0U);
  cluster.isolate({});
  cluster.settle();
  cluster.decide(0);
  EXPECT_EQ(cluster.node(2).accepted.decree, 3U);
  EXPECT_EQ(cluster.node(2).decided.last(), 3U);
  EXPECT_EQ(cluster.node(2).decided.prefix(3), cluster.node(0).decided.prefix(3));
}

TEST(RslStorage, ARestartKeepsPromisesProposalsAndWhatIsDecided) {
  for (const bool forget : {false, true}) {
    Cluster cluster(3, [&](Config& config) { config.forget = forget; });
    cluster.elect(0);
    cluster.decide(0);
    cluster.crash(1);
    cluster.restart(1);
    const Replica& node = cluster.node(1);
    EXPECT_EQ(node.prepared.number, forget ? 0U : 1U);
    EXPECT_EQ(node.accepted.decree, forget ? 0U : 1U);
    EXPECT_EQ(node.decided.last(), forget ? 0U : 1U);
    EXPECT_EQ(node.role, Role::initialising);
  }
}

TEST(RslElection, ACandidateThatIsBehindCatchesUpAndThenWins) {
  Cluster cluster(3);
  cluster.elect(0);
  cluster.isolate({2});
  cluster.decide(0);
  cluster.isolate({0});
  cluster.elect(2);
  EXPECT_EQ(cluster.node(2).accepted.decree, 1U);
  EXPECT_EQ(cluster.node(2).decided[2], cluster.node(0).decided[2]);
}

TEST(RslQuit, AReplicaWithoutProgressDoesNothingMore) {
  Cluster cluster(3, [](Config& config) { config.quit = true; });
  cluster.isolate({0});
  cluster.tick(0, 100);
  EXPECT_EQ(cluster.node(0).ticks, 100U);
  EXPECT_EQ(cluster.node(0).action_at, 17U);  // after 5, 11 and 17 it would ask again
}

}  // namespace
}  // namespace schism::rsl
