// Every oracle can fail, and says what it saw; and what is right does not make it fail.
#include "systems/craft/oracles.hpp"

#include <gtest/gtest.h>

#include "schism/run/runner.hpp"
#include "systems/craft/cluster.hpp"

namespace schism::craft {
namespace {

template <class A>
Event announcement(const A& content, NodeId node) {
  Event event;
  event.kind = Happened::announced;
  event.node = static_cast<std::uint16_t>(node);
  event.body = &content;
  event.type = &type_info<A>();
  return event;
}

class CraftOracles : public ::testing::Test {
 protected:
  template <class A>
  void tell(Oracle& oracle, const A& content, NodeId node) {
    const Event event = announcement(content, node);
    oracle.look(cluster.world(), {&event, 1});
  }
  LogView& log_of(NodeId id) { return const_cast<LogView&>(cluster.node(id).log()); }

  Cluster cluster{3};
};

TEST_F(CraftOracles, LogMatching) {
  LogMatching oracle;
  oracle.begin(cluster.world());
  for (NodeId id : {0, 1}) log_of(id).append(Entry{2, EntryType::command, "same"});
  log_of(2).append(Entry{3, EntryType::command, "other term"});
  for (NodeId id = 0; id < 3; ++id) tell(oracle, LogChange{1, 2}, id);
  EXPECT_FALSE(oracle.violation());
  log_of(2).truncate(1);
  log_of(2).append(Entry{2, EntryType::command, "other"});
  tell(oracle, LogChange{2, 2}, 2);
  EXPECT_TRUE(oracle.violation());
}

TEST_F(CraftOracles, CommittedEntries) {
  CommittedEntries oracle;
  oracle.begin(cluster.world());
  log_of(0).append(Entry{2, EntryType::command, "a"});
  log_of(1).append(Entry{3, EntryType::command, "b"});
  tell(oracle, Committed{1, 2}, 0);
  tell(oracle, Committed{1, 1}, 1);
  EXPECT_FALSE(oracle.violation());
  tell(oracle, Committed{2, 2}, 1);
  ASSERT_TRUE(oracle.violation());
  EXPECT_EQ(oracle.violation()->message, "nodes 0 and 1 committed different logs up to index 2");
}

TEST_F(CraftOracles, SameHistory) {
  SameHistory oracle;
  oracle.begin(cluster.world());
  tell(oracle, Applied{2, 7, {1, {1, 1}, {}}}, 0);
  tell(oracle, Applied{2, 7, {1, {1, 1}, {}}}, 1);
  tell(oracle, Restored{3, true, {2, {2, 2}, {}}}, 2);
  EXPECT_FALSE(oracle.violation());
  tell(oracle, Applied{3, 8, {2, {2, 3}, {}}}, 0);
  EXPECT_TRUE(oracle.violation());
}

TEST_F(CraftOracles, EveryKindOfFlawHasItsProperty) {
  Runner runner(cluster.world().setup(), {});
  for (std::size_t kind = 0; kind < enum_count<FlawKind>(); ++kind) {
    int violated = 0;
    for (const auto& oracle : runner.oracles()) {
      oracle->begin(cluster.world());
      if (!(oracle->wakes_on() & announcements_of<Flaw>())) continue;
      tell(*oracle, Flaw{static_cast<FlawKind>(kind), "wrong"}, 1);
      if (!oracle->violation()) continue;
      ++violated;
      EXPECT_EQ(oracle->violation()->message, "node 1: wrong");
    }
    EXPECT_EQ(violated, 1) << kind;
  }
}

// ---- what a node sees by itself --------------------------------------------------------------

TEST(CraftDisk, ALogThatDiffersFromTheDiskIsSeen) {
  Cluster cluster(3, {}, [](Workload& w) { w.request<Craft>(0, kAnyNode, Apply{7, 1}); });
  cluster.elect(0);
  // As if the disk had kept another entry than the library has in memory.
  auto& log = const_cast<LogView&>(cluster.node(1).log());
  log.truncate(1);
  log.append(Entry{2, EntryType::barrier, "another"});
  ASSERT_TRUE(cluster.flaws().empty());
  cluster.submit(0, 0);
  cluster.settle();
  ASSERT_FALSE(cluster.flaws().empty());
  EXPECT_EQ(cluster.flaws()[0].kind, FlawKind::log_on_disk);
}

TEST_F(CraftOracles, ACommitIndexThatGoesBackIsSeen) {
  cluster.elect(0);
  ASSERT_TRUE(cluster.flaws().empty());
  const_cast<raft&>(cluster.node(1).library()).commit_index = 1;
  cluster.fire(Timer::tick, 1);
  ASSERT_EQ(cluster.flaws().size(), 1U);
  EXPECT_EQ(cluster.flaws()[0].kind, FlawKind::commit_back);
}

TEST_F(CraftOracles, ACommitIndexBeyondTheLogIsSeen) {
  const_cast<raft&>(cluster.node(1).library()).commit_index = 9;
  cluster.fire(Timer::tick, 1);
  ASSERT_FALSE(cluster.flaws().empty());
  EXPECT_EQ(cluster.flaws()[0].kind, FlawKind::commit_beyond);
}

TEST_F(CraftOracles, ATermThatIsNotOnDiskIsSeen) {
  const_cast<raft&>(cluster.node(1).library()).voted_for = 2;
  cluster.fire(Timer::tick, 1);
  ASSERT_EQ(cluster.flaws().size(), 1U);
  EXPECT_EQ(cluster.flaws()[0].kind, FlawKind::hard_state);
}

TEST_F(CraftOracles, AServerThatShutsItselfDownIsSeen) {
  const_cast<raft&>(cluster.node(1).library()).state = RAFT_UNAVAILABLE;
  cluster.fire(Timer::tick, 1);
  ASSERT_EQ(cluster.flaws().size(), 1U);
  EXPECT_EQ(cluster.flaws()[0].kind, FlawKind::shut_down);
}

TEST(CraftMatches, WhatALeaderBelievesIsComparedWithWhatIsThere) {
  Cluster cluster(3, [](Config& c) { c.matches = true; });
  MatchIndices oracle(cluster.world().setup());
  oracle.begin(cluster.world());
  cluster.elect(0);
  oracle.look(cluster.world(), {});
  EXPECT_FALSE(oracle.violation()) << oracle.violation()->message;
  auto& leader = const_cast<raft&>(cluster.node(0).library());
  raft_progress& believed = leader.leader_state.progress[1];
  const raft_index was = believed.match_index;
  believed.match_index = cluster.node(1).log().last() + 1;
  oracle.look(cluster.world(), {});
  ASSERT_TRUE(oracle.violation());
  EXPECT_NE(oracle.violation()->message.find("as stored at node 1, which has"), std::string::npos)
      << oracle.violation()->message;
  oracle.begin(cluster.world());
  believed.match_index = was;
  oracle.look(cluster.world(), {});
  EXPECT_FALSE(oracle.violation());
}

TEST(CraftProgress, AClusterWithoutALeaderIsSeen) {
  Cluster cluster(3);
  Progressing oracle(cluster.world().setup());
  oracle.begin(cluster.world());
  cluster.apply(make_action(Do::calm, Name()));
  oracle.look(cluster.world(), {});
  EXPECT_FALSE(oracle.satisfied());
  oracle.finish(cluster.world(), {false});
  EXPECT_FALSE(oracle.violation()) << "the end was not fair";
  oracle.finish(cluster.world(), {true});
  EXPECT_TRUE(oracle.violation());
}

TEST(CraftProgress, ALeaderWhoseBarrierEverybodyHasSatisfies) {
  Cluster cluster(3);
  cluster.elect(0);
  Progressing oracle(cluster.world().setup());
  oracle.begin(cluster.world());
  cluster.apply(make_action(Do::calm, Name()));
  oracle.look(cluster.world(), {});
  EXPECT_TRUE(oracle.satisfied());
  oracle.finish(cluster.world(), {true});
  EXPECT_FALSE(oracle.violation());
}

}  // namespace
}  // namespace schism::craft
