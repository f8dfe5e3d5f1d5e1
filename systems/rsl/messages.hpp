// Everything that the replicas of `rsl` say to each other and announce, and the clients' commands.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "schism/base/fields.hpp"
#include "schism/node/node.hpp"

namespace schism::rsl {

using Decree = std::uint32_t;   // a place in the list of commands, from 0
using Command = int;            // a client's, never 0
using Ticks = std::uint32_t;    // of a replica's own clock
using Members = std::uint32_t;  // a bit a replica

inline constexpr int kReplicasMax = 16;
inline constexpr NodeId kNobody = -1;
inline constexpr Command kEmpty = 0;  // what every list begins with
inline constexpr Ticks kNever = ~Ticks{0};

// A mutated message may name a replica that cannot be.
constexpr Members bit_of(NodeId id) { return Members{1} << (id & 31); }

// Compared by number only: that no two proposers get a quorum for one number is the protocol's
// business.
struct Ballot {
  std::uint32_t number = 0;
  NodeId proposer = kNobody;
  FIELDS(number, proposer)
  friend bool operator==(const Ballot&, const Ballot&) = default;
};

struct Proposal {
  Ballot ballot;
  Decree decree = 0;
  Command command = kEmpty;
  FIELDS(ballot, decree, command)

  // How far its holder has got: later decrees, then higher ballots.
  std::uint64_t rank() const { return std::uint64_t{decree} << 32 | ballot.number; }
};

// In a replica's log, in memory and on disk: a proposal that it accepted, or a ballot that it
// prepared.
struct Record {
  bool accepted = false;
  Ballot ballot;
  Decree decree = 0;
  Command command = kEmpty;
  FIELDS(accepted, ballot, decree, command)

  Proposal proposal() const { return {ballot, decree, command}; }
};

// ---- messages ------------------------------------------------------------------------------

struct StatusReq {
  FIELDS()
};
struct StatusResp {  // of the highest accepted proposal, and when it was logged
  Ballot ballot;
  Decree decree;
  Ticks last_chosen;
  FIELDS(ballot, decree, last_chosen)
};
struct PrepareReq {
  Ballot ballot;
  Decree decree;
  FIELDS(ballot, decree)
};
// `ballot` is the one asked for; `prepared` and `accepted` are the sender's own.
struct PrepareResp {
  bool yes;
  Ballot ballot;
  Ballot prepared;
  Proposal accepted;
  FIELDS(yes, ballot, prepared, accepted)
};
// Also the heartbeat: the primary's last proposal again.
struct AcceptReq {
  Proposal proposal;
  FIELDS(proposal)
};
// Yes: to this decree. No: `prepared` and `decree` are the sender's own.
struct AcceptResp {
  bool yes;
  Ballot ballot;
  Ballot prepared;
  Decree decree;
  FIELDS(yes, ballot, prepared, decree)
};
struct FetchReq {
  Ballot ballot;
  Decree decree;
  FIELDS(ballot, decree)
};
struct FetchResp {  // what was accepted from that decree on, as logged
  std::vector<Proposal> proposals;
  FIELDS(proposals)
};
struct Submit {  // a client's command, to the primary
  Command command;
  FIELDS(command)
};

// ---- announcements -------------------------------------------------------------------------

SCHISM_ENUM(Role, inactive, initialising, preparing, primary, secondary);

struct RoleChange {
  NodeId replica;
  Role role;
  std::uint32_t ballot;  // the highest prepared
  FIELDS(replica, role, ballot)
};
// The command is at that position of this replica's list of decided ones from now on.
struct Executed {
  NodeId replica;
  std::uint32_t position;
  Decree decree;
  Command command;
  FIELDS(replica, position, decree, command)
};

// ---- requests ------------------------------------------------------------------------------

struct Propose {
  Command command;
  FIELDS(command)
};

SCHISM_ENUM(Outcome, decided, refused, unknown);
struct Answer {
  Outcome outcome;
  std::uint32_t position;
  FIELDS(outcome, position)
};

}  // namespace schism::rsl
