// `tendermint`: consensus on a chain of blocks (Buchman, Kwon, Milosevic, arXiv 1807.04938), with
// the rounds and mutators of ByzzFuzz (Winter et al., OOPSLA 2023), the deviations of the Go
// implementation as parameters, and bugs that implementations have had.
#include "schism/oracle/consensus.hpp"
#include "systems/tendermint/accountability.hpp"
#include "systems/tendermint/oracles.hpp"
#include "systems/tendermint/validator.hpp"

namespace {
using namespace tendermint;

using Builder = SystemBuilder<Validator>;

// Three verbs a round; rounds are counted through all heights. What is offered beside them has no
// round, so that no strategy that goes by rounds touches it.
constexpr std::int64_t kRoundsMax = 1'000'000;

OrderKey key(int height, int round, int verb) {
  return {0, (height - 1) * kRoundsMax + round, verb};
}

std::optional<OrderKey> order_of(const TypeInfo& type, const void* m) {
  if (&type == &type_info<Propose>()) {
    const Proposal& p = *static_cast<const Propose*>(m)->proposal;
    return key(p.height, p.round, 1);
  }
  if (&type == &type_info<Prevote>()) {
    const Vote& v = *static_cast<const Prevote*>(m)->vote;
    return key(v.height, v.round, 2);
  }
  if (&type == &type_info<Precommit>()) {
    const Vote& v = *static_cast<const Precommit*>(m)->vote;
    return key(v.height, v.round, 3);
  }
  return std::nullopt;
}

template <class M>
void add_vote_lies(Builder& b) {
  b.lie<M>("nil", [](M& m, Rng&) { return std::exchange(m.vote.value.id, kNil) != kNil; });
  b.nil_vote<M>([](M& m) { m.vote.value.id = kNil; });
  b.lie<M>("round + 2", [](M& m, Rng&) { return m.vote.value.round += 2, true; });
  b.far_lie<M>("round", [](M& m, Rng& r) {
    return m.vote.value.round = static_cast<int>(r.below(10'001)), true;
  });
}

// Figure 4 of the paper, as the released tool has it. Own items are signed anew by the world.
void add_lies(Builder& b) {
  b.lie<Propose>("no block", [](Propose& m, Rng&) {
    m.proposal.value.id = kNil;
    m.block = {};
    return true;
  });
  b.far_lie<Propose>("another block", [](Propose& m, Rng& r) {
    m.block.value.load = 1 + static_cast<int>(r.below(1U << 20));
    m.proposal.value.id = id_of(m.block);
    return true;
  });
  add_vote_lies<Prevote>(b);
  add_vote_lies<Precommit>(b);
}

void add_bugs(Builder& b) {
  b.bug<&Config::nil_unlocks>("unlock-on-nil", "a quorum of nil prevotes ends a lock");
  b.bug<&Config::lock_prevoted>("prevote-locked-always",
                                "who is locked prevotes its block, whatever is proposed");
  b.bug<&Config::no_valid_value>("no-valid-value",
                                 "a proposer proposes what it is locked on, or anything");
  b.bug<&Config::valid_only_if_proposal>(
      "valid-only-if-proposal", "a polka is remembered only if its block came as the proposal");
  b.bug<&Config::stale_pol>("stale-pol", "an older polka ends a newer lock");
  b.bug<&Config::pol_unverified>("pol-unverified",
                                 "a proposal's polka is believed without its prevotes");
  b.bug<&Config::precommit_quorum_2f>("precommit-quorum-2f",
                                      "a decision needs n * 2 / 3 precommits, rounded down");
  b.bug<&Config::double_vote_counted>("double-vote-counted",
                                      "different votes of one validator count as often");
  b.bug<&Config::skip_by_messages>("skip-by-messages",
                                   "a round is skipped for f + 1 messages, whoever sent them");
  b.bug<&Config::skip_needs_quorum>("skip-needs-quorum",
                                    "a round is skipped for 2f + 1 votes only, and who is behind "
                                    "is offered votes of its own round only");
  b.bug<&Config::precommit_timer_once>("precommit-timer-once",
                                       "that the precommit timer was armed is remembered into the "
                                       "next height");
  b.bug<&Config::pol_late>("pol-late",
                           "a proposal stops the timer, and prevotes that come after it are not "
                           "looked at for it");
  b.bug<&Config::wrong_block_kept>("wrong-block-kept",
                                   "who holds another block of the round does not take the one "
                                   "that is decided");
  b.bug<&Config::vote_not_persisted>("vote-not-persisted",
                                     "votes and locks are not written to disk");
}

void colour(const Validator& node, Paint& paint) {
  paint.role(node.step);
  paint.size(node.chain.size(), 3);
  paint.is(node.locked.round >= 0);
  paint.is(node.valid.round > node.locked.round);
  paint.rank(node.height);
  paint.rank(node.round);
  paint.rank(node.locked.round);
}

Lessons lessons() {
  Lessons out;
  out.tick = 100'000;
  out.bound = "any(round > 9)";
  out.predicates = {"one_in_round(r): any(round >= r) via one_in_round(1..r-1)",
                    "round_diff(k): max(round) - min(round) >= k via round_diff(1..k-1)",
                    "height_diff(k): max(height) - min(height) >= k",
                    "one_locked: any(locked.round >= 0)",
                    "relocked(r): any(locked.round >= r) via one_locked",
                    "valid_beyond_lock: any(valid.round >= 0 and locked.round < 0) via one_locked"};
  return out;
}

Registration register_tendermint() {
  Builder b = system<Validator>("tendermint", "consensus on a chain of blocks: Tendermint");
  b.nodes(4, 4, 16)
      .survives(kBenignFaults)
      .liars([](const Setup& s) { return faults_of(s.nodes); })
      .order(3, order_of)
      .param<&Config::heights>("heights", 1, 64, "to decide")
      .duration<&Config::propose>("propose", 1000, 60'000'000, "to wait for a proposal in round 0")
      .duration<&Config::vote>("vote", 1000, 60'000'000, "to wait for more votes in round 0")
      .duration<&Config::growth>("growth", 0, 60'000'000, "of these, a round")
      .duration<&Config::gossip>("gossip", 1000, 60'000'000, "between telling what one has")
      .param<&Config::offers>("offers", "what is offered again to somebody who lacks it")
      .param<&Config::skip>("skip", "how many senders of a later round make one follow")
      .param<&Config::nil_unlocks>("nil-unlocks", "a quorum of nil prevotes ends a lock")
      .param<&Config::unknown_unlocks>("unknown-unlocks",
                                       "a polka for a block that one lacks ends a lock")
      .param<&Config::lock_prevoted>("lock-prevoted",
                                     "who is locked prevotes its block, whatever is proposed")
      .settled({"offers", "skip", "nil-unlocks", "unknown-unlocks", "lock-prevoted"})
      .timing({"propose", "vote", "growth", "gossip"})
      .colour<Validator>(colour)
      .lessons(lessons())
      .oracle(agreement<Decided>(&Decided::height, &Decided::id))
      .oracle(integrity<Decided>(&Decided::height, &Decided::id))
      .oracle(tendermint::Validity())
      .oracle(Accusations())
      .oracle([](const Setup& s) { return std::make_unique<Accountability>(s); })
      .oracle(termination<Decided>(
          &Decided::height,
          [](const Setup& s) { return static_cast<const Config*>(s.config.get())->heights; }))
      .timer_weight("propose", 1)
      .timer_weight("prevote", 1)
      .timer_weight("precommit", 1)
      .timer_weight("gossip", 1)
      .steps(1500)
      .tail(600'000'000)
      .patience(300)
      .thread_safe();
  add_lies(b);
  add_bugs(b);
  return b;
}

const Registration registered = register_tendermint();

}  // namespace
