// How much a text from outside may ask for.
#pragma once

#include <cstddef>

namespace schism {

// Values in one JSON text or EDN form: a byte or two of text would cost forty in memory.
inline constexpr std::size_t kValuesMax = 1'000'000;

}  // namespace schism
