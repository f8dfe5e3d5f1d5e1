#include "schism/measure/rank_groups.hpp"

#include <limits>

#include "schism/measure/distributions.hpp"
#include "schism/measure/ranks.hpp"

namespace schism::measure {
namespace {

TestResult chi_squared_test(std::string name, std::string symbol, double numerator,
                            double denominator, double freedom) {
  TestResult out{.test = std::move(name), .symbol = std::move(symbol), .freedom = {freedom}};
  out.alternative = Alternative::any;
  out.hypothesis = hypothesis_text(Alternative::any, {});
  out.method = "chi-squared approximation, corrected for ties";
  if (denominator > 0) {
    out.statistic = numerator / denominator;
    out.p = chi_squared_upper(out.statistic, freedom);
  } else {
    out.statistic = std::numeric_limits<double>::quiet_NaN();
    out.why_no_p = "every value is tied with every other that it is ranked with";
  }
  return out;
}

}  // namespace

Result<TestResult> kruskal_wallis(std::span<const Group> groups) {
  if (const Status ok = check_groups(groups, 1); !ok) return tl::unexpected(ok.error());
  std::vector<double> all;
  for (const Group& g : groups) all.insert(all.end(), g.values.begin(), g.values.end());
  const Ranks ranks = rank(all);
  const auto n = static_cast<double>(all.size());
  double sum = 0;
  std::vector<double> mean_ranks;
  std::vector<std::size_t> sizes;
  std::size_t i = 0;
  for (const Group& g : groups) {
    double of_group = 0;
    for (std::size_t j = 0; j < g.values.size(); ++j)
      of_group += static_cast<double>(ranks.doubled[i++]) / 2;
    const auto size = static_cast<double>(g.values.size());
    mean_ranks.push_back(of_group / size);
    const double away = mean_ranks.back() - (n + 1) / 2;
    sum += size * away * away;
    sizes.push_back(g.values.size());
  }
  const double ties = 1 - ranks.tie_sum / (n * n * n - n);
  TestResult out = chi_squared_test("Kruskal-Wallis", "H", 12 / (n * (n + 1)) * sum, ties,
                                    static_cast<double>(groups.size() - 1));
  out.sizes = sizes;
  out.direction = extremes(groups, mean_ranks, "mean rank");
  return out;
}

Result<TestResult> friedman(std::span<const Group> columns) {
  if (const Status ok = check_paired(columns); !ok) return tl::unexpected(ok.error());
  const std::size_t rows = columns[0].values.size();
  const auto k = static_cast<double>(columns.size()), n = static_cast<double>(rows);
  std::vector<double> mean_ranks(columns.size());
  double tie_sum = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<double> row;
    for (const Group& c : columns) row.push_back(c.values[r]);
    const Ranks ranks = rank(row);
    tie_sum += ranks.tie_sum;
    for (std::size_t c = 0; c < columns.size(); ++c)
      mean_ranks[c] += static_cast<double>(ranks.doubled[c]) / (2 * n);
  }
  double sum = 0;
  for (const double m : mean_ranks) sum += (m - (k + 1) / 2) * (m - (k + 1) / 2);
  const double ties = 1 - tie_sum / (n * (k * k * k - k));
  TestResult out = chi_squared_test("Friedman", "chi2", 12 * n / (k * (k + 1)) * sum, ties, k - 1);
  out.sizes = {rows};
  out.direction = extremes(columns, mean_ranks, "mean rank");
  return out;
}

}  // namespace schism::measure
