#include "schism/measure/bootstrap.hpp"

#include <algorithm>
#include <cmath>

#include "schism/base/random.hpp"
#include "schism/measure/distributions.hpp"
#include "schism/measure/mann_whitney.hpp"

namespace schism::measure {
namespace {

using Samples = std::vector<std::vector<double>>;

void redraw(const Samples& from, Samples& to, Rng& rng) {
  for (std::size_t k = 0; k < from.size(); ++k)
    for (double& value : to[k]) value = from[k][rng.below(from[k].size())];
}

// Skewness of the influence of single values, by leaving each out in turn.
double acceleration(const Samples& samples, const Statistic& statistic) {
  double cubes = 0, squares = 0;
  Samples without = samples;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    const std::size_t n = samples[k].size();
    std::vector<double> left_out(n);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      without[k] = samples[k];
      without[k].erase(without[k].begin() + static_cast<std::ptrdiff_t>(i));
      left_out[i] = statistic(without);
      sum += left_out[i];
    }
    without[k] = samples[k];
    const double size = static_cast<double>(n), mean = sum / size;
    for (const double value : left_out) {
      const double influence = (size - 1) * (mean - value) / size;
      squares += influence * influence;
      cubes += influence * influence * influence;
    }
  }
  return squares > 0 ? cubes / (6 * std::pow(squares, 1.5)) : 0;
}

// Which quantile of the draws bounds the interval, given that of the plain percentile method.
double corrected(double share, double bias, double acceleration) {
  const double z = bias + normal_quantile(share);
  return 1 - normal_upper(bias + z / (1 - acceleration * z));
}

Result<Interval> bca(const std::vector<double>& draws, double seen, const Samples& samples,
                     const Statistic& statistic, double tail) {
  double below = 0;
  for (const double d : draws) below += d < seen ? 1 : d == seen ? 0.5 : 0;
  const double share = below / static_cast<double>(draws.size());
  if (share <= 0 || share >= 1)
    return error("all draws lie on one side of the value: no corrected interval");
  const double bias = normal_quantile(share), a = acceleration(samples, statistic);
  if (!std::isfinite(a)) return error("the value without one of its data is not finite");
  const double low = corrected(tail, bias, a), high = corrected(1 - tail, bias, a);
  if (!(low < high)) return error("the data are too skewed for a corrected interval");
  return Interval{quantile(draws, low), quantile(draws, high)};
}

Status check(const Samples& samples, const BootstrapOptions& options) {
  if (samples.empty()) return error("there is no sample to draw from");
  for (const auto& s : samples)
    if (const Status ok = check_sample(s, "a sample to draw from", 2); !ok) return ok;
  if (options.resamples < 100)
    return error("{} draws are too few for an interval (at least 100)", options.resamples);
  return check_confidence(options.confidence);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return quantile(values, 0.5);
}

}  // namespace

double quantile(std::span<const double> sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(place);
  if (low + 1 >= sorted.size()) return sorted.back();
  // As a sum of two shares it cannot leave its neighbours or overflow.
  const double up = place - static_cast<double>(low);
  return sorted[low] == sorted[low + 1] ? sorted[low]
                                        : sorted[low] * (1 - up) + sorted[low + 1] * up;
}

Result<Effect> bootstrap(const std::string& name, const Samples& samples,
                         const Statistic& statistic, const BootstrapOptions& options) {
  if (const Status ok = check(samples, options); !ok) return tl::unexpected(ok.error());
  Effect out{name, statistic(samples), {}, options.confidence};
  if (!std::isfinite(*out.value)) return error("{} is {} on these samples", name, *out.value);
  Rng rng(options.seed);
  Samples drawn = samples;
  std::vector<double> draws(options.resamples);
  for (double& d : draws) {
    redraw(samples, drawn, rng);
    d = statistic(drawn);
    if (!std::isfinite(d)) return error("{} is {} on some draws: it has no interval", name, d);
  }
  std::sort(draws.begin(), draws.end());
  if (draws.front() == draws.back() && draws.front() == *out.value) return out;
  const double tail = (1 - options.confidence) / 2;
  if (options.method == BootstrapMethod::percentile) {
    out.interval = Interval{quantile(draws, tail), quantile(draws, 1 - tail)};
    return out;
  }
  const Result<Interval> interval = bca(draws, *out.value, samples, statistic, tail);
  if (!interval) return error("{}: {}", name, interval.error());
  out.interval = *interval;
  return out;
}

Result<Effect> bootstrap_mean(std::span<const double> values, const BootstrapOptions& options) {
  const auto mean = [](const Samples& s) {
    double sum = 0;
    for (const double v : s[0]) sum += v;
    return sum / static_cast<double>(s[0].size());
  };
  return bootstrap("mean", {{values.begin(), values.end()}}, mean, options);
}

Result<Effect> bootstrap_median(std::span<const double> values, const BootstrapOptions& options) {
  return bootstrap(
      "median", {{values.begin(), values.end()}}, [](const Samples& s) { return median(s[0]); },
      options);
}

Result<Effect> bootstrap_a12(std::span<const double> a, std::span<const double> b,
                             const BootstrapOptions& options) {
  return bootstrap(
      "A12", {{a.begin(), a.end()}, {b.begin(), b.end()}},
      [](const Samples& s) { return a12(s[0], s[1]).value(); }, options);
}

}  // namespace schism::measure
