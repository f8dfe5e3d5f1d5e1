// What it costs to look: runs of complete Raft with nobody listening, with each coverage, and with
// what a player does besides (keys looked up in a map of the director's).
//
//   make bench BENCH_ARGS=--benchmark_filter=covered
#include <benchmark/benchmark.h>

#include <stdexcept>

#include "schism/coverage/book.hpp"
#include "schism/run/config.hpp"

namespace schism {
namespace {

void covered(benchmark::State& state, const std::string& coverage) {
  RunText text;
  text.system = *parse_spec("raft:progress=false");
  text.explorer = *parse_spec("random");
  text.nodes = std::to_string(state.range(0));
  text.faults = {{"crash", "2"}, {"drop", "5"}, {"duplicate", "2"}, {"partition", "1"}};
  const auto config = make_config(text);
  const auto specs = parse_coverages(coverage);
  if (!config || !specs) throw std::invalid_argument("a wrong word");
  const auto book = Book::open(*specs, config->setup);
  Runner runner(config->setup, config->limits);
  const auto watching = (*book)->make();
  for (const auto& one : watching) runner.attach(*one);
  const auto scheduler = make_scheduler(*config);
  std::uint64_t seed = 0, keys = 0, steps = 0;
  for (auto _ : state) {
    const RunSummary summary = runner.run(*scheduler, {seed, seed});
    ++seed, steps += summary.steps;
    RunResult result;
    (*book)->report(watching, result);
    (*book)->settle(result);
    for (const auto& one : watching) keys += one->keys().size();
  }
  const auto rate = [](std::uint64_t n, benchmark::Counter::Flags how) {
    return benchmark::Counter(static_cast<double>(n), how);
  };
  state.counters["runs"] = rate(seed, benchmark::Counter::kIsRate);
  state.counters["steps"] = rate(steps, benchmark::Counter::kIsRate);
  state.counters["keys_a_run"] = rate(keys, benchmark::Counter::kAvgIterations);
}
BENCHMARK_CAPTURE(covered, nobody, "")->Arg(3)->Arg(5);
BENCHMARK_CAPTURE(covered, classes, "classes")->Arg(3)->Arg(5);
BENCHMARK_CAPTURE(covered, colours, "colours")->Arg(3)->Arg(5);
BENCHMARK_CAPTURE(covered, events, "events")->Arg(3)->Arg(5);
BENCHMARK_CAPTURE(covered, states, "states")->Arg(3)->Arg(5);

}  // namespace
}  // namespace schism
