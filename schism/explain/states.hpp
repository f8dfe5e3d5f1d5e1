// What each node looks like after each step, found by playing the trace again. Only changes are
// kept: a node's state changes only in a step of its own.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "schism/trace/timeline.hpp"

namespace schism::draw {

struct States {
  // A step each: the nodes that it changed and their new states; null while a node is down.
  std::vector<std::map<NodeId, Value>> changed;

  // All nodes after a step. Whoever wants many goes forward and applies `changed`.
  std::vector<Value> after(std::size_t step, int nodes) const;
};

States states_of(const Trace& trace);

// The same step by step, for runs that are too long to be kept: the first call gives the start.
// Where a run does not happen again nothing is known.
class StateWalk {
 public:
  explicit StateWalk(Trace& trace);  // takes its steps away: they are needed once
  ~StateWalk();
  std::map<NodeId, Value> next();
  const World& world() const;  // after the step that was given last

 private:
  std::unique_ptr<Timeline> line_;
  std::vector<Action> actions_;
  std::vector<Value> now_;
  std::uint32_t step_ = 0;
};

// A line for each node that a step changes; `now` is what they looked like before, and then after.
// What they start with is no change.
std::vector<std::string> tell_changes(const Setup& setup, const std::map<NodeId, Value>& changed,
                                      std::vector<Value>& now, bool start);

// "term 0 → 1, log [] → [3 items]": the fields that differ; "up", "down" for a whole node.
// Where its class is known, values are printed as what they are.
std::string describe_change(const Value& before, const Value& after,
                            const TypeInfo* node = nullptr);

}  // namespace schism::draw
