// What decides a run beside its configuration, and what is left of it when it was played. A plan is
// closed: run = f(configuration, plan), whoever plays it, wherever and in whatever order.
#pragma once

#include <string>
#include <vector>

#include "schism/base/fields.hpp"
#include "schism/words/action.hpp"

namespace schism {

struct RunPlan {
  std::uint64_t seed = 0;       // of the scheduler
  std::uint64_t node_seed = 0;  // of the nodes' random numbers and the workload
  std::uint32_t arm = 0;        // which of its explorer's schedulers plays it
  std::uint32_t world = 0;  // number of a configuration that its explorer drew; 0: the given one
  std::string gene = {};    // what else its explorer says to its scheduler

  friend bool operator==(const RunPlan&, const RunPlan&) = default;
  FIELDS(seed, node_seed, arm, world, gene)
};

struct RunSummary {
  Hash128 run_class;  // the causal hash at the end
  std::uint64_t steps = 0, deliveries = 0;
  std::uint64_t simulated_us = 0;
  std::uint64_t met = 0, judged = 0;  // a bit an oracle
  std::uint64_t muted = 0;            // a bit an oracle: violated, and nobody wants to hear of it
  bool violated = false;
  std::uint32_t oracle = 0;  // which one, if violated

  friend bool operator==(const RunSummary&, const RunSummary&) = default;
  FIELDS(run_class, steps, deliveries, simulated_us, met, judged, muted, violated, oracle)
};

// What an explorer learns from. Decisions come with runs that violated something, and with those
// that showed something new where the explorer keeps schedules, so that nothing is played twice to
// be kept.
struct RunResult {
  RunSummary summary;
  std::vector<std::uint64_t> fresh;  // coverage that no run before it in the hunt has shown
  std::vector<std::uint64_t> rare;   // and that which only few have
  std::string report;                // from the scheduler to its explorer
  std::vector<Action> decisions;
  std::vector<Value> contents;  // of mutated and injected messages among them
  // CPU time of its player, where the order asked for it. For budgets: nobody learns from it.
  std::uint64_t cpu_us = 0;

  FIELDS(summary, fresh, rare, report, decisions, contents, cpu_us)
};

}  // namespace schism
