// Whether a trace is 1-minimal: no run without one action, node, fault or client operation violates
// the same property with the same evidence. Checked on the trace alone, apart from how it was made.
#pragma once

#include <functional>

#include "schism/shrink/stage.hpp"

namespace schism {

struct Certificate {
  bool minimal = false;
  bool complete = false;  // every candidate was tried
  std::uint64_t replays = 0;
  std::string counterexample;  // what can be left out, if something can

  FIELDS(minimal, complete, replays, counterexample)
};

// `enough`, asked now and then: true ends it, with what was tried. `smaller` becomes the run that
// does without something.
Certificate certify(const Trace& trace, std::uint64_t replays_max = UINT64_MAX,
                    const std::function<bool()>& enough = {},
                    std::optional<Outline>* smaller = nullptr);

}  // namespace schism
