#include "schism/isolate/statistics.hpp"

#include <cmath>

namespace schism::isolate {
namespace {

double ratio(std::uint32_t part, std::uint32_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

double Tally::failure() const { return ratio(fail_true, fail_true + pass_true); }
double Tally::context() const { return ratio(fail_observed, fail_observed + pass_observed); }

// The order of the operations is that of the public implementation: ties are decided by the last
// bit.
double Tally::importance(std::uint32_t failing) const {
  const double more = increase();
  if (more == 0 || fail_true <= 1 || failing <= 1) return 0;
  const double sensitivity =
      std::log(static_cast<double>(fail_true)) / std::log(static_cast<double>(failing));
  return 2 / ((1 / more) + (1 / sensitivity));
}

Interval wilson(std::uint32_t hits, std::uint32_t of) {
  if (of == 0) return {0, 1};
  constexpr double z = 1.959963984540054;
  const double n = of, p = hits / n;
  const double middle = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  return {std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

// The increase is the difference between the runs where it holds and those where it does not,
// times the share of the latter.
Interval Tally::increase_interval() const {
  const std::uint32_t t = fail_true + pass_true;
  const std::uint32_t all = fail_observed + pass_observed;
  const std::uint32_t f = all - t, fail_false = fail_observed - fail_true;
  if (t == 0 || f == 0) return {0, 0};
  const double p = ratio(fail_true, t), q = ratio(fail_false, f);
  const Interval a = wilson(fail_true, t), b = wilson(fail_false, f);
  const double below = std::hypot(p - a.low, b.high - q), above = std::hypot(a.high - p, q - b.low);
  const double share = ratio(f, all);
  return {(p - q - below) * share, (p - q + above) * share};
}

Tally tally(const Table& table, std::size_t candidate, BitsView failing) {
  Tally out;
  const BitsView holds = table.holds(candidate), observed = table.observed(candidate);
  out.fail_true = count_both(holds, failing);
  out.pass_true = count_both(holds, table.passed());
  out.fail_observed = count_both(observed, failing);
  out.pass_observed = count_both(observed, table.passed());
  return out;
}

std::vector<Predictor> eliminate(const Table& table) {
  std::vector<Predictor> out;
  Bits left(table.failed().begin(), table.failed().end());
  std::vector<bool> used(table.size());
  for (;;) {
    const std::uint32_t failing = count(left);
    std::optional<Predictor> best;
    for (std::size_t c = 0; c < table.size(); ++c) {
      if (used[c]) continue;
      const Tally t = tally(table, c, left);
      if (!(t.increase() > 0)) continue;
      const double importance = t.importance(failing);
      if (!best || importance > best->importance) best = Predictor{c, t, importance, {}, {}};
    }
    if (!best) return out;
    best->explains = left;
    const BitsView holds = table.holds(best->candidate);
    for (std::size_t w = 0; w < left.size(); ++w) {
      best->explains[w] &= holds[w];
      left[w] &= ~holds[w];
    }
    used[best->candidate] = true;
    out.push_back(*std::move(best));
  }
}

double f_score(double precision, double recall, double beta) {
  const double b = beta * beta;
  const double below = b * precision + recall;
  return below == 0 ? 0 : (1 + b) * precision * recall / below;
}

Score score(const std::string& bug, BitsView explained, BitsView truth) {
  const std::uint32_t hits = count_both(explained, truth);
  Score out{bug, ratio(hits, count(explained)), ratio(hits, count(truth)), 0, 0};
  out.f1 = f_score(out.precision, out.recall, 1);
  out.f05 = f_score(out.precision, out.recall, 0.5);
  return out;
}

}  // namespace schism::isolate
