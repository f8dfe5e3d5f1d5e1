// The parts of the protocol that can be understood by themselves, by cases worked out by hand from
// the rules.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "systems/xrpl/acquisition.hpp"
#include "systems/xrpl/close_time.hpp"
#include "systems/xrpl/config.hpp"
#include "systems/xrpl/disputes.hpp"
#include "systems/xrpl/relay.hpp"
#include "systems/xrpl/validations.hpp"

namespace schism::xrpl {
namespace {

// ---- section 1 -------------------------------------------------------------------------------

TEST(XrplParameters, AvalancheRisesWithTheRound) {
  EXPECT_EQ(avalanche_threshold(0), 50);
  EXPECT_EQ(avalanche_threshold(49), 50);
  EXPECT_EQ(avalanche_threshold(50), 65);
  EXPECT_EQ(avalanche_threshold(84), 65);
  EXPECT_EQ(avalanche_threshold(85), 70);
  EXPECT_EQ(avalanche_threshold(199), 70);
  EXPECT_EQ(avalanche_threshold(200), 95);
  EXPECT_EQ(avalanche_threshold(200, 40), 40);
}

TEST(XrplParameters, TheTwoVersionsDiffer) {
  EXPECT_EQ(ledger_max_consensus(RuleSet::v1_7), 10_s);
  EXPECT_EQ(ledger_max_consensus(RuleSet::v2_4), 15_s);
  EXPECT_FALSE(alone_waits(RuleSet::v1_7));
  EXPECT_TRUE(alone_waits(RuleSet::v2_4));
}

TEST(XrplUnl, QuorumIsFourFifthsRoundedUp) {
  EXPECT_EQ(quorum_of(5, 5), 4);
  EXPECT_EQ(quorum_of(6, 6), 5);
  EXPECT_EQ(quorum_of(7, 7), 6);
  EXPECT_EQ(quorum_of(10, 10), 8);
  EXPECT_EQ(quorum_of(3, 10), 6);         // three quarters are on the negative list: the floor
  EXPECT_EQ(quorum_of(5, 5, 40, 40), 2);  // B2
  EXPECT_EQ(quorum_of(5, 5, 60, 60), 3);
}

TEST(XrplUnl, GroupsSayWhoTrustsWhom) {
  const auto groups = TrustGroups::parse("0-3:0-4/4-6:2-6");
  ASSERT_TRUE(groups) << groups.error();
  EXPECT_EQ(groups->trusted_by(0, 7), Members{0b0011111});
  EXPECT_EQ(groups->trusted_by(6, 7), Members{0b1111100});
  EXPECT_EQ(groups->trusted_by(0, 4), Members{0b1111});  // who is not there is not trusted
  EXPECT_EQ(TrustGroups::parse("byzzfuzz")->trusted_by(4, 7), Members{0b1111100});
  EXPECT_EQ(TrustGroups::parse("all")->trusted_by(3, 5), Members{0b11111});
  const auto groot = TrustGroups::parse("groot");
  EXPECT_EQ(groot->trusted_by(1, 7), Members{0b0111111});
  EXPECT_EQ(groot->trusted_by(4, 7), Members{0b1011111});
  EXPECT_EQ(groot->trusted_by(6, 7), Members{0b1011111});  // itself too
  for (const char* bad : {"0-3", "x:1", "3-1:0", "0:99", "0:", "groups"}) {
    const auto refused = TrustGroups::parse(bad);
    EXPECT_FALSE(refused) << bad;
  }
}

// ---- close times -----------------------------------------------------------------------------

TEST(XrplCloseTime, RoundsToTheNearestMultiple) {
  EXPECT_EQ(round_close_time(0, 30), 0);
  EXPECT_EQ(round_close_time(44, 30), 30);
  EXPECT_EQ(round_close_time(45, 30), 60);
  EXPECT_EQ(round_close_time(104, 10), 100);
  EXPECT_EQ(effective_close_time(104, 10, 100), 101);  // later than the parent's
  EXPECT_EQ(effective_close_time(106, 10, 100), 110);
}

TEST(XrplCloseTime, ResolutionIsFinerWhileTheyAgree) {
  EXPECT_EQ(next_resolution(30, true, 8), 20);
  EXPECT_EQ(next_resolution(30, true, 9), 30);
  EXPECT_EQ(next_resolution(10, true, 16), 10);
  EXPECT_EQ(next_resolution(30, false, 9), 60);
  EXPECT_EQ(next_resolution(120, false, 9), 120);
}

TEST(XrplCloseTime, MostVotesWinAndOfEqualsTheLatest) {
  EXPECT_EQ(votes_needed(5, 50), 2);  // (250 + 25) / 100
  EXPECT_EQ(votes_needed(5, 75), 4);  // (375 + 37) / 100
  EXPECT_EQ(votes_needed(1, 50), 1);
  CloseTimeVotes votes;
  votes.add(100, 2);
  votes.add(110, 2);
  votes.add(120, 1);
  CloseTimeChoice choice = choose_close_time(votes, 5, 50);
  EXPECT_EQ(choice.time, 110);
  EXPECT_FALSE(choice.consensus);
  votes.add(100, 2);
  choice = choose_close_time(votes, 5, 50);
  EXPECT_EQ(choice.time, 100);
  EXPECT_TRUE(choice.consensus);
  EXPECT_EQ(choose_close_time(votes, 50, 95).time, 0);  // agree to disagree
}

TEST(XrplCloseTime, ClocksMoveTowardsTheMean) {
  EXPECT_EQ(adjusted_offset(0, 5), 2);
  EXPECT_EQ(adjusted_offset(0, -5), -2);
  EXPECT_EQ(adjusted_offset(8, 1), 6);
  CloseTimeVotes peers;
  peers.add(110, 3);
  EXPECT_EQ(mean_close_offset(100, peers), 8);  // (100 + 330 + 2) / 4 = 108
}

// ---- disputes --------------------------------------------------------------------------------

TEST(XrplDisputes, AVoteNeedsMoreThanTheThreshold) {
  Dispute d;
  d.ours = true;
  for (const NodeId peer : {1, 2}) d.vote(peer, true);
  for (const NodeId peer : {3, 4}) d.vote(peer, false);
  // Two of four and our own: 60.
  EXPECT_FALSE(d.update(0, true, 95));
  EXPECT_TRUE(d.update(50, true, 95));
  EXPECT_FALSE(d.ours);
  // Without our own 40: not even at the beginning.
  EXPECT_FALSE(d.update(0, true, 95));
  // An observer goes with the majority; a tie is a no.
  d.vote(3, true);
  EXPECT_TRUE(d.update(0, false, 95));
  EXPECT_TRUE(d.ours);
}

TEST(XrplDisputes, NobodyAgainstMeansNoChange) {
  Dispute d;
  d.ours = true;
  EXPECT_FALSE(d.update(300, true, 95));
  d.vote(1, true);
  EXPECT_FALSE(d.update(300, true, 95));
  d.vote(2, false);
  EXPECT_TRUE(d.update(300, true, 95));  // 66 is not more than 95
}

TEST(XrplDisputes, WithB6FortyPercentAreEnoughWhenStuck) {
  Dispute d;
  d.ours = true;
  d.vote(1, true);
  for (const NodeId peer : {2, 3}) d.vote(peer, false);
  EXPECT_FALSE(d.update(200, true, 40));  // 50
  EXPECT_TRUE(d.update(200, true, 95));
}

// ---- relay -----------------------------------------------------------------------------------

TEST(XrplFetch, ALedgerThatCouldNotBeFetchedIsAskedForAgainAfterAMinute) {
  LedgerFetches fetches;
  LedgerFetch* fetch = fetches.begin(7, 0);
  ASSERT_TRUE(fetch);
  EXPECT_FALSE(fetches.begin(7, 1_s)) << "it is under way";
  EXPECT_TRUE(fetches.begin(8, 1_s)) << "another one";
  fetch = fetches.find(7);
  fetch->failed = true;
  fetch->failed_at = 21_s;
  EXPECT_FALSE(fetches.by_timer(fetch->timer)) << "its timer is dead";
  EXPECT_FALSE(fetches.begin(7, 80_s));
  EXPECT_TRUE(fetches.begin(7, 81_s));
}

TEST(XrplFetch, ASetIsKeptForThreeRounds) {
  SetStore sets;
  int gone = 0;
  const auto count = [&](const SetEntry&) { ++gone; };
  sets.new_round(5, count);
  sets.add(1).fetching = true;
  sets.new_round(8, count);
  EXPECT_TRUE(sets.find(1));
  sets.new_round(9, count);
  EXPECT_FALSE(sets.find(1));
  EXPECT_EQ(gone, 1) << "its timer is taken back";
}

TEST(XrplRelay, OnceInFiveMinutesToThoseWithoutIt) {
  Router router;
  EXPECT_TRUE(router.add(7, 2, 0));
  EXPECT_FALSE(router.add(7, 3, 10_s));
  Members already = 0;
  EXPECT_TRUE(router.should_relay(7, 10_s, already));
  EXPECT_EQ(already, bit_of(2) | bit_of(3));
  EXPECT_FALSE(router.should_relay(7, 300_s, already));
  EXPECT_TRUE(router.should_relay(7, 311_s, already));
  EXPECT_TRUE(router.add(7, 1, 700_s));  // long forgotten
  EXPECT_TRUE(router.should_process(9, 1, 0));
  EXPECT_FALSE(router.should_process(9, 1, 9_s));
  EXPECT_TRUE(router.should_process(9, 1, 10_s));
}

TEST(XrplRelay, MemoryStaysFlat) {
  Router router;
  std::size_t most = 0;
  for (std::uint64_t i = 1; i <= 200'000; ++i) {
    router.add(mix64(i), 1, static_cast<Micros>(i) * 100_ms);
    most = std::max(most, router.size());
  }
  EXPECT_LE(most, 6'100U);  // ten minutes' worth
}

RC_GTEST_PROP(XrplRelay, IsAMapWithTimes, ()) {
  Router router;
  std::map<std::uint64_t, Micros> touched;
  Micros now = 0;
  for (int i = 0; i < 300; ++i) {
    now += *rc::gen::inRange<Micros>(0, 60'000'000);
    const auto id = *rc::gen::inRange<std::uint64_t>(1, 20);
    const auto known = touched.find(id);
    const bool fresh = known == touched.end() || now >= known->second + kSuppression;
    RC_ASSERT(router.add(id, 1, now) == fresh);
    touched[id] = now;
  }
}

// ---- money -----------------------------------------------------------------------------------

Tx pay(std::int32_t from, std::int32_t to, std::uint32_t sequence, Drops amount,
       std::int32_t payment = kNotOfTheCase) {
  Tx tx;
  tx.from = from, tx.to = to, tx.sequence = sequence, tx.amount = amount, tx.payment = payment;
  return identified(tx);
}

TEST(XrplMoney, APaymentTakesEffectFailsOrIsNotApplied) {
  State state({{100, 1}, {0, 1}}, 2);
  EXPECT_EQ(state.apply(pay(0, 1, 2, 10)), TxResult::terPRE_SEQ);
  EXPECT_EQ(state.apply(pay(0, 1, 1, 50, 0)), TxResult::tesSUCCESS);
  EXPECT_EQ(state.accounts()[0].balance, 40);  // and the fee
  EXPECT_EQ(state.accounts()[1].balance, 50);
  EXPECT_EQ(state.apply(pay(0, 1, 1, 50)), TxResult::tefPAST_SEQ);
  EXPECT_EQ(state.apply(pay(0, 1, 2, 50, 1)), TxResult::tecUNFUNDED_PAYMENT);
  EXPECT_EQ(state.accounts()[0].balance, 30);
  EXPECT_EQ(state.recorded(0), Recorded::success);
  EXPECT_EQ(state.recorded(1), Recorded::failed);
  EXPECT_EQ(state.total(), 100 - 2 * kFee);
  EXPECT_EQ(state.apply(pay(0, 7, 3, 1)), TxResult::temMALFORMED);
  EXPECT_EQ(state.apply(pay(0, 0, 3, 1)), TxResult::temMALFORMED);
}

RC_GTEST_PROP(XrplMoney, DigestFollowsTheContent, ()) {
  State state({{1000, 1}, {1000, 1}, {5, 1}}, 3);
  for (int i = 0; i < 20; ++i)
    state.apply(pay(*rc::gen::inRange(0, 3), *rc::gen::inRange(0, 3),
                    *rc::gen::inRange<std::uint32_t>(1, 6), *rc::gen::inRange<Drops>(0, 400),
                    *rc::gen::inRange(-1, 3)));
  RC_ASSERT(State::from_parts(state.accounts(), state.all_recorded()).digest() == state.digest());
}

// ---- ledgers ---------------------------------------------------------------------------------

LedgerRef genesis() { return {Ledger::genesis(State({{100 * kXrp, 1}, {0, 1}}, 0))}; }

LedgerRef child(const LedgerRef& parent, NetTime nudge = 0) {
  std::vector<Tx> retries;
  return {Ledger::next(*parent, *make_set({}), parent->header().close_time + 10 + nudge, true, 10,
                       retries)};
}

TEST(XrplLedger, AppliesInCanonicalOrderAndKeepsWhatMayComeLater) {
  std::vector<Tx> retries;
  const auto set = make_set({pay(0, 1, 2, 1), pay(0, 1, 1, 1), pay(0, 1, 4, 1)});
  const LedgerRef next{Ledger::next(*genesis(), *set, kEpoch + 10, true, 10, retries)};
  EXPECT_EQ(next->applied().size(), 2U);
  ASSERT_EQ(retries.size(), 1U);
  EXPECT_EQ(retries[0].sequence, 4U);
}

TEST(XrplLedger, KnowsItsLast256Ancestors) {
  std::vector<LedgerRef> chain = {genesis()};
  for (int i = 0; i < 300; ++i) chain.push_back(child(chain.back()));
  const Ledger& last = *chain.back();  // sequence 301
  EXPECT_EQ(last.ancestor(301), last.id());
  EXPECT_EQ(last.ancestor(300), chain[299].id());
  EXPECT_EQ(last.ancestor(45), chain[44].id());
  EXPECT_EQ(last.ancestor(44), 0U);
  EXPECT_EQ(last.ancestor(302), 0U);
}

TEST(XrplLedger, ComesBackFromItsPartsAndFromNothingElse) {
  const LedgerRef ledger = child(child(genesis()));
  const auto parts = [&](Header h) {
    return Ledger::from_parts(h, ledger->state(), ledger->applied(), ledger->ancestors());
  };
  const auto same = parts(ledger->header());
  ASSERT_TRUE(same);
  EXPECT_EQ(same->ancestor(1), ledger->ancestor(1));
  Header forged = ledger->header();
  ++forged.close_time;
  EXPECT_FALSE(parts(forged));
}

// ---- the preferred branch --------------------------------------------------------------------

// The walk as it is defined over the uncompressed tree, ledger by ledger.
std::pair<Seq, LedgerId> slow_preferred(const std::vector<LedgerRef>& tips, Seq largest) {
  Seq at = 0;
  LedgerId id = 0;
  for (;;) {
    int uncommitted = 0;
    for (const LedgerRef& tip : tips) uncommitted += tip.seq() < std::max(at + 1, largest);
    std::map<LedgerId, int> support;
    for (const LedgerRef& tip : tips)
      if (tip.seq() > at && (at == 0 || tip->ancestor(at) == id)) ++support[tip->ancestor(at + 1)];
    std::vector<std::pair<int, LedgerId>> best;
    for (const auto& [child_id, n] : support) best.emplace_back(n, child_id);
    std::sort(best.rbegin(), best.rend());
    if (best.empty()) return {at, id};
    int margin = best[0].first;
    if (best.size() > 1) margin += (best[0].second > best[1].second) - best[1].first;
    if (margin <= uncommitted && uncommitted > 0) return {at, id};
    ++at;
    id = best[0].second;
  }
}

TEST(XrplTrie, FollowsTheMajorityOnceItCannotBeOvertaken) {
  const LedgerRef a = child(genesis()), b = child(a), other = child(a, 1), c = child(b);
  const auto preferred = [](std::vector<LedgerRef> tips, Seq largest) {
    return preferred_branch(tips, largest)->id;
  };
  EXPECT_EQ(preferred({b, b, b}, 0), b.id());
  EXPECT_EQ(preferred({b, b, other}, 0), b.id());
  EXPECT_EQ(preferred({a, c, c}, 0), c.id());  // one may go anywhere, two stay
  EXPECT_EQ(preferred({a, a, c}, 0), a.id());  // two may still overtake one
  EXPECT_EQ(preferred({b, b, b}, 9), 0U);      // we have issued more: none of it is committed
  EXPECT_FALSE(preferred_branch({}, 0));
}

RC_GTEST_PROP(XrplTrie, IsTheWalkOverTheWholeTree, ()) {
  std::vector<LedgerRef> ledgers = {genesis()};
  const int n = *rc::gen::inRange(1, 25);
  for (int i = 0; i < n; ++i) {
    const auto parent = *rc::gen::inRange<std::size_t>(0, ledgers.size());
    ledgers.push_back(child(ledgers[parent], i));
  }
  std::vector<LedgerRef> tips;
  const int voters = *rc::gen::inRange(1, 9);
  for (int i = 0; i < voters; ++i)
    tips.push_back(ledgers[*rc::gen::inRange<std::size_t>(0, ledgers.size())]);
  const Seq largest = *rc::gen::inRange<Seq>(0, 12);
  const auto fast = preferred_branch(tips, largest);
  const auto slow = slow_preferred(tips, largest);
  RC_ASSERT(fast.has_value());
  RC_ASSERT(std::pair(fast->seq, fast->id) == slow);
}

// ---- validations -----------------------------------------------------------------------------

TEST(XrplValidations, SequencesOnlyGoUp) {
  Validations v;
  v.begin(5);
  EXPECT_EQ(v.add({1, 11, 5, kEpoch, true}, kEpoch, 0), ValStatus::current);
  EXPECT_EQ(v.add({1, 12, 5, kEpoch + 1, true}, kEpoch, 0), ValStatus::conflicting);
  EXPECT_EQ(v.add({1, 11, 5, kEpoch + 1, true}, kEpoch, 0), ValStatus::multiple);
  EXPECT_EQ(v.add({1, 10, 4, kEpoch + 1, true}, kEpoch, 0), ValStatus::badSeq);
  EXPECT_EQ(v.add({1, 13, 6, kEpoch, true}, kEpoch, 0), ValStatus::stale);  // not newer
  EXPECT_EQ(v.add({2, 11, 5, kEpoch - 300, true}, kEpoch, 0), ValStatus::stale);
  EXPECT_EQ(v.add({2, 11, 5, kEpoch + 180, true}, kEpoch, 0), ValStatus::stale);
  EXPECT_EQ(v.add({1, 10, 4, kEpoch + 601, true}, kEpoch + 601, 601_s), ValStatus::current);
}

TEST(XrplValidations, B4CountsALedgerUnderAnotherSequence) {
  Validations v;
  v.begin(5);
  v.add({0, 11, 5, kEpoch, true}, kEpoch, 0);
  v.add({1, 11, 5, kEpoch, true}, kEpoch, 0);
  v.add({2, 11, 6, kEpoch, true}, kEpoch, 0);   // a lie
  v.add({3, 11, 5, kEpoch, false}, kEpoch, 0);  // partial
  EXPECT_EQ(v.full_for(11), 3);
  EXPECT_EQ(v.full_for(11, 5), 2);
  EXPECT_EQ(v.full_for(11, 6), 1);
  v.add({2, 11, 7, kEpoch, true}, kEpoch, 0);  // and another one: no second validator
  EXPECT_EQ(v.full_for(11), 3);
  EXPECT_EQ(v.full_for(11, 6), 0);
}

TEST(XrplValidations, LagIsAboutFreshValidations) {
  Validations v;
  v.begin(5);
  v.add({0, 11, 5, kEpoch, true}, kEpoch, 0);
  v.add({1, 10, 4, kEpoch, true}, kEpoch, 0);
  const auto lag = v.lag(5, 0b11111, 19_s);
  EXPECT_EQ(lag.laggards, 1);
  EXPECT_EQ(lag.offline, 3);
  EXPECT_EQ(v.lag(5, 0b11111, 20_s).offline, 5);
}

TEST(XrplValidations, ALedgerThatIsNotHereWaits) {
  const LedgerRef here = child(genesis()), away = child(here);
  Validations v;
  v.begin(3);
  const Vote vote{1, away.id(), away.seq(), kEpoch, true, 0, 0};
  v.add(vote, kEpoch, 0);
  v.support(vote, {});
  EXPECT_TRUE(v.is_awaited(away.id()));
  EXPECT_EQ(v.preferred(*genesis(), 0)->id, away.id());  // there is nothing else to go by
  EXPECT_EQ(v.after(*here), 0);
  v.arrived(away);
  EXPECT_FALSE(v.is_awaited(away.id()));
  EXPECT_EQ(v.after(*here), 1);
  EXPECT_EQ(v.preferred(*here, 0)->id, here.id());  // we may be about to build it
  v.expire(kEpoch + 180, 0);
  EXPECT_EQ(v.after(*here), 0);
}

}  // namespace
}  // namespace schism::xrpl
