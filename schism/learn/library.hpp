// A system's own predicates by name (Lessons::predicates), each with the waypoints on the way to
// it. A line of such a library:
//
//   log_diff(x): max(log.size) - min(log.size) >= x via log_diff(1..x-1)
//
// Asked for log_diff(3) it gives log_diff(1), log_diff(2), log_diff(3). Names in parentheses are
// whole numbers; `via` lists what holds on every way there, first things first, each with the
// waypoints that it has itself, none twice.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schism/base/result.hpp"

namespace schism {
class System;
}

namespace schism::learn {

// A predicate as it is, or a name of the library with everything on the way.
Result<std::vector<std::string>> expand(const System& system, std::string_view text);

// "log_diff(x)", for people.
std::vector<std::string> library_names(const System& system);

}  // namespace schism::learn
