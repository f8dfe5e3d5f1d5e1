// Do the means of several groups differ? Analysis of variance, for unrelated groups and for columns
// that were measured on the same rows (repeated measures), which takes out what the rows explain.
#pragma once

#include "schism/measure/groups.hpp"

namespace schism::measure {

// The variation that a comparison of means is measured against.
struct ErrorTerm {
  double mean_square = 0;
  double freedom = 0;
};

struct Anova {
  TestResult test;
  std::vector<double> means;
  ErrorTerm error;
};

// No p where nothing varies within the groups.
Result<Anova> one_way_anova(std::span<const Group> groups);

struct RepeatedAnova : Anova {
  // Without the assumption that all differences of columns vary alike: Greenhouse and Geisser 1959.
  // The one to report, unless epsilon is near 1.
  TestResult corrected;
  double epsilon = 1;
};

Result<RepeatedAnova> repeated_anova(std::span<const Group> columns);

}  // namespace schism::measure
