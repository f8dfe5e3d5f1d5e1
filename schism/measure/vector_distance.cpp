#include "schism/measure/vector_distance.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <vector>

namespace schism {

double euclidean_distance(std::span<const double> a, std::span<const double> b) {
  assert(a.size() == b.size());
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

namespace {

// Sorts, and counts how many pairs stood the wrong way round.
std::uint64_t inversions(std::vector<double>& values, std::vector<double>& scratch,
                         std::size_t from, std::size_t to) {
  if (to - from < 2) return 0;
  const std::size_t middle = from + (to - from) / 2;
  std::uint64_t out =
      inversions(values, scratch, from, middle) + inversions(values, scratch, middle, to);
  std::size_t left = from, right = middle, at = from;
  while (left < middle || right < to) {
    const bool take_left = right == to || (left < middle && values[left] <= values[right]);
    if (!take_left) out += middle - left;
    scratch[at++] = values[take_left ? left++ : right++];
  }
  std::copy(scratch.begin() + static_cast<std::ptrdiff_t>(from),
            scratch.begin() + static_cast<std::ptrdiff_t>(to),
            values.begin() + static_cast<std::ptrdiff_t>(from));
  return out;
}

}  // namespace

std::uint64_t kendall_tau_distance(std::span<const double> a, std::span<const double> b) {
  assert(a.size() == b.size());
  std::vector<std::size_t> order(a.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return a[i] < a[j]; });
  std::vector<double> other, scratch(a.size());
  for (const std::size_t i : order) other.push_back(b[i]);
  return inversions(other, scratch, 0, other.size());
}

}  // namespace schism
