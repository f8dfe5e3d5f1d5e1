// What the nodes say to each other: the library's six messages as plain C++ values, deep copies of
// its structs. Servers are numbered like nodes, from 0 on; the library's ids are one higher,
// because it reserves 0 for nobody. Also the clients' requests, the announcements, and the records
// on disk.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schism/base/fields.hpp"
#include "schism/node/node.hpp"
#include "systems/craft/library.hpp"

namespace schism::craft {

using Term = std::uint64_t;
using Index = std::uint64_t;
using Server = std::int64_t;  // a node, as the library names it

inline constexpr int kServersMax = 9;
inline constexpr Server kNobody = -1;

constexpr Server server_of(raft_id id) { return static_cast<Server>(id) - 1; }
constexpr raft_id id_of(Server server) { return static_cast<raft_id>(server) + 1; }
// Of nodes 0 to kServersMax - 1: "1", "2", … They live for ever.
const char* address_of(Server server);

SCHISM_ENUM(EntryType, none, command, barrier, change);
SCHISM_ENUM(ServerRole, standby, voter, spare);
SCHISM_ENUM(Role, unavailable, follower, candidate, leader);

// An entry of the log, its content byte by byte as the library wrote it.
struct Entry {
  Term term = 0;
  EntryType type = EntryType::none;
  std::string bytes;
  FIELDS(term, type, content())

  // "7" for the command 7; "0 voter, 1 spare" for a configuration.
  std::string content() const;
  Hash128 digest() const {
    return absorb_text(absorb(Hash128{term, 1}, static_cast<std::uint64_t>(type)), bytes);
  }
};

struct Member {
  Server server = 0;
  ServerRole role{};
  FIELDS(server, role)
  friend bool operator==(const Member&, const Member&) = default;
};
using Configuration = std::vector<Member>;

// The state machine: how many commands it executed, and a hash of them in order. With it travels
// the hash of the log up to there, for oracles.
struct History {
  std::uint64_t count = 0;
  Hash128 commands;
  Hash128 log;
  FIELDS(count, to_hex(commands))

  Hash128 digest() const { return absorb(absorb(commands, log), count); }
};

struct Snapshot {
  Index index = 0;
  Term term = 0;
  Configuration configuration;
  Index configuration_index = 0;
  std::string bytes;  // a History
  FIELDS(index, term, configuration, configuration_index, history().count)

  History history() const;
  Hash128 digest() const;
};

// ---- messages ------------------------------------------------------------------------------

struct RequestVote {
  Term term = 0;
  Server candidate = kNobody;
  Index last_index = 0;
  Term last_term = 0;
  bool disrupt_leader = false;
  bool pre_vote = false;
  FIELDS(term, candidate, last_index, last_term, disrupt_leader, pre_vote)
};
struct RequestVoteResult {
  Term term = 0;
  bool granted = false;
  std::uint8_t pre_vote = 0;  // unknown, true, false
  FIELDS(term, granted, pre_vote)
};
struct AppendEntries {
  Term term = 0;
  Index previous_index = 0;
  Term previous_term = 0;
  Index commit = 0;
  std::vector<Entry> entries;
  FIELDS(term, previous_index, previous_term, commit, entries)
};
struct AppendEntriesResult {
  Term term = 0;
  Index rejected = 0;
  Index last_index = 0;
  FIELDS(term, rejected, last_index)
};
struct InstallSnapshot {
  Term term = 0;
  Snapshot snapshot;
  FIELDS(term, snapshot)
};
struct TimeoutNow {
  Term term = 0;
  Index last_index = 0;
  Term last_term = 0;
  FIELDS(term, last_index, last_term)
};

// From the library's struct, whose memory stays with the library.
Entry copy_of(const raft_entry& entry);
Configuration copy_of(const raft_configuration& configuration);
Snapshot copy_of(const raft_snapshot& snapshot);
RequestVote copy_of(const raft_request_vote& m);
RequestVoteResult copy_of(const raft_request_vote_result& m);
AppendEntries copy_of(const raft_append_entries& m);
AppendEntriesResult copy_of(const raft_append_entries_result& m);
InstallSnapshot copy_of(const raft_install_snapshot& m);
TimeoutNow copy_of(const raft_timeout_now& m);

// To the library's struct, in memory of the arena that was entered last; the library frees it.
raft_entry* to_library(const std::vector<Entry>& entries);
void to_library(const Configuration& from, raft_configuration& to);
raft_buffer to_library(const std::string& bytes);
raft_snapshot* to_library(const Snapshot& snapshot);
raft_message to_library(const RequestVote& m);
raft_message to_library(const RequestVoteResult& m);
raft_message to_library(const AppendEntries& m);
raft_message to_library(const AppendEntriesResult& m);
raft_message to_library(const InstallSnapshot& m);
raft_message to_library(const TimeoutNow& m);

std::string bytes_of(const History& history);
History history_in(std::string_view bytes);

// ---- requests of clients, and their answers ------------------------------------------------

struct Apply {  // so many commands at once, numbered from `first`
  int first = 0;
  int count = 1;
  FIELDS(first, count)
};
// What a server should become; one step towards it: who is no member is added as a spare first.
SCHISM_ENUM(Wish, standby, voter, spare, gone);
struct Reconfigure {
  int server = 0;
  Wish to{};
  FIELDS(server, to)
};
struct Transfer {  // of leadership; -1: to whom the library picks
  int to = -1;
  FIELDS(to)
};
struct Close {  // the server is closed properly, and started again
  FIELDS()
};

SCHISM_ENUM(Outcome, done, refused, lost);
struct Answer {
  Outcome outcome{};
  int status = 0;  // the library's
  FIELDS(outcome, status)
};

// ---- announcements -------------------------------------------------------------------------

struct StateChange {
  Role state{};
  Term term = 0;
  FIELDS(state, term)
};
// The entries from `first` on are new in this node's log.
struct LogChange {
  Index first = 0;
  Index last = 0;
  FIELDS(first, last)
};
struct Committed {
  Index first = 0;
  Index last = 0;
  FIELDS(first, last)
};
struct Applied {
  Index index = 0;
  std::uint64_t command = 0;
  History after;
  FIELDS(index, command, after)
};
// The state machine is that of a snapshot now: of its own, at a start, or of the leader's.
struct Restored {
  Index index = 0;
  bool installed = false;
  History after;
  FIELDS(index, installed, after)
};
struct SnapshotTaken {
  Index index = 0;
  FIELDS(index)
};
struct ConfigurationChange {
  Index index = 0;
  bool committed = false;
  Configuration members;
  FIELDS(index, committed, members)
};
struct Transferred {  // the library says that a transfer is over
  Server to = kNobody;
  bool success = false;
  FIELDS(to, success)
};

// What a node can see by itself to be wrong with its library.
SCHISM_ENUM(FlawKind, memory, address, shut_down, hard_state, log_on_disk, commit_back,
            commit_beyond, own_term, callback, restart);
struct Flaw {
  FlawKind kind{};
  std::string what;
  FIELDS(kind, what)
};

// ---- on disk -------------------------------------------------------------------------------

struct Metadata {
  Term term = 0;
  Server vote = kNobody;
  FIELDS(term, vote)
};
struct LogRecord {
  Index index = 0;
  Entry entry;
  Hash128 prefix;  // of the log up to here, for oracles
  FIELDS(index, entry, to_hex(prefix))

  Hash128 digest() const { return absorb(entry.digest(), index); }
};
// Two slots written in turn: a torn write destroys the older one. The log goes on in that segment,
// whose first record has index `segment_first`; entries before `first_kept` count no more.
struct SnapshotRecord {
  std::uint64_t number = 0;
  Snapshot snapshot;
  int segment = 0;
  Index segment_first = 1;
  Index first_kept = 1;
  FIELDS(number, snapshot, segment, segment_first, first_kept)
};

}  // namespace schism::craft
