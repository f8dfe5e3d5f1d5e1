// How far apart two genotypes are: vectors of numbers, and rankings.
#pragma once

#include <cstdint>
#include <span>

namespace schism {

// Of equal length.
double euclidean_distance(std::span<const double> a, std::span<const double> b);

// Pairs that the two order differently: the swaps of neighbours that lead from one to the other.
// Values of each are all different; of equal length. O(n log n).
std::uint64_t kendall_tau_distance(std::span<const double> a, std::span<const double> b);

}  // namespace schism
