// Raft, complete: a server as in the paper (Ongaro and Ousterhout 2014) and the dissertation
// (Ongaro 2014, cited by section), with etcd's names and flow control. A chapter a file:
//
//   election.cpp     timeouts, votes, pre-votes, who leads
//   replication.cpp  the leader's appends, the followers' logs, what is committed
//   snapshot.cpp     compaction, and followers that are too far behind
//   membership.cpp   one server joins or leaves at a time
//   storage.cpp      what must be on disk before which message may leave
//   clients.cpp      requests, retries, the three kinds of reads, leadership transfer
//
// A handler changes the state, sends what promises nothing, and holds back what does; settle() at
// its end makes sure that a sync is under way for the rest.
#pragma once

#include "schism/base/log.hpp"
#include "schism/node/node.hpp"
#include "systems/raft/config.hpp"
#include "systems/raft/messages.hpp"

namespace schism::raft {

SCHISM_ENUM(Timer, election, heartbeat, retry);
SCHISM_ENUM(Flow, probe, replicate, snapshot);

// What a leader knows about a follower.
struct Progress {
  Index match = 0;  // known to be on its disk
  Index next = 1;   // to send
  Flow flow = Flow::probe;
  bool paused = false;      // a probe is on its way
  bool active = false;      // heard from since the last check of the quorum
  std::uint32_t round = 0;  // of heartbeats, answered
  Micros heard_from = -1;   // when the newest answered heartbeat was sent
  FIELDS(match, next, flow, paused, active, round, heard_from)
};

// A message that promises something, until the disk has it.
SCHISM_ENUM(Promise, candidacy, vote, append);
struct Held {
  Promise promise{};
  NodeId to = kNobody;
  Term term = 0;
  Index index = 0;
  bool transfer = false;
  FIELDS(promise, to, term, index, transfer)
};

// A request of a client that this node must answer.
struct Open {
  RequestId request;
  EntryType type{};
  Command payload;
  std::uint32_t attempts = 0;
  Index read_index = 0;  // 0: none yet; may be read once this is applied
  FIELDS(request, type, payload, attempts, read_index)
};

// A read that waits for its leader to be confirmed.
struct PendingRead {
  NodeId from = kNobody;
  Command payload;
  Index index = 0;
  std::uint32_t round = 0;
  FIELDS(from, payload, index, round)
};

struct Membership {
  Index index = 0;  // of the entry that made it so
  Members members = 0;
  FIELDS(index, members)
};

struct Raft
    : Node<Raft, MsgProp, MsgVote, MsgVoteResp, MsgPreVote, MsgPreVoteResp, MsgApp, MsgAppResp,
           MsgHeartbeat, MsgHeartbeatResp, MsgSnap, MsgTimeoutNow, MsgReadIndex, MsgReadIndexResp> {
  using Config = raft::Config;
  using Timers = Timer;
  using Requests = Types<Put, Get, Cas, AddNode, RemoveNode, Transfer>;

  // Persistent.
  Term term = 0;
  NodeId vote = kNobody;
  Log<Entry> log;
  Snapshot snapshot;  // of everything up to log.base()

  // Volatile. What is committed is applied in the same step.
  Role role = Role::StateFollower;
  NodeId leader = kNobody;
  Index commit = 0;
  Machine machine;
  std::vector<Membership> memberships;  // those of the log, oldest first; the last one counts
  Micros heard_at = 0;                  // from a leader

  // Of a candidate.
  Members granted = 0, rejected = 0;

  // Of a leader.
  InlineList<Progress, kServersMax> peers;
  std::uint32_t ticks = 0;      // heartbeats since the quorum was last checked
  std::uint32_t round = 0;      // of heartbeats
  NodeId transferee = kNobody;  // leadership is being handed to it
  bool lease_void = false;      // it may have taken over: no more leases in this term
  InlineList<PendingRead, 16> reads;

  // Of a client's first node.
  InlineList<Open, kClientsMax> open;

  // Of the disk.
  bool hard_state_changed = false, unsynced = false, syncing = false;
  Index durable = 0;       // entries up to here are on disk
  Index syncing_to = 0;    // and these will be
  std::vector<Held> held;  // for the sync under way
  std::vector<Held> held_next;
  std::uint32_t hard_state_version = 0, snapshot_slot = 0;
  int segment = 0;  // of the two log files
  Index older_segment_last = 0, segment_last = 0;

  FIELDS(term, vote, role, leader, commit, log, snapshot, machine, memberships, heard_at, granted,
         rejected, peers, ticks, round, transferee, lease_void, reads, open, hard_state_changed,
         unsynced, syncing, durable, syncing_to, held, held_next, hard_state_version, snapshot_slot,
         segment, older_segment_last, segment_last)

  void start(Context& c);
  void on_timer(Context& c, Timer timer);
  void on_disk(Context& c, const DiskDone& done);

  void on(Context& c, NodeId from, const MsgProp& m);
  void on(Context& c, NodeId from, const MsgVote& m);
  void on(Context& c, NodeId from, const MsgVoteResp& m);
  void on(Context& c, NodeId from, const MsgPreVote& m);
  void on(Context& c, NodeId from, const MsgPreVoteResp& m);
  void on(Context& c, NodeId from, const MsgApp& m);
  void on(Context& c, NodeId from, const MsgAppResp& m);
  void on(Context& c, NodeId from, const MsgHeartbeat& m);
  void on(Context& c, NodeId from, const MsgHeartbeatResp& m);
  void on(Context& c, NodeId from, const MsgSnap& m);
  void on(Context& c, NodeId from, const MsgTimeoutNow& m);
  void on(Context& c, NodeId from, const MsgReadIndex& m);
  void on(Context& c, NodeId from, const MsgReadIndexResp& m);

  void on_request(Context& c, RequestId id, const Put& r);
  void on_request(Context& c, RequestId id, const Get& r);
  void on_request(Context& c, RequestId id, const Cas& r);
  void on_request(Context& c, RequestId id, const AddNode& r);
  void on_request(Context& c, RequestId id, const RemoveNode& r);
  void on_request(Context& c, RequestId id, const Transfer& r);

  // For oracles, tests and readers.
  Members members() const { return memberships.back().members; }
  bool is_member(NodeId id) const { return contains(members(), id); }
  bool leads() const { return role == Role::StateLeader; }
  Term term_at(Index index) const;  // 0 where it is not known
  Term last_term() const { return term_at(log.last()); }

 private:
  // election.cpp
  void reset_election_timer(Context& c);
  void on_election_timeout(Context& c);
  void campaign(Context& c, bool transfer);
  void become_follower(Context& c, Term new_term, NodeId new_leader);
  void become_leader(Context& c);
  void change_role(Context& c, Role new_role);
  void enter_term(Context& c, Term new_term);
  void count_vote(Context& c, NodeId from, bool reject);
  bool up_to_date(Index index, Term log_term) const;
  bool sticks_to_leader(Context& c);
  bool may_campaign(Context& c) const;
  void hear_leader(Context& c, NodeId from, Term leader_term);
  bool stale_response(Context& c, Term response_term) const;

  // replication.cpp
  void append(Context& c, Entry entry);
  void broadcast_append(Context& c);
  void send_append(Context& c, NodeId to);
  void broadcast_heartbeat(Context& c);
  void on_heartbeat_timeout(Context& c);
  void take_entries(Context& c, const MsgApp& m);
  void truncate(Context& c, Index last_kept);
  void retreat(Progress& peer, const MsgAppResp& m) const;
  Index agreed_by_quorum(Context& c) const;
  bool advance_commit(Context& c);
  void commit_to(Context& c, Index index);
  void apply(Context& c, Index index);
  Index last_with_term_up_to(Index from, Term bound) const;

  // snapshot.cpp
  void send_snapshot(Context& c, NodeId to);
  void compact_if_long(Context& c);
  void restore(Context& c, const Snapshot& s);

  // membership.cpp
  static std::size_t quorum_of(Context& c, std::size_t servers);
  bool is_quorum(Context& c, Members who) const;
  bool may_change_membership(Context& c) const;
  void adopt_membership(Index index, const Entry& entry);
  void forget_memberships_after(Index index);
  void forget_memberships_before(Index index);
  void step_down_if_removed(Context& c);

  // storage.cpp
  void recover(Context& c);
  void recover_log(Context& c, int file);
  void bootstrap(Context& c);
  void store_entry(Context& c, Index index, const Entry& entry);
  void store_snapshot(Context& c);
  void hold(const Held& promise) { held_next.push_back(promise); }
  void acknowledge(Context& c, NodeId to, Index index);
  void settle(Context& c);
  void keep_promise(Context& c, const Held& promise);

  // clients.cpp
  void accept(Context& c, RequestId id, EntryType type, Op op, int key, int value, int expected);
  void pursue(Context& c, Open& request);
  void on_retry_timeout(Context& c);
  void propose(Context& c, EntryType type, const Command& payload);
  void answer(Context& c, std::size_t at, const Answer& answer);
  void answer_applied(Context& c, const Command& payload, const Answer& answer);
  void answer_from_sessions(Context& c);
  void answer_reads(Context& c);
  void read_at_leader(Context& c, NodeId from, const Command& payload);
  void finish_read(Context& c, const PendingRead& read);
  void finish_confirmed_reads(Context& c);
  bool lease_holds(Context& c);
  void hand_over(Context& c);
  void stop_leading();
};

}  // namespace schism::raft
