// A check is one search, or several: an outer loop over who crashes.
#pragma once

#include "schism/check/search.hpp"
#include "schism/check/symmetry.hpp"
#include "schism/run/config.hpp"

namespace schism::check {

// Who crashes, where some may: `each` set of so many or fewer, nobody included, in a search of its
// own; `any`: nobody, then one search in which the crashes compete for a common budget; `exactly`
// those that may, in every run. A run in which a crash is still to come is not over, so runs
// without one are explored only where nobody may crash.
SCHISM_ENUM(Crashing, each, any, exactly);

// One search of the outer loop.
struct Part {
  std::vector<NodeId> crashing;
  bool any = false;         // one of them, not all
  Choices start;            // what nodes choose when they start
  std::uint32_t alike = 1;  // so many sets of nodes, which are interchangeable, is this one
  std::uint32_t depth = 0;
  SearchTotals totals;
  FIELDS(crashing, any, start, alike, depth, totals)
};

std::vector<Part> parts_of(const RunConfig& config, Crashing crashing);
// Of sets that differ only in the names of interchangeable nodes one is enough.
void join_alike(std::vector<Part>& parts, const Symmetry& symmetry);

// A part for each way in which nodes can choose when they start. An error: too many.
Status spread_starts(std::vector<Part>& parts, const Setup& setup);

// Steps a node and restarts are asked for beside the configuration.
Bounds bounds_of(const RunConfig& config, const Part& part, std::uint32_t events,
                 std::uint32_t restarts);

}  // namespace schism::check
