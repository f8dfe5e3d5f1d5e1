// What it costs to draw a run in which nothing is violated: there is no neighbour to look for, and
// nothing to prove needless. Items are steps. Argument: how many.
#include <benchmark/benchmark.h>

#include "schism/draw/format.hpp"
#include "schism/draw/story.hpp"
#include "schism/testing/recorded.hpp"

namespace {
using namespace schism;

// Raft without a fault, recorded: heartbeats and a few requests.
Trace run_of(std::int64_t steps) {
  RunText text;
  text.system = {"raft", {}};
  text.explorer = {"random", {}};
  text.steps = std::to_string(steps);
  const auto config = make_config(text);
  if (!config) std::abort();
  return testing_tools::recorded(*config, {1, 1});
}

template <class Draw>
void draw_run(benchmark::State& state, Draw draw) {
  const Trace trace = run_of(state.range(0));
  std::size_t bytes = 0;
  for (auto _ : state) bytes = draw(trace).size();
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(trace.steps.size()));
  state.counters["bytes"] = static_cast<double>(bytes);
}

void tell_a_run(benchmark::State& state) {
  draw_run(state, [](const Trace& trace) { return tell(trace, {}); });
}
BENCHMARK(tell_a_run)->Arg(100)->Arg(5000)->Unit(benchmark::kMillisecond);

void page_of_a_run(benchmark::State& state) {
  draw_run(state, [](const Trace& trace) { return draw::draw_html(trace, {}); });
}
BENCHMARK(page_of_a_run)->Arg(100)->Arg(5000)->Unit(benchmark::kMillisecond);

}  // namespace
