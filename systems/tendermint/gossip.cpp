// A vote that was lost is offered again by anybody who has it: each tells now and then what it has,
// and gets what it lacks. Who is at an earlier height gets the decision.
#include <algorithm>
#include <set>

#include "systems/tendermint/validator.hpp"

namespace tendermint {

Status Validator::status(Context& c) const {
  Status out{height, round, {}, {}};
  for (const auto& [at, of] : rounds)
    out.seen.push_back({at, of.proposal.has_value(), of.prevotes.voters(), of.precommits.voters(),
                        with_quorum(c, of.prevotes, quorum(c)),
                        with_quorum(c, of.precommits, quorum(c)),
                        of.prevotes.count(kNil) >= quorum(c)});
  for (const auto& [id, block] : blocks) out.blocks.push_back(id);
  return out;
}

void Validator::on(Context& c, NodeId from, const Status& m) {
  if (c.config().offers == Offers::nothing || m.height < 1 || from == c.self) return;
  if (m.height < height) c.send(from, chain[static_cast<std::size_t>(m.height - 1)]);
  else if (m.height == height && !done(c) && c.config().offers != Offers::decisions)
    offer(c, from, m);
}

// Of the rounds that matter: the other's, its own, and those in which there is a quorum.
void Validator::offer(Context& c, NodeId to, const Status& known) {
  std::set<int> which = {known.round};
  std::set<int> wanted;
  for (const Seen& seen : known.seen) wanted.insert({seen.polka, seen.commit});
  const bool all = c.config().offers == Offers::all && !c.config().skip_needs_quorum;
  if (all) which.insert(round);
  for (const auto& [at, of] : rounds) {
    const int polka = with_quorum(c, of.prevotes, quorum(c));
    const int commit = with_quorum(c, of.precommits, quorum(c));
    if (all && (polka != kNil || commit != kNil)) which.insert(at);
    for (const int id : {polka, commit}) wanted.insert(id);
  }
  for (const int at : which) {
    if (!find(at)) continue;
    Seen has{at, false, {}, {}, kNil, kNil, false};
    for (const Seen& seen : known.seen)
      if (seen.round == at) has = seen;
    offer_round(c, to, at, has);
  }
  for (const auto& [id, block] : blocks) {
    const bool has = std::find(known.blocks.begin(), known.blocks.end(), id) != known.blocks.end();
    if (wanted.contains(id) && !has) c.send(to, BlockPart{block});
  }
}

// Votes of those whose votes it lacks, and all votes of a quorum that it does not see: it may have
// been told other things by the same validator.
void Validator::offer_round(Context& c, NodeId to, int of_round, const Seen& known) {
  const Round& of = rounds.at(of_round);
  const bool all = c.config().offers != Offers::majorities;
  const auto lacks = [&](const Tally& votes, const NodeSet& has, const Signed<Vote>& vote) {
    return !has.contains(vote.signer) && (all || votes.count(vote->id) >= quorum(c));
  };
  if (all && of.proposal && !known.proposal) c.send(to, *of.proposal);
  const int polka = with_quorum(c, of.prevotes, quorum(c));
  const bool nil_polka = of.prevotes.count(kNil) >= quorum(c) && !known.nil_polka;
  for (const Signed<Vote>& vote : of.prevotes.votes)
    if (lacks(of.prevotes, known.prevotes, vote) ||
        (polka != known.polka && vote->id == polka && polka != kNil) ||
        (nil_polka && vote->id == kNil))
      c.send(to, Prevote{vote});
  const int commit = with_quorum(c, of.precommits, quorum(c));
  for (const Signed<Vote>& vote : of.precommits.votes)
    if (lacks(of.precommits, known.precommits, vote) ||
        (commit != known.commit && vote->id == commit && commit != kNil))
      c.send(to, Precommit{vote});
}

void Validator::on(Context& c, NodeId, const BlockPart& m) {
  if (done(c)) return;
  keep_block(c, m.block);
  progress(c);
}

void Validator::on(Context& c, NodeId, const Commit& m) {
  if (done(c) || m.block->height != height) return;
  keep_block(c, m.block);
  for (const Signed<Vote>& vote : m.precommits)
    if (vote->kind == Kind::precommit) accept(c, vote);
  progress(c);
}

}  // namespace tendermint
