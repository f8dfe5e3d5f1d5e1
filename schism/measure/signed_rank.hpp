// Are the values of one column larger than those of another, pair by pair? Wilcoxon 1945. Pairs
// that do not differ say nothing and are left out.
#pragma once

#include "schism/measure/test_result.hpp"

namespace schism::measure {

// Up to so many pairs that differ the automatic method is exact, with or without ties.
constexpr std::size_t kExactSigns = 200;

// V is the sum of the ranks of |a - b| over the pairs with a > b. Differences that are equal but
// for rounding (0.3 - 0.2 and 0.2 - 0.1) are equal.
Result<TestResult> signed_rank(std::span<const double> a, std::span<const double> b,
                               const TestOptions& options = {});

}  // namespace schism::measure
