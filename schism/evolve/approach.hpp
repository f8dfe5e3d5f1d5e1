// Does evolution come nearer to known failures, generation by generation, even where it does not
// reach one? The distance of each run, as a graph, to the nearest of some failing runs, by the
// Hausdorff edit distance (DiscoTest's future work).
#pragma once

#include <atomic>

#include "schism/evolve/locality.hpp"
#include "schism/trace/trace.hpp"

namespace schism::evolve {

struct Approached {
  Spread distance;     // of a run to the nearest failure, as a share of the largest possible
  double nearest = 1;  // the least of them
  std::uint64_t violated = 0;
  Spread gauge;  // the first that runs report: of `evolve` its fitness, unless that is rarity

  void add(const Approached& other);  // runs of another trial
};

// `config`: with the explorer that proposes the runs, a batch a generation. `known`: failing runs
// of the same system with as many nodes. An explorer that is finished before, or a stop, makes it
// shorter.
Result<std::vector<Approached>> measure_approach(const RunConfig& config,
                                                 const std::vector<Trace>& known,
                                                 std::uint64_t generations, std::uint64_t seed,
                                                 const std::atomic<bool>& stop);

}  // namespace schism::evolve
