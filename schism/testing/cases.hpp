// How many cases a long random test plays. A sanitizer takes three to eight times as long for each
// and looks for other mistakes than the test does: there a quarter of them is enough.
#pragma once

#include <cstdint>

#include "tests/places/places.hpp"

namespace schism::testing_tools {

inline std::uint64_t cases(std::uint64_t all) {
  return *places::kSanitize == '\0' ? all : (all + 3) / 4;
}

}  // namespace schism::testing_tools
