// Proposed waypoints: the choice against what its definition asks for, and on systems whose way is
// known.
#include "schism/learn/propose.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fstream>

#include "schism/campaign/hunt.hpp"
#include "schism/registry.hpp"

namespace schism::learn {
namespace {

const std::atomic<bool> kGoOn{false};

RunConfig config_of(const std::string& system, const std::string& explorer,
                    std::vector<std::string> bugs = {}) {
  RunText text;
  text.system = *parse_spec(system);
  text.explorer = *parse_spec(explorer);
  text.bugs = std::move(bugs);
  auto config = make_config(text);
  EXPECT_TRUE(config) << config.error();
  return *std::move(config);
}

// Whatever is chosen: each waypoint begins on every way, before the next one does, and is met more
// often than it; the target is the last.
RC_GTEST_PROP(ChooseWaypoints, AreOnEveryWayInOrderAndEverRarer, ()) {
  const auto conditions = *rc::gen::inRange<std::size_t>(1, 12);
  const auto count = *rc::gen::inRange<std::size_t>(1, 6);
  const auto most = *rc::gen::inRange<std::size_t>(1, 6);
  std::vector<Way> ways(count);
  for (Way& way : ways) {
    way.last = *rc::gen::inRange<std::size_t>(1, 10);
    for (std::size_t i = 0; i < conditions; ++i) {
      const auto first = *rc::gen::inRange<std::size_t>(0, 12);
      way.first.push_back(first > way.last ? kNever : first);
    }
  }
  std::vector<std::uint64_t> met;
  for (std::size_t i = 0; i < conditions; ++i)
    met.push_back(*rc::gen::inRange<std::uint64_t>(0, 1001));
  const bool told = *rc::gen::arbitrary<bool>();
  if (told)  // a target is where its ways end
    for (Way& way : ways) way.first[0] = way.last;
  const auto chosen = choose_waypoints(ways, met, 1000, told ? 0 : kNever, most);
  RC_ASSERT(chosen.size() <= most);
  if (told) RC_ASSERT(!chosen.empty() && chosen.back() == 0);
  for (std::size_t n = 0; n < chosen.size(); ++n)
    for (const Way& way : ways) {
      const std::size_t first = way.first[chosen[n]];
      RC_ASSERT(first != kNever && first > 0 && first <= way.last);
      if (n + 1 == chosen.size()) continue;
      RC_ASSERT(first < way.first[chosen[n + 1]]);
      RC_ASSERT(met[chosen[n]] > met[chosen[n + 1]]);
    }
  if (!told && chosen.empty())  // then no condition begins on all ways
    for (std::size_t i = 0; i < conditions; ++i)
      RC_ASSERT(std::any_of(ways.begin(), ways.end(), [&](const Way& way) {
        return way.first[i] == 0 || way.first[i] == kNever;
      }));
}

TEST(ChooseWaypoints, AnEasyTargetNeedsNone) {
  const std::vector<Way> ways = {{{1, 2}, 2}, {{1, 3}, 3}};
  EXPECT_EQ(choose_waypoints(ways, {900, 500}, 1000, 1, 4), std::vector<std::size_t>{1});
  EXPECT_EQ(choose_waypoints(ways, {100, 2}, 1000, 1, 4), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(choose_waypoints(ways, {100, 2}, 1000, 1, 1), std::vector<std::size_t>{1});
}

TEST(Propose, ConditionsAreReadable) {
  for (const char* name : {"rsl", "raft", "paxos", "cube-world"}) {
    const System& system = *systems().find(name);
    std::size_t read = 0;
    const auto all = conditions(system);
    for (const std::string& text : all) read += Predicate::parse(system, text) ? 1 : 0;
    EXPECT_GT(read, 20U) << name;
    EXPECT_EQ(read, all.size()) << name;
  }
}

// In a row of cubes the way to the third is through the second, and nothing else is.
TEST(Propose, FindsTheDoorsOfTheCubes) {
  const RunConfig config = config_of("cube-world", "bonusmax:horizon=80,crashes=0,same=0");
  const auto proposed = propose(config, "any(cube >= 1)", {.episodes = 2000}, kGoOn);
  ASSERT_TRUE(proposed) << proposed.error();
  EXPECT_EQ(proposed->waypoints.back().text, "any(cube >= 1)");
  EXPECT_GT(proposed->ways, 10U);
  EXPECT_GT(proposed->waypoints.size(), 1U) << proposed->text();
  const auto again = propose(config, "any(cube >= 1)", {.episodes = 2000}, kGoOn);
  EXPECT_EQ(again->text(), proposed->text());
}

TEST(Propose, WhatIsRareOfRsl) {
  const RunConfig config = config_of("rsl:clients=10,requests=1", "random-steps");
  const auto proposed = propose(config, "", {.episodes = 400}, kGoOn);
  ASSERT_TRUE(proposed) << proposed.error();
  EXPECT_GE(proposed->waypoints.back().episodes, 5U);
  EXPECT_LT(proposed->waypoints.back().episodes, 40U);
  ASSERT_TRUE(read_sequence(*config.setup.system, proposed->text()));
}

// What all finds have in common holds on a further one too, in that order.
TEST(Propose, GoesThroughWhatFindsHaveInCommon) {
  std::vector<Trace> finds;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const RunConfig config = config_of("rsl:clients=10,requests=1", "bonusmax", {"execute-twice"});
    HuntOptions options;
    options.runs = 20'000;
    options.seed = seed;
    options.shrink_seconds = 0;
    auto result = hunt(config, options, {}, kGoOn);
    ASSERT_TRUE(result && result->finds.size() == 1U) << seed;
    finds.push_back(std::move(result->finds[0].trace));
  }
  const Trace last = finds.back();
  finds.pop_back();
  const auto proposed = propose(finds, {.episodes = 300}, kGoOn);
  ASSERT_TRUE(proposed) << proposed.error();
  EXPECT_EQ(proposed->ways, 3U);
  EXPECT_GE(proposed->waypoints.size(), 1U);
  EXPECT_TRUE(propose({last}, {.episodes = 50}, kGoOn));
  EXPECT_FALSE(propose(std::vector<Trace>{}, {}, kGoOn));
}

// Whatever explorer is named: conditions are tried in the environment that learners play in.
TEST(Propose, TriesConditionsWhereLearnersPlay) {
  const auto met = [](const std::string& explorer) {
    const auto proposed = propose(config_of("rsl:clients=10,requests=1", explorer), "any_decree(2)",
                                  {.episodes = 200}, kGoOn);
    EXPECT_TRUE(proposed) << proposed.error();
    return proposed->waypoints.back().episodes;
  };
  const std::uint64_t steps = met("random-steps");
  EXPECT_EQ(met("swarm"), steps);
  EXPECT_EQ(met("bonusmax"), steps);
  EXPECT_NE(met("bonusmax:crashes=0,horizon=16"), steps);
  EXPECT_EQ(met("bonusmax:crashes=0,horizon=16"), met("random-steps:crashes=0,horizon=16"));
}

// Steps of a script, ever rarer; what never happened at random is the target all the same.
TEST(Propose, GoesAlongAScript) {
  const std::string path = testing::TempDir() + "/along.scenario";
  std::ofstream(path) << "scenario \"x\"\nsystem rsl\nscript\n"
                         "  deliver StatusResp to $a\n  deliver PrepareReq from $a to $b\n"
                         "  deliver AcceptReq from $a to $b\n  deliver PrepareReq from $b to $c\n"
                         "  deliver AcceptReq from $b to $c\n  crash $b\n  crash $c\n  crash $a\n"
                         "  crash $b\n";
  const RunConfig config = config_of("rsl:clients=10,requests=1", "random-steps");
  const auto proposed = propose_along(config, path, {.episodes = 300}, kGoOn);
  ASSERT_TRUE(proposed) << proposed.error();
  ASSERT_EQ(proposed->waypoints.size(), 4U);
  EXPECT_EQ(proposed->waypoints.back().text, "script(" + path + ") >= 9");
  EXPECT_EQ(proposed->waypoints.back().episodes, 0U) << "an episode has three crashes";
  for (std::size_t i = 1; i < 4; ++i)
    EXPECT_GT(proposed->waypoints[i - 1].episodes, proposed->waypoints[i].episodes);
  const auto sequence = read_sequence(*config.setup.system, proposed->text());
  ASSERT_TRUE(sequence) << sequence.error();
  EXPECT_FALSE(propose_along(config, "/nowhere", {.episodes = 10}, kGoOn));
}

TEST(Propose, WhatIsNeverReachedIsSaid) {
  const RunConfig config = config_of("cube-world", "random-steps:horizon=10,crashes=0");
  EXPECT_FALSE(propose(config, "any(cube >= 5)", {.episodes = 50}, kGoOn));
  EXPECT_FALSE(propose(config, "any(cub >= 5)", {.episodes = 50}, kGoOn));
}

}  // namespace
}  // namespace schism::learn
