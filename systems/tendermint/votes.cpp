// What a validator signs, and what it takes from others: signatures hold, places fit, of each
// signer one thing a place; the second is evidence.
#include <algorithm>

#include "systems/tendermint/validator.hpp"

namespace tendermint {

NodeSet Tally::voters() const {
  NodeSet out;
  for (const Signed<Vote>& vote : votes) out.insert(vote.signer);
  return out;
}

std::size_t Tally::count(int id) const {
  NodeSet out;
  for (const Signed<Vote>& vote : votes)
    if (vote->id == id) out.insert(vote.signer);
  return out.size();
}

std::size_t Tally::messages(int id) const {
  return static_cast<std::size_t>(std::count_if(
      votes.begin(), votes.end(), [&](const Signed<Vote>& vote) { return vote->id == id; }));
}

std::vector<int> Tally::ids() const {
  std::vector<int> out;
  for (const Signed<Vote>& vote : votes)
    if (std::find(out.begin(), out.end(), vote->id) == out.end()) out.push_back(vote->id);
  return out;
}

NodeSet Round::senders() const {
  NodeSet out = prevotes.voters();
  for (const NodeId id : precommits.voters()) out.insert(id);
  if (proposal) out.insert(proposal->proposal.signer);
  return out;
}

void Validator::vote(Context& c, Kind kind, int id) {
  const Step to = kind == Kind::prevote ? Step::prevote : Step::precommit;
  enter(c, to);
  if (!may_sign(round, to)) return;
  const auto signed_vote = c.sign(Vote{kind, height, round, id, 0});
  accept(c, signed_vote);
  remember_signed(c, to);
  if (kind == Kind::prevote) c.broadcast(Prevote{signed_vote});
  else c.broadcast(Precommit{signed_vote});
}

// valid(v): it goes on from what was decided, and was made by whoever was to make it.
bool Validator::is_good(Context& c, const Signed<Block>& block) const {
  return c.verified(block) && block->height == height && block->parent == tip() &&
         block->load > 0 && block->round >= 0 &&
         block.signer == proposer_of(height, block->round, c.nodes());
}

void Validator::keep_block(Context& c, const Signed<Block>& block) {
  if (!is_good(c, block) || blocks.contains(id_of(block))) return;
  if (c.config().wrong_block_kept)
    for (const auto& [at, of] : rounds)
      if (at == block->round && of.proposal && of.proposal->proposal->id != id_of(block)) return;
  blocks.emplace(id_of(block), block);
  remember(c, {{}, block, {}});
}

bool Validator::accept(Context& c, const Signed<Proposal>& proposal, const Signed<Block>& block) {
  const Proposal& p = *proposal;
  if (p.height != height || p.round < 0 || p.pol < -1 || !c.verified(proposal)) return false;
  if (p.pol >= p.round && !c.config().pol_unverified) return false;
  if (proposal.signer != proposer_of(height, p.round, c.nodes())) return false;
  Round& of = rounds[p.round];
  if (of.proposal) {
    if (of.proposal->proposal != proposal) accuse(c, proposal.signer, p.round);
    keep_block(c, block);  // a quorum may be for this one
    return true;
  }
  of.proposal = Propose{proposal, block};
  if (id_of(block) == p.id) keep_block(c, block);
  remember(c, {proposal, block, {}});
  return true;
}

bool Validator::accept(Context& c, const Signed<Vote>& vote) {
  const Vote& v = *vote;
  if (v.height != height || v.round < 0 || vote.signer < 0 || !c.verified(vote)) return false;
  Tally& tally = rounds[v.round].of(v.kind);
  for (const Signed<Vote>& other : tally.votes) {
    if (other.signer != vote.signer) continue;
    if (other == vote) return false;
    const bool known = std::any_of(evidence.begin(), evidence.end(), [&](const Double& d) {
      return d.first == other && d.second.signer == vote.signer;
    });
    if (!known) {
      evidence.push_back({other, vote});
      accuse(c, vote.signer, v.round);
    }
    if (other->id == v.id && !c.config().double_vote_counted) return false;
  }
  tally.votes.push_back(vote);
  remember(c, {{}, {}, vote});
  return true;
}

void Validator::accuse(Context& c, NodeId who, int of_round) {
  c.announce(Accused{who, height, of_round});
}

// Of this height: now; of a later one: when it comes.
void Validator::take(Context& c, const Logged& item) {
  const int of = item.vote.signer >= 0 ? item.vote->height : item.proposal->height;
  if (of > height && of <= c.config().heights) {
    ahead.push_back(item);
    return;
  }
  if (of != height || done(c)) return;
  if (item.vote.signer >= 0) accept(c, item.vote);
  else accept(c, item.proposal, item.block);
  progress(c);
}

void Validator::on(Context& c, NodeId, const Propose& m) { take(c, {m.proposal, m.block, {}}); }

void Validator::on(Context& c, NodeId, const Prevote& m) {
  if (m.vote->kind == Kind::prevote) take(c, {{}, {}, m.vote});
}

void Validator::on(Context& c, NodeId, const Precommit& m) {
  if (m.vote->kind == Kind::precommit) take(c, {{}, {}, m.vote});
}

}  // namespace tendermint
