// Does one strategy succeed more often than another? Fisher's exact test of a 2 x 2 table,
// two-sided over all tables that are no likelier, with the odds ratio as its conditional maximum
// likelihood estimate and the exact interval that belongs to it (as R's fisher.test, not the
// sample's ad / bc).
#pragma once

#include <cstdint>

#include "schism/measure/test_result.hpp"

namespace schism::measure {

struct Counts {
  std::uint64_t hits = 0, misses = 0;
};

// The statistic is the odds ratio, a against b: infinite where only a both hits and b never does;
// not a number where nothing can be said, because all trials hit or all missed.
Result<TestResult> fisher(const Counts& a, const Counts& b, const TestOptions& options = {});

}  // namespace schism::measure
