// Rounds and the rules of Algorithm 1. All are looked at again after whatever comes, until none
// applies.
#include "systems/tendermint/validator.hpp"

namespace tendermint {

void Validator::applied(Context& c, Line rule, int id) const {
  c.announce(Applied{rule, height, round, id});
}

Micros Validator::timeout(Context& c, Micros first) const {
  return first + round * c.config().growth;
}

const Round* Validator::find(int of_round) const {
  const auto at = rounds.find(of_round);
  return at == rounds.end() ? nullptr : &at->second;
}

std::size_t Validator::counted(Context& c, const Tally& tally, int id) const {
  return c.config().double_vote_counted ? tally.messages(id) : tally.count(id);
}

std::size_t Validator::prevotes_for(int of_round, int id) const {
  const Round* of = find(of_round);
  return of ? of->prevotes.count(id) : 0;
}

std::size_t Validator::precommits_needed(Context& c) const {
  if (!c.config().precommit_quorum_2f) return quorum(c);
  return static_cast<std::size_t>(c.nodes() * 2 / 3);
}

// A block that so many vote for; nil: there is none.
int Validator::with_quorum(Context& c, const Tally& tally, std::size_t needed) const {
  for (const int id : tally.ids())
    if (id != kNil && counted(c, tally, id) >= needed) return id;
  return kNil;
}

void Validator::progress(Context& c) {
  while (!done(c) && (decide_rule(c) || skip_rule(c) || prevote_rule(c) || polka_rule(c) ||
                      nil_rule(c) || prevote_timer_rule(c) || precommit_timer_rule(c))) {
  }
}

void Validator::enter(Context& c, Step to) {
  step = to;
  c.announce(NewStep{height, round, step});
}

// L11
void Validator::start_round(Context& c, int to) {
  round = to;
  applied(c, Line::L11);
  enter(c, Step::propose);
  for (const Clock timer : {Clock::propose, Clock::prevote, Clock::precommit})
    c.cancel_timer(timer);
  if (to > 0) ever_armed = false;
  if (proposer_of(height, round, c.nodes()) == c.self) propose(c);
  else c.set_timer(Clock::propose, timeout(c, c.config().propose));
}

void Validator::propose(Context& c) {
  if (!may_sign(round, Step::propose)) return;
  const bool again = c.config().no_valid_value ? locked.round >= 0 : valid.round >= 0;
  const Choice& old = c.config().no_valid_value ? locked : valid;
  Signed<Block> block;
  if (again) {
    block = blocks.at(old.id);
  } else {
    block = c.sign(Block{height, round, tip(), 1});
    c.announce(Proposed{id_of(block)});
  }
  const int pol = again && !c.config().no_valid_value ? old.round : -1;
  const auto proposal = c.sign(Proposal{height, round, id_of(block), pol});
  accept(c, proposal, block);
  remember_signed(c, Step::propose);
  c.broadcast(Propose{proposal, block});
}

// L22 and L28
bool Validator::prevote_rule(Context& c) {
  const Config& config = c.config();
  Round& now = rounds[round];
  if (step != Step::propose || !now.proposal || now.pol_missed) return false;
  const Proposal& p = *now.proposal->proposal;
  const bool good = blocks.contains(p.id);
  bool free = false;  // from its lock, as far as this proposal goes
  if (p.pol == -1) {
    applied(c, Line::L22, p.id);
    free = locked.round == -1 || locked.id == p.id;
  } else {
    if (!config.pol_unverified && prevotes_for(p.pol, p.id) < quorum(c)) {
      if (!config.pol_late) return false;
      now.pol_missed = true;  // and nobody looks again
      c.cancel_timer(Clock::propose);
      return false;
    }
    applied(c, Line::L28, p.id);
    free = locked.round <= p.pol || locked.id == p.id || config.stale_pol;
  }
  const bool own = config.lock_prevoted && locked.round >= 0;
  vote(c, Kind::prevote, own ? locked.id : good && free ? p.id : kNil);
  return true;
}

// L36
bool Validator::polka_rule(Context& c) {
  Round& now = rounds[round];
  if (step == Step::propose || now.polka) return false;
  const int id = with_quorum(c, now.prevotes, quorum(c));
  if (id == kNil) return false;
  if (!blocks.contains(id)) {
    if (!c.config().unknown_unlocks || step != Step::prevote) return false;
    locked = {};
    vote(c, Kind::precommit, kNil);
    return true;
  }
  now.polka = true;
  applied(c, Line::L36, id);
  const bool proposed = now.proposal && now.proposal->proposal->id == id;
  if (!c.config().valid_only_if_proposal || proposed) valid = {id, round};
  if (step == Step::prevote) {
    locked = {id, round};
    vote(c, Kind::precommit, id);
  }
  return true;
}

// L44
bool Validator::nil_rule(Context& c) {
  if (step != Step::prevote || rounds[round].prevotes.count(kNil) < quorum(c)) return false;
  applied(c, Line::L44);
  if (c.config().nil_unlocks) locked = {};
  vote(c, Kind::precommit, kNil);
  return true;
}

// L34
bool Validator::prevote_timer_rule(Context& c) {
  Round& now = rounds[round];
  if (step != Step::prevote || now.prevote_armed || now.prevotes.voters().size() < quorum(c))
    return false;
  now.prevote_armed = true;
  applied(c, Line::L34);
  c.set_timer(Clock::prevote, timeout(c, c.config().vote));
  return true;
}

// L47
bool Validator::precommit_timer_rule(Context& c) {
  Round& now = rounds[round];
  const bool armed = c.config().precommit_timer_once ? ever_armed : now.precommit_armed;
  if (armed || now.precommits.voters().size() < quorum(c)) return false;
  now.precommit_armed = ever_armed = true;
  applied(c, Line::L47);
  c.set_timer(Clock::precommit, timeout(c, c.config().vote));
  return true;
}

// L49
bool Validator::decide_rule(Context& c) {
  for (const auto& [of_round, of] : rounds) {
    const int id = with_quorum(c, of.precommits, precommits_needed(c));
    if (id == kNil || !blocks.contains(id)) continue;
    applied(c, Line::L49, id);
    decide(c, of_round, id);
    return true;
  }
  return false;
}

void Validator::decide(Context& c, int of_round, int id) {
  Commit commit{blocks.at(id), {}};
  for (const Signed<Vote>& vote : rounds[of_round].precommits.votes)
    if (vote->id == id) commit.precommits.push_back(vote);
  c.announce(Decided{height, id, of_round, commit.block.signer, *commit.block});
  chain.push_back(std::move(commit));
  ++height;
  locked = valid = {};
  rounds.clear();
  blocks.clear();
  remember_decision(c);
  if (done(c)) {
    for (const Clock timer : {Clock::propose, Clock::prevote, Clock::precommit, Clock::gossip})
      c.cancel_timer(timer);
    round = 0;
    step = Step::propose;
    ahead.clear();
    return;
  }
  start_round(c, 0);
  for (const Logged& item : std::exchange(ahead, {})) take(c, item);
}

// L55
bool Validator::skip_rule(Context& c) {
  const Config& config = c.config();
  for (auto at = rounds.rbegin(); at != rounds.rend() && at->first > round; ++at) {
    const Round& of = at->second;
    std::size_t senders = of.senders().size(), needed = one_correct(c);
    if (config.skip_by_messages)
      senders = of.prevotes.votes.size() + of.precommits.votes.size() + (of.proposal ? 1 : 0);
    if (config.skip == Skip::quorum || config.skip_needs_quorum) {
      senders = std::max(of.prevotes.voters().size(), of.precommits.voters().size());
      needed = quorum(c);
    }
    if (senders < needed) continue;
    applied(c, Line::L55);
    start_round(c, at->first);
    return true;
  }
  return false;
}

void Validator::on_timer(Context& c, Clock timer) {
  switch (timer) {
    case Clock::propose:  // L57
      if (step != Step::propose) break;
      applied(c, Line::L57);
      vote(c, Kind::prevote, c.config().lock_prevoted ? locked.id : kNil);
      break;
    case Clock::prevote:  // L61
      if (step != Step::prevote) break;
      applied(c, Line::L61);
      vote(c, Kind::precommit, kNil);
      break;
    case Clock::precommit:  // L65
      applied(c, Line::L65);
      start_round(c, round + 1);
      break;
    case Clock::gossip:
      c.broadcast(status(c));
      c.set_timer(Clock::gossip, c.config().gossip);
      return;
  }
  progress(c);
}

}  // namespace tendermint
