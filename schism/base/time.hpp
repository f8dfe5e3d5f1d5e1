// Time inside a world: whole microseconds, never the wall clock.
#pragma once

#include <cstdint>

namespace schism {

using Micros = std::int64_t;

inline namespace literals {
constexpr Micros operator""_us(unsigned long long n) { return static_cast<Micros>(n); }
constexpr Micros operator""_ms(unsigned long long n) { return static_cast<Micros>(n) * 1000; }
constexpr Micros operator""_s(unsigned long long n) { return static_cast<Micros>(n) * 1'000'000; }
}  // namespace literals

}  // namespace schism
