#include "schism/measure/studentized_range.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "schism/measure/distributions.hpp"

namespace schism::measure {
namespace {

// Gauss-Legendre on equal panels.
template <class F>
double integrate(F f, double low, double high, int panels) {
  double sum = 0;
  const double width = (high - low) / panels;
  for (int i = 0; i < panels; ++i)
    sum += boost::math::quadrature::gauss<double, 20>::integrate(f, low + i * width,
                                                                 low + (i + 1) * width);
  return sum;
}

// P(range of k standard normal values > w). With z the largest, the others lie in [z - w, z] with
// probability (P(z) - P(z - w))^(k - 1), P being the normal distribution. That taken from
// P(z)^(k - 1) leaves what is wanted without cancellation: a small tail keeps its digits.
double range_upper(double w, double k) {
  if (w <= 0) return 1;
  const auto integrand = [&](double z) {
    const double below = normal_upper(-z), far_below = normal_upper(w - z);
    if (below <= 0) return 0.0;
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    const double out_of_range = -std::expm1((k - 1) * std::log1p(-far_below / below));
    return k * density * std::pow(below, k - 1) * out_of_range;
  };
  // The mass lies near w / 2 if w is large, near the largest of k otherwise.
  const double low = std::max(-9.0, w / 2 - 12), high = w / 2 + 10;
  return std::min(1.0, integrate(integrand, low, high, static_cast<int>((high - low) / 2) + 1));
}

// The tail as an integral over t, the logarithm of the estimated deviation.
class Tail {
 public:
  Tail(double q, double k, double freedom) : q_(q), k_(k), freedom_(freedom) {
    const double half = freedom / 2;
    constant_ = half * std::log(freedom) - log_gamma(half) - (half - 1) * std::numbers::ln2;
  }

  double integral() const {
    const double top = peak(), least = log_integrand(top) - kNegligible;
    if (!std::isfinite(least)) return 0;
    const double low = edge(top, -1, least), high = edge(top, 1, least);
    return std::min(1.0,
                    integrate([&](double t) { return std::exp(log_integrand(t)); }, low, high, 24));
  }

 private:
  static constexpr double kNegligible = 42;  // e^-42 of the peak

  double log_integrand(double t) const {
    const double density = constant_ + freedom_ * t - freedom_ * std::exp(2 * t) / 2;
    return density + std::log(range_upper(q_ * std::exp(t), k_));
  }

  // It has one peak: the density's is at 0, and the range's tail only falls. Left of where the
  // range's tail begins to fall the integrand still rises.
  double peak() const {
    double low = -std::log(std::max(1.0, q_)) - 3, high = 0;
    while (high - low > 1e-3 / std::sqrt(freedom_)) {
      const double first = low + (high - low) / 3, second = high - (high - low) / 3;
      (log_integrand(first) >= log_integrand(second) ? high : low) =
          log_integrand(first) >= log_integrand(second) ? second : first;
    }
    return (low + high) / 2;
  }

  // Where it has become negligible, going from the peak.
  double edge(double top, int way, double least) const {
    double near = 0, far = 1 / std::sqrt(freedom_);
    while (log_integrand(top + way * far) > least) near = far, far *= 2;
    while (far - near > 0.05 * far) {
      const double middle = (near + far) / 2;
      (log_integrand(top + way * middle) > least ? near : far) = middle;
    }
    return top + way * far;
  }

  double q_, k_, freedom_, constant_;
};

}  // namespace

double studentized_range_upper(double q, std::size_t k, double freedom) {
  if (std::isnan(q) || k < 2 || !(freedom >= 1)) return std::numeric_limits<double>::quiet_NaN();
  if (q <= 0) return 1;
  if (std::isinf(q)) return 0;
  // From here on the estimate is as good as the deviation itself.
  if (freedom > 1e6) return range_upper(q, static_cast<double>(k));
  return Tail(q, static_cast<double>(k), freedom).integral();
}

double studentized_range_quantile(double tail, std::size_t k, double freedom) {
  if (!(tail > 0 && tail < 1) || k < 2 || !(freedom >= 1))
    return std::numeric_limits<double>::quiet_NaN();
  const auto off = [&](double q) {
    return std::log(studentized_range_upper(q, k, freedom) / tail);
  };
  double high = 4;
  while (off(high) > 0) high *= 2;
  double low = high / 2;
  while (off(low) < 0) low /= 2;
  std::uintmax_t rounds = 60;
  const auto [from, to] = boost::math::tools::toms748_solve(
      off, low, high, boost::math::tools::eps_tolerance<double>(40), rounds);
  return (from + to) / 2;
}

}  // namespace schism::measure
