// The XRP Ledger, all its oracles on: validated ledgers per CPU-second with a transaction a node
// and round (rippled's own simulation framework does 10,600 with 5 peers and bare callbacks), and
// how long a test case of DiscoTest's takes.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <stdexcept>

#include "schism/run/config.hpp"
#include "systems/xrpl/validator.hpp"

namespace schism {
namespace {

void play(benchmark::State& state, const std::string& system, const std::string& scheduler,
          std::int64_t nodes, std::int64_t steps) {
  RunText text;
  text.system = *parse_spec(system);
  text.explorer = *parse_spec(scheduler);
  text.nodes = std::to_string(nodes);
  text.steps = std::to_string(steps);
  const auto config = make_config(text);
  if (!config) throw std::invalid_argument(config.error());
  Runner runner(config->setup, config->limits);
  const auto player = make_scheduler(*config);
  std::uint64_t seed = 0, steps_done = 0, ledgers = 0, simulated = 0;
  for (auto _ : state) {
    ++seed;
    const RunSummary s = runner.run(*player, {seed, seed});
    if (s.violated) state.SkipWithError("a violation");
    steps_done += s.steps, simulated += s.simulated_us;
    xrpl::Seq highest = 1;
    for (NodeId id = 0; id < config->setup.nodes; ++id)
      highest = std::max(highest, runner.world().as<xrpl::Validator>(id)->validated_seq());
    ledgers += highest - 1;
  }
  const auto a_second = [](std::uint64_t n) {
    return benchmark::Counter(static_cast<double>(n), benchmark::Counter::kIsRate);
  };
  state.counters["ledgers"] = a_second(ledgers);
  state.counters["steps"] = a_second(steps_done);
  state.counters["simulated_s"] = a_second(simulated / 1'000'000);
}

// Heartbeats in step, as in rippled's framework; then each in its own time, as in the world.
void xrpl_ledgers(benchmark::State& state, const std::string& stagger) {
  play(state, "xrpl:case=none,load=1,stagger=" + stagger, "timed:min=1ms,max=500ms", state.range(0),
       500'000);
}
BENCHMARK_CAPTURE(xrpl_ledgers, in_step, "0s")->Arg(5)->Arg(7)->Arg(10);
BENCHMARK_CAPTURE(xrpl_ledgers, staggered, "1s")->Arg(5)->Arg(7)->Arg(10);

void xrpl_test_case(benchmark::State& state) {
  play(state, "xrpl", "timed:min=1ms,max=500ms", 5, 20'000);
}
BENCHMARK(xrpl_test_case);

}  // namespace
}  // namespace schism
