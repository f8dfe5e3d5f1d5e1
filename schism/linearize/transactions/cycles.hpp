// Cycles of dependencies, by the name of what went wrong.
#pragma once

#include <optional>

#include "schism/linearize/transactions/dependencies.hpp"

namespace schism::linearize {

struct CycleStep {
  std::uint32_t from = 0;  // a transaction's node
  Edge edge;               // to the next one; rt may have passed through moments
};

struct Cycle {
  std::string name;  // G0, G1c, G-single, G2-item; with "-realtime" where it takes real time
  std::vector<CycleStep> steps;
};

// The worst kind there is, and of that one a short cycle; nothing if there is none.
std::optional<Cycle> find_cycle(const Dependencies& dependencies);

}  // namespace schism::linearize
