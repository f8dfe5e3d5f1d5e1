// Elections: paper section 5.2 and 5.4.1, pre-vote (dissertation 9.6), check-quorum (6.2, 4.2.3).
#include "systems/raft/raft.hpp"

namespace schism::raft {

void Raft::reset_election_timer(Context& c) {
  const Micros least = c.config().election;
  c.set_timer(Timer::election, between(least, 2 * least - 1));
}

void Raft::on_election_timeout(Context& c) {
  if (leads()) return;
  reset_election_timer(c);
  if (!may_campaign(c)) return;
  if (!c.config().pre_vote) {
    campaign(c, false);
    return;
  }
  leader = kNobody;
  granted = rejected = 0;
  change_role(c, Role::StatePreCandidate);
  for (NodeId to = 0; to < c.nodes(); ++to)
    if (to != c.self && is_member(to)) c.send(to, MsgPreVote{term + 1, log.last(), last_term()});
  count_vote(c, c.self, false);
}

// A server that was removed must still be able to win, or the entry that removes it might never be
// committed (dissertation 4.2.2). Once it knows that it was, it keeps quiet.
bool Raft::may_campaign(Context& c) const {
  return is_member(c.self) || memberships.back().index > commit;
}

// The own vote counts, and is asked for, once it is on disk: see keep_promise.
void Raft::campaign(Context& c, bool transfer) {
  enter_term(c, term + 1);
  vote = c.self;
  leader = kNobody;
  granted = rejected = 0;
  change_role(c, Role::StateCandidate);
  reset_election_timer(c);
  hold({Promise::candidacy, c.self, term, log.last(), transfer});
}

void Raft::enter_term(Context& c, Term new_term) {
  term = new_term;
  vote = kNobody;
  hard_state_changed = true;
  c.announce(TermChange{c.self, term});
}

void Raft::change_role(Context& c, Role new_role) {
  role = new_role;
  c.announce(StateChange{c.self, term, role});
}

void Raft::become_follower(Context& c, Term new_term, NodeId new_leader) {
  if (leads()) {
    c.cancel_timer(Timer::heartbeat);
    stop_leading();
  }
  if (c.config().follower_asserts && role == Role::StateCandidate && new_term != term)
    c.require(!syncing, "a candidate became a follower while its candidacy was being written");
  if (new_term != term) enter_term(c, new_term);
  leader = new_leader;
  granted = rejected = 0;
  change_role(c, Role::StateFollower);
  reset_election_timer(c);
}

void Raft::become_leader(Context& c) {
  const Config& config = c.config();
  leader = c.self;
  stop_leading();
  Progress fresh;
  fresh.next = log.last() + 1;
  peers.assign(static_cast<std::size_t>(c.nodes()), fresh);
  ticks = 0;
  lease_void = false;
  change_role(c, Role::StateLeader);
  c.cancel_timer(Timer::election);
  c.set_timer(Timer::heartbeat, config.heartbeat);
  if (config.empty_entry && !config.unsafe_membership) {
    append(c, {term, EntryType::EntryNormal, Command{}});
    c.announce(LogChange{c.self, log.last(), log.last()});
  }
  broadcast_append(c);
}

void Raft::hear_leader(Context& c, NodeId from, Term leader_term) {
  if (role == Role::StateFollower && leader == from && term == leader_term) reset_election_timer(c);
  else become_follower(c, leader_term, from);
  if (c.config().voters_stick()) heard_at = c.now();
}

// ---- votes ---------------------------------------------------------------------------------

bool Raft::up_to_date(Index index, Term log_term) const {
  return log_term > last_term() || (log_term == last_term() && index >= log.last());
}

// Nobody who hears a leader helps to depose it. With leases this is a promise, which a server that
// restarts may have made.
bool Raft::sticks_to_leader(Context& c) {
  const Config& config = c.config();
  if (!config.voters_stick()) return false;
  if (leads()) return true;
  const bool promised = leader != kNobody || config.reads == Reads::lease;
  return promised && c.now() - heard_at < config.election;
}

void Raft::on(Context& c, NodeId from, const MsgVote& m) {
  const Config& config = c.config();
  if (m.term > term) {
    if (!m.transfer && sticks_to_leader(c)) return;
    become_follower(c, config.term_kept_on_vote ? term : m.term, kNobody);
  }
  const bool same_term = m.term == term || (config.term_kept_on_vote && m.term > term);
  const bool free = vote == kNobody || vote == from || (config.transfer_double_vote && m.transfer);
  const bool grant =
      same_term && free && (up_to_date(m.index, m.log_term) || config.vote_without_log_check);
  if (grant) {
    hard_state_changed |= vote != from;
    vote = from;
    reset_election_timer(c);
    hold({Promise::vote, from, m.term, 0, false});
  } else {
    c.send(from, MsgVoteResp{term, true});
  }
  settle(c);
}

bool Raft::stale_response(Context& c, Term response_term) const {
  return response_term < term && !c.config().stale_term_response;
}

void Raft::on(Context& c, NodeId from, const MsgVoteResp& m) {
  const bool kept = c.config().term_kept_on_vote_answer && role == Role::StateCandidate;
  if (m.term > term) become_follower(c, kept ? term : m.term, kNobody);
  else if (role == Role::StateCandidate && !stale_response(c, m.term))
    count_vote(c, from, m.reject);
  if (kept) c.require(term >= m.term, "an answer was handled in a term before its own");
  settle(c);
}

void Raft::on(Context& c, NodeId from, const MsgPreVote& m) {
  if (m.term > term && sticks_to_leader(c)) return;
  const bool grant = m.term > term && up_to_date(m.index, m.log_term);
  c.send(from, MsgPreVoteResp{grant ? m.term : term, !grant});
}

void Raft::on(Context& c, NodeId from, const MsgPreVoteResp& m) {
  if (m.reject && m.term > term) become_follower(c, m.term, kNobody);
  else if (role == Role::StatePreCandidate && (m.reject || m.term == term + 1))
    count_vote(c, from, m.reject);
  settle(c);
}

void Raft::count_vote(Context& c, NodeId from, bool reject) {
  (reject ? rejected : granted) |= bit_of(from);
  if (is_quorum(c, granted)) {
    if (role == Role::StatePreCandidate) campaign(c, false);
    else become_leader(c);
  } else if (is_quorum(c, rejected)) {
    become_follower(c, term, kNobody);
  }
}

void Raft::on(Context& c, NodeId from, const MsgTimeoutNow& m) {
  if (m.term > term) become_follower(c, m.term, from);
  if (m.term == term && !leads() && is_member(c.self)) campaign(c, true);
  settle(c);
}

}  // namespace schism::raft
