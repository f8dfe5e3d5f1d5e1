// Several independent causes of failure (a noisy or): a run passes only if no cause that is present
// strikes. Cause j strikes with probability 1 - exp(-w_j), something unknown with 1 - exp(-w_0), so
// the log likelihood of all outcomes is concave in the weights and has one best fit.
#pragma once

#include <cstdint>
#include <vector>

#include "schism/isolate/table.hpp"

namespace schism::isolate {

// Runs that show the same causes, counted.
struct Pattern {
  std::uint32_t causes = 0;  // a bit each
  std::uint32_t failing = 0, passing = 0;
};

struct NoisyOr {
  std::vector<double> weights;  // the unknown cause first
  double log_likelihood = 0;    // less half a passing run for each cause: none is certain

  double strikes(std::size_t cause) const;  // its probability
};

NoisyOr fit(const std::vector<Pattern>& patterns, std::size_t causes,
            const std::vector<double>& start = {});

}  // namespace schism::isolate
