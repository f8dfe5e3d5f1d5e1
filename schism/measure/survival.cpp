#include "schism/measure/survival.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "schism/measure/distributions.hpp"

namespace schism::measure {
namespace {

struct Ends {
  std::size_t finds = 0, misses = 0;
};

std::map<double, Ends> by_effort(std::span<const Trial> trials) {
  std::map<double, Ends> out;
  for (const Trial& t : trials) ++(t.found ? out[t.at].finds : out[t.at].misses);
  return out;
}

std::optional<Interval> interval(double survival, double hazard, double z, Band band) {
  if (survival <= 0) return std::nullopt;
  if (band == Band::plain) {
    const double half = z * survival * std::sqrt(hazard);
    return Interval{std::max(0.0, survival - half), std::min(1.0, survival + half)};
  }
  const double log = std::log(survival);  // below 0: something was found
  const double factor = std::exp(z * std::sqrt(hazard) / std::abs(log));
  return Interval{std::exp(log * factor), std::exp(log / factor)};
}

// What the log-rank test sums over the efforts at which something was found.
struct LogRank {
  double observed = 0, expected = 0, variance = 0;
};

LogRank sum_up(std::span<const Trial> a, std::span<const Trial> b) {
  const std::map<double, Ends> ends_a = by_effort(a);
  std::vector<Trial> both(a.begin(), a.end());
  both.insert(both.end(), b.begin(), b.end());
  double risk_a = static_cast<double>(a.size()), risk = static_cast<double>(both.size());
  LogRank out;
  for (const auto& [effort, ends] : by_effort(both)) {
    const auto found = ends_a.find(effort);
    const Ends of_a = found == ends_a.end() ? Ends{} : found->second;
    const auto d = static_cast<double>(ends.finds);
    out.observed += static_cast<double>(of_a.finds);
    if (d > 0) {
      const double share = risk_a / risk;
      out.expected += d * share;
      if (risk > 1) out.variance += d * share * (1 - share) * (risk - d) / (risk - 1);
    }
    risk_a -= static_cast<double>(of_a.finds + of_a.misses);
    risk -= static_cast<double>(ends.finds + ends.misses);
  }
  return out;
}

}  // namespace

Result<Survival> kaplan_meier(std::span<const Trial> trials, double confidence, Band band) {
  if (const Status ok = check_trials(trials, "a survival curve"); !ok)
    return tl::unexpected(ok.error());
  if (const Status ok = check_confidence(confidence); !ok) return tl::unexpected(ok.error());
  const double z = normal_quantile((1 + confidence) / 2);
  Survival out;
  out.trials = trials.size();
  out.confidence = confidence;
  std::size_t risk = trials.size();
  double survival = 1, hazard = 0;  // Greenwood's sum
  for (const auto& [effort, ends] : by_effort(trials)) {
    out.end = effort;
    if (ends.finds > 0) {
      const auto d = static_cast<double>(ends.finds), n = static_cast<double>(risk);
      survival = ends.finds == risk ? 0 : survival * (1 - d / n);
      hazard += d / (n * (n - d));
      const double deviation =
          survival > 0 ? survival * std::sqrt(hazard) : std::numeric_limits<double>::quiet_NaN();
      out.steps.push_back(
          {effort, risk, ends.finds, survival, deviation, interval(survival, hazard, z, band)});
    }
    out.censored.insert(out.censored.end(), ends.misses, effort);
    risk -= ends.finds + ends.misses;
  }
  return out;
}

double Survival::at(double effort) const {
  const auto after = std::upper_bound(steps.begin(), steps.end(), effort,
                                      [](double e, const SurvivalStep& s) { return e < s.at; });
  return after == steps.begin() ? 1 : std::prev(after)->survival;
}

std::optional<double> Survival::median() const {
  for (const SurvivalStep& s : steps)
    if (s.survival <= 0.5 + 1e-12) return s.at;
  return std::nullopt;
}

Result<Effect> Survival::restricted_mean(double horizon) const {
  const bool all_found = !steps.empty() && steps.back().survival == 0;
  if (!(horizon > 0) || !std::isfinite(horizon)) return error("{} is no horizon", horizon);
  if (horizon > end && !all_found)
    return error("a mean up to {} needs trials that went so far; the last ended at {}", horizon,
                 end);
  // Backwards: the area right of each step is also what its variance is weighted by.
  double area = 0, variance = 0, right = horizon;
  for (auto s = steps.rbegin(); s != steps.rend(); ++s) {
    if (s->at >= horizon) continue;
    area += s->survival * (right - s->at);
    right = s->at;
    const auto d = static_cast<double>(s->finds), n = static_cast<double>(s->at_risk);
    if (n > d) variance += area * area * d / (n * (n - d));
  }
  area += right;
  const double half = normal_quantile((1 + confidence) / 2) * std::sqrt(variance);
  Effect out{fmt::format("mean up to {:g}", horizon), area, {}, confidence};
  if (variance > 0) out.interval = Interval{std::max(0.0, area - half), area + half};
  return out;
}

Result<TestResult> log_rank(std::span<const Trial> a, std::span<const Trial> b,
                            const TestOptions& options) {
  if (const Status ok = check_trials(a, options.words.a); !ok) return tl::unexpected(ok.error());
  if (const Status ok = check_trials(b, options.words.b); !ok) return tl::unexpected(ok.error());
  if (options.alternative != Alternative::two_sided)
    return error("the log-rank test is made two-sided");
  if (options.method != Method::automatic)
    return error("the log-rank test has one method, the chi-squared approximation");
  const LogRank sums = sum_up(a, b);
  const double away = sums.observed - sums.expected;
  TestResult out{.test = "log-rank", .symbol = "chi2", .freedom = {1}};
  out.method = "chi-squared approximation, misses censored";
  out.hypothesis = "two-sided";
  out.sizes = {a.size(), b.size()};
  out.effects = {{.name = "finds of " + options.words.a, .value = sums.observed},
                 {.name = "expected", .value = sums.expected},
                 {.name = "variance", .value = sums.variance}};
  if (!(sums.variance > 0)) {
    out.statistic = std::numeric_limits<double>::quiet_NaN();
    const bool any = std::any_of(a.begin(), a.end(), [](const Trial& t) { return t.found; }) ||
                     std::any_of(b.begin(), b.end(), [](const Trial& t) { return t.found; });
    out.why_no_p = any ? "nothing was found while trials of both went on" : "nobody found anything";
    return out;
  }
  out.statistic = away * away / sums.variance;
  out.p = chi_squared_upper(out.statistic, 1);
  out.direction = away == 0 ? fmt::format("{} and {} find alike", options.words.a, options.words.b)
                            : fmt::format("{} finds {} than {}", options.words.a,
                                          away > 0 ? "sooner" : "later", options.words.b);
  return out;
}

}  // namespace schism::measure
