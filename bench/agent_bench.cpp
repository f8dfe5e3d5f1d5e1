// What it costs that runs play in other processes: a sequential learner whose episodes are 25 steps
// of the toy, and plain seeds, in this process, in players, and guarded. CPU time of all processes.
//
//   make bench BENCH_ARGS=--benchmark_filter=hunted
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include "schism/campaign/hunt.hpp"
#include "schism/explore/agent.hpp"
#include "schism/explore/registry.hpp"
#include "schism/schedule/registry.hpp"

namespace schism {
namespace {

// Prefers what did well for it: a table of as many weights as a node may have messages waiting.
class Learner final : public Agent, private Scheduler {
 public:
  Learner(std::uint32_t number, std::uint64_t seed) : seed_(mix64(seed + number)) {}

  Scheduler& scheduler() override { return *this; }
  RunPlan plan(std::uint64_t episode) override {
    RunPlan plan;
    plan.seed = plan.node_seed = mix64(seed_ ^ episode);
    return plan;
  }
  void learn(const RunPlan&, const RunResult& result) override {
    weights_[result.summary.run_class.lo % kWeights] += result.summary.steps;
  }
  std::string save() const override {
    return {reinterpret_cast<const char*>(weights_), sizeof weights_};
  }
  Status load(std::string_view state) override {
    if (state.size() != sizeof weights_) return error("another table");
    std::copy(state.begin(), state.end(), reinterpret_cast<char*>(weights_));
    return {};
  }

 private:
  static constexpr std::size_t kWeights = 1024;

  TimeUse time_use() const override { return TimeUse::untimed; }
  bool plays(Do) const override { return false; }
  void begin(const Setup&, std::uint64_t seed) override { random_ = Rng(seed); }
  Action next(World& world) override {
    const std::uint32_t ready = world.pending().count(Do::deliver);
    if (ready == 0) return {};
    return world.pending().nth(Do::deliver, static_cast<std::uint32_t>(random_.below(ready)));
  }

  std::uint64_t seed_;
  std::uint64_t weights_[kWeights] = {};
  Rng random_{0};
};

class Learners final : public Explorer {
 public:
  struct Options {};
  explicit Learners(const Options&) {}
  std::vector<Spec> arms() const override { return {{"random", {}}}; }
  std::vector<RunPlan> propose(std::uint64_t, std::uint64_t) override { return {}; }
  std::uint32_t agents() const override { return 1; }
  std::uint32_t episodes() const override { return 2048; }
  std::unique_ptr<Agent> make_agent(std::uint32_t number, std::uint64_t seed) const override {
    return std::make_unique<Learner>(number, seed);
  }
};
const Registration learners = explorer<Learners>("bench-learner", "for benchmarks: an agent");

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

enum Where { here, players, guarded };

void hunted(benchmark::State& state, const char* explorer, Where where) {
  RunText text;
  text.system = {"toy-consensus", {}};
  text.explorer = {explorer, {}};
  text.steps = "25";
  text.tail = "0ms";
  if (where == guarded) text.world = {{"forked", "true"}};
  const RunConfig config = *make_config(text);
  HuntOptions options;
  options.runs = 200'000;
  options.in_process = where == here;
  options.keep_going = true;
  options.closely = 0;
  const std::atomic<bool> stop{false};
  double runs = 0, seconds = 0;
  for (auto _ : state) {
    const double before = cpu_seconds();
    const auto result = hunt(config, options, {}, stop);
    seconds += cpu_seconds() - before;
    if (!result || !result->problem.empty()) state.SkipWithError("the hunt failed");
    else runs += static_cast<double>(result->totals.runs);
  }
  state.counters["runs_per_cpu_s"] = runs / seconds;
}

BENCHMARK_CAPTURE(hunted, agent_in_this_process, "bench-learner", here)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(hunted, agent_in_a_player, "bench-learner", players)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(hunted, agent_guarded, "bench-learner", guarded)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(hunted, seeds_in_this_process, "random", here)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(hunted, seeds_in_a_player, "random", players)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(hunted, seeds_guarded, "random", guarded)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace schism
