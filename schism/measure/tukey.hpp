// Which of several means differ? Tukey 1949 with Kramer's weights for groups of unequal size: one
// chance of a false claim for all pairs together. The error must be that of the design: with rows
// in common it is that of the repeated measures, else what the rows explain drowns the differences.
#pragma once

#include "schism/measure/anova.hpp"

namespace schism::measure {

struct TukeyPair {
  std::size_t first = 0, second = 0;  // groups; second's mean minus first's is its effect
  TestResult test;                    // p is adjusted for all pairs

  double difference() const { return *test.effects[0].value; }
  Interval interval() const { return *test.effects[0].interval; }
};

struct Tukey {
  std::vector<TukeyPair> pairs;  // (0, 1), (0, 2), ..., (1, 2), ...
  ErrorTerm error;
  // Around each mean: two of these do not overlap if the pair differs. Of equal sizes only.
  std::optional<double> half_width;
};

// Error: nothing varies, so that nothing can be told.
Result<Tukey> tukey(std::span<const Group> groups, double confidence = 0.95);
Result<Tukey> tukey_repeated(std::span<const Group> columns, double confidence = 0.95);

}  // namespace schism::measure
