// Increase, importance and recursive elimination, as in "Scalable Statistical Bug Isolation"
// (Liblit et al. 2005) and, without its sampling, in 3.4 of "Statistical Bug Isolation for
// Consensus Systems". Shared by message predicates and branches.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schism/isolate/table.hpp"

namespace schism::isolate {

struct Interval {
  double low = 0, high = 0;
};

// In how many runs a candidate holds, and in how many it was merely observed.
struct Tally {
  std::uint32_t fail_true = 0, pass_true = 0, fail_observed = 0, pass_observed = 0;

  double failure() const;  // how likely a run fails if it holds
  double context() const;  // if it is observed
  double increase() const { return failure() - context(); }
  double importance(std::uint32_t failing) const;
  // 95% for the increase, from Newcombe's interval for a difference of two proportions.
  Interval increase_interval() const;
};

// Among the failing runs in `failing` and all passing ones.
Tally tally(const Table& table, std::size_t candidate, BitsView failing);

// Wilson's interval for a proportion, 95%.
Interval wilson(std::uint32_t hits, std::uint32_t of);

struct Score {
  std::string bug;
  double precision = 0, recall = 0, f1 = 0, f05 = 0;
};

struct Predictor {
  std::size_t candidate = 0;
  Tally tally;
  double importance = 0;
  Bits explains;                    // failing runs
  std::vector<std::size_t> others;  // candidates that say the same of these runs
};

// Takes the most important, removes the failing runs that it explains, and so on while there is
// a candidate that makes failure more likely. Of equals the first.
std::vector<Predictor> eliminate(const Table& table);

Score score(const std::string& bug, BitsView explained, BitsView truth);
double f_score(double precision, double recall, double beta);

}  // namespace schism::isolate
