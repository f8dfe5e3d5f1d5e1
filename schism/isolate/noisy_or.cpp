#include "schism/isolate/noisy_or.hpp"

#include <algorithm>
#include <cmath>

namespace schism::isolate {
namespace {

constexpr double kPseudoPassing = 0.5;
constexpr double kLeast = 1e-9, kMost = 20;
constexpr double kClose = 1e-5;  // the likelihood is flat there: its error is the square of this

double exposure(const Pattern& p, const std::vector<double>& w) {
  double z = w[0];
  for (std::size_t j = 1; j < w.size(); ++j)
    if (p.causes >> (j - 1) & 1) z += w[j];
  return z;
}

double likelihood(const std::vector<Pattern>& patterns, const std::vector<double>& w) {
  double out = 0;
  for (const double weight : w) out -= kPseudoPassing * weight;
  for (const Pattern& p : patterns) {
    const double z = exposure(p, w);
    out -= p.passing * z;
    if (p.failing > 0) out += p.failing * std::log(-std::expm1(-z));
  }
  return out;
}

// One Newton step for one weight, kept inside and from overshooting towards 0.
double step(const std::vector<Pattern>& patterns, const std::vector<double>& w, std::size_t j) {
  double slope = -kPseudoPassing, bend = 0;
  for (const Pattern& p : patterns) {
    if (j > 0 && !(p.causes >> (j - 1) & 1)) continue;
    slope -= p.passing;
    if (p.failing == 0) continue;
    const double e = std::exp(-exposure(p, w)), rest = 1 - e;
    slope += p.failing * e / rest;
    bend -= p.failing * e / (rest * rest);
  }
  const double next = bend == 0 ? kLeast : w[j] - slope / bend;
  return std::clamp(std::max(next, w[j] / 10), kLeast, kMost);
}

}  // namespace

double NoisyOr::strikes(std::size_t cause) const { return -std::expm1(-weights[cause + 1]); }

NoisyOr fit(const std::vector<Pattern>& patterns, std::size_t causes,
            const std::vector<double>& start) {
  NoisyOr out;
  out.weights = start;
  if (out.weights.empty()) out.weights.push_back(0.05);
  out.weights.resize(causes + 1, 1.0);
  for (int round = 0; round < 100; ++round) {
    double moved = 0;
    for (std::size_t j = 0; j <= causes; ++j)
      for (int i = 0; i < 4; ++i) {
        const double next = step(patterns, out.weights, j);
        const double by = std::abs(next - out.weights[j]);
        out.weights[j] = next;
        moved = std::max(moved, by);
        if (by < kClose) break;
      }
    if (moved < kClose) break;
  }
  out.log_likelihood = likelihood(patterns, out.weights);
  return out;
}

}  // namespace schism::isolate
