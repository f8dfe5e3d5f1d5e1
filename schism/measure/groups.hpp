// Several groups at once: a named column of values each; in paired designs a row (a bug, a system)
// has one value in every column.
#pragma once

#include "schism/measure/test_result.hpp"

namespace schism::measure {

struct Group {
  std::string name;
  std::vector<double> values;
};

// Error: fewer than two groups, a value that is not finite, or too few values.
Status check_groups(std::span<const Group> groups, std::size_t least);
// The same, and columns of different length.
Status check_paired(std::span<const Group> groups);

double mean(std::span<const double> values);

// "lowest mean: swarm (12.1), highest: random (80)".
std::string extremes(std::span<const Group> groups, std::span<const double> centres,
                     const std::string& what);

}  // namespace schism::measure
