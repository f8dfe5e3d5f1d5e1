// The range of k normal values over an independent estimate of their deviation: what Tukey's test
// compares with. Boost.Math does not have it, so it is integrated here, over the deviation and over
// the largest value. Tails keep about ten digits, also small ones; a tail takes some 20 ms.
#pragma once

#include <cstddef>

namespace schism::measure {

// P(Q > q) with k >= 2 values; freedom >= 1 of the estimate, infinite if the deviation is known.
double studentized_range_upper(double q, std::size_t k, double freedom);
// The q that is exceeded with probability `tail`, 0 < tail < 1.
double studentized_range_quantile(double tail, std::size_t k, double freedom);

}  // namespace schism::measure
