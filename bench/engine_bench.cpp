// What the engine costs, services on: oracles watching, decisions recorded, causal hashes kept.
// Rates are per CPU-second. `make bench`, or a part: BENCH_ARGS=--benchmark_filter=Tokens
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include "schism/campaign/hunt.hpp"
#include "schism/testing/recorded.hpp"
#include "schism/trace/timeline.hpp"

namespace {
using namespace schism;

RunConfig config_of(Spec system, int nodes, const char* explorer, std::uint32_t steps,
                    Pairs faults = {}) {
  RunText text;
  text.system = std::move(system);
  text.nodes = std::to_string(nodes);
  text.explorer = *parse_spec(explorer);
  text.steps = std::to_string(steps);
  text.faults = std::move(faults);
  return *make_config(text);
}

void report(benchmark::State& state, double deliveries, double steps, double runs) {
  using benchmark::Counter;
  state.counters["deliveries/s"] = Counter(deliveries, Counter::kIsRate);
  state.counters["steps/s"] = Counter(steps, Counter::kIsRate);
  state.counters["runs/s"] = Counter(runs, Counter::kIsRate);
}

// Runs of one configuration, one after the other, as a hunt makes them.
void play(benchmark::State& state, const RunConfig& config, int runs_an_iteration,
          bool digest = false) {
  Runner runner(config.setup, config.limits);
  const auto scheduler = make_scheduler(config);
  if (digest) {
    runner.world().keep_digest(true);
    runner.on_step([&](const World&) { benchmark::DoNotOptimize(runner.world().digest()); });
  }
  double deliveries = 0, steps = 0, runs = 0;
  std::uint64_t seed = 0;
  for (auto _ : state) {
    for (int i = 0; i < runs_an_iteration; ++i) {
      ++seed;
      const RunSummary summary = runner.run(*scheduler, {seed, seed});
      deliveries += static_cast<double>(summary.deliveries);
      steps += static_cast<double>(summary.steps);
      ++runs;
    }
  }
  report(state, deliveries, steps, runs);
}

Spec tokens(int count) { return {"tokens", {{"tokens", std::to_string(count)}}}; }

const char* const kSchedulers[] = {"random", "timed", "stepped"};

void Toy(benchmark::State& state) {
  const char* scheduler = kSchedulers[state.range(0)];
  state.SetLabel(scheduler);
  play(state, config_of({"toy-consensus", {}}, 3, scheduler, 1000), 1000);
}
BENCHMARK(Toy)->DenseRange(0, 2);

void ToyWithCrashesAndDrops(benchmark::State& state) {
  play(state, config_of({"toy-consensus", {}}, 3, "random", 1000, {{"crash", "2"}, {"drop", "5"}}),
       1000);
}
BENCHMARK(ToyWithCrashesAndDrops);

void Tokens(benchmark::State& state) {
  const char* scheduler = kSchedulers[state.range(0)];
  const auto nodes = static_cast<int>(state.range(1));
  const auto in_flight = static_cast<int>(state.range(2));
  state.SetLabel(scheduler);
  play(state, config_of(tokens(in_flight), nodes, scheduler, 10'000), 4);
}
BENCHMARK(Tokens)
    ->ArgNames({"scheduler", "nodes", "in_flight"})
    ->ArgsProduct({{0, 1, 2}, {10}, {10}})
    ->ArgsProduct({{0, 1, 2}, {100}, {1000}})
    ->Args({1, 100, 10'000});

void TokensDigestEachStep(benchmark::State& state) {
  play(state, config_of(tokens(10), 10, "random", 10'000), 4, true);
}
BENCHMARK(TokensDigestEachStep);
void TokensWatchedWithoutDigest(benchmark::State& state) {  // what the row above compares with
  const RunConfig config = config_of(tokens(10), 10, "random", 10'000);
  Runner runner(config.setup, config.limits);
  const auto scheduler = make_scheduler(config);
  runner.on_step([](const World& world) { benchmark::DoNotOptimize(world.step()); });
  double deliveries = 0, runs = 0;
  for (auto _ : state) {
    const RunSummary summary = runner.run(*scheduler, {1, 1});
    deliveries += static_cast<double>(summary.deliveries);
    ++runs;
  }
  report(state, deliveries, deliveries, runs);
}
BENCHMARK(TokensWatchedWithoutDigest);

// Flat in the length of a run: the cost of a step must not grow.
void RunLength(benchmark::State& state) {
  const auto steps = static_cast<std::uint32_t>(state.range(0));
  play(state, config_of(tokens(10), 10, "random", steps), static_cast<int>(100'000 / steps));
}
BENCHMARK(RunLength)->Arg(100)->Arg(1000)->Arg(10'000)->Arg(100'000);

void Nodes(benchmark::State& state) {
  const auto nodes = static_cast<int>(state.range(0));
  play(state, config_of(tokens(100), nodes, "random", 10'000), 4);
}
BENCHMARK(Nodes)->Arg(3)->Arg(10)->Arg(30)->Arg(100)->Arg(300);

// A recorded run again, without comparing its events.
void ReplayDecisions(benchmark::State& state) {
  const RunConfig config = config_of(tokens(10), 10, "random", 10'000);
  Runner runner(config.setup, config.limits);
  const auto scheduler = make_scheduler(config);
  runner.run(*scheduler, {1, 1});
  Replay replay(record(runner.world().decisions(), {}), TimeUse::untimed);
  double deliveries = 0, runs = 0;
  for (auto _ : state) {
    const RunSummary summary = runner.replay(replay, {1, 1}, FairEnd::never);
    deliveries += static_cast<double>(summary.deliveries);
    ++runs;
  }
  report(state, deliveries, deliveries, runs);
}
BENCHMARK(ReplayDecisions);

void SeekBackwards(benchmark::State& state) {
  const RunConfig config = config_of(tokens(10), 10, "random", 10'000);
  const Trace trace = testing_tools::recorded(config, {1, 1}, 0);
  Timeline line(trace, static_cast<std::uint32_t>(state.range(0)));
  line.seek(line.length());
  Rng rng(1);
  for (auto _ : state) line.seek(static_cast<std::uint32_t>(rng.below(line.length() + 1)));
}
BENCHMARK(SeekBackwards)->Arg(0)->Arg(64)->Arg(512);

void SnapshotAndRestore(benchmark::State& state) {
  const RunConfig config = config_of({"toy-consensus", {}}, 3, "random", 20);
  Runner runner(config.setup, config.limits);
  const auto scheduler = make_scheduler(config);
  runner.run(*scheduler, {1, 1});
  for (auto _ : state) {
    const auto snapshot = runner.world().snapshot();
    runner.world().restore(*snapshot);
  }
}
BENCHMARK(SnapshotAndRestore);

// Wall time, because the work happens in other processes.
void HuntWithJobs(benchmark::State& state) {
  const RunConfig config = config_of({"toy-consensus", {}}, 3, "random", 1000);
  HuntOptions options;
  options.runs = 200'000;
  options.jobs = static_cast<int>(state.range(0));
  const std::atomic<bool> stop{false};
  double runs = 0;
  for (auto _ : state) runs += static_cast<double>(hunt(config, options, {}, stop)->totals.runs);
  state.counters["runs/s"] = benchmark::Counter(runs, benchmark::Counter::kIsRate);
}
BENCHMARK(HuntWithJobs)->Arg(1)->Arg(2)->UseRealTime();

// Resident memory after many runs: bounded by what is in flight, not by what was ever sent.
void Memory(benchmark::State& state) {
  const RunConfig config =
      config_of(tokens(1000), 100, "random", static_cast<std::uint32_t>(state.range(0)));
  Runner runner(config.setup, config.limits);
  const auto scheduler = make_scheduler(config);
  for (auto _ : state) runner.run(*scheduler, {1, 1});
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak_rss_mb"] = static_cast<double>(usage.ru_maxrss) / 1024;
  state.counters["slots"] = runner.world().pending().flights.size();
}
BENCHMARK(Memory)->Arg(10'000)->Arg(100'000)->Arg(1'000'000)->Iterations(1);

}  // namespace
