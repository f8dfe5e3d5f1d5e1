// The systems that we ship, apart from those that tests register beside them.
#pragma once

#include <vector>

#include "schism/system/systems.hpp"

namespace schism::testing_only {

inline std::vector<const System*> shipped_systems() {
  std::vector<const System*> out;
  for (const char* name :
       {"atomic-broadcast", "bft-smart", "bracha", "craft", "cube-world", "hierarchical-consensus",
        "multipaxos", "paxos", "pbft", "raft", "regular-register", "reliable-broadcast", "rsl",
        "tendermint", "tokens", "toy-consensus", "two-phase-commit", "worker-pool", "xrpl"})
    if (const System* system = systems().find(name)) out.push_back(system);
  return out;
}

}  // namespace schism::testing_only
