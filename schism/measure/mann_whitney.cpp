#include "schism/measure/mann_whitney.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "schism/measure/distributions.hpp"
#include "schism/measure/ranks.hpp"

namespace schism::measure {
namespace {

// Above this the differences of all pairs no longer fit comfortably into memory.
constexpr std::size_t kMaxPairs = 20'000'000;

struct Pooled {
  Ranks ranks;
  std::size_t a = 0, b = 0;    // sizes
  std::int64_t doubled_u = 0;  // 2 U
  double u() const { return static_cast<double>(doubled_u) / 2; }
  double pairs() const { return static_cast<double>(a) * static_cast<double>(b); }
};

Pooled pool(std::span<const double> a, std::span<const double> b) {
  std::vector<double> all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  Pooled out{rank(all), a.size(), b.size(), 0};
  const auto n = static_cast<std::int64_t>(a.size());
  const auto& r = out.ranks.doubled;
  out.doubled_u = std::accumulate(r.begin(), r.begin() + n, std::int64_t{0}) - n * (n + 1);
  return out;
}

// Over all ways to deal the pooled ranks into samples of these sizes.
Tails exact_tails(const Pooled& pooled) {
  // The smaller sample decides the work; exchanging the samples mirrors U.
  const bool mirrored = pooled.b < pooled.a;
  const std::size_t choose = std::min(pooled.a, pooled.b);
  const std::vector<double> ways = subset_sums(pooled.ranks.doubled, choose);
  const auto pairs = static_cast<std::int64_t>(pooled.a * pooled.b);
  const std::int64_t seen = mirrored ? 2 * pairs - pooled.doubled_u : pooled.doubled_u;
  const auto least = static_cast<std::int64_t>(choose * (choose + 1));
  double all = 0, less = 0, greater = 0, distance = 0;
  for (std::size_t s = 0; s < ways.size(); ++s) {
    const std::int64_t u = static_cast<std::int64_t>(s) - least;
    all += ways[s];
    if (u <= seen) less += ways[s];
    if (u >= seen) greater += ways[s];
    if (std::abs(u - pairs) >= std::abs(seen - pairs)) distance += ways[s];
  }
  if (mirrored) std::swap(less, greater);
  return {less / all, greater / all, distance / all};
}

// Nothing if every value is the same.
std::optional<Tails> normal_tails(const Pooled& pooled, double continuity) {
  const double n = static_cast<double>(pooled.a + pooled.b);
  const double variance = pooled.pairs() / 12 * (n + 1 - pooled.ranks.tie_sum / (n * (n - 1)));
  if (!(variance > 0)) return std::nullopt;
  const double away = pooled.u() - pooled.pairs() / 2, deviation = std::sqrt(variance);
  const double far = std::max(0.0, std::abs(away) - continuity) / deviation;
  return Tails{normal_upper(-(away + continuity) / deviation),
               normal_upper((away - continuity) / deviation), 2 * normal_upper(far)};
}

bool all_equal(const Ranks& ranks) {
  return std::adjacent_find(ranks.doubled.begin(), ranks.doubled.end(), std::not_equal_to<>()) ==
         ranks.doubled.end();
}

Status check_two(std::span<const double> a, std::span<const double> b, const Words& words) {
  if (const Status ok = check_sample(a, words.a); !ok) return ok;
  return check_sample(b, words.b);
}

// The order of the difference that bounds the interval from below, counted from 0.
std::optional<std::size_t> bound_order(std::size_t a, std::size_t b, double confidence) {
  const double tail = (1 - confidence) / 2;
  const double pairs = static_cast<double>(a) * static_cast<double>(b);
  if (a * b > kExactPairs) {
    const double deviation = std::sqrt(pairs * static_cast<double>(a + b + 1) / 12);
    const double order = std::floor(pairs / 2 + normal_quantile(tail) * deviation - 0.5);
    return order >= 0 ? std::optional(static_cast<std::size_t>(order)) : std::nullopt;
  }
  std::vector<std::int64_t> ranks(a + b);
  std::iota(ranks.begin(), ranks.end(), std::int64_t{1});
  const std::size_t choose = std::min(a, b);
  const std::vector<double> ways = subset_sums(ranks, choose);
  const double all = std::accumulate(ways.begin(), ways.end(), 0.0);
  double below = 0;
  std::optional<std::size_t> order;
  for (std::size_t u = 0, s = choose * (choose + 1) / 2; s < ways.size(); ++s, ++u) {
    below += ways[s];
    if (below / all > tail) break;
    order = u;
  }
  return order;
}

}  // namespace

Result<TestResult> mann_whitney(std::span<const double> a, std::span<const double> b,
                                const TestOptions& options) {
  if (const Status ok = check_two(a, b, options.words); !ok) return tl::unexpected(ok.error());
  if (options.alternative == Alternative::any)
    return error("two samples are compared two-sided, less or greater");
  const bool feasible = a.size() * b.size() <= kExactPairs;
  if (options.method == Method::exact && !feasible)
    return error("an exact p of {} against {} values is too much work (at most {} pairs)", a.size(),
                 b.size(), kExactPairs);
  const Pooled pooled = pool(a, b);
  TestResult out{.test = "Mann-Whitney", .symbol = "U", .statistic = pooled.u()};
  out.alternative = options.alternative;
  out.hypothesis = hypothesis_text(options.alternative, options.words);
  out.sizes = {a.size(), b.size()};
  out.effects.push_back({"A12", pooled.u() / pooled.pairs(), {}, options.confidence});
  out.direction = options.words.direction(pooled.u() - pooled.pairs() / 2);
  if (all_equal(pooled.ranks)) {
    out.p = 1;
    out.method = "exact";
    out.note = "every value is the same";
    return out;
  }
  if (options.method == Method::exact || (options.method == Method::automatic && feasible)) {
    out.method = pooled.ranks.ties ? "exact, given the ties" : "exact";
    if (options.alternative == Alternative::two_sided)
      out.method += options.two_sided == TwoSided::doubling ? ", by doubling" : ", by distance";
    out.p = exact_tails(pooled).p(options.alternative, options.two_sided);
    return out;
  }
  const bool corrected = options.method != Method::uncorrected;
  out.method =
      fmt::format("normal approximation{}, {} continuity correction",
                  pooled.ranks.ties ? " corrected for ties" : "", corrected ? "with" : "without");
  out.p = normal_tails(pooled, corrected ? 0.5 : 0)->p(options.alternative, TwoSided::distance);
  return out;
}

Result<double> a12(std::span<const double> a, std::span<const double> b) {
  if (const Status ok = check_two(a, b, {}); !ok) return tl::unexpected(ok.error());
  const Pooled pooled = pool(a, b);
  return pooled.u() / pooled.pairs();
}

std::string a12_size(double a12) {
  const double away = std::abs(a12 - 0.5);
  return away < 0.06 ? "negligible" : away < 0.14 ? "small" : away < 0.21 ? "medium" : "large";
}

Result<Effect> shift(std::span<const double> a, std::span<const double> b, double confidence) {
  if (const Status ok = check_two(a, b, {}); !ok) return tl::unexpected(ok.error());
  if (const Status ok = check_confidence(confidence); !ok) return tl::unexpected(ok.error());
  if (a.size() > kMaxPairs / b.size())
    return error("a shift needs the differences of all pairs, and {} x {} are too many", a.size(),
                 b.size());
  std::vector<double> differences;
  differences.reserve(a.size() * b.size());
  for (const double x : a)
    for (const double y : b) differences.push_back(x - y);
  std::sort(differences.begin(), differences.end());
  const std::size_t n = differences.size();
  Effect out{"shift", (differences[(n - 1) / 2] + differences[n / 2]) / 2, {}, confidence};
  if (const auto order = bound_order(a.size(), b.size(), confidence))
    out.interval = Interval{differences[*order], differences[n - 1 - *order]};
  return out;
}

}  // namespace schism::measure
