#include "schism/measure/ranks.hpp"

#include <algorithm>
#include <numeric>

namespace schism::measure {

Ranks rank(std::span<const double> values, double tolerance) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    return values[x] != values[y] ? values[x] < values[y] : x < y;
  });
  Ranks out;
  out.doubled.resize(values.size());
  for (std::size_t from = 0, to = 0; from < order.size(); from = to) {
    for (to = from + 1; to < order.size(); ++to)
      if (values[order[to]] - values[order[to - 1]] > tolerance) break;
    const auto size = static_cast<double>(to - from);
    out.tie_sum += size * size * size - size;
    out.ties |= to - from > 1;
    // The mean of from + 1 .. to, twice.
    for (std::size_t i = from; i < to; ++i)
      out.doubled[order[i]] = static_cast<std::int64_t>(from + 1 + to);
  }
  return out;
}

std::vector<double> subset_sums(std::span<const std::int64_t> items, std::size_t choose) {
  // Largest last, so that early rounds touch few sums.
  std::vector<std::int64_t> sorted(items.begin(), items.end());
  std::sort(sorted.begin(), sorted.end());
  const auto top = static_cast<std::size_t>(std::accumulate(
      sorted.end() - static_cast<std::ptrdiff_t>(choose), sorted.end(), std::int64_t{0}));
  // ways[k][s]: k items chosen, sum s; reach[k]: the largest such s.
  std::vector<std::vector<double>> ways(choose + 1, std::vector<double>(top + 1));
  std::vector<std::size_t> reach(choose + 1);
  ways[0][0] = 1;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const auto item = static_cast<std::size_t>(sorted[i]);
    for (std::size_t k = std::min(choose, i + 1); k >= 1; --k) {
      const std::size_t last = reach[k - 1];
      for (std::size_t s = 0; s <= last; ++s) ways[k][s + item] += ways[k - 1][s];
      reach[k] = last + item;
    }
  }
  return ways[choose];
}

std::vector<double> subset_sums(std::span<const std::int64_t> items) {
  std::vector<double> ways{1};
  for (const std::int64_t item : items) {
    const std::size_t before = ways.size(), step = static_cast<std::size_t>(item);
    ways.resize(before + step);
    for (std::size_t s = before; s-- > 0;) ways[s + step] += ways[s];
  }
  return ways;
}

}  // namespace schism::measure
