// Each rule of the paper's Algorithm 1 by hand, by its lines. That bugs are found and nothing else
// is: hunt_test.cpp.
#include <gmock/gmock.h>

#include "systems/tendermint/alone.hpp"

namespace tendermint {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST(TendermintL11, WhoDoesNotProposeWaits) {
  Alone alone;
  EXPECT_EQ(alone.node().step, Step::propose);
  EXPECT_TRUE(alone.armed(Clock::propose));
  EXPECT_THAT(alone.said_to<Propose>(1), IsEmpty());
}

TEST(TendermintL11, AProposerProposesAFreshBlock) {
  Alone alone;
  alone.precommit({1, 2}, 3, kNil);
  const auto said = alone.said_to<Propose>(1);
  ASSERT_THAT(said, SizeIs(1));
  EXPECT_EQ(said[0].proposal->round, 3);
  EXPECT_EQ(said[0].proposal->pol, -1);
  EXPECT_EQ(said[0].proposal->id, id_of(said[0].block));
  EXPECT_EQ(said[0].block.signer, 0);
  EXPECT_FALSE(alone.armed(Clock::propose));
  EXPECT_EQ(alone.own(Kind::prevote, 3), id_of(said[0].block));
}

TEST(TendermintL11, AProposerProposesTheValidBlockWithItsRound) {
  Alone alone;
  const int id = alone.lock_and_move_on();
  alone.precommit({1, 2}, 3, kNil);
  const auto said = alone.said_to<Propose>(1);
  ASSERT_THAT(said, SizeIs(1));
  EXPECT_EQ(said[0].proposal->id, id);
  EXPECT_EQ(said[0].proposal->pol, 0);
  EXPECT_EQ(said[0].block.signer, 1) << "made by the first proposer";
}

TEST(TendermintL22, AFreshBlockIsPrevoted) {
  Alone alone;
  alone.propose(0, alone.block(0));
  EXPECT_EQ(alone.own(Kind::prevote, 0), id_of(alone.block(0)));
  EXPECT_EQ(alone.node().step, Step::prevote);
  EXPECT_THAT(alone.said_to<Prevote>(2), SizeIs(1));
}

TEST(TendermintL22, WhatIsNoGoodBlockGetsNil) {
  const auto of = [](Block wrong, NodeId maker) {
    Alone alone;
    alone.propose(0, signed_by(maker, wrong));
    return alone.own(Kind::prevote, 0);
  };
  EXPECT_EQ(of({1, 0, kNil, 0}, 1), kNil) << "an invalid one";
  EXPECT_EQ(of({1, 0, 77, 1}, 1), kNil) << "it goes on from something else";
  EXPECT_EQ(of({2, 0, kNil, 1}, 1), kNil) << "another height";
  EXPECT_EQ(of({1, 1, kNil, 1}, 1), kNil) << "of whom it was not the turn";
  EXPECT_EQ(of({1, 1, kNil, 1}, 2), id_of(signed_by(2, Block{1, 1, kNil, 1})));
}

TEST(TendermintL22, WhatIsNotWhatItSaysGetsNil) {
  Alone alone;
  alone.say(1, Propose{signed_by(1, Proposal{1, 0, 5, -1}), alone.block(0)});
  EXPECT_EQ(alone.own(Kind::prevote, 0), kNil);
}

TEST(TendermintL22, ALockAllowsOnlyItsOwnBlock) {
  {
    Alone alone;
    alone.lock_and_move_on();
    alone.propose(1, alone.block(1));
    EXPECT_EQ(alone.own(Kind::prevote, 1), kNil);
  }
  Alone alone;
  const int id = alone.lock_and_move_on();
  alone.propose(1, alone.node().blocks.at(id));
  EXPECT_EQ(alone.own(Kind::prevote, 1), id);
}

TEST(TendermintL22, AProposalOfSomebodyElseIsNone) {
  Alone alone;
  const auto block = alone.block(0);
  alone.say(2, Propose{signed_by(2, Proposal{1, 0, id_of(block), -1}), block});
  EXPECT_EQ(alone.own(Kind::prevote, 0), std::nullopt);
  auto unsealed = signed_by(1, Proposal{1, 0, id_of(block), -1});
  alone.say(1, Propose{unsealed, block});
  EXPECT_EQ(alone.own(Kind::prevote, 0), id_of(block));
}

TEST(TendermintL28, AnOldBlockNeedsItsPrevotesWheneverTheyCome) {
  Alone alone;
  const auto block = alone.block(0);
  alone.precommit({1, 2}, 2, kNil);
  ASSERT_EQ(alone.node().round, 2);
  alone.propose(2, block, 0);
  EXPECT_EQ(alone.own(Kind::prevote, 2), std::nullopt);
  alone.prevote({1, 2}, 0, id_of(block));
  EXPECT_EQ(alone.own(Kind::prevote, 2), std::nullopt) << "two are no quorum";
  EXPECT_TRUE(alone.armed(Clock::propose));
  alone.prevote({3}, 0, id_of(block));
  EXPECT_EQ(alone.own(Kind::prevote, 2), id_of(block));
}

TEST(TendermintL28, AProposalThatCameEarlyDoesNotStopTheClock) {
  Alone alone;
  alone.propose(1, alone.block(1), 0);
  alone.precommit({1, 3}, 1, kNil);
  ASSERT_EQ(alone.node().round, 1);
  EXPECT_EQ(alone.own(Kind::prevote, 1), std::nullopt);
  alone.fire(Clock::propose);
  EXPECT_EQ(alone.own(Kind::prevote, 1), kNil);
}

TEST(TendermintL28, ANewerPolkaOpensALock) {
  Alone alone;
  alone.lock_and_move_on();
  const auto other = alone.block(1);
  alone.precommit({1, 2}, 2, kNil);
  alone.prevote({1, 2, 3}, 1, id_of(other));
  alone.propose(2, other, 1);
  EXPECT_EQ(alone.own(Kind::prevote, 2), id_of(other));
}

TEST(TendermintL28, AnOlderPolkaDoesNot) {
  Alone alone;
  const auto old = alone.block(0), newer = alone.block(1);
  alone.precommit({1, 2}, 1, kNil);
  alone.propose(1, newer);
  alone.prevote({1, 2}, 1, id_of(newer));
  ASSERT_EQ(alone.node().locked.round, 1);
  alone.precommit({1, 2}, 2, kNil);
  alone.prevote({1, 2, 3}, 0, id_of(old));
  alone.propose(2, old, 0);
  EXPECT_EQ(alone.own(Kind::prevote, 2), kNil);
}

TEST(TendermintL28, APolkaOfThisRoundOrALaterOneIsRefused) {
  Alone alone;
  const auto block = alone.block(0);
  alone.prevote({1, 2, 3}, 0, id_of(block));
  alone.propose(0, block, 0);
  EXPECT_EQ(alone.own(Kind::prevote, 0), std::nullopt);
  alone.propose(0, block, -2);
  EXPECT_EQ(alone.own(Kind::prevote, 0), std::nullopt);
}

TEST(TendermintL34, AQuorumOfAnyPrevotesArmsATimer) {
  Alone alone;
  alone.propose(0, alone.block(0));
  alone.prevote({1}, 0, kNil);
  EXPECT_FALSE(alone.armed(Clock::prevote)) << "with its own there are two";
  alone.prevote({2}, 0, 77);
  EXPECT_TRUE(alone.armed(Clock::prevote));
  EXPECT_EQ(alone.node().step, Step::prevote);
}

TEST(TendermintL34, WhoVotesTwiceIsOne) {
  Alone alone;
  alone.propose(0, alone.block(0));
  alone.prevote({1}, 0, kNil);
  alone.prevote({1}, 0, 77);
  EXPECT_FALSE(alone.armed(Clock::prevote));
}

TEST(TendermintL36, APolkaLocks) {
  Alone alone;
  const int id = id_of(alone.block(0));
  alone.propose(0, alone.block(0));
  alone.prevote({1, 2}, 0, id);
  EXPECT_EQ(alone.own(Kind::precommit, 0), id);
  EXPECT_EQ(alone.node().locked.id, id);
  EXPECT_EQ(alone.node().valid.id, id);
  EXPECT_EQ(alone.node().valid.round, 0);
  EXPECT_EQ(alone.node().step, Step::precommit);
}

TEST(TendermintL36, AfterItsPrecommitItOnlyRemembers) {
  Alone alone;
  const int id = id_of(alone.block(0));
  alone.propose(0, alone.block(0));
  alone.prevote({1}, 0, kNil);
  alone.prevote({2}, 0, id);
  alone.fire(Clock::prevote);
  ASSERT_EQ(alone.own(Kind::precommit, 0), kNil);
  alone.prevote({3}, 0, id);
  EXPECT_EQ(alone.node().locked.round, -1);
  EXPECT_EQ(alone.node().valid.id, id);
}

TEST(TendermintL36, ANewerPolkaMovesTheLock) {
  Alone alone;
  alone.lock_and_move_on();
  const auto other = alone.block(1);
  alone.propose(1, other);
  EXPECT_EQ(alone.own(Kind::prevote, 1), kNil);
  alone.prevote({1, 2, 3}, 1, id_of(other));
  EXPECT_EQ(alone.own(Kind::precommit, 1), id_of(other));
  EXPECT_EQ(alone.node().locked.id, id_of(other));
  EXPECT_EQ(alone.node().locked.round, 1);
}

TEST(TendermintL36, ABlockThatItLacksMustCome) {
  Alone alone;
  const auto shown = alone.block(0), voted = alone.block(0, 2);
  alone.propose(0, shown);
  alone.prevote({1, 2, 3}, 0, id_of(voted));
  EXPECT_EQ(alone.own(Kind::precommit, 0), std::nullopt);
  alone.say(2, BlockPart{voted});
  EXPECT_EQ(alone.own(Kind::precommit, 0), id_of(voted));
  EXPECT_EQ(alone.node().valid.id, id_of(voted));
}

TEST(TendermintL36, APolkaOfAnEarlierRoundIsNotForThisOne) {
  Alone alone;
  alone.propose(0, alone.block(0));
  alone.precommit({1, 2}, 1, kNil);
  alone.prevote({1, 2}, 0, id_of(alone.block(0)));
  EXPECT_EQ(alone.node().locked.round, -1);
  EXPECT_EQ(alone.node().valid.round, -1);
}

TEST(TendermintL44, ANilPolkaPrecommitsNilAndTheLockStays) {
  Alone alone;
  const int id = alone.lock_and_move_on();
  alone.propose(1, alone.block(1));
  alone.prevote({1, 2}, 1, kNil);
  EXPECT_EQ(alone.own(Kind::precommit, 1), kNil);
  EXPECT_EQ(alone.node().locked.id, id);
}

TEST(TendermintL47, AQuorumOfAnyPrecommitsArmsATimerOnce) {
  Alone alone;
  alone.precommit({1, 2}, 0, kNil);
  EXPECT_FALSE(alone.armed(Clock::precommit));
  alone.precommit({3}, 0, 77);
  EXPECT_TRUE(alone.armed(Clock::precommit));
  EXPECT_EQ(alone.node().step, Step::propose) << "in whatever step";
}

TEST(TendermintL49, AQuorumOfPrecommitsDecides) {
  Alone alone;
  const int id = id_of(alone.block(0));
  alone.propose(0, alone.block(0));
  alone.prevote({1, 2}, 0, id);
  alone.precommit({1}, 0, id);
  EXPECT_THAT(alone.decided, IsEmpty());
  alone.precommit({2}, 0, id);
  ASSERT_THAT(alone.decided, SizeIs(1));
  EXPECT_EQ(alone.decided[0].id, id);
  EXPECT_EQ(alone.node().height, 2);
  EXPECT_EQ(alone.node().round, 0);
  EXPECT_EQ(alone.node().locked.round, -1);
}

TEST(TendermintL49, OfAnyRound) {
  Alone alone;
  const auto block = alone.block(0);
  alone.propose(0, block);
  alone.precommit({1, 2}, 1, kNil);
  ASSERT_EQ(alone.node().round, 1);
  alone.precommit({1, 2, 3}, 0, id_of(block));
  ASSERT_THAT(alone.decided, SizeIs(1));
  EXPECT_EQ(alone.decided[0].round, 0);
}

TEST(TendermintL49, NotWithoutTheBlock) {
  Alone alone;
  const auto block = alone.block(0);
  alone.precommit({1, 2, 3}, 0, id_of(block));
  EXPECT_THAT(alone.decided, IsEmpty());
  alone.say(3, BlockPart{block});
  EXPECT_THAT(alone.decided, SizeIs(1));
}

TEST(TendermintL49, NilIsNeverDecided) {
  Alone alone;
  alone.precommit({1, 2, 3}, 0, kNil);
  EXPECT_THAT(alone.decided, IsEmpty());
}

TEST(TendermintL55, TwoSendersOfALaterRoundAreFollowed) {
  Alone alone;
  alone.prevote({1}, 5, kNil);
  alone.precommit({1}, 5, kNil);
  EXPECT_EQ(alone.node().round, 0) << "one sender, however much it says";
  alone.prevote({2}, 4, kNil);
  EXPECT_EQ(alone.node().round, 0) << "of one round";
  alone.precommit({3}, 5, kNil);
  EXPECT_EQ(alone.node().round, 5);
}

TEST(TendermintL55, AProposalCounts) {
  Alone alone;
  alone.propose(2, alone.block(2));
  EXPECT_EQ(alone.node().round, 0);
  alone.prevote({1}, 2, kNil);
  EXPECT_EQ(alone.node().round, 2);
  EXPECT_EQ(alone.own(Kind::prevote, 2), id_of(alone.block(2)));
}

TEST(TendermintL57, WithoutAProposalNil) {
  Alone alone;
  alone.fire(Clock::propose);
  EXPECT_EQ(alone.own(Kind::prevote, 0), kNil);
  alone.propose(0, alone.block(0));
  EXPECT_THAT(alone.said_to<Prevote>(1), SizeIs(1)) << "one prevote a round";
}

TEST(TendermintL61, WithoutAPolkaNil) {
  Alone alone;
  alone.propose(0, alone.block(0));
  alone.prevote({1, 2}, 0, kNil);
  alone.fire(Clock::prevote);
  EXPECT_EQ(alone.own(Kind::precommit, 0), kNil);
  EXPECT_EQ(alone.node().locked.round, -1);
}

TEST(TendermintL65, WithoutADecisionTheNextRound) {
  Alone alone;
  alone.precommit({1, 2, 3}, 0, kNil);
  alone.fire(Clock::precommit);
  EXPECT_EQ(alone.node().round, 1);
  EXPECT_EQ(alone.node().step, Step::propose);
  EXPECT_TRUE(alone.armed(Clock::propose));
  EXPECT_FALSE(alone.armed(Clock::precommit));
}

// ---- beside the rules ------------------------------------------------------------------------

TEST(TendermintVotes, MustBeSignedByWhomTheyAreOf) {
  Alone alone;
  auto forged = alone.vote(1, Kind::precommit, 0, kNil);
  forged.value.round = 7;
  forged.signer = 0;  // its own name, and a seal that does not hold
  alone.say(1, Precommit{forged});
  alone.say(1, Prevote{alone.vote(1, Kind::precommit, 0, kNil)});
  alone.say(1, Precommit{signed_by(1, Vote{Kind::precommit, 1, -1, kNil, 0})});
  alone.say(1, Precommit{signed_by(1, Vote{Kind::precommit, 0, 0, kNil, 0})});
  EXPECT_THAT(alone.node().rounds, SizeIs(1));
  EXPECT_THAT(alone.node().rounds.at(0).precommits.votes, IsEmpty());
}

TEST(TendermintVotes, TwoOfOneValidatorAreEvidenceAndCountForBoth) {
  Alone alone;
  const auto block = alone.block(0);
  alone.propose(0, block);
  alone.prevote({1}, 0, kNil);
  alone.prevote({1}, 0, id_of(block));
  EXPECT_THAT(alone.accused, ElementsAre(1));
  ASSERT_THAT(alone.node().evidence, SizeIs(1));
  EXPECT_NE(alone.node().evidence[0].first->id, alone.node().evidence[0].second->id);
  // The one that others have seen may be the second: without it they could not be followed.
  alone.prevote({2}, 0, id_of(block));
  EXPECT_EQ(alone.node().locked.id, id_of(block));
}

TEST(TendermintVotes, OneThatDiffersInNothingThatCountsIsEvidenceToo) {
  Alone alone;
  const int id = id_of(alone.block(0));
  alone.propose(0, alone.block(0));
  alone.say(1, Precommit{alone.vote(1, Kind::precommit, 0, id)});
  alone.say(1, Precommit{alone.vote(1, Kind::precommit, 0, id)});
  EXPECT_THAT(alone.accused, IsEmpty()) << "the same again";
  alone.say(1, Precommit{alone.vote(1, Kind::precommit, 0, id, 9)});
  alone.say(1, Precommit{alone.vote(1, Kind::precommit, 0, id, 10)});
  EXPECT_THAT(alone.accused, ElementsAre(1));
  EXPECT_EQ(alone.node().rounds.at(0).precommits.count(id), 1U);
  alone.precommit({2}, 0, id);
  EXPECT_THAT(alone.decided, IsEmpty());
}

TEST(TendermintVotes, TwoProposalsAreEvidenceAndTheFirstCounts) {
  Alone alone;
  const auto first = alone.block(0), second = alone.block(0, 2);
  alone.propose(0, first);
  alone.propose(0, second);
  EXPECT_THAT(alone.accused, ElementsAre(1));
  EXPECT_EQ(alone.own(Kind::prevote, 0), id_of(first));
  EXPECT_TRUE(alone.node().blocks.contains(id_of(second))) << "others may decide on it";
}

TEST(TendermintHeights, WhatComesEarlyIsKept) {
  Alone alone;
  const auto block = alone.block(0);
  const auto next = signed_by(2, Block{2, 0, id_of(block), 1});
  alone.say(2, Propose{signed_by(2, Proposal{2, 0, id_of(next), -1}), next});
  alone.say(3, Prevote{signed_by(3, Vote{Kind::prevote, 2, 0, id_of(next), 0})});
  EXPECT_THAT(alone.node().ahead, SizeIs(2));
  alone.propose(0, block);
  alone.precommit({1, 2, 3}, 0, id_of(block));
  EXPECT_EQ(alone.node().height, 2);
  EXPECT_EQ(alone.own(Kind::prevote, 0), id_of(next));
  EXPECT_THAT(alone.node().rounds.at(0).prevotes.votes, SizeIs(2));
}

TEST(TendermintHeights, AfterTheLastItRests) {
  Alone alone([](Config& config) { config.heights = 1; });
  alone.propose(0, alone.block(0));
  alone.precommit({1, 2, 3}, 0, id_of(alone.block(0)));
  for (const Clock timer : {Clock::propose, Clock::prevote, Clock::precommit, Clock::gossip})
    EXPECT_FALSE(alone.armed(timer));
}

TEST(TendermintGossip, WhoLacksAVoteGetsItFromAnybody) {
  Alone alone;
  alone.propose(0, alone.block(0));
  alone.prevote({1}, 0, id_of(alone.block(0)));
  alone.say(2, Status{1, 0, {}, {}});
  EXPECT_THAT(alone.said_to<Propose>(2), SizeIs(1));
  const auto votes = alone.said_to<Prevote>(2);
  ASSERT_THAT(votes, SizeIs(3)) << "its own twice, and that of node 1";
  EXPECT_EQ(votes[2].vote.signer + votes[1].vote.signer, 1);
  Seen all{0, true, {}, {}, kNil, kNil, false};
  for (const NodeId id : {0, 1}) all.prevotes.insert(id);
  alone.say(3, Status{1, 0, {all}, {}});
  EXPECT_THAT(alone.said_to<Prevote>(3), SizeIs(1)) << "nothing that it has";
}

TEST(TendermintGossip, WhoWasToldOtherwiseGetsTheQuorum) {
  Alone alone;
  const int id = id_of(alone.block(0));
  alone.propose(0, alone.block(0));
  alone.prevote({1, 2}, 0, id);
  Seen other{0, true, {}, {}, kNil, kNil, false};
  for (const NodeId who : {0, 1, 2}) other.prevotes.insert(who);  // of one of them another vote
  alone.say(3, Status{1, 0, {other}, {id}});
  EXPECT_THAT(alone.said_to<Prevote>(3), SizeIs(4)) << "its own, and the three of the polka";
  alone.say(3, Status{1, 0, {}, {}});
  EXPECT_THAT(alone.said_to<BlockPart>(3), SizeIs(1));
}

TEST(TendermintGossip, WhoIsBehindGetsTheDecision) {
  Alone alone;
  alone.propose(0, alone.block(0));
  alone.precommit({1, 2, 3}, 0, id_of(alone.block(0)));
  alone.say(2, Status{1, 4, {}, {}});
  const auto commits = alone.said_to<Commit>(2);
  ASSERT_THAT(commits, SizeIs(1));
  EXPECT_THAT(commits[0].precommits, SizeIs(3));
  Alone behind;
  behind.say(2, commits[0]);
  EXPECT_THAT(behind.decided, SizeIs(1));
}

TEST(TendermintGossip, ADecisionNeedsItsPrecommits) {
  Alone alone;
  const auto block = alone.block(0);
  const int id = id_of(block);
  const auto vote = [&](NodeId by, int extension) {
    return alone.vote(by, Kind::precommit, 0, id, extension);
  };
  alone.say(2, Commit{block, {vote(1, 0), vote(2, 0), vote(2, 1), vote(2, 2)}});
  EXPECT_THAT(alone.decided, IsEmpty());
  alone.say(2, Commit{block, {vote(1, 0), vote(2, 0), vote(3, 0)}});
  EXPECT_THAT(alone.decided, SizeIs(1));
}

TEST(TendermintDisk, LocksAndVotesSurviveACrash) {
  Alone alone;
  const int id = alone.lock_and_move_on();
  alone.propose(1, alone.block(1));
  ASSERT_EQ(alone.own(Kind::prevote, 1), kNil);
  alone.crash();
  alone.restart();
  EXPECT_EQ(alone.node().locked.id, id);
  EXPECT_EQ(alone.node().locked.round, 0);
  EXPECT_EQ(alone.node().valid.id, id);
  EXPECT_EQ(alone.node().round, 1);
  EXPECT_EQ(alone.node().step, Step::prevote);
  EXPECT_EQ(alone.own(Kind::prevote, 1), kNil);
  alone.prevote({1, 2}, 1, kNil);
  EXPECT_EQ(alone.own(Kind::precommit, 1), kNil);
}

TEST(TendermintDisk, AfterACrashNothingIsSignedTwice) {
  Alone alone;
  alone.fire(Clock::propose);
  ASSERT_EQ(alone.own(Kind::prevote, 0), kNil);
  alone.crash();
  alone.restart();
  alone.propose(0, alone.block(0));
  EXPECT_EQ(alone.own(Kind::prevote, 0), kNil);
  for (const Prevote& m : alone.said_to<Prevote>(1)) EXPECT_EQ(m.vote->id, kNil);
}

TEST(TendermintDisk, DecisionsSurvive) {
  Alone alone;
  alone.propose(0, alone.block(0));
  alone.precommit({1, 2, 3}, 0, id_of(alone.block(0)));
  alone.crash();
  alone.restart();
  EXPECT_EQ(alone.node().height, 2);
  EXPECT_THAT(alone.node().chain, SizeIs(1));
  EXPECT_THAT(alone.decided, SizeIs(1)) << "it is not decided again";
}

// ---- deviations of the Go implementation ------------------------------------------------------

TEST(TendermintDeviations, EachIsASwitch) {
  {
    Alone alone([](Config& config) { config.nil_unlocks = true; });
    alone.lock_and_move_on();
    alone.fire(Clock::propose);
    alone.prevote({1, 2}, 1, kNil);
    EXPECT_EQ(alone.node().locked.round, -1);
  }
  {
    Alone alone([](Config& config) { config.unknown_unlocks = true; });
    alone.lock_and_move_on();
    alone.fire(Clock::propose);
    alone.prevote({1, 2, 3}, 1, 77);
    EXPECT_EQ(alone.node().locked.round, -1);
    EXPECT_EQ(alone.own(Kind::precommit, 1), kNil);
  }
  {
    Alone alone([](Config& config) { config.lock_prevoted = true; });
    const int id = alone.lock_and_move_on();
    alone.fire(Clock::propose);
    EXPECT_EQ(alone.own(Kind::prevote, 1), id);
    alone.precommit({1, 2}, 2, kNil);
    alone.propose(2, alone.block(2));
    EXPECT_EQ(alone.own(Kind::prevote, 2), id);
  }
  {
    Alone alone([](Config& config) { config.skip = Skip::quorum; });
    alone.prevote({1, 2}, 4, kNil);
    alone.precommit({3}, 4, kNil);
    EXPECT_EQ(alone.node().round, 0);
    alone.prevote({3}, 4, kNil);
    EXPECT_EQ(alone.node().round, 4);
  }
  Alone alone([](Config& config) { config.offers = Offers::peer_round; });
  alone.lock_and_move_on();
  alone.say(3, Status{1, 0, {}, {}});
  EXPECT_THAT(alone.said_to<Precommit>(3), SizeIs(2)) << "its own of round 0, sent and offered";
}

TEST(TendermintDeviations, OfMajoritiesAloneVotesAreOfferedAgain) {
  Alone alone([](Config& config) { config.offers = Offers::majorities; });
  alone.propose(0, alone.block(0));
  const int id = id_of(alone.block(0));
  alone.prevote({1}, 0, id);
  alone.prevote({2}, 0, kNil);
  const Status nothing{1, 0, {}, {}};
  alone.say(3, nothing);
  EXPECT_THAT(alone.said_to<Prevote>(3), SizeIs(1)) << "its own, as it was sent";
  EXPECT_THAT(alone.said_to<Propose>(3), IsEmpty());
  alone.prevote({2}, 0, id);
  alone.say(3, nothing);
  EXPECT_THAT(alone.said_to<Prevote>(3), SizeIs(4)) << "three for the block, none for nil";
}

}  // namespace
}  // namespace tendermint
