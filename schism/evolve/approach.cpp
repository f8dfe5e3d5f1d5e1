#include "schism/evolve/approach.hpp"

#include <algorithm>
#include <map>

#include "schism/evolve/gauge.hpp"
#include "schism/evolve/trace_graph.hpp"
#include "schism/words/codec.hpp"

namespace schism::evolve {
namespace {

Result<LabelledGraph> graph_of(const Trace& trace, const Setup& like) {
  const Setup& own = trace.config.setup;
  if (own.system->name != like.system->name || own.places() != like.places())
    return error("approach: a known failure is a run of {} with {} nodes, not of {} with {}",
                 like.system->name, like.places(), own.system->name, own.places());
  if (!trace.violation) return error("approach: a known failure violates nothing");
  const auto classes = find_message_classes(*own.system, "");
  if (!classes) return tl::unexpected(classes.error());
  TraceGraph graph(*classes);
  Runner runner(own, trace.config.limits);
  runner.attach(graph);
  Replay replay(trace.steps, own.options.time);
  runner.replay(replay, trace.plan, fair_end_of(trace));
  return graph.graph();
}

double to_nearest(const LabelledGraph& run, const std::vector<LabelledGraph>& known) {
  double best = 1;
  for (const LabelledGraph& failure : known) best = std::min(best, run_distance(run, failure));
  return best;
}

// Plays plans and looks at each run as a graph.
class Probe {
 public:
  Probe(const RunConfig& config, const MessageClasses& classes)
      : config_(config), graph_(classes), runner_(config.setup, config.limits) {
    runner_.attach(graph_);
  }
  RunResult play(const RunPlan& plan, const std::string& policy) {
    auto& scheduler = schedulers_[plan.arm];
    if (!scheduler) scheduler = make_scheduler(config_, plan.arm);
    scheduler->heed(policy);
    const RunSummary summary = runner_.run(*scheduler, plan);
    return runner_.result(summary, *scheduler);
  }
  const LabelledGraph& graph() const { return graph_.graph(); }

 private:
  const RunConfig& config_;
  TraceGraph graph_;
  Runner runner_;
  std::map<std::uint32_t, std::unique_ptr<Scheduler>> schedulers_;
};

}  // namespace

void Approached::add(const Approached& other) {
  distance.add(other.distance);
  nearest = std::min(nearest, other.nearest);
  violated += other.violated;
  gauge.add(other.gauge);
}

Result<std::vector<Approached>> measure_approach(const RunConfig& config,
                                                 const std::vector<Trace>& known,
                                                 std::uint64_t generations, std::uint64_t seed,
                                                 const std::atomic<bool>& stop) {
  if (known.empty()) return error("approach: no failure is known that could be approached");
  std::vector<LabelledGraph> failures;
  for (const Trace& trace : known) {
    auto graph = graph_of(trace, config.setup);
    if (!graph) return tl::unexpected(graph.error());
    failures.push_back(*std::move(graph));
  }
  const auto explorer = make_explorer(config);
  if (explorer->agents() > 0 || config.asked)
    return error("approach: {} does not propose its runs in batches of one configuration",
                 config.explorer.name);
  if (auto good = explorer->begin(config.setup); !good) return tl::unexpected(good.error());
  const auto classes = find_message_classes(*config.setup.system, "");
  if (!classes) return tl::unexpected(classes.error());
  Probe probe(config, *classes);
  std::vector<Approached> out;
  std::uint64_t first_run = 1;
  while (out.size() < generations && !stop) {
    const auto plans = explorer->propose(seed, first_run);
    if (plans.empty()) break;
    const std::string policy = explorer->policy();
    Approached generation;
    std::vector<RunResult> results;
    for (const RunPlan& plan : plans) {
      results.push_back(probe.play(plan, policy));
      const double distance = to_nearest(probe.graph(), failures);
      generation.distance.add(distance);
      generation.nearest = std::min(generation.nearest, distance);
      generation.violated += results.back().summary.violated ? 1 : 0;
      if (const auto report = decode<Report>(results.back().report);
          report && !report->values.empty())
        generation.gauge.add(report->values[0]);
    }
    explorer->learn(plans, results);
    first_run += plans.size();
    out.push_back(generation);
  }
  return out;
}

}  // namespace schism::evolve
