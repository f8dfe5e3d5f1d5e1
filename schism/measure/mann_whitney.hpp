// Are the values of one sample larger than those of another? Mann and Whitney 1947; how much, as
// A12 of Vargha and Delaney 2000; and as a shift, Hodges and Lehmann 1963.
#pragma once

#include "schism/measure/test_result.hpp"

namespace schism::measure {

// Up to this product of the sizes the automatic method is exact, with or without ties. The
// approximation is no substitute where most values are tied: one find in 20 trials against none
// in 20 has p = 0.5, and the approximation says 0.17.
constexpr std::size_t kExactPairs = 2500;

// U counts the pairs a > b and half of the pairs a = b.
Result<TestResult> mann_whitney(std::span<const double> a, std::span<const double> b,
                                const TestOptions& options = {});

// How likely a value of a is larger than one of b, ties counted half: U over all pairs.
Result<double> a12(std::span<const double> a, std::span<const double> b);
// "negligible", "small", "medium", "large": by Vargha and Delaney's 0.56, 0.64, 0.71.
std::string a12_size(double a12);

// The median of all differences a - b, and the interval of shifts that the test would not reject.
// With ties the interval is wider than it need be. None if the samples are too small to have one.
Result<Effect> shift(std::span<const double> a, std::span<const double> b,
                     double confidence = 0.95);

}  // namespace schism::measure
