// What each filter of a scenario is worth. Its distance (Netrix, 3.5.3) is how many messages are
// delivered between what it captures and when it is released, in runs without faults; as a function
// of the number of nodes that tells whether an explorer can be left to find it. Then the filter is
// taken away, and what the explorer alone still reaches is counted.
#pragma once

#include "schism/scenario/test.hpp"

namespace schism::scenario {

struct AtSize {
  int nodes = 0;
  double messages = 0;  // mean
};
struct FilterWorth {
  std::string filter;            // what captures
  std::string released_by = {};  // empty: nothing, so that the distance has no end
  std::vector<AtSize> distances = {};
  std::string order = {};               // "n", "n^2", "endless", "unknown"
  std::uint64_t reached = 0, runs = 0;  // without it
  // Without it the explorer reaches at least half as many, and at least one in ten runs.
  bool can_go = false;
  std::string needed = {};  // others need it: why
};
struct Worth {
  bool goals = false;  // goals are counted; else violations
  std::string explorer;
  std::uint64_t reached = 0, runs = 0;  // with all filters
  std::vector<FilterWorth> filters;
};

Result<Worth> worth_of_filters(const Scenario& scenario, const TestOptions& options,
                               const std::atomic<bool>& stop);
std::string describe(const Worth& worth);

// The exponent k for which a + b n^k fits best, 3 at most, the lower one where two fit alike; 0: it
// does not depend on n. Nothing: fewer than two sizes.
std::optional<int> order_of(const std::vector<AtSize>& distances);

}  // namespace schism::scenario
