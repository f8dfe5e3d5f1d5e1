// What replicas and clients of `pbft` say to each other, as Castro and Liskov (OSDI 1999) have it.
// Channels name their sender; items that others show on are signed by themselves.
#pragma once

#include <map>
#include <optional>

#include "schism/schism.hpp"

namespace pbft {
using namespace schism;

// A client's operation: adds to a sum. stamp 0: the null request, which nobody asked for.
struct Op {
  NodeRef client;
  int stamp = 0, add = 0;
  FIELDS(client, stamp, add)
};
inline int digest_of(const Op& op) {
  return static_cast<int>(absorb_field(Hash128{1, 2}, op).lo & 0x3fffffff);
}

struct Proposal {  // of PRE-PREPARE
  int view = 0, n = 0, digest = 0;
  FIELDS(view, n, digest)
};
struct Accept {  // of PREPARE
  int view = 0, n = 0, digest = 0;
  FIELDS(view, n, digest)
};
struct Settle {  // of COMMIT
  int view = 0, n = 0, digest = 0;
  FIELDS(view, n, digest)
};
struct Mark {  // of CHECKPOINT: the state after the n-th operation
  int n = 0, state = 0;
  FIELDS(n, state)
};
// That an operation was prepared: its proposal and 2f accepts. It carries the operation, so that
// nobody has to be asked for it.
struct Prepared {
  Signed<Proposal> proposal;
  std::vector<Signed<Accept>> accepts;
  Signed<Op> op;
  FIELDS(proposal, accepts, op)
};
struct Change {  // of VIEW-CHANGE
  int view = 0, stable = 0;
  std::vector<Signed<Mark>> proof;
  std::vector<Prepared> prepared;
  FIELDS(view, stable, proof, prepared)
};

struct Request {
  Signed<Op> op;
  FIELDS(op)
};
struct PrePrepare {
  Signed<Proposal> proposal;
  Signed<Op> op;
  FIELDS(proposal, op)
};
struct Prepare {
  Signed<Accept> accept;
  FIELDS(accept)
};
struct Commit {
  Signed<Settle> settle;
  FIELDS(settle)
};
struct Reply {
  int view = 0, n = 0, stamp = 0, result = 0;
  FIELDS(view, n, stamp, result)
};
struct Checkpoint {
  Signed<Mark> mark;
  FIELDS(mark)
};
struct ViewChange {
  Signed<Change> change;
  FIELDS(change)
};
struct NewView {
  int view = 0;
  std::vector<Signed<Change>> changes;
  std::vector<Signed<Proposal>> proposals;
  std::vector<Signed<Op>> ops;  // of the proposals, in their order
  FIELDS(view, changes, proposals, ops)
};
struct Fetch {  // a replica that is behind asks for what was executed
  int from = 0;
  FIELDS(from)
};
struct State {  // the operations from 1 on, up to a stable checkpoint, and its proof
  std::vector<Signed<Op>> log;
  std::vector<Signed<Mark>> proof;
  FIELDS(log, proof)
};

using Messages = Types<Request, PrePrepare, Prepare, Commit, Reply, Checkpoint, ViewChange, NewView,
                       Fetch, State>;

// What a person asks a client for.
struct Add {
  int amount = 1;
  FIELDS(amount)
};
struct Sum {  // and gets
  int value = 0;
  FIELDS(value)
};

// Announced.
struct Asked {
  int digest = 0;
  FIELDS(digest)
};
struct Executed {
  int n = 0, digest = 0, once = 0;  // once: names the client's operation
  FIELDS(n, digest, once)
};

struct Config {
  int clients = 0, requests = 2, interval = 4;
  Micros apart = 0;
  bool resend = true;
  bool digest_unchecked = false, slot_votes_unbound = false, votes_not_distinct = false;
  bool commit_quorum_2f = false, prepared_lost = false, new_view_unchecked = false;
  bool lowest_view_wins = false, o_off_by_one = false, early_gc = false, reply_quorum = false;
  bool timers_cleared = false, new_view_trusted = false;
};

inline int replicas_of(int nodes, const Config& config) {
  return std::max(config.clients > 0 ? nodes - config.clients : std::min(nodes - 1, 4), 1);
}
inline std::size_t faults_of(int replicas) { return static_cast<std::size_t>((replicas - 1) / 3); }

}  // namespace pbft
