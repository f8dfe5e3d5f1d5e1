// The exported graph against one that was made in another world (reference_world.hpp).
#include "schism/check/graph.hpp"

#include <unistd.h>

#include <gtest/gtest.h>

#include "schism/base/file.hpp"
#include "schism/check/check.hpp"
#include "schism/check/testing/random_protocol.hpp"
#include "schism/check/testing/reference_search.hpp"

namespace schism::check {
namespace {

const std::atomic<bool> kGoOn{false};

std::string exported(const RunConfig& config, const char* search, int jobs, GraphFormat format) {
  CheckOptions options;
  options.search = *parse_spec(search);
  options.probes = 0;
  options.jobs = jobs;
  options.graph = ::testing::TempDir() + "graph-of-states-" + std::to_string(::getpid());
  options.graph_format = format;
  const auto result = check(config, options, {}, kGoOn);
  EXPECT_TRUE(result) << (result ? "" : result.error());
  const auto text = read_file(options.graph);
  EXPECT_TRUE(text);
  return *text;
}

TEST(Graph, HasTheStatesAndEdgesOfAnotherWorld) {
  std::size_t compared = 0;
  for (std::uint64_t number = 0; number < 100; ++number) {
    RunText text;
    text.system = *parse_spec(fmt::format("test-random:number={},disks=true,requests=1", number));
    const auto config = make_config(text);
    ASSERT_TRUE(config);
    const auto there = reference_states(config->setup, {}, 300);
    if (!there) continue;
    ++compared;
    for (const char* search : {"dfs", "bfs"}) {
      const auto graph = parse_json(exported(*config, search, 1, GraphFormat::json));
      ASSERT_TRUE(graph);
      const Value& only = (*graph->find("searches")->as_array())[0];
      const Value::Array& states = *only.find("states")->as_array();
      EXPECT_EQ(states.size(), there->states.size()) << number;
      EXPECT_EQ(only.find("edges")->as_array()->size(), there->edges.size()) << number;
      std::size_t ends = 0;
      for (const Value& state : states) ends += state.find("end") ? 1 : 0;
      EXPECT_EQ(ends, there->terminal.size()) << number;
    }
  }
  EXPECT_GE(compared, 20U);
}

TEST(Graph, IsTheSameOnAnyNumberOfWorkers) {
  RunText text;
  text.system = *parse_spec("test-random:number=3,fuel=1,deeds=2,timers=false");
  text.nodes = "3";
  text.faults = {{"crash", "1"}};
  const auto config = make_config(text);
  ASSERT_TRUE(config);
  for (const GraphFormat format : {GraphFormat::json, GraphFormat::dot})
    EXPECT_EQ(exported(*config, "bfs", 1, format), exported(*config, "bfs", 3, format));
}

TEST(Graph, IsRefusedWhereThereAreNoStates) {
  RunText text;
  text.system = *parse_spec("test-random:number=3");
  CheckOptions options;
  options.graph = ::testing::TempDir() + "graph-of-states-" + std::to_string(::getpid());
  EXPECT_FALSE(check(*make_config(text), options, {}, kGoOn));
  options.search = *parse_spec("dfs");
  options.deepen = true;
  EXPECT_FALSE(check(*make_config(text), options, {}, kGoOn));
}

}  // namespace
}  // namespace schism::check
