// Log replication: paper section 5.3 and 5.4.2, with etcd's flow control. A follower is probed with
// one message at a time until it accepts one; then the leader runs ahead of the acknowledgements.
#include <algorithm>

#include "systems/raft/raft.hpp"

namespace schism::raft {

Term Raft::term_at(Index index) const {
  if (index == log.base()) return snapshot.term;
  return log.has(index) ? log[index].term : 0;
}

void Raft::append(Context& c, Entry entry) {
  const Index index = log.last() + 1;
  store_entry(c, index, entry);
  log.append(entry);
  if (entry.type == EntryType::EntryConfChange) adopt_membership(index, entry);
}

// ---- the leader ----------------------------------------------------------------------------

void Raft::broadcast_append(Context& c) {
  for (NodeId to = 0; to < c.nodes(); ++to)
    if (to != c.self && is_member(to)) send_append(c, to);
}

void Raft::send_append(Context& c, NodeId to) {
  Progress& peer = peers[static_cast<std::size_t>(to)];
  do {
    if (peer.flow == Flow::snapshot || peer.paused) return;
    if (peer.next <= log.base()) {
      if (c.config().read_below_snapshot && peer.next == log.base()) {
        c.fail("an entry was read that the snapshot has replaced");
        return;
      }
      send_snapshot(c, to);
      return;
    }
    MsgApp m{term, peer.next - 1, term_at(peer.next - 1), commit, {}};
    const auto batch = static_cast<Index>(c.config().batch);
    const Index end = std::min(log.last() + 1, peer.next + batch);
    for (Index i = peer.next; i < end; ++i) m.entries.push_back(log[i]);
    if (peer.flow == Flow::replicate) peer.next = end;
    else peer.paused = true;
    c.send(to, m);
  } while (peer.next <= log.last());
}

void Raft::broadcast_heartbeat(Context& c) {
  const Config& config = c.config();
  ++round;
  const Micros sent = config.reads == Reads::lease ? c.now() : 0;
  for (NodeId to = 0; to < c.nodes(); ++to) {
    if (to == c.self || !is_member(to)) continue;
    // Beyond what is known to match, the follower's entries may not be ours.
    const Index match = peers[static_cast<std::size_t>(to)].match;
    const Index known = config.heartbeat_commits_beyond_match ? commit : std::min(match, commit);
    c.send(to, MsgHeartbeat{term, known, round, sent});
  }
}

void Raft::on_heartbeat_timeout(Context& c) {
  if (!leads()) return;
  const Config& config = c.config();
  c.set_timer(Timer::heartbeat, config.heartbeat);
  if (++ticks * config.heartbeat >= config.election) {
    ticks = 0;
    transferee = kNobody;  // it did not take over in time (dissertation 3.10)
    Members alive = bit_of(c.self);
    for (NodeId id = 0; id < c.nodes(); ++id) {
      Progress& peer = peers[static_cast<std::size_t>(id)];
      if (peer.active) alive |= bit_of(id);
      peer.active = false;
    }
    if (config.voters_stick() && !is_quorum(c, alive)) {
      become_follower(c, term, kNobody);
      return;
    }
  }
  broadcast_heartbeat(c);
}

void Raft::on(Context& c, NodeId from, const MsgAppResp& m) {
  if (m.term > term) become_follower(c, m.term, kNobody);
  if (!leads() || stale_response(c, m.term)) {
    settle(c);
    return;
  }
  Progress& peer = peers[static_cast<std::size_t>(from)];
  peer.active = true;
  if (m.reject) {
    retreat(peer, m);
    send_append(c, from);
  } else {
    peer.paused = false;
    peer.match = std::max(peer.match, std::min(m.index, log.last()));
    if (peer.flow == Flow::snapshot ? peer.match >= log.base() : peer.flow == Flow::probe) {
      peer.flow = Flow::replicate;
      peer.next = peer.match + 1;
    }
    peer.next = std::max(peer.next, peer.match + 1);
    if (!advance_commit(c) && peer.next <= log.last()) send_append(c, from);
    if (leads() && from == transferee) hand_over(c);
  }
  settle(c);
}

// A rejection says where the follower's log may still agree (paper 5.3, end; etcd's hints).
void Raft::retreat(Progress& peer, const MsgAppResp& m) const {
  switch (peer.flow) {
    case Flow::snapshot: return;
    case Flow::replicate:
      if (m.index <= peer.match) return;  // an old rejection: more was acknowledged since
      peer.flow = Flow::probe;
      peer.next = peer.match + 1;
      break;
    case Flow::probe: {
      if (m.index != peer.next - 1) return;  // not the answer to the last probe
      const Index agree = last_with_term_up_to(m.hint, m.log_term);
      peer.next = std::max(std::min(m.index, agree + 1), peer.match + 1);
      break;
    }
  }
  peer.paused = false;
}

Index Raft::last_with_term_up_to(Index from, Term bound) const {
  Index index = std::min(from, log.last());
  while (index > log.base() && term_at(index) > bound) --index;
  return index;
}

void Raft::on(Context& c, NodeId from, const MsgHeartbeatResp& m) {
  if (m.term > term) become_follower(c, m.term, kNobody);
  if (leads() && m.term == term) {
    Progress& peer = peers[static_cast<std::size_t>(from)];
    peer.active = true;
    peer.paused = false;
    peer.round = std::max(peer.round, m.round);
    peer.heard_from = std::max(peer.heard_from, m.sent);
    if (peer.flow == Flow::snapshot) {  // it may have been lost
      peer.flow = Flow::probe;
      peer.next = peer.match + 1;
    }
    // A lost append is found out here: what was sent is not acknowledged yet.
    if (peer.match < log.last()) send_append(c, from);
    finish_confirmed_reads(c);
  }
  settle(c);
}

// The highest index that a quorum has on disk; the leader's own disk is one of them.
Index Raft::agreed_by_quorum(Context& c) const {
  std::array<Index, kServersMax> match;  // descending
  std::size_t count = 0;
  const Index own = c.config().ack_before_sync ? log.last() : durable;
  for (NodeId id = 0; id < c.nodes(); ++id) {
    if (!is_member(id)) continue;
    const Index mine = id == c.self ? own : peers[static_cast<std::size_t>(id)].match;
    std::size_t at = count++;
    for (; at > 0 && match[at - 1] < mine; --at) match[at] = match[at - 1];
    match[at] = mine;
  }
  return count == 0 ? 0 : match[quorum_of(c, count) - 1];
}

// Only entries of the own term are committed by counting (paper 5.4.2, figure 8).
bool Raft::advance_commit(Context& c) {
  const Index index = agreed_by_quorum(c);
  if (index <= commit) return false;
  if (term_at(index) != term && !c.config().commit_old_term) return false;
  commit_to(c, index);
  broadcast_append(c);
  step_down_if_removed(c);
  return true;
}

// ---- the follower --------------------------------------------------------------------------

void Raft::on(Context& c, NodeId from, const MsgApp& m) {
  if (m.term < term) {
    c.send(from, MsgAppResp{term, m.index, true, 0, 0});
    return;
  }
  const bool kept = c.config().term_kept_on_append && m.term > term;
  hear_leader(c, from, kept ? term : m.term);
  const bool replaced = c.config().delete_below_snapshot && m.index < log.base();
  if (replaced) take_entries(c, m);  // what the snapshot covers looks like a conflict
  if (m.index < commit) {  // old news: what is committed here is in the leader's log as well
    acknowledge(c, from, commit);
  } else if (m.index > log.last() || term_at(m.index) != m.log_term) {
    const Index hint = last_with_term_up_to(m.index, m.log_term);
    c.send(from, MsgAppResp{term, m.index, true, hint, term_at(hint)});
  } else {
    take_entries(c, m);
    const Index last_new = m.index + static_cast<Index>(m.entries.size());
    commit_to(c, std::min(m.commit, last_new));
    if (kept) hold({Promise::append, from, m.term, last_new, false});
    else acknowledge(c, from, last_new);
  }
  settle(c);
}

// Entries that are there already stay, and so does all after them: the message may be an old one
// (paper, figure 2). Only a conflict removes entries.
void Raft::take_entries(Context& c, const MsgApp& m) {
  const Config& config = c.config();
  Index at = m.index;
  std::size_t next = 0;
  while (next < m.entries.size() && log.has(at + 1) && log[at + 1].term == m.entries[next].term)
    ++next, ++at;
  if (config.truncate_without_conflict && at < log.last()) truncate(c, at);
  if (next == m.entries.size()) return;

  std::vector<Entry> left_over;
  const Index end = m.index + static_cast<Index>(m.entries.size());
  if (config.conflict_not_truncated)
    for (Index i = std::max(end, log.base()) + 1; i <= log.last(); ++i) left_over.push_back(log[i]);
  if (at < log.last()) truncate(c, at);
  for (; next < m.entries.size(); ++next) append(c, m.entries[next]);
  for (const Entry& entry : left_over) append(c, entry);
  c.announce(LogChange{c.self, at + 1, log.last()});
}

void Raft::truncate(Context& c, Index last_kept) {
  if (last_kept < commit) {
    c.fail("a committed entry would be overwritten");
    return;
  }
  log.truncate(last_kept);
  durable = std::min(durable, last_kept);
  syncing_to = std::min(syncing_to, last_kept);
  forget_memberships_after(last_kept);
}

void Raft::on(Context& c, NodeId from, const MsgHeartbeat& m) {
  if (m.term < term) {
    c.send(from, MsgAppResp{term, 0, true, 0, 0});
    return;
  }
  hear_leader(c, from, m.term);
  commit_to(c, m.commit);
  c.send(from, MsgHeartbeatResp{term, m.round, m.sent});
  settle(c);
}

// ---- commitment ----------------------------------------------------------------------------

void Raft::commit_to(Context& c, Index index) {
  index = std::min(index, log.last());
  if (index <= commit) return;
  while (commit < index) apply(c, ++commit);
  compact_if_long(c);
  answer_reads(c);
}

void Raft::apply(Context& c, Index index) {
  const Entry& entry = log[index];
  Machine::Effect effect{{}, true};
  const bool asked_for = entry.payload.op != Op::none && entry.payload.client != kNoClient;
  if (asked_for) effect = machine.apply(entry.payload, index, c.config().retry_applied_twice);
  c.announce(Commit{c.self, index, entry.term, entry.type, entry.payload, effect.took_effect});
  if (asked_for) answer_applied(c, entry.payload, effect.answer);
}

}  // namespace schism::raft
