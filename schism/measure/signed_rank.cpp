#include "schism/measure/signed_rank.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "schism/measure/distributions.hpp"
#include "schism/measure/ranks.hpp"

namespace schism::measure {
namespace {

struct Signs {
  Ranks ranks;                 // of the sizes of the differences
  std::int64_t doubled_v = 0;  // 2 V
  std::size_t zeros = 0;
  std::size_t size() const { return ranks.doubled.size(); }
  std::int64_t sum() const {
    return std::accumulate(ranks.doubled.begin(), ranks.doubled.end(), std::int64_t{0});
  }
};

Signs sign(std::span<const double> a, std::span<const double> b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max({largest, std::abs(a[i]), std::abs(b[i])});
  // A few roundings of the largest value, each half a unit in its last place.
  const double tolerance = 8 * std::numeric_limits<double>::epsilon() * largest;
  Signs out;
  std::vector<double> sizes;
  std::vector<bool> positive;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = a[i] - b[i];
    if (std::abs(d) <= tolerance) {
      ++out.zeros;
      continue;
    }
    sizes.push_back(std::abs(d));
    positive.push_back(d > 0);
  }
  out.ranks = rank(sizes, tolerance);
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (positive[i]) out.doubled_v += out.ranks.doubled[i];
  return out;
}

// Over all ways to give signs to the differences.
Tails exact_tails(const Signs& signs) {
  const std::vector<double> ways = subset_sums(signs.ranks.doubled);
  const std::int64_t sum = signs.sum();
  double less = 0, greater = 0, distance = 0;
  for (std::size_t s = 0; s < ways.size(); ++s) {
    const auto v = static_cast<std::int64_t>(s);
    if (v <= signs.doubled_v) less += ways[s];
    if (v >= signs.doubled_v) greater += ways[s];
    if (std::abs(2 * v - sum) >= std::abs(2 * signs.doubled_v - sum)) distance += ways[s];
  }
  const double all = std::ldexp(1.0, static_cast<int>(signs.size()));
  return {less / all, greater / all, distance / all};
}

Tails normal_tails(const Signs& signs, double continuity) {
  const auto n = static_cast<double>(signs.size());
  const double deviation = std::sqrt(n * (n + 1) * (2 * n + 1) / 24 - signs.ranks.tie_sum / 48);
  const double away = static_cast<double>(signs.doubled_v) / 2 - n * (n + 1) / 4;
  const double far = std::max(0.0, std::abs(away) - continuity) / deviation;
  return {normal_upper(-(away + continuity) / deviation),
          normal_upper((away - continuity) / deviation), 2 * normal_upper(far)};
}

}  // namespace

Result<TestResult> signed_rank(std::span<const double> a, std::span<const double> b,
                               const TestOptions& options) {
  if (a.size() != b.size())
    return error("pairs need as many values on both sides, not {} and {}", a.size(), b.size());
  if (const Status ok = check_sample(a, options.words.a); !ok) return tl::unexpected(ok.error());
  if (const Status ok = check_sample(b, options.words.b); !ok) return tl::unexpected(ok.error());
  if (options.alternative == Alternative::any)
    return error("two samples are compared two-sided, less or greater");
  const Signs signs = sign(a, b);
  const bool feasible = signs.size() <= kExactSigns;
  if (options.method == Method::exact && !feasible)
    return error("an exact p of {} pairs is too much work (at most {})", signs.size(), kExactSigns);
  TestResult out{.test = "Wilcoxon signed rank", .symbol = "V"};
  out.statistic = static_cast<double>(signs.doubled_v) / 2;
  out.alternative = options.alternative;
  out.hypothesis = hypothesis_text(options.alternative, options.words);
  out.sizes = {signs.size()};
  out.direction = options.words.direction(static_cast<double>(2 * signs.doubled_v - signs.sum()));
  if (signs.zeros > 0) out.note = fmt::format("{} equal pairs left out", signs.zeros);
  if (signs.size() == 0) {
    out.p = 1;
    out.method = "exact";
    out.note = "no pair differs";
    return out;
  }
  out.effects.push_back(
      {"rank-biserial correlation",
       2 * static_cast<double>(signs.doubled_v) / static_cast<double>(signs.sum()) - 1,
       {},
       options.confidence});
  if (options.method == Method::exact || (options.method == Method::automatic && feasible)) {
    out.method = signs.ranks.ties ? "exact, given the ties" : "exact";
    out.p = exact_tails(signs).p(options.alternative, options.two_sided);
    return out;
  }
  const bool corrected = options.method != Method::uncorrected;
  out.method =
      fmt::format("normal approximation{}, {} continuity correction",
                  signs.ranks.ties ? " corrected for ties" : "", corrected ? "with" : "without");
  out.p = normal_tails(signs, corrected ? 0.5 : 0).p(options.alternative, TwoSided::distance);
  return out;
}

}  // namespace schism::measure
