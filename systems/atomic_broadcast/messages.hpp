// What the nodes of `atomic-broadcast` say to each other, and what they announce.
#pragma once

#include "schism/schism.hpp"

namespace schism::atomic_broadcast {

// Broadcast messages are named by the node that broadcasts them, one each; a batch is a bit each.
using Batch = std::uint64_t;

// Reliable broadcast: to and from the box, or from node to node.
struct Submit {
  int value;
  FIELDS(value)
};
struct Deliver {
  NodeId origin;
  int value;
  FIELDS(origin, value)
};
// Consensus: to and from the box.
struct Suggest {
  int instance;
  Batch value;
  FIELDS(instance, value)
};
struct Decide {
  int instance;
  Batch value;
  FIELDS(instance, value)
};
// Consensus: Paxos, an instance each.
struct Prepare {
  int instance, ballot;
  FIELDS(instance, ballot)
};
struct Promise {
  int instance, ballot, voted;  // voted: the ballot of `value`; 0: none
  Batch value;
  FIELDS(instance, ballot, voted, value)
};
struct Accept {
  int instance, ballot;
  Batch value;
  FIELDS(instance, ballot, value)
};
struct Accepted {
  int instance, ballot;
  Batch value;
  FIELDS(instance, ballot, value)
};
struct Crashed {  // from the failure detector, in the name of the node that crashed
  FIELDS()
};
using Messages =
    Types<Submit, Deliver, Suggest, Decide, Prepare, Promise, Accept, Accepted, Crashed>;

struct Broadcast {  // a client's request
  FIELDS()
};

// Announced, for oracles.
struct Sent {
  NodeId origin;
  FIELDS(origin)
};
struct Ordered {
  int place;
  NodeId origin;
  FIELDS(place, origin)
};

// Each module as its specification, in one node, or as a protocol.
SCHISM_ENUM(BroadcastBy, box, eager);
SCHISM_ENUM(ConsensusBy, box, paxos);

struct Config {
  int broadcasts = 2;
  BroadcastBy broadcast_by = BroadcastBy::box;
  ConsensusBy consensus_by = ConsensusBy::box;
  bool arrival_order = false, any_round = false, forget_ordered = false;

  // The last nodes stand for services: first the carrier, then the decider.
  int services() const {
    return (broadcast_by == BroadcastBy::box) + (consensus_by == ConsensusBy::box);
  }
  int members(int nodes) const { return nodes - services(); }
  bool is_carrier(NodeId id, int nodes) const {
    return broadcast_by == BroadcastBy::box && id == members(nodes);
  }
  bool is_decider(NodeId id, int nodes) const {
    return consensus_by == ConsensusBy::box && id == nodes - 1;
  }
};

}  // namespace schism::atomic_broadcast
