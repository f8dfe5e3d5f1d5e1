// Random numbers for drawn configurations. Only what IEEE rounds correctly is used, so that the
// same seed draws the same everywhere: no logarithm of a library.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "schism/base/params.hpp"
#include "schism/base/random.hpp"

namespace schism {

// base to the power of a share in [0, 1), bit by bit of the share.
inline double power(double base, double share) {
  double out = 1, root = base;
  for (int bit = 0; bit < 30; ++bit) {
    root = std::sqrt(root);
    share *= 2;
    if (share < 1) continue;
    out *= root;
    share -= 1;
  }
  return out;
}

// Log-uniform: as likely between 1 and 2 as between 10 and 20. Ends included; 0 < low <= high.
inline double log_uniform(Rng& random, double low, double high) {
  return low * power(high / low, random.unit());
}
inline std::int64_t log_uniform_integer(Rng& random, std::int64_t low, std::int64_t high) {
  if (low >= high) return low;
  const double drawn = log_uniform(random, static_cast<double>(low), static_cast<double>(high) + 1);
  const auto whole = static_cast<std::int64_t>(drawn);
  return whole < low ? low : whole > high ? high : whole;
}

template <class T>
const T& pick(Rng& random, const std::vector<T>& from) {
  return from[static_cast<std::size_t>(random.below(from.size()))];
}

// A number with three digits behind the point, for people who read what was drawn.
inline std::string short_number(double number) {
  return detail::print_number(std::floor(number * 1000 + 0.5) / 1000);
}
inline std::string log_uniform_text(Rng& random, double low, double high) {
  return short_number(log_uniform(random, low, high));
}
inline std::string log_uniform_ms(Rng& random, std::int64_t low, std::int64_t high) {
  return std::to_string(log_uniform_integer(random, low, high)) + "ms";
}

}  // namespace schism
