// The project's own random numbers. Traces must replay on every platform and with every library
// version, so neither the generator nor its distributions come from the standard library.
#pragma once

#include <cstdint>

#include "schism/base/hash.hpp"

namespace schism {

// n > 0; the bias of at most n / 2^64 is far below anything a test could see.
inline std::uint64_t scale_below(std::uint64_t random64, std::uint64_t n) {
  return static_cast<std::uint64_t>((static_cast<U128>(random64) * n) >> 64);
}

// A value in [0, 1) with 53 bits.
inline double to_unit(std::uint64_t random64) {
  return static_cast<double>(random64 >> 11) * 0x1p-53;
}

// wyrand: one addition and one multiplication a number, passes BigCrush and PractRand.
class Rng {
 public:
  explicit Rng(std::uint64_t seed = 0) : state_(mix64(seed + 0x632be59bd9b4e019ULL)) {}

  std::uint64_t next() {
    state_ += 0xa0761d6478bd642fULL;
    return fold_multiply(state_, state_ ^ 0xe7037ed1a0b428dbULL);
  }
  std::uint64_t below(std::uint64_t n) { return scale_below(next(), n); }
  // Both ends included.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    const auto span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    return low + static_cast<std::int64_t>(span == 0 ? next() : below(span));
  }
  double unit() { return to_unit(next()); }
  bool chance(double p) { return unit() < p; }
  // The same numbers are still to come.
  friend bool operator==(const Rng&, const Rng&) = default;

 private:
  std::uint64_t state_;
};

// A number that depends on its keys alone: removing one draw does not shift the others.
inline std::uint64_t keyed(std::uint64_t seed, std::uint64_t a, std::uint64_t b = 0) {
  return mix64(fold_multiply(seed ^ 0x9e6c63d0876a9a47ULL, mix64(a)) +
               fold_multiply(b ^ 0x3c6ef372fe94f82bULL, 0xd6e8feb86659fd93ULL) + a);
}

}  // namespace schism
