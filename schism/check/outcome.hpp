// What a search, or a piece of one, came to: small, and the same from this process and from others.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schism/check/search.hpp"

namespace schism::check {

struct Outcome {
  Finished ending = Finished::all;
  SearchTotals totals;
  std::uint64_t met = 0, judged = 0;  // oracles, a bit each
  bool bounded = false;               // some run met the bound of a node
  bool drew = false;                  // something was drawn by the node seed
  std::string problem;                // why it could not go on
  // Of the run that violated a property.
  bool violated = false, fair = false;
  std::vector<Action> actions;
  std::optional<Death> death;  // the process did not survive it
  FIELDS(ending, totals, met, judged, bounded, drew, problem, violated, fair, actions, death)
};

Outcome outcome_of(WorldModel& model, Finished ending, const SearchTotals& totals);

// Plays the beginning of a run that a search is to go on from, or as much of it as violates a
// property. False: it is not possible here.
bool follow(WorldModel& model, const std::vector<Action>& actions);

}  // namespace schism::check
