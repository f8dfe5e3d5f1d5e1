// Log compaction and followers that are too far behind: paper section 7, dissertation 5.
#include <algorithm>

#include "systems/raft/raft.hpp"

namespace schism::raft {

void Raft::compact_if_long(Context& c) {
  const auto every = static_cast<Index>(c.config().snapshot_every);
  if (every == 0 || commit - log.base() < every) return;
  forget_memberships_before(commit);
  snapshot = {commit, term_at(commit), memberships.front().members, log.prefix(commit), machine};
  log.compact(commit);
  store_snapshot(c);
}

void Raft::send_snapshot(Context& c, NodeId to) {
  if (c.config().snapshot_missing && c.restarts() > 0) {
    c.fail("a snapshot must be sent, and there is none");
    return;
  }
  Progress& peer = peers[static_cast<std::size_t>(to)];
  peer.flow = Flow::snapshot;
  peer.next = snapshot.index + 1;
  c.send(to, MsgSnap{term, snapshot});
}

void Raft::on(Context& c, NodeId from, const MsgSnap& m) {
  if (m.term < term) {
    c.send(from, MsgAppResp{term, m.snapshot.index, true, 0, 0});
    return;
  }
  hear_leader(c, from, m.term);
  const Snapshot& s = m.snapshot;
  if (s.index > commit) {
    // A log that holds the snapshot's last entry is only behind in what it knows to be committed;
    // what follows that entry may have been acknowledged and must stay.
    const bool has_it = log.has(s.index) && log[s.index].term == s.term;
    if (has_it && !c.config().snapshot_loses_tail) commit_to(c, s.index);
    else restore(c, s);
  }
  acknowledge(c, from, commit);
  settle(c);
}

// The snapshot takes the place of the whole log: what the log holds beyond it belongs to a history
// that never was.
void Raft::restore(Context& c, const Snapshot& s) {
  std::vector<Entry> beyond;
  if (c.config().restore_resurrects)
    for (Index i = s.index + 1; i <= log.last(); ++i) beyond.push_back(log[i]);
  snapshot = s;
  machine = s.machine;
  commit = s.index;
  log.reset(s.index, s.prefix);
  memberships.assign(1, {s.index, s.members});
  durable = std::min(durable, s.index);
  syncing_to = std::min(syncing_to, s.index);
  store_snapshot(c);
  c.announce(Restore{c.self, s.index, s.term});
  if (!beyond.empty()) {
    for (const Entry& entry : beyond) append(c, entry);
    c.announce(LogChange{c.self, s.index + 1, log.last()});
  }
  answer_from_sessions(c);
  answer_reads(c);
}

}  // namespace schism::raft
