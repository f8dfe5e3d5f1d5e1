// Systematic search on Go-MC's workloads and on the systems that are verified completely. Rates are
// per CPU-second; `runs` and `steps` say how much there was to do.
//   make bench BENCH_ARGS=--benchmark_filter=Check
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include "schism/check/check.hpp"

namespace {
using namespace schism;
using namespace schism::check;

struct Work {
  const char *label, *system;
  int nodes;
  std::uint32_t crashes;
  const char* may_crash;  // empty: any
  const char* down;
  Crashing crashing;
};

const Work kWorks[] = {
    {"hierarchical consensus 3, Go-MC", "hierarchical-consensus:own-notice=true", 3, 1, "1",
     "empty", Crashing::exactly},
    {"reliable broadcast 3, Go-MC", "reliable-broadcast:self-delivery=only", 3, 1, "1", "empty",
     Crashing::exactly},
    {"hierarchical consensus 4", "hierarchical-consensus", 4, 1, "", "lost", Crashing::each},
    {"reliable broadcast 4", "reliable-broadcast", 4, 1, "", "lost", Crashing::each},
    {"Paxos 2+3", "paxos", 5, 0, "", "lost", Crashing::each},
    {"two-phase commit 1+5", "two-phase-commit", 6, 0, "", "lost", Crashing::each},
};
const char* const kSearches[] = {"prefix", "dpor", "dpor:mode=source", "dpor:mode=sleep", "dfs"};

void Check(benchmark::State& state) {
  const Work& work = kWorks[state.range(0)];
  const char* search = kSearches[state.range(1)];
  state.SetLabel(std::string(work.label) + ", " + search);
  RunText text;
  text.system = *parse_spec(work.system);
  text.nodes = std::to_string(work.nodes);
  text.faults = {{"crash", std::to_string(work.crashes)}};
  text.world = {{"down", work.down}};
  if (*work.may_crash) text.world.emplace_back("may-crash", work.may_crash);
  const RunConfig config = *make_config(text);
  CheckOptions options;
  options.search = *parse_spec(search);
  options.crashing = work.crashing;
  options.probes = 0;
  options.runs = 100'000;
  const std::atomic<bool> go_on{false};
  double runs = 0, steps = 0;
  for (auto _ : state) {
    const auto result = schism::check::check(config, options, {}, go_on);
    runs += static_cast<double>(result->totals.executions);
    steps += static_cast<double>(result->totals.steps);
    state.counters["runs"] = static_cast<double>(result->totals.executions);
  }
  using benchmark::Counter;
  state.counters["runs/s"] = Counter(runs, Counter::kIsRate);
  state.counters["steps/s"] = Counter(steps, Counter::kIsRate);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak_MB"] = static_cast<double>(usage.ru_maxrss) / 1024;
}

BENCHMARK(Check)->ArgsProduct({{0, 1}, {0}});
BENCHMARK(Check)->ArgsProduct({{0, 2, 3, 4, 5}, {1, 2, 3, 4}});

}  // namespace
