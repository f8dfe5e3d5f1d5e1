// A scenario that has clients of its own. What they ask for is no part of the system's workload, so
// a run that is kept carries it (`make_trace`): a replay has no filters that would ask.
#pragma once

#include <vector>

#include "schism/run/staging.hpp"
#include "schism/world/world.hpp"

namespace schism {

class AskingStaging : public Staging {
 public:
  // Clients count from 0 here; in a run they come after those of the system.
  virtual std::vector<ClientRequest> requests() const = 0;
};

}  // namespace schism
