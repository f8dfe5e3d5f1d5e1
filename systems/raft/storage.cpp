// What is on disk, and what must be there before which message may leave. Term, vote and entries
// are written at once and synced in the background; a vote, an acknowledgement and a candidacy are
// promises, which wait for the sync that covers them (dissertation 3.8, 10.2.1). At most one sync
// is under way; what was written meanwhile is covered by the next.
#include <algorithm>
#include <optional>

#include "systems/raft/raft.hpp"

namespace schism::raft {
namespace {

constexpr int kHardState = 0;  // two files each
constexpr int kLog = 2;
constexpr int kSnapshot = 4;
constexpr int kSyncTag = 0;

// A file of one record; nothing where it was never written, or the write was torn.
template <class T>
std::optional<T> load_one(DiskHandle disk, int file) {
  const auto records = disk.load<T>(file);
  if (records.empty() || records.back().torn) return std::nullopt;
  return records.back().value;
}

}  // namespace

// ---- writing -------------------------------------------------------------------------------

void Raft::store_entry(Context& c, Index index, const Entry& entry) {
  c.disk().append(kLog + segment, LogRecord{index, term_at(index - 1), entry});
  segment_last = std::max(segment_last, index);
  unsynced = true;
}

// Entries go to one of two files. When a snapshot covers all of the older one, that becomes the
// empty new one. The operations survive a crash in this order, so no entry goes before the snapshot
// that replaces it has come.
void Raft::store_snapshot(Context& c) {
  const bool turn = older_segment_last <= snapshot.index;
  if (turn) segment = 1 - segment;
  snapshot_slot = 1 - snapshot_slot;
  c.disk().write(kSnapshot + static_cast<int>(snapshot_slot), SnapshotRecord{snapshot, segment});
  if (turn) {
    c.disk().truncate(kLog + segment, 0);
    older_segment_last = segment_last;
    segment_last = 0;
  }
  unsynced = true;
}

// "My log agrees with yours up to this index, and a crash will not change that."
void Raft::acknowledge(Context& c, NodeId to, Index index) {
  const Held promise{Promise::append, to, term, index, false};
  if (c.config().ack_before_sync) keep_promise(c, promise);
  else hold(promise);
}

// The end of every handler: promises leave now if there is nothing new on the way to the disk.
void Raft::settle(Context& c) {
  if (hard_state_changed) {
    hard_state_changed = false;
    unsynced = true;
    ++hard_state_version;
    const Config& config = c.config();
    c.disk().write(kHardState + static_cast<int>(hard_state_version % 2),
                   HardState{hard_state_version, config.term_not_persisted ? 0 : term,
                             config.vote_not_persisted ? kNobody : vote});
  }
  if (unsynced) {
    if (syncing) return;
    unsynced = false;
    syncing = true;
    syncing_to = log.last();
    held.swap(held_next);
    c.disk().sync(kSyncTag);
  } else if (!held_next.empty()) {
    if (syncing) held.insert(held.end(), held_next.begin(), held_next.end());
    else
      for (const Held& promise : held_next) keep_promise(c, promise);
    held_next.clear();
  }
}

void Raft::on_disk(Context& c, const DiskDone& done) {
  if (!done.ok) {
    c.disk().sync(kSyncTag);
    return;
  }
  syncing = false;
  durable = std::max(durable, syncing_to);
  for (const Held& promise : held) keep_promise(c, promise);
  held.clear();
  if (leads()) advance_commit(c);
  settle(c);
}

void Raft::keep_promise(Context& c, const Held& promise) {
  switch (promise.promise) {
    case Promise::vote: c.send(promise.to, MsgVoteResp{promise.term, false}); break;
    case Promise::append:
      c.send(promise.to, MsgAppResp{promise.term, promise.index, false, 0, 0});
      break;
    case Promise::candidacy:
      if (role != Role::StateCandidate || term != promise.term) break;  // it is over already
      for (NodeId to = 0; to < c.nodes(); ++to)
        if (to != c.self && is_member(to))
          c.send(to, MsgVote{term, log.last(), last_term(), promise.transfer});
      count_vote(c, c.self, false);
      break;
  }
}

// ---- reading, after a crash ----------------------------------------------------------------

void Raft::recover(Context& c) {
  HardState hard;
  for (const int slot : {0, 1})
    if (const auto found = load_one<HardState>(c.disk(), kHardState + slot))
      if (found->version > hard.version) hard = *found;
  for (const int slot : {0, 1}) {
    const auto found = load_one<SnapshotRecord>(c.disk(), kSnapshot + slot);
    if (!found || found->snapshot.index <= snapshot.index) continue;
    snapshot = found->snapshot;
    segment = found->segment;
    snapshot_slot = static_cast<std::uint32_t>(slot);
  }
  commit = snapshot.index;
  machine = snapshot.machine;
  memberships.assign(1, {snapshot.index, snapshot.members});
  log.reset(snapshot.index, snapshot.prefix);
  const bool loses = c.config().restore_loses_log && snapshot.index > 0;
  if (!loses) recover_log(c, kLog + 1 - segment);
  older_segment_last = segment_last;
  segment_last = 0;
  recover_log(c, kLog + segment);
  durable = log.last();
  // An entry can be on disk without the term that it came with.
  term = std::max(hard.term, last_term());
  vote = hard.term == term ? hard.vote : kNobody;
  hard_state_version = hard.version;
}

void Raft::recover_log(Context& c, int file) {
  const auto records = c.disk().load<LogRecord>(file);
  for (const auto& [record, torn] : records) {
    if (torn) {  // only the last one can be
      c.disk().truncate(file, static_cast<std::uint32_t>(records.size()) - 1);
      break;
    }
    const Index index = record.index;
    segment_last = std::max(segment_last, index);
    if (index <= log.base() || index > log.last() + 1) continue;
    log.truncate(index - 1);
    forget_memberships_after(index - 1);
    // Left from before a snapshot replaced the log: it follows an entry that is not there any more.
    if (record.previous != term_at(index - 1) && !c.config().restore_resurrects) continue;
    log.append(record.entry);
    if (record.entry.type == EntryType::EntryConfChange) adopt_membership(index, record.entry);
  }
}

// etcd's way to begin: an entry a member, committed from the start.
void Raft::bootstrap(Context& c) {
  enter_term(c, 1);
  const Members all = members();
  for (NodeId id = 0; id < c.nodes(); ++id) {
    if (!contains(all, id)) continue;
    Command join;
    join.op = Op::add_node;
    join.key = static_cast<std::uint8_t>(id);
    append(c, {term, EntryType::EntryConfChange, join});
  }
  c.announce(LogChange{c.self, 1, log.last()});
  commit_to(c, log.last());
  settle(c);
  c.disk().sync_now();
  durable = log.last();
}

}  // namespace schism::raft
