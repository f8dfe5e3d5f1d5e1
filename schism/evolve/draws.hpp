// Random numbers of the distributions that variation operators need. Additions, products, quotients
// and square roots only, which IEEE rounds correctly, so that the same seed breeds the same genes
// everywhere: no logarithm of a library.
#pragma once

#include <cmath>
#include <cstdint>

#include "schism/base/random.hpp"

namespace schism::evolve {

// The natural logarithm of x > 0, to the last digits: x = m 2^e, ln m = 2 artanh((m-1)/(m+1)).
inline double natural_log(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);  // in [1/2, 1)
  if (m < 0.70710678118654752) {
    m *= 2;
    --exponent;
  }
  const double z = (m - 1) / (m + 1), z2 = z * z;  // |z| <= 0.172
  double sum = 0;
  for (int k = 23; k >= 1; k -= 2) sum = sum * z2 + 1.0 / k;
  return 2 * z * sum + exponent * 0.69314718055994531;
}

// x to a whole power.
inline double whole_power(double x, std::int64_t n) {
  double out = 1;
  for (; n > 0; n >>= 1, x *= x)
    if (n & 1) out *= x;
  return out;
}

// Above 0, at most 1: what a logarithm can take.
inline double positive_unit(Rng& random) { return 1 - random.unit(); }

// Mean 0, deviation 1 (Marsaglia's polar method; the second number is thrown away, so that nothing
// is carried over).
inline double standard_normal(Rng& random) {
  for (;;) {
    const double x = 2 * random.unit() - 1, y = 2 * random.unit() - 1, s = x * x + y * y;
    if (s > 0 && s < 1) return x * std::sqrt(-2 * natural_log(s) / s);
  }
}

// Density exp(-|x - location| / scale) / (2 scale).
inline double laplace(Rng& random, double location, double scale) {
  const double distance = -scale * natural_log(positive_unit(random));
  return random.chance(0.5) ? location + distance : location - distance;
}

}  // namespace schism::evolve
