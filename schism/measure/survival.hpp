// How the share of trials that have not found it yet falls with effort, misses included: Kaplan and
// Meier 1958 with Greenwood's variance, compared by the log-rank test (Mantel 1966).
#pragma once

#include "schism/measure/trial.hpp"

namespace schism::measure {

enum class Band {
  log_log,  // stays between 0 and 1, and keeps its confidence in small samples
  plain,    // S +- z times Greenwood's deviation, cut off at 0 and 1
};

// After a find at `at`.
struct SurvivalStep {
  double at = 0;
  std::size_t at_risk = 0;  // before it
  std::size_t finds = 0;
  double survival = 1;
  double deviation = 0;              // Greenwood's; no number where survival is 0
  std::optional<Interval> interval;  // none where survival is 0
};

struct Survival {
  std::vector<SurvivalStep> steps;  // ascending; one for each effort at which something was found
  std::vector<double> censored;     // ascending; where trials gave up
  double end = 0;                   // the last that is known
  std::size_t trials = 0;
  double confidence = 0.95;

  double at(double effort) const;
  // The first effort by which at least half have found it; nothing: fewer ever did.
  std::optional<double> median() const;
  // Mean effort if all stopped at `horizon`: the area below the curve. Error: nobody was watched
  // for so long, and not all had found it.
  Result<Effect> restricted_mean(double horizon) const;
};

// A trial that gives up where another finds counts as watched there.
Result<Survival> kaplan_meier(std::span<const Trial> trials, double confidence = 0.95,
                              Band band = Band::log_log);

// The statistic is chi-squared; the finds of a, observed and expected, are its effects. No p if
// nothing was found, or nothing while both were watched.
Result<TestResult> log_rank(std::span<const Trial> a, std::span<const Trial> b,
                            const TestOptions& options = {});

}  // namespace schism::measure
