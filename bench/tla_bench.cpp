// The checker of TLA+ models on the workloads that TLC's rates are known for, and named actions one
// by one. Run from the project's folder; rates are per CPU-second.
//   make bench BENCH_ARGS=--benchmark_filter=Tla
#include <benchmark/benchmark.h>

#include "schism/tla/checker.hpp"
#include "schism/tla/steps.hpp"

namespace {
using namespace schism::tla;

struct Work {
  const char *label, *model, *config;
};
const Work kWorks[] = {{"Raft, 2 servers", "raft", "raft"},
                       {"Raft, 3 servers, K = 3", "raft", "raft_3"},
                       {"Raft, 3 servers, K = 3, symmetry", "raft", "raft_3_symmetry"},
                       {"Raft, 3 servers, K = 4", "raft", "raft_3_large"},
                       {"worker pool 5, 40", "worker_pool", "worker_pool_large"}};

void TlaCheck(benchmark::State& state) {
  const Work& work = kWorks[state.range(0)];
  state.SetLabel(work.label);
  double generated = 0, bytes = 0;
  for (auto _ : state) {
    auto spec = Spec::load(std::string("models/") + work.model + ".tla",
                           std::string("models/") + work.config + ".cfg");
    if (!spec) return state.SkipWithError(spec.error().c_str());
    const std::atomic<bool> go_on{false};
    const CheckReport r = Checker(**spec, {}, go_on).run();
    generated += static_cast<double>(r.generated);
    bytes = static_cast<double>(r.bytes);
  }
  state.counters["states/s"] = benchmark::Counter(generated, benchmark::Counter::kIsRate);
  state.counters["MB"] = bytes / (1 << 20);
}
BENCHMARK(TlaCheck)->DenseRange(0, 4)->Unit(benchmark::kMillisecond);

// The same with several workers: by the clock on the wall.
void TlaCheckWithJobs(benchmark::State& state) {
  double generated = 0;
  for (auto _ : state) {
    auto spec = Spec::load("models/raft.tla", "models/raft_3.cfg");
    if (!spec) return state.SkipWithError(spec.error().c_str());
    const std::atomic<bool> go_on{false};
    CheckLimits limits;
    limits.jobs = static_cast<unsigned>(state.range(0));
    generated += static_cast<double>(Checker(**spec, limits, go_on).run().generated);
  }
  state.counters["states/s"] = benchmark::Counter(generated, benchmark::Counter::kIsRate);
}
BENCHMARK(TlaCheckWithJobs)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

// One named action in one state, computed each time, and remembered.
void TlaApply(benchmark::State& state) {
  auto spec = Spec::load("models/raft.tla", "models/raft.cfg");
  if (!spec) return state.SkipWithError(spec.error().c_str());
  Steps steps(**spec);
  const auto action = (*spec)->action("Timeout");
  const auto server = (*spec)->evaluate("CHOOSE s \\in Server : TRUE");
  const StateId first = steps.intern((*spec)->initial()->front());
  const Value args[] = {*server};
  const bool remember = state.range(0) != 0;
  state.SetLabel(remember ? "remembered" : "computed");
  for (auto _ : state) {
    if (!remember) steps.forget();
    benchmark::DoNotOptimize(steps.apply(**action, args, first)->data());
  }
}
BENCHMARK(TlaApply)->Arg(0)->Arg(1);

}  // namespace
