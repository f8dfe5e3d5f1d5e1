// Runs without a step are no evidence, however many there are: what should begin them was
// forgotten.
#pragma once

#include <string_view>

namespace schism {

inline constexpr std::string_view kNothingHappens =
    "nothing happens in any run: no node sends or sets a timer when it starts, and no client asks "
    "for anything (SystemBuilder::workload)";

}  // namespace schism
