// Complete Raft, its safety oracles on: deliveries per CPU-second under each scheduler, and how the
// cost grows with nodes and with the length of the log.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <stdexcept>

#include "schism/run/config.hpp"

namespace schism {
namespace {

RunConfig raft(const std::string& params, const std::string& scheduler, std::int64_t nodes,
               std::int64_t steps, const Pairs& faults = {}) {
  RunText text;
  // Liveness is judged in the fair tail, which is another kind of run.
  text.system = *parse_spec("raft:progress=false" + params);
  text.explorer = *parse_spec(scheduler);
  text.nodes = std::to_string(nodes);
  text.steps = std::to_string(steps);
  text.faults = faults;
  auto config = make_config(text);
  if (!config) throw std::invalid_argument(config.error());
  return *std::move(config);
}

void play(benchmark::State& state, const RunConfig& config) {
  Runner runner(config.setup, config.limits);
  const auto scheduler = make_scheduler(config);
  std::uint64_t seed = 0, deliveries = 0, steps = 0, simulated = 0;
  for (auto _ : state) {
    const RunSummary s = runner.run(*scheduler, {seed, seed});
    if (s.violated) state.SkipWithError("a violation");
    ++seed, deliveries += s.deliveries, steps += s.steps, simulated += s.simulated_us;
  }
  const auto a_second = [](std::uint64_t n) {
    return benchmark::Counter(static_cast<double>(n), benchmark::Counter::kIsRate);
  };
  state.counters["deliveries"] = a_second(deliveries);
  state.counters["steps"] = a_second(steps);
  if (simulated > 0) state.counters["simulated_s"] = a_second(simulated / 1'000'000);
}

void raft_under(benchmark::State& state, const std::string& scheduler) {
  play(state, raft("", scheduler, state.range(0), 1000));
}
BENCHMARK_CAPTURE(raft_under, random, "random")->Arg(3)->Arg(5);
BENCHMARK_CAPTURE(raft_under, timed, "timed")->Arg(3)->Arg(5);
BENCHMARK_CAPTURE(raft_under, stepped, "stepped")->Arg(3)->Arg(5);
BENCHMARK_CAPTURE(raft_under, pctcp, "pctcp:horizon=1000")->Arg(3)->Arg(5);
BENCHMARK_CAPTURE(raft_under, pos, "pos:horizon=1000")->Arg(3)->Arg(5);

void raft_with_faults(benchmark::State& state) {
  play(state, raft("", "random", state.range(0), 1000,
                   {{"crash", "3"}, {"drop", "10"}, {"duplicate", "10"}, {"partition", "2"}}));
}
BENCHMARK(raft_with_faults)->Arg(3)->Arg(5);

void raft_nodes(benchmark::State& state) { play(state, raft("", "random", state.range(0), 1000)); }
BENCHMARK(raft_nodes)->Arg(3)->Arg(5)->Arg(7);

// Runs so long that the log has hundreds and thousands of entries: a step must not feel it.
void raft_log(benchmark::State& state) {
  play(state, raft(fmt::format(",snapshot-every=0,requests={}", state.range(0) / 20), "random", 3,
                   state.range(0)));
}
BENCHMARK(raft_log)->Arg(1'000)->Arg(10'000)->Arg(100'000);

// Whole runs as a hunt makes them: with a fair tail in which liveness is judged.
void raft_fair_tail(benchmark::State& state) {
  RunText text;
  text.system = *parse_spec("raft");
  text.explorer = *parse_spec("random");
  text.nodes = std::to_string(state.range(0));
  play(state, *make_config(text));
}
BENCHMARK(raft_fair_tail)->Arg(3)->Arg(5);

}  // namespace
}  // namespace schism
