// Ranks with ties sharing their mean rank, doubled so that they are whole numbers and sums of them
// compare exactly.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace schism::measure {

struct Ranks {
  std::vector<std::int64_t> doubled;  // twice the rank from 1, in the order of the values
  double tie_sum = 0;                 // of t^3 - t over groups of equal values
  bool ties = false;
};

// Values that differ by at most `tolerance` from their neighbour in order are equal.
Ranks rank(std::span<const double> values, double tolerance = 0);

// How many ways there are to choose `choose` of the items so that their sum is s, at [s]. As
// doubles: sums of positive numbers, so that the relative error stays near the last bit.
std::vector<double> subset_sums(std::span<const std::int64_t> items, std::size_t choose);
// The same for any number of items.
std::vector<double> subset_sums(std::span<const std::int64_t> items);

}  // namespace schism::measure
