// A validator: rounds and the rules of the paper in rules.cpp, what is signed and what is kept of
// others in votes.cpp, what is offered again in gossip.cpp, what survives a crash in storage.cpp.
#pragma once

#include "systems/tendermint/messages.hpp"

namespace tendermint {

SCHISM_ENUM(Clock, propose, prevote, precommit, gossip);

// Of one kind in one round, in the order of their coming. Of a signer the first for each id: who
// votes twice counts for both, as in the paper, and once where anything counts.
struct Tally {
  std::vector<Signed<Vote>> votes;
  FIELDS(votes)

  NodeSet voters() const;
  std::size_t count(int id) const;     // signers
  std::size_t messages(int id) const;  // votes
  std::vector<int> ids() const;        // that somebody votes for, nil too
};

struct Round {
  std::optional<Propose> proposal;  // the first
  Tally prevotes, precommits;
  bool prevote_armed = false, precommit_armed = false;  // L34 and L47 are for the first time
  bool polka = false;                                   // and so is L36
  bool pol_missed = false;                              // of the bug pol-late
  FIELDS(proposal, prevotes, precommits, prevote_armed, precommit_armed, polka, pol_missed)

  Tally& of(Kind kind) { return kind == Kind::prevote ? prevotes : precommits; }
  const Tally& of(Kind kind) const { return kind == Kind::prevote ? prevotes : precommits; }
  NodeSet senders() const;
};

struct Choice {  // a block and the round for which it was chosen; -1: none
  int id = kNil, round = -1;
  FIELDS(id, round)
};

struct Double {  // evidence: both signed by one validator, for one place
  Signed<Vote> first, second;
  FIELDS(first, second)
};

// Of the log on disk: a proposal with its block, a block, or a vote.
struct Logged {
  Signed<Proposal> proposal;
  Signed<Block> block;
  Signed<Vote> vote;
  FIELDS(proposal, block, vote)
};
// The last thing that was signed: nothing before it, or beside it, is signed after a restart.
struct LastSigned {
  int height = 0, round = -1;
  Step step = Step::propose;
  FIELDS(height, round, step)
};

struct Validator : Node<Validator, Messages> {
  using Config = tendermint::Config;
  using Timers = Clock;

  int height = 1, round = 0;
  Step step = Step::propose;
  Choice locked, valid;
  std::map<int, Round> rounds;          // of this height
  std::map<int, Signed<Block>> blocks;  // of this height, by id: good ones only
  std::vector<Commit> chain;            // height h is chain[h - 1]
  std::vector<Logged> ahead;            // of later heights
  std::vector<Double> evidence;
  LastSigned last_signed;
  bool ever_armed = false;  // of the bug precommit-timer-once
  FIELDS(height, round, step, locked, valid, rounds, blocks, chain, ahead, evidence, last_signed,
         ever_armed)

  void start(Context& c);
  void on(Context& c, NodeId from, const Propose& m);
  void on(Context& c, NodeId from, const Prevote& m);
  void on(Context& c, NodeId from, const Precommit& m);
  void on(Context& c, NodeId from, const Status& m);
  void on(Context& c, NodeId from, const BlockPart& m);
  void on(Context& c, NodeId from, const Commit& m);
  void on_timer(Context& c, Clock timer);

  bool done(Context& c) const { return height > c.config().heights; }

 private:
  static std::size_t quorum(Context& c) { return quorum_of(c.nodes()); }
  static std::size_t one_correct(Context& c) {
    return static_cast<std::size_t>(faults_of(c.nodes())) + 1;
  }
  int tip() const { return chain.empty() ? kNil : id_of(chain.back().block); }
  const Round* find(int of_round) const;
  std::size_t prevotes_for(int of_round, int id) const;
  std::size_t precommits_needed(Context& c) const;
  std::size_t counted(Context& c, const Tally& tally, int id) const;
  int with_quorum(Context& c, const Tally& tally, std::size_t needed) const;

  // Rules.
  void progress(Context& c);
  void start_round(Context& c, int to);
  void propose(Context& c);
  bool prevote_rule(Context& c);
  bool polka_rule(Context& c);
  bool nil_rule(Context& c);
  bool prevote_timer_rule(Context& c);
  bool precommit_timer_rule(Context& c);
  bool decide_rule(Context& c);
  bool skip_rule(Context& c);
  void decide(Context& c, int of_round, int id);
  void enter(Context& c, Step to);
  void vote(Context& c, Kind kind, int id);
  void applied(Context& c, Line rule, int id = kNil) const;
  Micros timeout(Context& c, Micros first) const;

  // What others say.
  bool is_good(Context& c, const Signed<Block>& block) const;
  bool accept(Context& c, const Signed<Proposal>& proposal, const Signed<Block>& block);
  bool accept(Context& c, const Signed<Vote>& vote);
  void keep_block(Context& c, const Signed<Block>& block);
  void take(Context& c, const Logged& item);
  void accuse(Context& c, NodeId who, int of_round);

  // Offering again.
  Status status(Context& c) const;
  void offer(Context& c, NodeId to, const Status& known);
  void offer_round(Context& c, NodeId to, int of_round, const Seen& known);

  // Disk.
  bool may_sign(int of_round, Step of_step) const;
  void remember(Context& c, const Logged& item);
  void remember_signed(Context& c, Step of_step);
  void remember_decision(Context& c);
  void recover(Context& c);
};

}  // namespace tendermint
