// Replicas that missed something ask one that is ahead for what it has accepted since.
#include <algorithm>

#include "systems/rsl/replica.hpp"

namespace schism::rsl {

// Should no answer come, the status is asked for again when action_at has passed.
void Replica::learn(Context& c, NodeId from) {
  learning_from = from;
  c.send(from, FetchReq{accepted.ballot, accepted.decree});
}

// That replica has shown that it is ahead. The published rule asks for everybody's status instead,
// and a quorum of answers may not have one of a replica that is ahead: two that are behind elect
// each other's candidate again and again, and the third refuses it every time.
void Replica::catch_up(Context& c, NodeId from) {
  if (c.config().published()) {
    initialise(c);
    return;
  }
  change_role(c, Role::initialising);
  remotes.clear();
  proposals.clear();
  action_at = ticks + static_cast<Ticks>(c.config().retry);
  learn(c, from);
}

void Replica::on(Context& c, NodeId from, const FetchReq& m) {
  FetchResp answer;
  for (const Record& record : log)
    if (record.accepted && record.decree >= m.decree) answer.proposals.push_back(record.proposal());
  c.send(from, std::move(answer));
}

void Replica::on(Context& c, NodeId from, const FetchResp& m) {
  if (learning_from != from || learning_from == kNobody) return;
  learning_from = kNobody;
  if (c.config().published()) {
    if (!take_as_published(c, m)) return;
  } else {
    if (role != Role::initialising) return;
    const std::uint64_t before = accepted.rank();
    for (const Proposal& learned : m.proposals)
      if (!take(c, learned)) break;
    if (accepted.rank() == before) {
      initialise(c);
      return;
    }
  }
  const std::vector<Proposal> waiting = std::exchange(proposals, {});
  become_secondary(c);
  for (const Proposal& proposal : waiting) {
    if (role != Role::secondary) break;
    on(c, proposal.ballot.proposer, AcceptReq{proposal});
  }
}

// What is not newer is skipped; what is newer is a proposal that was made, which may be reported to
// any candidate, whatever was promised meanwhile. The first of the next decree says that what we
// hold now is decided: it was in the teacher's ballot, and we have passed over none of a higher
// one.
bool Replica::take(Context& c, const Proposal& learned) {
  if (learned.rank() <= accepted.rank()) return true;
  if (learned.decree > accepted.decree + 1) return false;
  if (learned.decree == accepted.decree + 1) execute(c);
  log_proposal(c, learned);
  return true;
}

// The answer begins with the decree that was asked for, and anything not newer ends it: the
// published rule hardly ever learns. False: it ended so.
bool Replica::take_as_published(Context& c, const FetchResp& m) {
  if (m.proposals.empty()) {
    initialise(c);
    return false;
  }
  const Proposal& first = m.proposals.front();
  if (first.decree != accepted.decree + 1 || first.ballot.number <= accepted.ballot.number)
    return false;
  execute(c);
  next_election = ticks + static_cast<Ticks>(c.config().election);
  log_proposal(c, first);
  return true;
}

}  // namespace schism::rsl
