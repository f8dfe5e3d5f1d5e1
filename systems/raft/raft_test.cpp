// Each chapter of the protocol by hand. That bugs are found and nothing else is: hunt_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>

#include "systems/raft/cluster.hpp"

namespace schism::raft {
namespace {

void puts(Workload& w, int client, std::initializer_list<int> values) {
  for (const int value : values) w.request<Raft>(client, kAnyNode, Put{0, value});
}

// ---- elections -----------------------------------------------------------------------------

TEST(RaftElection, TheFirstToTimeOutLeadsAndCommitsItsEmptyEntry) {
  Cluster cluster(5);
  cluster.elect(2);
  cluster.heartbeat(2);
  for (NodeId id = 0; id < 5; ++id) {
    EXPECT_EQ(cluster.node(id).term, 1U);
    EXPECT_EQ(cluster.node(id).leader, 2);
    EXPECT_EQ(cluster.node(id).commit, 1U);
  }
}

TEST(RaftElection, VotesAndCandidaciesWaitForTheDisk) {
  Cluster cluster(3);
  cluster.fire(Timer::election, 0);
  EXPECT_FALSE(cluster.in_flight<MsgVote>(0, 1));
  cluster.sync(0);
  ASSERT_TRUE(cluster.deliver<MsgVote>(0, 1));
  EXPECT_EQ(cluster.node(1).vote, 0);
  EXPECT_FALSE(cluster.in_flight<MsgVoteResp>(1, 0));
  cluster.sync(1);
  EXPECT_TRUE(cluster.in_flight<MsgVoteResp>(1, 0));
}

TEST(RaftElection, AVoteSurvivesACrash) {
  Cluster cluster(3);
  cluster.fire(Timer::election, 0);
  cluster.fire(Timer::election, 2);
  cluster.sync(0);
  cluster.sync(2);
  cluster.deliver<MsgVote>(0, 1);
  cluster.sync(1);
  cluster.crash(1);
  cluster.restart(1);
  EXPECT_EQ(cluster.node(1).term, 1U);
  EXPECT_EQ(cluster.node(1).vote, 0);
}

TEST(RaftElection, AShorterLogDoesNotWin) {
  Cluster cluster(3, {}, [](Workload& w) { puts(w, 0, {7}); });
  cluster.elect(0);
  cluster.isolate({2});
  cluster.submit(0, 0);
  cluster.settle();
  EXPECT_EQ(cluster.node(0).commit, 2U);
  cluster.isolate({0});
  cluster.fire(Timer::election, 2);
  cluster.settle();
  EXPECT_FALSE(cluster.node(2).leads());
  cluster.fire(Timer::election, 1);
  cluster.settle();
  EXPECT_TRUE(cluster.node(1).leads());
}

TEST(RaftElection, PreVoteKeepsAnIsolatedServersTermDown) {
  Cluster cluster(3, [](Config& config) { config.pre_vote = true; });
  cluster.elect(0);
  cluster.isolate({2});
  for (int i = 0; i < 5; ++i) cluster.fire(Timer::election, 2);
  EXPECT_EQ(cluster.node(2).term, 1U);
  EXPECT_EQ(cluster.node(2).role, Role::StatePreCandidate);
}

TEST(RaftElection, CheckQuorumMakesALonelyLeaderStepDown) {
  Cluster cluster(3, [](Config& config) { config.check_quorum = true; });
  cluster.elect(0);
  cluster.isolate({0});
  for (int i = 0; i < 20 && cluster.node(0).leads(); ++i) cluster.fire(Timer::heartbeat, 0);
  EXPECT_FALSE(cluster.node(0).leads());
}

TEST(RaftElection, LeadershipIsTransferred) {
  Cluster cluster(3, {}, [](Workload& w) { w.request<Raft>(0, kAnyNode, Transfer{2}); });
  cluster.elect(0);
  cluster.submit(0, 0);
  cluster.settle();
  EXPECT_TRUE(cluster.node(2).leads());
  EXPECT_FALSE(cluster.node(0).leads());
}

// ---- replication ---------------------------------------------------------------------------

TEST(RaftReplication, AcknowledgementsWaitForTheDisk) {
  Cluster cluster(3, {}, [](Workload& w) { puts(w, 0, {7}); });
  cluster.elect(0);
  cluster.submit(0, 0);
  ASSERT_TRUE(cluster.deliver<MsgApp>(0, 1));
  EXPECT_EQ(cluster.node(1).log.last(), 2U);
  EXPECT_FALSE(cluster.in_flight<MsgAppResp>(1, 0));
  cluster.sync(1);
  ASSERT_TRUE(cluster.deliver<MsgAppResp>(1, 0));
  EXPECT_EQ(cluster.node(0).commit, 1U) << "the leader's own copy is not on disk yet";
  cluster.sync(0);
  EXPECT_EQ(cluster.node(0).commit, 2U);
}

TEST(RaftReplication, AConflictingTailIsReplaced) {
  Cluster cluster(
      3, [](Config& config) { config.attempts = 1; },
      [](Workload& w) {
        for (int client = 0; client < 4; ++client) puts(w, client, {client});
      });
  cluster.elect(0);
  cluster.isolate({0});
  for (int client = 0; client < 3; ++client) cluster.submit(client, 0);
  cluster.settle();
  EXPECT_EQ(cluster.node(0).log.last(), 4U);
  EXPECT_EQ(cluster.node(0).commit, 1U);
  cluster.elect(1);
  cluster.submit(3, 1);
  cluster.settle();
  EXPECT_EQ(cluster.node(1).commit, 3U);
  cluster.isolate({});
  for (int i = 0; i < 3; ++i) cluster.heartbeat(1);
  EXPECT_EQ(cluster.node(0).log.digest(), cluster.node(1).log.digest());
  EXPECT_EQ(cluster.node(0).commit, 3U);
}

TEST(RaftReplication, AppendsOutOfOrderAreRepaired) {
  Cluster cluster(3, {}, [](Workload& w) { puts(w, 0, {1}), puts(w, 1, {2}); });
  cluster.elect(0);
  cluster.submit(0, 0);
  cluster.submit(1, 0);
  // Two messages with an entry each: the second is rejected, the first alone is not the end of it.
  std::vector<Action> to_one;
  const Pending& pending = cluster.world().pending();
  for (std::uint32_t i = 0; i < pending.deliverable.size(); ++i)
    if (pending.nth_deliver(i).name.to() == 1) to_one.push_back(pending.nth_deliver(i));
  ASSERT_EQ(to_one.size(), 2U);
  for (const Action& action : {to_one[1], to_one[0]}) cluster.apply(action);
  EXPECT_EQ(cluster.node(1).log.last(), 2U);
  cluster.settle();
  EXPECT_EQ(cluster.node(1).log.last(), 3U);
  EXPECT_EQ(cluster.node(1).log.digest(), cluster.node(0).log.digest());
}

TEST(RaftReplication, AnOldAppendErasesNothing) {
  Cluster cluster(3, {}, [](Workload& w) { puts(w, 0, {1}), puts(w, 1, {2}); });
  cluster.elect(0);
  cluster.submit(0, 0);
  ASSERT_TRUE(cluster.in_flight<MsgApp>(0, 1));
  const Pending& pending = cluster.world().pending();
  Action old;
  for (std::uint32_t i = 0; i < pending.deliverable.size(); ++i)
    if (pending.nth_deliver(i).name.to() == 1) old = pending.nth_deliver(i);
  cluster.apply(make_action(Do::duplicate, old.name, 0, old.hint));
  cluster.deliver<MsgApp>(0, 1);
  cluster.submit(1, 0);
  cluster.isolate({2});
  // The copy comes after the entry that followed it.
  std::vector<Action> left;
  for (std::uint32_t i = 0; i < pending.deliverable.size(); ++i)
    if (pending.nth_deliver(i).name.to() == 1) left.push_back(pending.nth_deliver(i));
  ASSERT_EQ(left.size(), 2U);
  std::sort(left.begin(), left.end(),
            [](const Action& a, const Action& b) { return a.name.nth() > b.name.nth(); });
  cluster.apply(left[0]);
  EXPECT_EQ(cluster.node(1).log.last(), 3U);
  cluster.apply(left[1]);
  EXPECT_EQ(cluster.node(1).log.last(), 3U);
}

// Figure 8 of the paper with three servers.
TEST(RaftReplication, AnEntryOfAnOldTermIsNotCommittedByCounting) {
  Cluster cluster(
      3, [](Config& config) { config.empty_entry = false; },
      [](Workload& w) { puts(w, 0, {1}), puts(w, 1, {2}); });
  cluster.elect(0);
  cluster.isolate({0});
  cluster.submit(0, 0);  // term 1, only at 0
  cluster.settle();
  cluster.elect(2);
  cluster.deliver<MsgVote>(2, 0);  // 0 learns of term 2
  cluster.isolate({2});
  cluster.elect(0);  // term 3: the entry reaches 1
  for (int i = 0; i < 3; ++i) cluster.heartbeat(0);
  EXPECT_EQ(cluster.node(1).log.last(), 1U);
  EXPECT_EQ(cluster.node(0).commit, 0U);
  cluster.submit(1, 0);  // an entry of term 3 commits both
  cluster.settle();
  EXPECT_EQ(cluster.node(0).commit, 2U);
}

// ---- disks ---------------------------------------------------------------------------------

TEST(RaftStorage, ACrashLosesWhatWasNotSyncedAndNoMore) {
  Cluster cluster(3, {}, [](Workload& w) { puts(w, 0, {1}), puts(w, 1, {2}); });
  cluster.elect(0);
  cluster.submit(0, 0);
  cluster.settle();
  cluster.submit(1, 0);
  ASSERT_EQ(cluster.node(0).log.last(), 3U);
  cluster.crash(0);
  cluster.restart(0);
  EXPECT_EQ(cluster.node(0).log.last(), 2U);
  EXPECT_EQ(cluster.node(0).term, 1U);
}

TEST(RaftStorage, ATornRecordIsDropped) {
  Cluster cluster(1, {}, [](Workload& w) { puts(w, 0, {1}), puts(w, 0, {2}); });
  cluster.elect(0);
  cluster.submit(0, 0);
  cluster.crash(0, {0, true});
  cluster.restart(0);
  EXPECT_EQ(cluster.node(0).log.last(), 1U);
  cluster.elect(0);
  cluster.submit(0, 0);
  cluster.settle();
  cluster.crash(0);
  cluster.restart(0);
  EXPECT_EQ(cluster.node(0).log.last(), 3U);
}

TEST(RaftStorage, ATornTermLeavesTheOneBefore) {
  Cluster cluster(3);
  cluster.elect(0);
  cluster.fire(Timer::election, 1);
  EXPECT_EQ(cluster.node(1).term, 2U);
  cluster.crash(1, {0, true});
  cluster.restart(1);
  EXPECT_EQ(cluster.node(1).term, 1U);
  EXPECT_EQ(cluster.node(1).vote, 0);
}

TEST(RaftStorage, BootstrapEntriesAreThereFromTheStart) {
  Cluster cluster(3, [](Config& config) { config.bootstrap = true; });
  for (NodeId id = 0; id < 3; ++id) {
    EXPECT_EQ(cluster.node(id).term, 1U);
    EXPECT_EQ(cluster.node(id).commit, 3U);
    EXPECT_EQ(cluster.node(id).log[2].type, EntryType::EntryConfChange);
  }
  cluster.crash(1);
  cluster.restart(1);
  EXPECT_EQ(cluster.node(1).log.last(), 3U);
  cluster.elect(1);
  EXPECT_EQ(cluster.node(1).term, 2U);
}

// ---- snapshots -----------------------------------------------------------------------------

TEST(RaftSnapshot, AFollowerFarBehindGetsOne) {
  Cluster cluster(
      3, [](Config& config) { config.snapshot_every = 3; },
      [](Workload& w) {
        puts(w, 0, {1, 2, 3, 4, 5, 6, 7});
      });
  cluster.elect(0);
  cluster.isolate({2});
  for (int i = 0; i < 7; ++i) {
    cluster.submit(0, 0);
    cluster.settle();
  }
  EXPECT_GE(cluster.node(0).log.base(), 6U);
  cluster.isolate({});
  for (int i = 0; i < 4; ++i) cluster.heartbeat(0);
  EXPECT_EQ(cluster.node(2).commit, 8U);
  EXPECT_EQ(cluster.node(2).machine.digest(), cluster.node(0).machine.digest());
  EXPECT_EQ(cluster.node(2).machine.read(0).value, 7);
  EXPECT_EQ(cluster.node(2).log.prefix(8), cluster.node(0).log.prefix(8));

  cluster.crash(2);
  cluster.restart(2);
  EXPECT_GE(cluster.node(2).commit, 6U);
  cluster.heartbeat(0);
  cluster.heartbeat(0);
  EXPECT_EQ(cluster.node(2).machine.digest(), cluster.node(0).machine.digest());
}

// ---- membership ----------------------------------------------------------------------------

TEST(RaftMembership, AServerJoinsAndCounts) {
  Cluster cluster(
      4, [](Config& config) { config.members = 3; },
      [](Workload& w) { w.request<Raft>(0, kAnyNode, AddNode{3}); });
  cluster.elect(0);
  cluster.heartbeat(0);
  EXPECT_EQ(cluster.node(3).log.last(), 0U);
  cluster.submit(0, 0);
  cluster.settle();
  for (int i = 0; i < 3; ++i) cluster.heartbeat(0);
  EXPECT_EQ(cluster.node(3).commit, 2U);
  EXPECT_EQ(cluster.node(3).members(), 0b1111U);
  cluster.isolate({1, 2});
  cluster.fire(Timer::election, 3);
  cluster.settle();
  EXPECT_FALSE(cluster.node(3).leads()) << "two of four are no quorum";
}

TEST(RaftMembership, OneChangeAtATimeAndOnlyAfterAnEntryOfTheTerm) {
  Cluster cluster(
      3, [](Config& config) { config.empty_entry = false; },
      [](Workload& w) {
        w.request<Raft>(0, kAnyNode, RemoveNode{1});
        w.request<Raft>(1, kAnyNode, RemoveNode{2});
        puts(w, 2, {1});
      });
  cluster.elect(0);
  cluster.submit(0, 0);
  EXPECT_EQ(cluster.node(0).members(), 0b111U) << "nothing of this term is committed yet";
  cluster.submit(2, 0);
  cluster.settle();
  cluster.isolate({1, 2});
  cluster.fire(Timer::retry, 0);
  EXPECT_EQ(cluster.node(0).members(), 0b101U) << "it counts from when it is appended";
  cluster.submit(1, 0);
  EXPECT_EQ(cluster.node(0).members(), 0b101U) << "the change before is not committed";
}

TEST(RaftMembership, ALeaderThatIsRemovedStepsDown) {
  Cluster cluster(3, {}, [](Workload& w) { w.request<Raft>(0, kAnyNode, RemoveNode{0}); });
  cluster.elect(0);
  cluster.submit(0, 0);
  cluster.settle();
  EXPECT_FALSE(cluster.node(0).leads());
  EXPECT_EQ(cluster.node(0).commit, 2U);
  cluster.fire(Timer::election, 0);
  cluster.settle();
  EXPECT_EQ(cluster.node(0).role, Role::StateFollower) << "it knows that it is out";
  cluster.elect(1);
}

// ---- clients -------------------------------------------------------------------------------

TEST(RaftClients, AFollowerPassesRequestsOnAndAnswersOnce) {
  Cluster cluster(3, {}, [](Workload& w) {
    puts(w, 0, {7});
    w.request<Raft>(0, kAnyNode, Get{0});
    w.request<Raft>(0, kAnyNode, Cas{0, 8, 9});
  });
  cluster.elect(0);
  for (int i = 0; i < 3; ++i) {
    cluster.submit(0, 1);
    cluster.settle();
    cluster.heartbeat(0);
  }
  ASSERT_EQ(cluster.answers().size(), 3U);
  EXPECT_EQ(cluster.answers()[0].second.outcome, Outcome::ok);
  EXPECT_EQ(cluster.answers()[1].second.value, 7);
  EXPECT_EQ(cluster.answers()[2].second.outcome, Outcome::mismatch);
}

TEST(RaftClients, ARepeatedRequestTakesEffectOnce) {
  Cluster cluster(3, {}, [](Workload& w) { puts(w, 0, {7}); });
  cluster.elect(0);
  cluster.submit(0, 1);
  cluster.fire(Timer::retry, 1);
  cluster.settle();
  cluster.heartbeat(0);
  EXPECT_EQ(cluster.node(0).commit, 3U) << "twice in the log";
  EXPECT_EQ(cluster.node(0).machine.read(0).version, 2U) << "once in effect";
  EXPECT_EQ(cluster.answers().size(), 1U);
}

TEST(RaftClients, WithoutALeaderTheOutcomeIsUnknownInTheEnd) {
  Cluster cluster(
      3, [](Config& config) { config.attempts = 2; }, [](Workload& w) { puts(w, 0, {7}); });
  cluster.submit(0, 1);
  cluster.fire(Timer::retry, 1);
  cluster.fire(Timer::retry, 1);
  ASSERT_EQ(cluster.answers().size(), 1U);
  EXPECT_EQ(cluster.answers()[0].second.outcome, Outcome::unknown);
}

TEST(RaftClients, ALeaderConfirmsItselfBeforeItReads) {
  Cluster cluster(
      3, [](Config& config) { config.reads = Reads::index; },
      [](Workload& w) { puts(w, 0, {7}), w.request<Raft>(0, kAnyNode, Get{0}); });
  cluster.elect(0);
  cluster.submit(0, 0);
  cluster.settle();
  cluster.isolate({0});
  cluster.submit(0, 0);
  cluster.settle();
  EXPECT_EQ(cluster.answers().size(), 1U) << "nobody confirmed it";
  cluster.isolate({});
  cluster.settle();
  ASSERT_EQ(cluster.answers().size(), 2U);
  EXPECT_EQ(cluster.answers()[1].second.value, 7);
  EXPECT_EQ(cluster.node(0).log.last(), 2U) << "a read is not in the log";
}

TEST(RaftClients, AFollowerReadsItsOwnStateAtTheLeadersIndex) {
  Cluster cluster(
      3, [](Config& config) { config.reads = Reads::index; },
      [](Workload& w) { puts(w, 0, {7}), w.request<Raft>(0, kAnyNode, Get{0}); });
  cluster.elect(0);
  cluster.submit(0, 0);
  cluster.settle();
  cluster.submit(0, 2);
  cluster.settle();
  cluster.heartbeat(0);
  ASSERT_EQ(cluster.answers().size(), 2U);
  EXPECT_EQ(cluster.answers()[1].second.value, 7);
}

}  // namespace
}  // namespace schism::raft
