// How what systematic search speaks of travels between processes (base/codec.hpp).
#pragma once

#include "schism/check/dpor.hpp"
#include "schism/words/codec.hpp"

namespace schism {

template <>
inline constexpr std::uint64_t kEnumCount<check::Finished> = 4;

template <>
struct Coding<check::Choices> {  // no more than there is room for, zeros behind
  static constexpr std::string_view shape = "choices";
  static void put(Encoder& e, const check::Choices& c) {
    e.byte(c.count);
    for (std::uint8_t i = 0; i < c.count; ++i) e.byte(c.k[i]);
  }
  static bool get(Decoder& d, check::Choices& c) {
    std::uint8_t count = 0, answer = 0;
    if (!d.byte(count)) return false;
    if (count > check::Choices::kMost) return d.fail("too many choices");
    for (c = {}; count > 0; --count) {
      if (!d.byte(answer)) return false;
      c.push(answer);
    }
    return true;
  }
};

}  // namespace schism
