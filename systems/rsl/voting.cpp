// The primary's proposals, one at a time: the next one only after a quorum has voted for the last.
// So a proposal for the next decree in the same ballot says that the last one is decided.
#include "systems/rsl/replica.hpp"

namespace schism::rsl {
namespace {

constexpr std::size_t kProposalsMax = 10;

}  // namespace

// ---- the primary ---------------------------------------------------------------------------

// The next command, or the last proposal again.
void Replica::send_next(Context& c) {
  if (!leads() || accepted.ballot != prepared) return;
  spoke_at = ticks;
  action_at = ticks + static_cast<Ticks>(c.config().retry);
  if (ready && !queue.empty()) {
    const Command command = queue.front();
    queue.erase(queue.begin());
    propose(c, {prepared, accepted.decree + 1, command});
    return;
  }
  if (c.config().published()) votes = bit_of(c.self);
  c.broadcast(AcceptReq{accepted});
}

void Replica::propose(Context& c, const Proposal& proposal) {
  log_proposal(c, proposal);
  ready = false;
  votes = bit_of(c.self);
  c.broadcast(AcceptReq{proposal});
  count_votes(c);
}

void Replica::on(Context& c, NodeId from, const AcceptResp& m) {
  if (!m.yes) {
    hear_refusal(c, from, m.ballot, m.prepared, m.decree);
    return;
  }
  // The published rule counts for a deposed primary too, as long as nobody has a higher ballot.
  const bool counts = c.config().published() ? is_stable() && owns_ballot(c) : leads();
  if (!counts || ready || m.ballot != accepted.ballot || m.decree != accepted.decree) return;
  votes |= bit_of(from);
  count_votes(c);
}

void Replica::count_votes(Context& c) {
  if (!has_quorum(c)) return;
  execute(c);
  ready = true;
  action_at = kNever;
}

// ---- the others ----------------------------------------------------------------------------

void Replica::on(Context& c, NodeId from, const AcceptReq& m) {
  const Proposal& proposal = m.proposal;
  if (proposal.ballot.proposer != from) return;  // it was mutated
  if (role == Role::initialising) {
    queue_proposal(c, proposal);
    return;
  }
  const bool same_ballot = proposal.ballot.number == accepted.ballot.number;
  const bool same_decree = proposal.decree == accepted.decree;
  if (proposal.decree < accepted.decree || proposal.ballot.number < prepared.number) {
    refuse(c, proposal);
  } else if (same_decree && same_ballot) {
    if (!c.config().published()) follow_heartbeat(c);
  } else if (same_decree) {
    vote(c, proposal);
  } else if ((same_ballot && proposal.decree == accepted.decree + 1) || c.config().gap_execute) {
    execute(c);
    next_election = ticks + static_cast<Ticks>(c.config().election) + spread(c);
    vote(c, proposal);
  } else {  // something was missed
    catch_up(c, from);
    if (role == Role::initialising && !c.config().published()) queue_proposal(c, proposal);
  }
}

void Replica::vote(Context& c, const Proposal& proposal) {
  log_proposal(c, proposal);
  c.send(proposal.ballot.proposer, AcceptResp{true, proposal.ballot, prepared, proposal.decree});
  become_secondary(c);
  if (!c.config().published())
    next_election = ticks + static_cast<Ticks>(c.config().election) + spread(c);
}

// The published rule does nothing here: a lost vote is lost for good, and a primary without
// commands is deposed however often it shows that it is there.
void Replica::follow_heartbeat(Context& c) {
  if (role != Role::secondary || accepted.ballot.proposer == c.self) return;
  next_election = ticks + static_cast<Ticks>(c.config().election) + spread(c);
  c.send(accepted.ballot.proposer, AcceptResp{true, accepted.ballot, prepared, accepted.decree});
}

// The published refusal does not say what is refused, so that two of them are alike.
void Replica::refuse(Context& c, const Proposal& proposal) {
  const Ballot& refused = c.config().published() ? prepared : proposal.ballot;
  c.send(proposal.ballot.proposer, AcceptResp{false, refused, prepared, accepted.decree});
}

// Kept until the decrees before it are known. What does not continue the others replaces them,
// unless it is older.
void Replica::queue_proposal(Context& c, const Proposal& proposal) {
  if (!proposals.empty()) {
    const Proposal& last = proposals.back();
    const bool older = proposal.decree < last.decree || proposal.ballot.number < last.ballot.number;
    if (older || proposal.rank() == last.rank()) {
      if (older &&
          (proposal.decree < accepted.decree || proposal.ballot.number < accepted.ballot.number))
        refuse(c, proposal);
      return;
    }
    const bool continues =
        proposal.decree == last.decree ||
        (proposal.decree == last.decree + 1 && proposal.ballot.number == last.ballot.number);
    if (!continues || proposals.size() == kProposalsMax) proposals.clear();
  }
  proposals.push_back(proposal);
}

// ---- decided -------------------------------------------------------------------------------

// The accepted proposal is decided. It may have been executed before: by a primary that lost its
// ballot, and whose successor proposed it again.
void Replica::execute(Context& c) {
  if (decided.last() > accepted.decree && !c.config().execute_twice) return;
  decided.append(accepted.command);
  const std::uint32_t position = decided.last() - 1;
  c.announce(Executed{c.self, position, accepted.decree, accepted.command});
  answer_executed(c, position);
}

}  // namespace schism::rsl
