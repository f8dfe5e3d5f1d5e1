// A counterexample for people and for other tools.
#pragma once

#include <string>

#include "schism/tla/checker.hpp"

namespace schism::tla {

struct TellOptions {
  bool differences = true;  // after the first state only what changed
  bool color = false;
};

std::string tell_trace(Spec& spec, const CheckReport& report, const TellOptions& options);
// Informal Trace Format, https://apalache-mc.org/docs/adr/015adr-trace.html
std::string to_itf(Spec& spec, const CheckReport& report);
// One file without any other: states side by side with what changed.
std::string to_page(Spec& spec, const CheckReport& report);

}  // namespace schism::tla
