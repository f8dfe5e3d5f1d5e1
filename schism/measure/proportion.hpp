// How often something happens, from how often it did: intervals for a proportion.
#pragma once

#include <cstdint>

#include "schism/measure/test_result.hpp"

namespace schism::measure {

// Wilson 1927: covers what it says on average; what tables show.
Result<Interval> wilson(std::uint64_t hits, std::uint64_t of, double confidence = 0.95);
// Clopper and Pearson 1934: covers at least what it says, always; for claims.
Result<Interval> clopper_pearson(std::uint64_t hits, std::uint64_t of, double confidence = 0.95);

}  // namespace schism::measure
