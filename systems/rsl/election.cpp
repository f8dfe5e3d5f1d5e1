// Who is ahead and who may propose. A replica that hears nothing asks for the others' status; with
// a quorum of answers it learns from one that is ahead, or stands by, or stands for election.
#include <algorithm>

#include "systems/rsl/replica.hpp"

namespace schism::rsl {

int Replica::quorum(Context& c) {
  return c.config().minority ? std::max(1, c.majority() - 1) : c.majority();
}

void Replica::change_role(Context& c, Role new_role) {
  role = new_role;
  c.announce(RoleChange{c.self, role, prepared.number});
}

void Replica::become_secondary(Context& c) {
  change_role(c, Role::secondary);
  const bool published = c.config().published();
  if (!published || !owns_ballot(c)) action_at = kNever;
  if (published) {
    votes = bit_of(c.self);
    return;
  }
  ready = false;
  learning_from = kNobody;
  // Without this a replica that learned first of all would never stand for election.
  if (next_election == kNever)
    next_election = ticks + static_cast<Ticks>(c.config().election) + spread(c);
}

// The original has none: two candidates with one clock would meet again and again.
Ticks Replica::spread(Context& c) {
  const Config& config = c.config();
  if (config.published() || config.spread == 0) return 0;
  return static_cast<Ticks>(c.random_below(static_cast<std::uint64_t>(config.spread) + 1));
}

// To a new primary. The published rule adds to what is left, so that candidates who come to nothing
// put the next election off for ever.
void Replica::give_grace(Context& c) {
  const Config& config = c.config();
  const Ticks from =
      config.published() && next_election != kNever ? std::max(ticks, next_election) : ticks;
  next_election = from + static_cast<Ticks>(config.grace) + spread(c);
}

// ---- status --------------------------------------------------------------------------------

void Replica::initialise(Context& c) {
  change_role(c, Role::initialising);
  remotes.clear();
  if (!c.config().published()) {
    learning_from = kNobody;
    proposals.clear();
  }
  c.broadcast(StatusReq{});
  action_at = ticks + static_cast<Ticks>(c.config().retry);
  if (quorum(c) == 1) weigh_status(c);
}

void Replica::on(Context& c, NodeId from, const StatusReq&) {
  c.send(from, StatusResp{accepted.ballot, accepted.decree, last_chosen});
}

void Replica::on(Context& c, NodeId from, const StatusResp& m) {
  if (role != Role::initialising) {
    const bool learns = c.config().published() && proposals.empty() &&
                        m.decree == accepted.decree && m.ballot.number >= accepted.ballot.number;
    if (learns) learn(c, from);
    return;
  }
  std::erase_if(remotes, [&](const Remote& remote) { return remote.replica == from; });
  remotes.push_back({from, m.ballot, m.decree, m.last_chosen});
  if (learning_from == kNobody || c.config().published()) weigh_status(c);
}

// The published rule overlooks a replica with a later decree in a lower ballot. Such a decree is
// worth learning: that of a lower ballot was begun when all before it was decided.
bool Replica::is_ahead(Context& c, const Remote& remote) const {
  if (!c.config().published()) return remote.rank() > accepted.rank();
  if (remote.decree == accepted.decree) return remote.ballot.number > accepted.ballot.number;
  return remote.decree > accepted.decree && remote.ballot.number >= accepted.ballot.number;
}

bool Replica::learn_from_one(Context& c, bool (*fits)(const Replica&, Context&, const Remote&)) {
  std::vector<NodeId> teachers;
  for (const Remote& remote : remotes)
    if (fits(*this, c, remote)) teachers.push_back(remote.replica);
  if (teachers.empty()) return false;
  std::sort(teachers.begin(), teachers.end());
  learn(c, teachers.size() == 1 ? teachers[0] : teachers[c.random_below(teachers.size())]);
  return true;
}

void Replica::weigh_status(Context& c) {
  const bool published = c.config().published();
  const int heard = 1 + static_cast<int>(remotes.size());
  if (heard < quorum(c)) return;
  if (!proposals.empty() && published) {
    if (proposals.front().decree < accepted.decree) return;
    if (learn_from_one(c, [](const Replica& self, Context&, const Remote& remote) {
          return remote.decree >= self.proposals.front().decree;
        }))
      return;
  }
  if (learn_from_one(c, [](const Replica& self, Context& context, const Remote& remote) {
        return self.is_ahead(context, remote);
      }))
    return;
  if (next_election == kNever) {
    Ticks latest = 0;
    for (const Remote& remote : remotes) latest = std::max(latest, remote.last_chosen);
    next_election = std::min(ticks, latest) + static_cast<Ticks>(c.config().election) + spread(c);
  }
  if (ticks > next_election || owns_ballot(c)) prepare(c);
  else become_secondary(c);
}

// ---- prepare -------------------------------------------------------------------------------

void Replica::prepare(Context& c) {
  log_ballot(c, {prepared.number + 1, c.self});
  change_role(c, Role::preparing);
  next_election = ticks + static_cast<Ticks>(c.config().grace) + spread(c);
  freshest = accepted;
  votes = bit_of(c.self);
  ask_for_promises(c);
  if (has_quorum(c)) become_primary(c);
}

// At first, and again. The original forgets who had promised, and gets no answer from them.
void Replica::ask_for_promises(Context& c) {
  if (c.config().published()) {
    freshest = accepted;
    votes = bit_of(c.self);
  }
  c.broadcast(PrepareReq{prepared, accepted.decree});
  action_at = ticks + static_cast<Ticks>(c.config().retry);
}

void Replica::on(Context& c, NodeId from, const PrepareReq& m) {
  const Config& config = c.config();
  if (m.ballot.proposer != from) return;  // it was mutated
  if (m.ballot.number < prepared.number || m.decree < accepted.decree) {
    if (config.published())
      c.send(from, PrepareResp{false, prepared, prepared, {{}, accepted.decree, kEmpty}});
    else c.send(from, PrepareResp{false, m.ballot, prepared, accepted});
    return;
  }
  if (role == Role::initialising) return;
  if (m.ballot.number > prepared.number) {
    log_ballot(c, m.ballot);
    give_grace(c);
    promise(c, from);
  } else if (config.answer_equal_ballot || (m.ballot == prepared && !config.published())) {
    promise(c, from);  // again: the first answer may have been lost
  }
  if (m.decree > accepted.decree) catch_up(c, from);
  else become_secondary(c);
}

void Replica::promise(Context& c, NodeId to) {
  Proposal reported = accepted;
  if (c.config().ignore_prepared) reported = {{}, accepted.decree, kEmpty};
  c.send(to, PrepareResp{true, Ballot{prepared.number, to}, prepared, reported});
}

// A promise counts whichever decree its sender is at, as long as it is not beyond ours, which it
// would have refused. The published rule drops those of replicas that are behind.
void Replica::on(Context& c, NodeId from, const PrepareResp& m) {
  if (!m.yes) {
    hear_refusal(c, from, m.ballot, m.prepared, m.accepted.decree);
    return;
  }
  if (role != Role::preparing || m.ballot != prepared) return;
  const bool same_decree = m.accepted.decree == accepted.decree;
  if (!same_decree && c.config().published()) return;
  if (same_decree && m.accepted.ballot.number > freshest.ballot.number) freshest = m.accepted;
  votes |= bit_of(from);
  if (has_quorum(c)) become_primary(c);
}

// Whatever was decided in this decree is the freshest of a quorum, so it is proposed again.
void Replica::become_primary(Context& c) {
  change_role(c, Role::primary);
  action_at = ticks + static_cast<Ticks>(c.config().retry);
  spoke_at = ticks;
  propose(c, {prepared, accepted.decree, freshest.command});
  queue_own(c);
}

// Of a promise, or of a vote. One for an earlier ballot of ours is history.
void Replica::hear_refusal(Context& c, NodeId from, const Ballot& mine, const Ballot& theirs,
                           Decree decree) {
  if (role == Role::initialising) return;
  if (c.config().published()) {
    if (decree < accepted.decree || theirs.number < accepted.ballot.number) return;
  } else if (mine != prepared || (role != Role::preparing && role != Role::primary)) {
    return;
  }
  if (decree > accepted.decree) {
    catch_up(c, from);
  } else if (theirs.number > prepared.number) {
    log_ballot(c, theirs);
    give_grace(c);
    become_secondary(c);
  }
}

}  // namespace schism::rsl
