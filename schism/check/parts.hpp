// A check is one search, or several: an outer loop over who crashes.
#pragma once

#include "schism/check/search.hpp"
#include "schism/check/symmetry.hpp"
#include "schism/run/config.hpp"

namespace schism::check {

// Who crashes, where some may: `each` set of so many or fewer, nobody included, in a search of its
// own; `any`: nobody, then searches in which the crashes compete for a common budget; `exactly`
// those that may, in every run. A run in which a crash or a restart is still to come is not over:
// runs without one are explored only where nobody may crash, those with one where only one may, and
// those in which somebody who came back stays up where nobody may crash again. So where a property
// is about ends there is a search for each.
SCHISM_ENUM(Crashing, each, any, exactly);

// One search of the outer loop.
struct Part {
  std::vector<NodeId> crashing;
  std::vector<std::uint32_t> turns;  // of each, its crashes and restarts: see Bounds
  std::uint32_t any = 0;             // so many crashes of some of them; 0: all crash
  Choices start;                     // what nodes choose when they start
  std::uint32_t alike = 1;  // so many sets of nodes, which are interchangeable, is this one
  std::uint32_t depth = 0;
  SearchTotals totals;
  FIELDS(crashing, turns, any, start, alike, depth, totals)
};

// Who crashes in it, for programs.
Value about(const Part& part);

// `ends`: some property is about how runs end.
Result<std::vector<Part>> parts_of(const RunConfig& config, Crashing crashing,
                                   std::uint32_t restarts, bool ends);
// Of sets that differ only in the names of interchangeable nodes one is enough.
void join_alike(std::vector<Part>& parts, const Symmetry& symmetry);

// A part for each way in which nodes can choose when they start. An error: too many.
Status spread_starts(std::vector<Part>& parts, const Setup& setup);

// Steps a node and restarts are asked for beside the configuration.
Bounds bounds_of(const RunConfig& config, const Part& part, std::uint32_t events,
                 std::uint32_t restarts);

}  // namespace schism::check
