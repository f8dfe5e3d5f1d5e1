#include "schism/measure/shapiro_wilk.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "schism/measure/distributions.hpp"

namespace schism::measure {
namespace {

// c[0] + c[1] x + c[2] x^2 + ...
template <std::size_t N>
double polynomial(const std::array<double, N>& c, double x) {
  double out = 0;
  for (std::size_t i = N; i-- > 0;) out = out * x + c[i];
  return out;
}

// How much each value counts, the smallest first; antisymmetric, squares sum to 1. Those of the
// normal order statistics, with Royston's polynomials for the outer one or two.
std::vector<double> weights(std::size_t n) {
  if (n == 3) return {-std::numbers::sqrt2 / 2, 0, std::numbers::sqrt2 / 2};
  const auto size = static_cast<double>(n);
  std::vector<double> m(n);
  double squares = 0;
  for (std::size_t i = 0; i < n; ++i) {
    m[i] = normal_quantile((static_cast<double>(i) + 0.625) / (size + 0.25));
    squares += m[i] * m[i];
  }
  const double u = 1 / std::sqrt(size), root = std::sqrt(squares);
  const double last =
      polynomial<6>({0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056}, u) + m[n - 1] / root;
  std::vector<double> out(n);
  double left = squares - 2 * m[n - 1] * m[n - 1], share = 1 - 2 * last * last;
  std::size_t outer = 1;
  if (n > 5) {
    const double second =
        polynomial<6>({0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633}, u) +
        m[n - 2] / root;
    left -= 2 * m[n - 2] * m[n - 2];
    share -= 2 * second * second;
    out[n - 2] = second, out[1] = -second;
    outer = 2;
  }
  out[n - 1] = last, out[0] = -last;
  const double scale = std::sqrt(left / share);
  for (std::size_t i = outer; i < n - outer; ++i) out[i] = m[i] / scale;
  return out;
}

// 1 - W, which is what small samples and nearly normal ones need digits of.
double one_minus_w(std::span<const double> sorted) {
  const std::vector<double> a = weights(sorted.size());
  // Scaled, so that neither tiny nor huge values lose digits or overflow.
  const double range = sorted.back() - sorted.front();
  double mean = 0, squares_a = 0;
  for (const double x : sorted) mean += (x - sorted.front()) / range;
  mean /= static_cast<double>(sorted.size());
  double squares = 0, product = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = (sorted[i] - sorted.front()) / range - mean;
    squares += x * x;
    squares_a += a[i] * a[i];
    product += a[i] * x;
  }
  const double both = std::sqrt(squares * squares_a);
  return std::max(0.0, (both - product) * (both + product) / (squares * squares_a));
}

double p_value(double one_minus_w, std::size_t n) {
  const auto size = static_cast<double>(n);
  if (n == 3) {  // exact
    const double w = 1 - one_minus_w;
    return std::clamp(6 / std::numbers::pi * (std::asin(std::sqrt(w)) - std::asin(std::sqrt(0.75))),
                      0.0, 1.0);
  }
  double y = std::log(one_minus_w), middle = 0, deviation = 0;
  if (n <= 11) {
    const double end = polynomial<2>({-2.273, 0.459}, size);
    if (y >= end) return 0;  // beyond what the approximation reaches
    y = -std::log(end - y);
    middle = polynomial<4>({0.544, -0.39978, 0.025054, -6.714e-4}, size);
    deviation = std::exp(polynomial<4>({1.3822, -0.77857, 0.062767, -0.0020322}, size));
  } else {
    const double x = std::log(size);
    middle = polynomial<4>({-1.5861, -0.31082, -0.083751, 0.0038915}, x);
    deviation = std::exp(polynomial<3>({-0.4803, -0.082676, 0.0030302}, x));
  }
  return normal_upper((y - middle) / deviation);
}

}  // namespace

Result<TestResult> shapiro_wilk(std::span<const double> values, const std::string& name) {
  if (const Status ok = check_sample(values, name, 3); !ok) return tl::unexpected(ok.error());
  if (values.size() > 5000)
    return error("the approximation of Shapiro and Wilk's test ends at 5000 values, not {}",
                 values.size());
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  TestResult out{.test = "Shapiro-Wilk", .symbol = "W"};
  out.alternative = Alternative::any;
  out.hypothesis = "not normal";
  out.method = values.size() == 3 ? "exact" : "Royston's approximation";
  out.sizes = {values.size()};
  const double range = sorted.back() - sorted.front();
  if (!(range > 0) || !std::isfinite(range)) {
    out.statistic = std::numeric_limits<double>::quiet_NaN();
    out.why_no_p = range == 0 ? "every value is the same" : "the values are too far apart";
    return out;
  }
  const double rest = one_minus_w(sorted);
  out.statistic = 1 - rest;
  out.p = p_value(rest, values.size());
  out.direction = name + (*out.p < 0.05 ? " is unlikely to be normal" : " may be normal");
  return out;
}

}  // namespace schism::measure
