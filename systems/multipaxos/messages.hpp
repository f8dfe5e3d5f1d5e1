// What the nodes of `multipaxos` say to each other, and what they announce.
#pragma once

#include "schism/schism.hpp"

namespace schism::multipaxos {

inline constexpr int kNoOp = 0;  // fills a slot in which nothing need be decided

struct Vote {  // an acceptor's, for a slot
  int slot = 0, ballot = 0, value = 0;
  FIELDS(slot, ballot, value)
};
struct Forward {  // a value, to whom the sender takes for the leader
  int value;
  FIELDS(value)
};
struct Prepare {
  int ballot, from_slot;
  FIELDS(ballot, from_slot)
};
struct Promise {
  int ballot;
  std::vector<Vote> votes;
  FIELDS(ballot, votes)
};
struct Accept {
  Vote vote;
  FIELDS(vote)
};
struct Learn {
  Vote vote;
  FIELDS(vote)
};
struct Crashed {  // from the failure detector, in the name of the node that crashed
  FIELDS()
};
struct Beat {
  FIELDS()
};
struct Propose {  // a client's request
  int value;
  FIELDS(value)
};

// Announced, for oracles.
struct Proposed {
  int value;
  FIELDS(value)
};
struct Learned {
  int slot, value;
  FIELDS(slot, value)
};

SCHISM_ENUM(WhoLearns, leader, all);
// `only`: a node sends to itself as to the others, as in Go-MC; else it answers itself at once.
SCHISM_ENUM(SelfDelivery, no, only);
// Who says who leads: the abstract service, or heartbeats and timeouts.
SCHISM_ENUM(LeaderBy, service, heartbeats);
SCHISM_ENUM(Timer, trust, settle, tick);

struct Config {
  int proposals = 1, ballots = 2;
  LeaderBy leader_by = LeaderBy::service;
  int wrong_leaders = 0, misled = 0, ticks = 0;
  WhoLearns learn = WhoLearns::leader;
  SelfDelivery self_delivery = SelfDelivery::no;
  bool head_start = true, own_notice = false;
  bool first_report_lost = false, slot_shift = false, stale_promises = false;
  bool break_promise = false, no_phase_one = false, mixed_ballots = false, apply_at_once = false;
};

}  // namespace schism::multipaxos
