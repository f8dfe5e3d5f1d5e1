// What every way to a goal goes through: predicates that hold, in some state before the goal, on
// each path from an initial state to a state where the goal holds. In the graph of states such a
// predicate is a cut: without its states the goal cannot be reached.
//
//   auto found = find_waypoints(spec, "decided # {}", {}, interrupted);
//
// Candidates are what can be said of a variable or a part of it by one comparison, and are TLA+ to
// read: "state[s1] = \"Leader\"", "Cardinality(msgs) >= 2", "\E k \in DOMAIN log : log[k] = 7".
#pragma once

#include "schism/tla/checker.hpp"

namespace schism::tla {

struct Waypoint {
  std::string text;
  std::uint64_t depth = 0;  // where it holds first
};

struct Waypoints {
  Outcome outcome = Outcome::holds;  // of the search for all states; stopped or failed: see what
  std::string what;
  std::uint64_t states = 0;
  std::uint64_t depth = 0;      // where the goal holds first; 0: nowhere
  std::vector<Waypoint> found;  // the earliest first; of several that say the same the shortest
};

Result<Waypoints> find_waypoints(Spec& spec, const std::string& goal, CheckLimits limits,
                                 const std::atomic<bool>& interrupted);

}  // namespace schism::tla
