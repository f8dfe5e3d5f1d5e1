// Macro steps of learners, with learning and safety oracles, without a tail: 3 nodes, episodes of
// 25 steps of 4 ticks. In this process; of craft, which may kill it, a copy plays everything first.
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

const Spec kCraft{"craft", {{"progress", "false"}}};

// What a learner remembers, at the most that ten thousand episodes of 25 steps can show it.
void pairs(benchmark::State& state) {
  constexpr std::uint64_t kPairs = 250'000;
  std::size_t bytes = 0;
  for (auto _ : state) {
    learn::Table table(1);
    for (std::uint64_t i = 0; i < kPairs; ++i)
      table.set(learn::pair_key(mix64(i / 5), i % 5), 0.5F, 1);
    table.keep();
    bytes = table.bytes();
  }
  state.counters["MB"] = static_cast<double>(bytes) / 1e6;
  state.counters["pairs"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * static_cast<double>(kPairs),
                         benchmark::Counter::kIsRate);
}
BENCHMARK(pairs)->Unit(benchmark::kMillisecond);

BENCHMARK_CAPTURE(macro_steps, craft_random, kCraft, "random-steps")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(macro_steps, craft_bonusmax, kCraft, "bonusmax")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(macro_steps, rsl_random, kRsl, "random-steps")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(macro_steps, rsl_bonusmax, kRsl, "bonusmax")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(macro_steps, rsl_waypoint, kRsl, "waypoint:to=\"any_ballot(3)\"")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(macro_steps, rsl_model, kRsl, "bonusmax:coverage=model")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(macro_steps, raft_random, kRaft, "random-steps")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(macro_steps, raft_bonusmax, kRaft, "bonusmax")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(macro_steps, raft_waypoint, kRaft, "waypoint:to=\"log_commit_gap(3)\"")
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace schism
