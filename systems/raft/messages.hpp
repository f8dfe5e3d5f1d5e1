// Everything that Raft's nodes say: messages and announcements under etcd's names, so that
// scenarios written for etcd carry over; the clients' requests; the records on disk. All are plain
// bytes.
//
// `index` and `log_term` are the log position that a message is about: the entry before the first
// one sent (MsgApp), the candidate's last (MsgVote), the last one acknowledged (MsgAppResp).
#pragma once

#include <bit>
#include <cstdint>

#include "schism/base/fields.hpp"
#include "schism/node/node.hpp"
#include "systems/raft/inline_list.hpp"
#include "systems/raft/kv.hpp"

namespace schism::raft {

using Term = std::uint32_t;
using Index = std::uint32_t;
using Members = std::uint32_t;  // a bit a node

inline constexpr int kServersMax = 16;
inline constexpr NodeId kNobody = -1;
inline constexpr std::size_t kBatchMax = 4;

// A mutated message may name a node that cannot be.
constexpr Members bit_of(NodeId id) { return Members{1} << (id & 31); }
constexpr bool contains(Members members, NodeId id) { return (members & bit_of(id)) != 0; }

SCHISM_ENUM(EntryType, EntryNormal, EntryConfChange);

struct Entry {
  Term term = 0;
  EntryType type = EntryType::EntryNormal;
  Command payload;
  FIELDS(term, type, payload)

  Hash128 digest() const {
    return absorb(payload.digest(), std::uint64_t{term} << 8 | static_cast<std::uint64_t>(type));
  }
};
using Entries = InlineList<Entry, kBatchMax>;

// All that is left of a compacted prefix. `prefix` is the hash of the entries, for oracles.
struct Snapshot {
  Index index = 0;
  Term term = 0;
  Members members = 0;
  Hash128 prefix;
  Machine machine;
  FIELDS(index, term, members, prefix.lo, prefix.hi, machine)

  Hash128 digest() const {
    return absorb(absorb(absorb(prefix, machine.digest()), std::uint64_t{index} << 32 | term),
                  members);
  }
};

// ---- messages ------------------------------------------------------------------------------

struct MsgProp {
  EntryType type;
  Command payload;
  FIELDS(type, payload)
};
// `transfer`: the leader itself asked for this election.
struct MsgVote {
  Term term;
  Index index;
  Term log_term;
  bool transfer;
  FIELDS(term, index, log_term, transfer)
};
struct MsgVoteResp {
  Term term;
  bool reject;
  FIELDS(term, reject)
};
struct MsgPreVote {
  Term term;
  Index index;
  Term log_term;
  FIELDS(term, index, log_term)
};
struct MsgPreVoteResp {
  Term term;
  bool reject;
  FIELDS(term, reject)
};
struct MsgApp {
  Term term;
  Index index;
  Term log_term;
  Index commit;
  Entries entries;
  FIELDS(term, index, log_term, commit, entries)
};
// `hint` and `log_term`: where, after a rejection, the logs may still agree.
struct MsgAppResp {
  Term term;
  Index index;
  bool reject;
  Index hint;
  Term log_term;
  FIELDS(term, index, reject, hint, log_term)
};
// `round` names the heartbeats sent together, `sent` is the leader's clock: reads depend on both.
struct MsgHeartbeat {
  Term term;
  Index commit;
  std::uint32_t round;
  Micros sent;
  FIELDS(term, commit, round, sent)
};
struct MsgHeartbeatResp {
  Term term;
  std::uint32_t round;
  Micros sent;
  FIELDS(term, round, sent)
};
struct MsgSnap {
  Term term;
  Snapshot snapshot;
  FIELDS(term, snapshot)
};
struct MsgTimeoutNow {
  Term term;
  FIELDS(term)
};
struct MsgReadIndex {
  Command payload;
  FIELDS(payload)
};
struct MsgReadIndexResp {
  Command payload;
  Index index;
  FIELDS(payload, index)
};

// ---- announcements -------------------------------------------------------------------------

SCHISM_ENUM(Role, StateFollower, StatePreCandidate, StateCandidate, StateLeader);

struct StateChange {
  NodeId replica;
  Term term;
  Role new_state;
  FIELDS(replica, term, new_state)
};
struct TermChange {
  NodeId replica;
  Term term;
  FIELDS(replica, term)
};
// An entry was committed and applied at this replica; `took_effect`: it was not a repetition.
struct Commit {
  NodeId replica;
  Index index;
  Term term;
  EntryType type;
  Command payload;
  bool took_effect;
  FIELDS(replica, index, term, type, payload, took_effect)
};
// The entries from `first` on are new in this replica's log.
struct LogChange {
  NodeId replica;
  Index first;
  Index last;
  FIELDS(replica, first, last)
};
// A snapshot took the place of the log up to `index`.
struct Restore {
  NodeId replica;
  Index index;
  Term term;
  FIELDS(replica, index, term)
};

// ---- requests ------------------------------------------------------------------------------

struct Put {
  int key;
  int value;
  FIELDS(key, value)
};
struct Get {
  int key;
  FIELDS(key)
};
struct Cas {
  int key;
  int expected;
  int value;
  FIELDS(key, expected, value)
};
struct AddNode {
  int node;
  FIELDS(node)
};
struct RemoveNode {
  int node;
  FIELDS(node)
};
struct Transfer {
  int to;
  FIELDS(to)
};  // of leadership

// ---- on disk -------------------------------------------------------------------------------

// Two slots written in turn: a torn write destroys the older one.
struct HardState {
  std::uint32_t version = 0;
  Term term = 0;
  NodeId vote = kNobody;
  FIELDS(version, term, vote)
};
// An entry with its place. A record with an index that was there already replaces it and all after
// it; `previous` is the term of the entry before, which a recovery can check.
struct LogRecord {
  Index index = 0;
  Term previous = 0;
  Entry entry;
  FIELDS(index, previous, entry)

  Hash128 digest() const { return absorb(entry.digest(), std::uint64_t{index} << 32 | previous); }
};
// Two slots again. From this snapshot on entries go to log file `segment`.
struct SnapshotRecord {
  Snapshot snapshot;
  int segment = 0;
  FIELDS(snapshot, segment)
};

}  // namespace schism::raft
