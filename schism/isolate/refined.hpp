// Which few predicates together explain the failures best. The paper's elimination takes one at a
// time and forgets the runs that it explains; here all are weighed at once:
//
// - A set of predicates is judged as causes in a noisy or (noisy_or.hpp). A run with two causes
//   counts for both, and passing runs count against each.
// - Two predicates that hold in the same runs more often than independent causes would pay for it
//   (n times their mutual information): otherwise symptoms of one bug pass for another.
// - Sets grow while a likelihood ratio test, corrected for the number of candidates, says that it
//   is no chance; after each addition every member may be exchanged for a better one.
// - Predicates that hold in exactly the same runs are one candidate, spoken for by the most general
//   of them.
#pragma once

#include <functional>

#include "schism/isolate/noisy_or.hpp"
#include "schism/isolate/statistics.hpp"

namespace schism::isolate {

struct RefineOptions {
  double chance = 0.05;  // of one predictor too many
  std::size_t most = 8;  // predictors
  // Smaller is more general; candidates that hold in the same runs are spoken for by the first.
  std::function<bool(std::size_t, std::size_t)> more_general;
};

struct Refined {
  std::vector<Predictor> predictors;  // by the failing runs that they explain
  std::vector<double> strikes;        // how likely each makes a run fail by itself
  double unknown = 0;                 // how likely a run fails without any of them
  std::size_t candidates = 0;         // that differ
  double next_chance = 1;             // that the best further one is chance
};

Refined refine(const Table& table, const RefineOptions& options);

}  // namespace schism::isolate
