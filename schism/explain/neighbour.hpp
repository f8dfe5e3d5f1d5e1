// The nearest passing neighbour of a failing run: the same list of steps with one delivery moved
// past others at its node, or else dropped, and the property holds. What no longer applies then is
// skipped; nothing else is delivered; a run that ended fairly gets its fair tail anew.
//
// Moves are tried by distance, nearest first, from the end of the run backwards; the first that
// loses no other step is the answer, else whatever loses fewest. Deterministic, within bounds.
#pragma once

#include <optional>

#include "schism/base/enum.hpp"
#include "schism/trace/trace.hpp"

namespace schism::draw {

SCHISM_ENUM(Change, moved_later, moved_earlier, dropped);

struct Neighbour {
  Trace trace;  // it passes
  Change change = Change::dropped;
  std::uint32_t step = 0;   // the delivery, as a step of the failing run
  std::uint32_t other = 0;  // the step of the failing run that it was moved past
  // A step of the passing run each: the step of the failing run that it is; -1: new in its tail.
  std::vector<std::int64_t> origin;
  std::uint32_t skipped = 0;  // other steps that did not apply any more
  std::uint32_t replays = 0;  // how many runs were tried
};

struct NeighbourLimits {
  std::uint32_t replays = 200;
  std::uint64_t steps = 250'000;  // of all replays together: long runs get few
};

// Nothing where nothing is violated, or no neighbour within the limits passes.
std::optional<Neighbour> nearest_passing(const Trace& failing, const NeighbourLimits& limits = {});

// "the delivery of step 3 happens after step 5".
std::string describe(const Neighbour& neighbour);

}  // namespace schism::draw
