#include "schism/measure/distinct.hpp"

#include <cmath>

namespace schism {

std::uint64_t Distinct::estimate() const {
  const auto m = static_cast<double>(registers_.size());
  double sum = 0;
  int empty = 0;
  for (const std::uint8_t r : registers_) {
    sum += std::ldexp(1.0, -r);
    empty += r == 0 ? 1 : 0;
  }
  const double raw = 0.7213 / (1 + 1.079 / m) * m * m / sum;
  // Few things: counting empty registers is nearly exact.
  const double best = raw <= 2.5 * m && empty > 0 ? m * std::log(m / empty) : raw;
  return static_cast<std::uint64_t>(std::llround(best));
}

}  // namespace schism
