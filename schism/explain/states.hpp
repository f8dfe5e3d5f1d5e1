// What each node looks like after each step, found by playing the trace again. Only changes are
// kept: a node's state changes only in a step of its own.
#pragma once

#include <map>
#include <vector>

#include "schism/trace/trace.hpp"

namespace schism::draw {

struct States {
  // A step each: the nodes that it changed and their new states; null while a node is down.
  std::vector<std::map<NodeId, Value>> changed;

  // All nodes after a step. Whoever wants many goes forward and applies `changed`.
  std::vector<Value> after(std::size_t step, int nodes) const;
};

States states_of(const Trace& trace);

// "term 0 → 1, log [] → [3 items]": the fields that differ; "up", "down" for a whole node.
std::string describe_change(const Value& before, const Value& after);

}  // namespace schism::draw
