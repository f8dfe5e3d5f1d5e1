// Could these values come from a normal distribution? Shapiro and Wilk 1965, with Royston's
// approximation of 1995 (algorithm AS R94) for 3 to 5000 values.
#pragma once

#include "schism/measure/test_result.hpp"

namespace schism::measure {

// No p if every value is the same. A large p is no proof of normality: few values never give a
// small one.
Result<TestResult> shapiro_wilk(std::span<const double> values, const std::string& name = "A");

}  // namespace schism::measure
