// Intervals by drawing again from what was seen (Efron 1979), for any statistic of one or several
// samples; each sample is redrawn on its own. Own random numbers, so the same seed gives the same
// interval everywhere.
#pragma once

#include <cstdint>
#include <functional>

#include "schism/measure/test_result.hpp"

namespace schism::measure {

enum class BootstrapMethod {
  percentile,
  bca,  // corrected for bias and skew: Efron 1987
};

struct BootstrapOptions {
  BootstrapMethod method = BootstrapMethod::bca;
  std::size_t resamples = 10'000;
  double confidence = 0.95;
  std::uint64_t seed = 1;
};

using Statistic = std::function<double(const std::vector<std::vector<double>>&)>;

// Error: a sample of fewer than two values (a single one always redraws itself), a statistic that
// is not finite on some draw, and for BCa a bias without bound. The interval is absent if no draw
// ever differs from the samples' own value: then it would claim certainty.
Result<Effect> bootstrap(const std::string& name, const std::vector<std::vector<double>>& samples,
                         const Statistic& statistic, const BootstrapOptions& options = {});

// Of one sample's mean or median, and of A12.
Result<Effect> bootstrap_mean(std::span<const double> values, const BootstrapOptions& options = {});
Result<Effect> bootstrap_median(std::span<const double> values,
                                const BootstrapOptions& options = {});
Result<Effect> bootstrap_a12(std::span<const double> a, std::span<const double> b,
                             const BootstrapOptions& options = {});

// Linear between order statistics (type 7 of Hyndman and Fan 1996); `sorted` is not empty.
double quantile(std::span<const double> sorted, double share);

}  // namespace schism::measure
