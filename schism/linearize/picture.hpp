// A few operations as text, a line a client, time to the right:
//
//   client 0  |write 1|
//   client 1            |write 2|
//   client 2                      |read 1|
//   client 3      |write 7 ...                 without an answer
#pragma once

#include <string>

#include "schism/linearize/checker.hpp"

namespace schism::linearize {

// At most `columns` wide: where the operations do not fit, letters stand for them, with a legend,
// and where letters do not fit either, there is only the list of the first forty.
std::string draw(const History& history, const Partition& part, std::size_t columns = 100);

}  // namespace schism::linearize
