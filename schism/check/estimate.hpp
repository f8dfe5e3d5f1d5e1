// How many runs there are, before they are run: Knuth's estimator. A random run that was one of
// b1 * b2 * ... equally treated ones stands for so many; divided by the number of orders of its own
// class it stands for that many classes. Both are unbiased, and often dominated by a few rare runs:
// an order of magnitude.
#pragma once

#include "schism/check/model.hpp"

namespace schism::check {

struct Estimate {
  double runs = 0, runs_error = 0;        // interleavings; the error is one standard deviation
  double classes = 0, classes_error = 0;  // 0 where a run has too many orders to count
  std::uint32_t probes = 0;
  double steps = 0;  // of a run, on average
  FIELDS(runs, runs_error, classes, classes_error, probes, steps)
};

// The model is left at the beginning. `depth`: as for the search; 0: no bound.
Estimate estimate(Model& model, std::uint32_t probes, std::uint32_t depth, std::uint64_t seed);

// In how many orders the steps of the model's run could have come; 0: too many to count.
// `ideals` counts how much work that was.
double orders_of(const Model& model, std::size_t* ideals = nullptr);

}  // namespace schism::check
