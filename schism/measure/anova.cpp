#include "schism/measure/anova.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "schism/measure/distributions.hpp"

namespace schism::measure {
namespace {

double square(double x) { return x * x; }

double grand_mean(std::span<const Group> groups) {
  double sum = 0, n = 0;
  for (const Group& g : groups)
    for (const double v : g.values) sum += v, ++n;
  return sum / n;
}

std::vector<double> means_of(std::span<const Group> groups) {
  std::vector<double> out;
  for (const Group& g : groups) out.push_back(mean(g.values));
  return out;
}

// Sums of squares that only rounding keeps from zero are zero.
double without_rounding(double squares, double total) {
  return squares < 1e-24 * total ? 0 : squares;
}

TestResult f_test(std::string name, double between, double df_between, double within,
                  double df_within) {
  TestResult out{.test = std::move(name), .symbol = "F", .freedom = {df_between, df_within}};
  out.alternative = Alternative::any;
  out.hypothesis = hypothesis_text(Alternative::any, {});
  out.method = "F distribution";
  if (within > 0) {
    out.statistic = (between / df_between) / (within / df_within);
    out.p = f_upper(out.statistic, df_between, df_within);
    return out;
  }
  out.statistic = between > 0 ? std::numeric_limits<double>::infinity()
                              : std::numeric_limits<double>::quiet_NaN();
  out.why_no_p = between > 0 ? "nothing varies but the means, so there is no error to compare with"
                             : "neither the means nor anything around them varies";
  return out;
}

// Of the covariances of the columns, centred both ways.
std::optional<double> greenhouse_geisser(std::span<const Group> columns,
                                         std::span<const double> means) {
  const std::size_t k = columns.size(), n = columns[0].values.size();
  std::vector<double> covariance(k * k), row_mean(k);
  double all = 0;
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = 0; j < k; ++j) {
      double sum = 0;
      for (std::size_t r = 0; r < n; ++r)
        sum += (columns[i].values[r] - means[i]) * (columns[j].values[r] - means[j]);
      covariance[i * k + j] = sum;
      row_mean[i] += sum / static_cast<double>(k);
      all += sum / static_cast<double>(k * k);
    }
  double trace = 0, squares = 0;
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = 0; j < k; ++j) {
      const double centred = covariance[i * k + j] - row_mean[i] - row_mean[j] + all;
      squares += square(centred);
      if (i == j) trace += centred;
    }
  if (!(squares > 0)) return std::nullopt;
  return square(trace) / (static_cast<double>(k - 1) * squares);
}

}  // namespace

Result<Anova> one_way_anova(std::span<const Group> groups) {
  if (const Status ok = check_groups(groups, 1); !ok) return tl::unexpected(ok.error());
  Anova out;
  out.means = means_of(groups);
  const double all = grand_mean(groups), k = static_cast<double>(groups.size());
  double between = 0, within = 0, n = 0, total = 0;
  std::vector<std::size_t> sizes;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto size = static_cast<double>(groups[g].values.size());
    between += size * square(out.means[g] - all);
    for (const double v : groups[g].values) within += square(v - out.means[g]), total += square(v);
    n += size;
    sizes.push_back(groups[g].values.size());
  }
  if (n <= k) return error("{} values in {} groups leave nothing to tell their spread", n, k);
  within = without_rounding(within, total);
  between = without_rounding(between, total);
  out.error = {within / (n - k), n - k};
  out.test = f_test("one-way analysis of variance", between, k - 1, within, n - k);
  out.test.sizes = sizes;
  out.test.direction = extremes(groups, out.means, "mean");
  if (between + within > 0)
    out.test.effects = {
        {.name = "share of variance explained", .value = between / (between + within)}};
  return out;
}

Result<RepeatedAnova> repeated_anova(std::span<const Group> columns) {
  if (const Status ok = check_paired(columns); !ok) return tl::unexpected(ok.error());
  RepeatedAnova out;
  out.means = means_of(columns);
  const double all = grand_mean(columns);
  const std::size_t rows = columns[0].values.size();
  const auto k = static_cast<double>(columns.size()), n = static_cast<double>(rows);
  double between = 0, within = 0, total = 0;
  for (const double m : out.means) between += n * square(m - all);
  for (std::size_t r = 0; r < rows; ++r) {
    double row = 0;
    for (const Group& c : columns) row += c.values[r] / k;
    // What neither the row nor the column explains.
    for (std::size_t c = 0; c < columns.size(); ++c) {
      within += square(columns[c].values[r] - row - out.means[c] + all);
      total += square(columns[c].values[r]);
    }
  }
  within = without_rounding(within, total);
  between = without_rounding(between, total);
  const double freedom = (k - 1) * (n - 1);
  out.error = {within / freedom, freedom};
  out.test = f_test("repeated-measures analysis of variance", between, k - 1, within, freedom);
  out.test.sizes = {rows};
  out.test.direction = extremes(columns, out.means, "mean");
  out.corrected = out.test;
  out.corrected.method = "F distribution, Greenhouse-Geisser";
  if (!out.test.p) return out;
  // Without error there is no epsilon either, so here it exists.
  out.epsilon = greenhouse_geisser(columns, out.means).value_or(1);
  out.corrected.freedom = {(k - 1) * out.epsilon, freedom * out.epsilon};
  out.corrected.p = f_upper(out.test.statistic, out.corrected.freedom[0], out.corrected.freedom[1]);
  out.corrected.effects.push_back({.name = "epsilon", .value = out.epsilon});
  return out;
}

}  // namespace schism::measure
