// What can be switched: the library's own settings, the workload, faults that the world does not
// know, and the seeded bugs, which are all in the adapter: the library is as it is.
#pragma once

#include "schism/base/time.hpp"

namespace schism::craft {

struct Config {
  // Of the library. Short, so that a run of some thousand steps has many elections.
  Micros heartbeat = 100'000;  // also the period of its ticks
  Micros election = 300'000;   // a timeout is drawn from this to twice this
  Micros install_timeout = 1'000'000;
  Micros round_duration = 2'000'000;  // of catching up before a promotion
  int rounds = 5;
  bool pre_vote = false;
  int snapshot_threshold = 0;  // entries; 0: no snapshots
  int snapshot_trailing = 4;   // entries that are kept; 0 would mean another thing to the library
  bool async_snapshots = false;

  // The cluster and what is asked of it.
  int members = 0;  // voters at the beginning, lowest ids first; 0: all. The others start empty.
  int clients = 3;
  int commands = 30;     // requests a client
  int batch = 1;         // commands in a request, at most
  bool barriers = true;  // whoever becomes leader appends a barrier
  int membership = 0;    // changes asked for
  bool own_role = true;  // also of the leader itself
  int transfers = 0;     // of leadership, asked for
  int closes = 0;        // proper shutdowns, each followed by a start

  // Failures that the library is told of, a node and run.
  int failed_sends = 0;
  int failed_snapshots = 0;

  bool progress = true;  // judge liveness in the fair tail
  bool early = false;    // judge rules of the paper whose breach has done no harm yet
  bool matches = false;  // judge what leaders believe that the others have stored

  // Bugs of the adapter. What each does is said where it is registered (craft.cpp).
  bool vote_not_persisted = false;
  bool ack_before_durable = false;
  bool truncate_forgotten = false;
  bool snapshot_forgets_members = false;
};

}  // namespace schism::craft
