#include "schism/measure/tukey.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "schism/measure/studentized_range.hpp"

namespace schism::measure {
namespace {

class Comparison {
 public:
  Comparison(std::span<const Group> groups, const Anova& anova, double confidence,
             std::string method)
      : groups_(groups),
        anova_(anova),
        confidence_(confidence),
        method_(std::move(method)),
        critical_(studentized_range_quantile(1 - confidence, groups.size(), anova.error.freedom)) {}

  Tukey all() const {
    Tukey out;
    out.error = anova_.error;
    for (std::size_t i = 0; i < groups_.size(); ++i)
      for (std::size_t j = i + 1; j < groups_.size(); ++j) out.pairs.push_back(pair(i, j));
    const std::size_t n = groups_[0].values.size();
    if (std::all_of(groups_.begin(), groups_.end(), [&](auto& g) { return g.values.size() == n; }))
      out.half_width = critical_ / 2 * std::sqrt(anova_.error.mean_square / static_cast<double>(n));
    return out;
  }

 private:
  TukeyPair pair(std::size_t i, std::size_t j) const {
    const Group &first = groups_[i], &second = groups_[j];
    const double spread = std::sqrt(anova_.error.mean_square / 2 *
                                    (1 / static_cast<double>(first.values.size()) +
                                     1 / static_cast<double>(second.values.size())));
    const double difference = anova_.means[j] - anova_.means[i], half = critical_ * spread;
    TukeyPair out{i, j, {}};
    TestResult& t = out.test;
    t.test = "Tukey";
    t.symbol = "q";
    t.statistic = std::abs(difference) / spread;
    t.freedom = {static_cast<double>(groups_.size()), anova_.error.freedom};
    t.p = studentized_range_upper(t.statistic, groups_.size(), anova_.error.freedom);
    t.method = method_;
    t.hypothesis =
        fmt::format("two-sided, {} pairs together", groups_.size() * (groups_.size() - 1) / 2);
    t.effects = {{fmt::format("{} - {}", second.name, first.name), difference,
                  Interval{difference - half, difference + half}, confidence_}};
    t.direction = difference == 0
                      ? fmt::format("{} and {} have the same mean", second.name, first.name)
                      : fmt::format("the mean of {} is {} than that of {}", second.name,
                                    difference < 0 ? "lower" : "higher", first.name);
    t.sizes = {first.values.size(), second.values.size()};
    return out;
  }

  std::span<const Group> groups_;
  const Anova& anova_;
  double confidence_;
  std::string method_;
  double critical_;
};

Result<Tukey> compare_all(std::span<const Group> groups, const Anova& anova, double confidence,
                          const std::string& error_name) {
  if (const Status ok = check_confidence(confidence); !ok) return tl::unexpected(ok.error());
  if (!anova.test.p) return error("no pairs can be told apart: {}", anova.test.why_no_p);
  return Comparison(groups, anova, confidence, "studentized range, error " + error_name).all();
}

}  // namespace

Result<Tukey> tukey(std::span<const Group> groups, double confidence) {
  const Result<Anova> anova = one_way_anova(groups);
  if (!anova) return tl::unexpected(anova.error());
  return compare_all(groups, *anova, confidence, "within groups");
}

Result<Tukey> tukey_repeated(std::span<const Group> columns, double confidence) {
  const Result<RepeatedAnova> anova = repeated_anova(columns);
  if (!anova) return tl::unexpected(anova.error());
  return compare_all(columns, *anova, confidence, "of the repeated measures");
}

}  // namespace schism::measure
