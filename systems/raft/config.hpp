// What can be switched: variants of the protocol, the workload, and the seeded bugs.
#pragma once

#include "schism/base/enum.hpp"
#include "schism/base/time.hpp"

namespace schism::raft {

// How a read is answered: as an entry of the log; after a round of heartbeats (dissertation 6.4);
// at once while a quorum's promise not to elect another leader lasts (6.4.1).
SCHISM_ENUM(Reads, log, index, lease);

struct Config {
  // Variants.
  bool pre_vote = false;      // dissertation 9.6
  bool check_quorum = false;  // a leader without a quorum steps down; voters stick to a live leader
  bool empty_entry = true;    // a new leader appends one at once (paper, section 8)
  bool bootstrap = false;     // the log begins with one committed entry a member, as etcd's does
  bool forward = true;        // followers pass requests on; else they refuse them
  Reads reads = Reads::log;
  int members = 0;          // how many nodes are members at the beginning; 0: all
  int batch = 4;            // entries a message
  int snapshot_every = 16;  // entries; 0: never

  Micros election = 150'000;  // an election timeout is drawn from [election, 2 * election)
  Micros heartbeat = 15'000;
  Micros retry = 400'000;  // after which an open request is proposed again

  // Workload.
  int clients = 3;
  int requests = 20;  // a client
  int keys = 2;
  int attempts = 4;    // proposals of a request before its outcome is called unknown
  int membership = 0;  // changes asked for
  int transfers = 0;   // of leadership, asked for

  bool progress = true;  // judge liveness in the fair tail

  // Bugs. What each does is said where it is registered (raft.cpp).
  bool quorum_third = false;
  bool vote_not_persisted = false;
  bool term_not_persisted = false;
  bool ack_before_sync = false;
  bool conflict_not_truncated = false;
  bool truncate_without_conflict = false;
  bool commit_old_term = false;
  bool stale_term_response = false;
  bool vote_without_log_check = false;
  bool unsafe_membership = false;
  bool snapshot_loses_tail = false;
  bool restore_resurrects = false;
  bool deposed_leader_read = false;
  bool retry_applied_twice = false;
  bool transfer_double_vote = false;
  bool heartbeat_commits_beyond_match = false;
  bool snapshot_missing = false;
  bool term_kept_on_append = false;
  bool term_kept_on_vote = false;
  bool term_kept_on_vote_answer = false;
  bool delete_below_snapshot = false;
  bool read_below_snapshot = false;
  bool follower_asserts = false;
  bool restore_loses_log = false;

  // A lease is a promise of voters, which they only make with check-quorum.
  bool voters_stick() const { return check_quorum || reads == Reads::lease; }
};

}  // namespace schism::raft
