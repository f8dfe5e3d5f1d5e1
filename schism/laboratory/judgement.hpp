// What the statistics say of an experiment: every other strategy against the first, case by case
// and over all cases. Misses are never dropped; p's of one question are adjusted together (Holm).
#pragma once

#include "schism/laboratory/results.hpp"
#include "schism/measure/test_result.hpp"

namespace schism {

// One test, or why there is none.
struct Judgement {
  std::string question;   // "runs to the first find", "coverage colours", ...
  std::string case_name;  // empty: over all cases
  std::string a, b;       // strategies; both empty: all of them
  measure::TestResult test;
  std::string why_not;             // the test could not be made
  std::optional<double> adjusted;  // its p among all of that question, by Holm

  std::string line() const;
};

// Case by case: who needs less effort (Mann-Whitney, A12, misses tied at the budget), who finds it
// more often (Fisher), sooner (log-rank); each coverage, fitness, and where all occurrences count
// how many runs show something.
std::vector<Judgement> judge_cases(const Experiment& experiment, const Results& results);

// Over all cases that everybody has trials of, by PAR-2 a case: Wilcoxon against the first; of
// three strategies or more Friedman, repeated measures (with Shapiro and Wilk's opinion whether
// their assumption holds) and Tukey.
std::vector<Judgement> judge_all(const Experiment& experiment, const Results& results);

}  // namespace schism
