// Protocols among liars, all their oracles on: deliveries and runs per CPU-second, fair tails
// included.
#include <benchmark/benchmark.h>

#include <stdexcept>

#include "schism/run/config.hpp"

namespace schism {
namespace {

void liars(benchmark::State& state, const std::string& system, const std::string& scheduler) {
  RunText text;
  text.system = *parse_spec(system);
  text.explorer = *parse_spec(scheduler);
  text.world = {{"liars-drawn", "1"}};
  const auto config = make_config(text);
  if (!config) throw std::invalid_argument(config.error());
  Runner runner(config->setup, config->limits);
  const auto player = make_scheduler(*config);
  std::uint64_t seed = 0, deliveries = 0;
  for (auto _ : state) {
    ++seed;
    const RunSummary s = runner.run(*player, {seed, seed});
    if (s.violated) state.SkipWithError("a violation");
    deliveries += s.deliveries;
  }
  state.counters["deliveries"] =
      benchmark::Counter(static_cast<double>(deliveries), benchmark::Counter::kIsRate);
  state.counters["runs"] =
      benchmark::Counter(static_cast<double>(seed), benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(liars, bracha_random, "bracha", "random");
BENCHMARK_CAPTURE(liars, bracha_liar, "bracha", "liar(random)");
BENCHMARK_CAPTURE(liars, pbft_random, "pbft", "random");
BENCHMARK_CAPTURE(liars, pbft_liar, "pbft", "liar(random)");
BENCHMARK_CAPTURE(liars, pbft_liar_timed, "pbft", "liar(timed)");
BENCHMARK_CAPTURE(liars, pbft_byzzfuzz, "pbft", "byzzfuzz:c=2(timed)");
BENCHMARK_CAPTURE(liars, tendermint_random, "tendermint", "random");
BENCHMARK_CAPTURE(liars, tendermint_liar, "tendermint", "liar(random)");
BENCHMARK_CAPTURE(liars, tendermint_liar_timed, "tendermint", "liar(timed)");
BENCHMARK_CAPTURE(liars, tendermint_byzzfuzz, "tendermint", "byzzfuzz:c=2,r=10(timed)");
BENCHMARK_CAPTURE(liars, bft_smart_random, "bft-smart", "random");
BENCHMARK_CAPTURE(liars, bft_smart_liar, "bft-smart", "liar(random)");
BENCHMARK_CAPTURE(liars, bft_smart_liar_timed, "bft-smart", "liar(timed)");
BENCHMARK_CAPTURE(liars, bft_smart_byzzfuzz, "bft-smart", "byzzfuzz:c=2(timed)");

}  // namespace
}  // namespace schism
