// What depends on what. Every action touches objects; two are dependent if they touch a common
// object and not both of them merely use it, or if one created the other's pending event. Causal
// hashing (sim_step.hpp), the commutation tests, partial order reduction and shrinking all rest on
// this one relation.
//
//   node          a node's history              message     fates of a message or request
//   node_gate     whether it is up and runs      link_gate   whether a link is cut
//   link_order    order on a FIFO link           budget      a shared fault budget
//   observer      what an ordered oracle sees    clock       the common clock, and the calm
//   client        what it waits for, where any node may answer
#pragma once

#include <vector>

#include "schism/world/world.hpp"

namespace schism {

enum class ObjectKind : std::uint8_t {
  node,
  node_gate,
  message,
  link_gate,
  link_order,
  budget,
  observer,
  clock,
  client
};

struct Touch {
  ObjectKind kind;
  std::uint64_t which =
      0;             // node, link (from * nodes + to), message name, action kind, observer, client
  bool use = false;  // uses commute with each other, not with exclusive touches

  friend bool operator==(const Touch&, const Touch&) = default;
};

// What a pending action would touch, as far as it is known before it is executed.
std::vector<Touch> touches(const World& world, const Action& action);
// What the step just applied touched beyond that: gates of links and nodes that it sent over,
// observers of what it announced, clients that it answered. The world must have been listening to
// every event.
std::vector<Touch> touched_by_effects(const World& world);

// What holding a pending event back, or releasing it, touches: what could be done with it, and on a
// link that keeps order what is behind it.
std::vector<Touch> touched_by_hold(const World& world, Do kind, std::uint32_t slot);

bool dependent(const std::vector<Touch>& a, const std::vector<Touch>& b);

}  // namespace schism
