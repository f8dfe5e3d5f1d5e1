// How far generations are from known failures, against the definition.
#include "schism/evolve/approach.hpp"

#include <gtest/gtest.h>

#include "schism/evolve/trace_graph.hpp"

namespace schism::evolve {
namespace {

const std::atomic<bool> kGoOn{false};

RunConfig config_of(const std::string& explorer, const std::string& nodes = "3") {
  RunText text;
  text.system = *parse_spec("toy-consensus");
  text.bugs = {"distrust-commits"};
  text.explorer = *parse_spec(explorer);
  text.nodes = nodes;
  auto config = make_config(text);
  EXPECT_TRUE(config) << config.error();
  return *std::move(config);
}

// The first failing runs under `delays`, with the genomes that it drew.
std::vector<Trace> failures(const RunConfig& config, std::size_t wanted) {
  RunConfig own = config;
  const auto scheduler = make_scheduler(own);
  own.setup.options.time = scheduler->time_use();
  Runner runner(own.setup, own.limits);
  std::vector<Trace> out;
  for (std::uint64_t seed = 1; out.size() < wanted && seed < 10'000; ++seed) {
    runner.run(*scheduler, {seed, seed});
    if (!runner.violation()) continue;
    const World& world = runner.world();
    out.push_back(make_trace(own, {seed, seed}, seed, record(world.decisions(), world.contents())));
  }
  return out;
}

TEST(Approach, IsTheDistanceOfEachRunToTheNearestFailure) {
  const auto known = failures(config_of("delays"), 3);
  ASSERT_EQ(known.size(), 3U);
  const RunConfig config = config_of("evolve:children=6");
  const auto measured = measure_approach(config, known, 4, 7, kGoOn);
  ASSERT_TRUE(measured) << measured.error();
  ASSERT_EQ(measured->size(), 4U);

  // The same by hand, run by run.
  TraceGraph graph(*find_message_classes(*config.setup.system, ""));
  Runner runner(config.setup, config.limits);
  runner.attach(graph);
  std::vector<LabelledGraph> graphs;
  for (const Trace& trace : known) {
    Replay replay(trace.steps, trace.config.setup.options.time);
    runner.replay(replay, trace.plan, fair_end_of(trace));
    EXPECT_TRUE(runner.violation());
    graphs.push_back(graph.graph());
  }
  const auto explorer = make_explorer(config);
  ASSERT_TRUE(explorer->begin(config.setup));
  const auto scheduler = make_scheduler(config);
  std::uint64_t first = 1;
  for (const Approached& generation : *measured) {
    const auto plans = explorer->propose(7, first);
    first += plans.size();
    std::vector<RunResult> results;
    double sum = 0, least = 1;
    for (const RunPlan& plan : plans) {
      const RunSummary summary = runner.run(*scheduler, plan);
      results.push_back(runner.result(summary, *scheduler));
      double best = 1;
      for (const LabelledGraph& other : graphs)
        best = std::min(best, hausdorff_edit_distance(graph.graph(), other) /
                                  graph_distance_bound(graph.graph(), other));
      sum += best;
      least = std::min(least, best);
    }
    explorer->learn(plans, results);
    EXPECT_EQ(generation.distance.count, 6U);
    EXPECT_DOUBLE_EQ(generation.distance.mean(), sum / 6);
    EXPECT_DOUBLE_EQ(generation.nearest, least);
    EXPECT_EQ(generation.gauge.count, 6U);
    EXPECT_GT(generation.gauge.mean(), 0);
  }
}

// Of every run to itself it is nothing.
TEST(Approach, AFailureIsAtNoDistanceFromItself) {
  const RunConfig config = config_of("delays");
  const auto known = failures(config, 1);
  ASSERT_EQ(known.size(), 1U);
  TraceGraph graph(*find_message_classes(*config.setup.system, ""));
  Runner runner(config.setup, config.limits);
  runner.attach(graph);
  const auto scheduler = make_scheduler(config);
  runner.run(*scheduler, known[0].plan);
  const LabelledGraph own = graph.graph();
  EXPECT_GT(own.size(), 0U);
  EXPECT_DOUBLE_EQ(run_distance(own, own), 0);
}

TEST(Approach, SaysWhatItCannotCompare) {
  auto known = failures(config_of("delays"), 1);
  ASSERT_EQ(known.size(), 1U);
  EXPECT_FALSE(measure_approach(config_of("evolve"), {}, 1, 1, kGoOn));
  EXPECT_FALSE(measure_approach(config_of("evolve", "4"), known, 1, 1, kGoOn)) << "other nodes";
  EXPECT_FALSE(measure_approach(config_of("swarm"), known, 1, 1, kGoOn)) << "other worlds";
  known[0].violation.reset();
  EXPECT_FALSE(measure_approach(config_of("evolve"), known, 1, 1, kGoOn)) << "no failure";
}

}  // namespace
}  // namespace schism::evolve
