// Random behaviours instead of all of them: from a random initial state a random successor at a
// time, by seeds. A violation found this way is real; nothing found proves nothing.
#pragma once

#include "schism/tla/checker.hpp"

namespace schism::tla {

struct SimulateOptions {
  std::uint64_t seed = 1;
  std::uint64_t runs = 1000;
  std::uint64_t depth = 100;
  bool deadlock = true;
};

CheckReport simulate(Spec& spec, const SimulateOptions& options,
                     const std::atomic<bool>& interrupted);

}  // namespace schism::tla
