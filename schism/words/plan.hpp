// What decides a run beside its configuration, and what is left of it when it was played.
#pragma once

#include "schism/base/fields.hpp"

namespace schism {

struct RunPlan {
  std::uint64_t seed = 0;       // of the scheduler
  std::uint64_t node_seed = 0;  // of the nodes' random numbers and the workload
  FIELDS(seed, node_seed)
};

struct RunSummary {
  Hash128 run_class;  // the causal hash at the end
  std::uint64_t steps = 0, deliveries = 0;
  std::uint64_t simulated_us = 0;
  std::uint64_t met = 0, judged = 0;  // a bit an oracle
  bool violated = false;
  std::uint32_t oracle = 0;  // which one, if violated
  FIELDS(run_class, steps, deliveries, simulated_us, met, judged, violated, oracle)
};

}  // namespace schism
