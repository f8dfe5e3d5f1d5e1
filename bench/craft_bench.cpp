// C-Raft, all its oracles on: deliveries per CPU-second, in this process and in forked batches, and
// what each workload costs.
#include <benchmark/benchmark.h>

#include <stdexcept>

#include "schism/campaign/config.hpp"

namespace schism {
namespace {

RunConfig craft(const std::string& params, const std::string& scheduler, std::int64_t nodes,
                const Pairs& faults = {}) {
  RunText text;
  // Liveness is judged in the fair tail, which is another kind of run.
  text.system = *parse_spec("craft:progress=false" + params);
  text.explorer = *parse_spec(scheduler);
  text.nodes = std::to_string(nodes);
  text.faults = faults;
  auto config = make_config(text);
  if (!config) throw std::invalid_argument(config.error());
  return *std::move(config);
}

void play(benchmark::State& state, const RunConfig& config) {
  Runner runner(config.setup, config.limits);
  const auto scheduler = make_scheduler(config);
  std::uint64_t seed = 0, deliveries = 0, steps = 0, violations = 0;
  for (auto _ : state) {
    const RunSummary s = runner.run(*scheduler, {seed, seed});
    ++seed, deliveries += s.deliveries, steps += s.steps, violations += s.violated;
  }
  const auto a_second = [](std::uint64_t n) {
    return benchmark::Counter(static_cast<double>(n), benchmark::Counter::kIsRate);
  };
  state.counters["deliveries"] = a_second(deliveries);
  state.counters["steps"] = a_second(steps);
  state.counters["violations"] = static_cast<double>(violations);
}

void craft_under(benchmark::State& state, const std::string& scheduler) {
  play(state, craft("", scheduler, state.range(0)));
}
BENCHMARK_CAPTURE(craft_under, random, "random")->Arg(3)->Arg(5);
BENCHMARK_CAPTURE(craft_under, timed, "timed")->Arg(3)->Arg(5);
BENCHMARK_CAPTURE(craft_under, pctcp, "pctcp:horizon=2000")->Arg(3);
BENCHMARK_CAPTURE(craft_under, pos, "pos:horizon=2000")->Arg(3);

}  // namespace
}  // namespace schism
