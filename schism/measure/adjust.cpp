#include "schism/measure/adjust.hpp"

#include <algorithm>
#include <numeric>

namespace schism::measure {
namespace {

Status check(std::span<const double> p) {
  for (std::size_t i = 0; i < p.size(); ++i)
    if (!(p[i] >= 0 && p[i] <= 1))
      return error("p-value {} is {}, not between 0 and 1", i + 1, p[i]);
  return {};
}

// Indices, the smallest p first.
std::vector<std::size_t> ascending(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t x, std::size_t y) { return p[x] < p[y]; });
  return order;
}

}  // namespace

Result<std::vector<double>> holm(std::span<const double> p) {
  if (const Status ok = check(p); !ok) return tl::unexpected(ok.error());
  std::vector<double> out(p.size());
  double largest = 0;
  std::size_t left = p.size();
  for (const std::size_t i : ascending(p)) {
    largest = std::max(largest, std::min(1.0, static_cast<double>(left--) * p[i]));
    out[i] = largest;
  }
  return out;
}

Result<std::vector<double>> benjamini_hochberg(std::span<const double> p) {
  if (const Status ok = check(p); !ok) return tl::unexpected(ok.error());
  std::vector<double> out(p.size());
  const std::vector<std::size_t> order = ascending(p);
  double smallest = 1;
  for (std::size_t r = order.size(); r-- > 0;) {
    const double scaled = p[order[r]] * static_cast<double>(p.size()) / static_cast<double>(r + 1);
    smallest = std::min(smallest, scaled);
    out[order[r]] = smallest;
  }
  return out;
}

Result<std::vector<double>> bonferroni(std::span<const double> p) {
  if (const Status ok = check(p); !ok) return tl::unexpected(ok.error());
  std::vector<double> out;
  for (const double x : p) out.push_back(std::min(1.0, static_cast<double>(p.size()) * x));
  return out;
}

}  // namespace schism::measure
