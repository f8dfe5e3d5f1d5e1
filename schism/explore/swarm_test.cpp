// What the default hunt proposes: configurations by number, and what it learns.
#include <gtest/gtest.h>

#include <set>

#include "schism/explore/registry.hpp"
#include "schism/run/config.hpp"

namespace schism {
namespace {

std::unique_ptr<Explorer> swarm(const std::string& word) {
  auto out = explorers().make(*parse_spec(word), "explorer");
  EXPECT_TRUE(out) << out.error();
  RunText asked;
  asked.system = {"raft", {}};
  (*out)->ask(asked);
  return *std::move(out);
}

TEST(Swarm, EveryGroupOfAHuntHasAConfigurationOfItsOwn) {
  const auto explorer = swarm("swarm:group=4,batch=3");
  std::uint64_t run = 0;
  for (int batch = 0; batch < 5; ++batch)
    for (const RunPlan& plan : explorer->propose(7, run)) {
      EXPECT_EQ(plan.seed, 7 + run);
      EXPECT_EQ(plan.world, run / 4 + 1);
      ++run;
    }
  EXPECT_EQ(run, 60U);
}

// Of the first groups two in three are plain, one of each kind in turn; later none is.
TEST(Swarm, BeginsPlainly) {
  const auto explorer = swarm("swarm:first=6");
  explorer->propose(7, 0);
  const auto plain = [&](std::uint32_t world) {
    return explorer->draw(world, explorer->policy(), 0).about.starts_with("plain");
  };
  for (std::uint32_t number = 0; number < 30; ++number)
    EXPECT_EQ(plain(number + 1), number < 6 && number % 3 != 2) << number;
  std::set<std::string> schedulers;
  for (const std::uint32_t world : {1U, 2U})
    schedulers.insert(explorer->draw(world, explorer->policy(), 0).text.explorer.name);
  EXPECT_EQ(schedulers, (std::set<std::string>{"pos", "random"}));
}

TEST(Swarm, WhatWasRefusedIsDrawnOtherwise) {
  const auto explorer = swarm("swarm:first=0");
  explorer->propose(7, 0);
  int other = 0;
  for (std::uint32_t world = 1; world <= 20; ++world) {
    const auto once = explorer->draw(world, explorer->policy(), 0);
    EXPECT_EQ(once.text, explorer->draw(world, explorer->policy(), 0).text);
    other += once.text == explorer->draw(world, explorer->policy(), 1).text ? 0 : 1;
  }
  EXPECT_EQ(other, 20);
}

// Crashes lead to a find that is well known by now: they are drawn less, if that is wanted.
TEST(Swarm, DampsWhatLeadsToAKnownFindIfAsked) {
  const auto learnt = [](const std::string& word) {
    const auto explorer = swarm(word);
    const auto plans = explorer->propose(7, 0);
    const std::string before = explorer->policy();
    std::vector<RunResult> results(plans.size());
    for (std::size_t i = 0; i < plans.size(); ++i) {
      const bool crashes = plans[i].world % 2 == 0;
      results[i].report = crashes ? "fault.crash" : "fault.drop";
      results[i].summary.steps = 100;
      results[i].summary.violated = crashes;
      results[i].summary.oracle = 3;
    }
    explorer->learn(plans, results);
    explorer->propose(7, plans.size());
    return explorer->policy() != before;
  };
  EXPECT_TRUE(learnt("swarm"));
  EXPECT_FALSE(learnt("swarm:damp=false"));
}

}  // namespace
}  // namespace schism
