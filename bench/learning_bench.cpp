// Macro steps of learners, with learning and safety oracles, without a tail: 3 nodes, episodes of
// 25 steps of 4 ticks. In this process.
//
//   make bench BENCH_ARGS=--benchmark_filter=macro_steps
#include <benchmark/benchmark.h>

#include "schism/learn/score.hpp"

namespace schism {
namespace {

void macro_steps(benchmark::State& state, const Spec& system, const char* explorer) {
  RunText text;
  text.system = system;
  text.explorer = *parse_spec(explorer);
  text.nodes = "3";
  text.world = {{"disk", "sync"}};
  const RunConfig config = *make_config(text);
  const std::atomic<bool> stop{false};
  std::uint64_t steps = 0, seed = 1;
  for (auto _ : state) steps += learn::score(config, seed++, 1000, {}, stop)->steps;
  state.counters["steps"] =
      benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
}

const Spec kRsl{"rsl", {{"clients", "10"}, {"requests", "1"}}};
const Spec kRaft{"raft",
                 {{"clients", "6"},
                  {"requests", "2"},
                  {"election", "90ms"},
                  {"heartbeat", "30ms"},
                  {"check-quorum", "true"},
                  {"progress", "false"}}};

BENCHMARK_CAPTURE(macro_steps, rsl_random, kRsl, "random-steps")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(macro_steps, rsl_bonusmax, kRsl, "bonusmax")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(macro_steps, raft_random, kRaft, "random-steps")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(macro_steps, raft_bonusmax, kRaft, "bonusmax")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace schism
