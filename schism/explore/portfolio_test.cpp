// Turns that pay: the bandit finds the better arm and tries the others; a portfolio gives an arm
// the same runs whoever stands beside it.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "schism/campaign/hunt.hpp"
#include "schism/explore/bandit.hpp"
#include "schism/explore/registry.hpp"

namespace schism {
namespace {

TEST(Bandit, PlaysTheBetterArmMostAndAllNowAndThen) {
  Bandit bandit(3);
  std::map<std::size_t, int> played;
  const std::vector<bool> all(3, true);
  for (int i = 0; i < 1000; ++i) {
    const std::size_t arm = bandit.pick(all);
    ++played[arm];
    bandit.learn(arm, arm == 1 ? 10 : 1, 100);
  }
  EXPECT_GT(played[1], 500);
  EXPECT_GT(played[0], 20);
  EXPECT_GT(played[2], 20);
  // The world changes: another arm pays now, because it costs less.
  played.clear();
  for (int i = 0; i < 1000; ++i) {
    const std::size_t arm = bandit.pick(all);
    ++played[arm];
    bandit.learn(arm, 1, arm == 2 ? 10 : 100);
  }
  EXPECT_GT(played[2], 500);
}

TEST(Bandit, PicksOnlyWhatMayBePlayed) {
  Bandit bandit(2);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(bandit.pick({false, true}), 1U);
}

RunConfig config_of(const std::string& explorer) {
  RunText text;
  text.system = {"paxos", {}};
  text.explorer = *parse_spec(explorer);
  text.faults = {{"crash", "1"}, {"drop", "2"}};
  auto config = make_config(text);
  EXPECT_TRUE(config) << config.error();
  return *std::move(config);
}

std::unique_ptr<Explorer> made(const std::string& word) {
  auto out = explorers().make(*parse_spec(word), "explorer");
  EXPECT_TRUE(out) << out.error();
  return *std::move(out);
}

// The seeds that the first arm's runs get, in order.
std::vector<std::uint64_t> seeds_of_first(const std::string& word, std::size_t count) {
  const auto explorer = made(word);
  EXPECT_TRUE(explorer->begin(config_of("random").setup));
  std::vector<std::uint64_t> out;
  std::uint64_t run = 0;
  while (out.size() < count) {
    const auto plans = explorer->propose(1, run);
    for (const RunPlan& plan : plans)
      if (plan.arm == 0) out.push_back(plan.seed);
    explorer->learn(plans, std::vector<RunResult>(plans.size()));
    run += plans.size();
  }
  out.resize(count);
  return out;
}

// More than an arm proposes at once: the next proposal goes on where the first one ended.
TEST(Portfolio, GivesAnArmTheSameSeedsWhoeverStandsBesideIt) {
  const auto alone = seeds_of_first("portfolio(random)", 5000);
  EXPECT_EQ(alone, seeds_of_first("portfolio(random;pos)", 5000));
  EXPECT_EQ(alone, seeds_of_first("portfolio:batch=17(random;pctcp;pos)", 5000));
  EXPECT_EQ(std::set<std::uint64_t>(alone.begin(), alone.end()).size(), alone.size());
}

// What each batch of an arm violates: nothing, the same oracle each time, always another one.
enum class Violates : std::uint8_t { nothing, same, another };

// How often the first of two arms is played that see nothing new, in as many steps.
int batches_of_first(Violates first, Violates second,
                     const std::string& word = "portfolio:batch=8(random;pos)") {
  const auto explorer = made(word);
  EXPECT_TRUE(explorer->begin(config_of("random").setup));
  int played = 0;
  for (std::uint32_t batch = 0; batch < 400; ++batch) {
    const auto plans = explorer->propose(1, std::uint64_t{batch} * 8);
    const bool of_first = plans.at(0).arm == 0;
    const Violates what = of_first ? first : second;
    std::vector<RunResult> results(plans.size());
    for (RunResult& result : results) result.summary.steps = 100;
    results[0].summary.violated = what != Violates::nothing;
    results[0].summary.oracle = what == Violates::another ? batch + 1 : 0;
    played += of_first ? 1 : 0;
    explorer->learn(plans, results);
  }
  return played;
}

TEST(Portfolio, PlaysMoreOftenWhoFindsBugs) {
  EXPECT_EQ(batches_of_first(Violates::nothing, Violates::nothing), 200);
  EXPECT_GT(batches_of_first(Violates::another, Violates::nothing), 300);
  EXPECT_LT(batches_of_first(Violates::nothing, Violates::same), 100);
  EXPECT_GT(batches_of_first(Violates::another, Violates::same), 300);  // again is worth less
}

// A step of `fuzz` is dearer than one of `random`.
TEST(Portfolio, PlaysMoreOftenWhoIsCheap) {
  const auto cheap = [](const std::string& word) {
    return batches_of_first(Violates::another, Violates::another, word);
  };
  EXPECT_NEAR(cheap("portfolio:batch=8(random;random)"), 200, 10);
  EXPECT_GT(cheap("portfolio:batch=8(random;fuzz:batch=8)"), 230);
}

TEST(Portfolio, PlaysAllItsArmsAndSaysHowMuch) {
  HuntOptions options;
  options.runs = 3000;
  const auto result = hunt(config_of("portfolio:batch=32(random;pos;fuzz:batch=64)"), options, {},
                           std::atomic<bool>(false));
  ASSERT_TRUE(result) << result.error();
  ASSERT_GE(result->account.size(), 3U);
  for (const char* arm : {"random", "pos", "fuzz:batch=64"}) {
    const auto at = std::find_if(result->account.begin(), result->account.end(),
                                 [&](const auto& line) { return line.first == arm; });
    ASSERT_NE(at, result->account.end()) << arm;
    EXPECT_EQ(at->second.find(" 0 runs"), std::string::npos) << at->second;
  }
  EXPECT_FALSE(result->kept.empty()) << "what the others found is in the corpus of one";
}

TEST(Portfolio, RefusesWhatItDoesNotKnow) {
  HuntOptions options;
  options.runs = 10;
  const auto result =
      hunt(config_of("portfolio:coverage=nosuch"), options, {}, std::atomic<bool>(false));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().rfind("portfolio: no coverage \"nosuch\"", 0), 0U) << result.error();
}

// An arm that draws configurations plays each in its own world, whoever stands beside it.
TEST(Portfolio, TakesArmsThatDraw) {
  static const std::atomic<bool> go_on{false};
  RunText text;
  text.system = {"raft", {}};
  text.bugs = {"quorum-third"};
  text.explorer = *parse_spec("portfolio(random;swarm)");
  const auto config = make_config(text);
  ASSERT_TRUE(config) << config.error();
  const auto hunted = [&](int jobs) {
    HuntOptions options;
    options.runs = 1500;
    options.jobs = jobs;
    options.keep_going = true;
    options.shrink = false;
    return *hunt(*config, options, {}, go_on);
  };
  const HuntResult one = hunted(1), three = hunted(3);
  EXPECT_EQ(one.totals.steps, three.totals.steps);
  EXPECT_EQ(one.totals.violated, three.totals.violated);
  EXPECT_EQ(one.account, three.account);
  EXPECT_FALSE(one.lifts.empty());
  ASSERT_FALSE(one.finds.empty());
  for (const Find& find : one.finds) EXPECT_FALSE(replay(find.trace).difference);
}

}  // namespace
}  // namespace schism
