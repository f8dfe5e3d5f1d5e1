// C-Raft, all its oracles on, in forked batches as a hunt plays it: deliveries per CPU-second of
// all processes together, and how large the hunting process and its children become.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <stdexcept>

#include "schism/campaign/hunt.hpp"

namespace schism {
namespace {

RunConfig craft(const std::string& params, const std::string& scheduler, int nodes) {
  RunText text;
  // Liveness is judged in the fair tail, which is another kind of run.
  text.system = *parse_spec("craft:progress=false" + params);
  text.explorer = *parse_spec(scheduler);
  text.nodes = std::to_string(nodes);
  auto config = make_config(text);
  if (!config) throw std::invalid_argument(config.error());
  return *std::move(config);
}

double cpu_seconds() {
  double sum = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    ::getrusage(who, &usage);
    for (const timeval& t : {usage.ru_utime, usage.ru_stime})
      sum += static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  }
  return sum;
}

double megabytes(int who) {
  rusage usage{};
  ::getrusage(who, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void play(benchmark::State& state, const RunConfig& config, std::uint64_t runs) {
  HuntOptions options;
  options.runs = runs;
  options.keep_going = true;
  options.shrink = false;
  options.closely = 0;
  HuntProgress totals;
  for (auto _ : state) {
    const double before = cpu_seconds();
    const auto result = hunt(config, options, {}, std::atomic<bool>(false));
    if (!result) throw std::runtime_error(result.error());
    state.SetIterationTime(cpu_seconds() - before);
    totals.runs += result->totals.runs;
    totals.steps += result->totals.steps;
    totals.deliveries += result->totals.deliveries;
    totals.violated += result->totals.violated;
    ++options.seed;
  }
  const auto a_second = [](std::uint64_t n) {
    return benchmark::Counter(static_cast<double>(n), benchmark::Counter::kIsRate);
  };
  state.counters["deliveries"] = a_second(totals.deliveries);
  state.counters["steps"] = a_second(totals.steps);
  state.counters["runs"] = a_second(totals.runs);
  state.counters["violated"] = static_cast<double>(totals.violated);
  state.counters["resident_mb"] = megabytes(RUSAGE_SELF);
  state.counters["child_mb"] = megabytes(RUSAGE_CHILDREN);
}

void craft_under(benchmark::State& state, const std::string& scheduler) {
  play(state, craft("", scheduler, static_cast<int>(state.range(0))), 500);
}
BENCHMARK_CAPTURE(craft_under, random, "random")->Arg(3)->Arg(5)->UseManualTime();
BENCHMARK_CAPTURE(craft_under, timed, "timed")->Arg(3)->Arg(5)->UseManualTime();
BENCHMARK_CAPTURE(craft_under, pctcp, "pctcp:horizon=2000")->Arg(3)->UseManualTime();
BENCHMARK_CAPTURE(craft_under, pos, "pos:horizon=2000")->Arg(3)->UseManualTime();

// Memory is flat: the same after 2,000 runs and after 40,000, with crashes among them.
void craft_for_long(benchmark::State& state) {
  play(state, craft(",closes=1,commands=10", "random", 3),
       static_cast<std::uint64_t>(state.range(0)));
}
BENCHMARK(craft_for_long)->Arg(2000)->Arg(40000)->Iterations(1)->UseManualTime();

}  // namespace
}  // namespace schism
