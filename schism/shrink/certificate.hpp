// Whether a trace is 1-minimal: no run without one action, node, fault or client operation violates
// the same property with the same evidence. Checked on the trace alone, apart from how it was made.
#pragma once

#include "schism/shrink/stage.hpp"

namespace schism {

struct Certificate {
  bool minimal = false;
  bool complete = false;  // every candidate was tried
  std::uint64_t replays = 0;
  std::string counterexample;  // what can be left out, if something can
};

Certificate certify(const Trace& trace, std::uint64_t replays_max = UINT64_MAX);

}  // namespace schism
