// A run of `mix` is a run of one of its children, and each gets its share.
#include <gmock/gmock.h>

#include "schism/run/config.hpp"
#include "schism/testing/runs.hpp"

namespace schism {
namespace {

using testing::HasSubstr;

Result<RunConfig> config_of(const std::string& explorer, const std::string& system = "raft") {
  RunText text;
  text.system = *parse_spec(system);
  text.explorer = *parse_spec(explorer);
  text.faults = {{"crash", "1"}, {"drop", "3"}};
  text.steps = "150";
  return make_config(text);
}

// The class and length of each run: what tells two schedules apart.
std::vector<std::pair<Hash128, std::uint64_t>> runs_of(const std::string& explorer, int seeds) {
  const auto config = config_of(explorer);
  EXPECT_TRUE(config) << config.error();
  const auto scheduler = make_scheduler(*config);
  Runner runner(config->setup, config->limits);
  std::vector<std::pair<Hash128, std::uint64_t>> out;
  for (int seed = 1; seed <= seeds; ++seed) {
    const auto s = static_cast<std::uint64_t>(seed);
    const RunSummary summary = runner.run(*scheduler, {s, s});
    out.emplace_back(summary.run_class, summary.steps);
  }
  return out;
}

TEST(Mix, EveryRunIsTheSameRunOfOneOfItsChildren) {
  const int seeds = 60;
  const auto mixed = runs_of("mix(random;pctcp:depth=3;pos)", seeds);
  const std::vector alone = {runs_of("random", seeds), runs_of("pctcp:depth=3", seeds),
                             runs_of("pos", seeds)};
  std::vector<int> played(3);
  for (std::size_t i = 0; i < mixed.size(); ++i) {
    int equal = 0;
    for (std::size_t child = 0; child < alone.size(); ++child)
      if (mixed[i] == alone[child][i]) ++equal, ++played[child];
    EXPECT_EQ(equal, 1) << "seed " << i + 1;
  }
  for (const int n : played) EXPECT_GT(n, 8);  // 20 expected; below 9 in 1 of 1,000 draws
}

TEST(Mix, HasChildrenOfItsOwnWhereNoneAreNamed) {
  EXPECT_EQ(runs_of("mix", 20), runs_of("mix(random;pctcp;pos)", 20));
  EXPECT_EQ(runs_of("mix(pos)", 20), runs_of("pos", 20));
}

TEST(Mix, WeightsAreFollowed) {
  const int seeds = 60;
  EXPECT_EQ(runs_of("mix:weights=0/1(random;pos)", seeds), runs_of("pos", seeds));
  const auto mixed = runs_of("mix:weights=9/1(random;pos)", seeds);
  const auto random = runs_of("random", seeds);
  int by_random = 0;
  for (std::size_t i = 0; i < mixed.size(); ++i) by_random += mixed[i] == random[i] ? 1 : 0;
  EXPECT_GT(by_random, 45);  // 54 expected
  EXPECT_LT(by_random, 60);
}

// With one number for both, the outer draw would decide the inner one.
TEST(Mix, AMixInAMixDrawsForItself) {
  const int seeds = 80;
  const auto mixed = runs_of("mix(mix(random;pos);pctcp)", seeds);
  std::vector<int> played;
  for (const char* child : {"random", "pos", "pctcp"}) {
    const auto alone = runs_of(child, seeds);
    played.push_back(0);
    for (std::size_t i = 0; i < mixed.size(); ++i) played.back() += mixed[i] == alone[i] ? 1 : 0;
  }
  EXPECT_GT(played[0], 8);  // 20 expected
  EXPECT_GT(played[1], 8);
  EXPECT_GT(played[2], 25);  // 40 expected
}

TEST(Mix, IsToldInOneCanonicalWord) {
  const auto config = config_of("mix:weights=1/2(random:deliver=100;pctcp:depth=4)");
  ASSERT_TRUE(config) << config.error();
  EXPECT_EQ(print_spec(config->scheduler), "mix:weights=1/2(random;pctcp:depth=4)");
  EXPECT_THAT(to_flags(*config), HasSubstr("--explorer 'mix:weights=1/2(random;pctcp:depth=4)'"));
  const auto seeds = config_of("seeds(mix(random;pos))");
  ASSERT_TRUE(seeds) << seeds.error();
  EXPECT_EQ(print_spec(seeds->scheduler), "mix(random;pos)");
}

TEST(Mix, WhatCannotBeIsOneSentence) {
  const auto problem = [](const char* explorer) { return config_of(explorer).error(); };
  EXPECT_EQ(problem("mix(random;rndom)"),
            "in mix(...): no scheduler \"rndom\"; did you mean \"random\"?");
  EXPECT_EQ(problem("mix(random;mix(pos;pctcp:dept=3))"),
            "in mix(...): in mix(...): pctcp has no parameter \"dept\"; did you mean \"depth\"?");
  EXPECT_EQ(problem("random(pos)"), "random takes nothing in parentheses, not (pos)");
  EXPECT_THAT(problem("mix(random;timed)"), HasSubstr("all must use time alike"));
  EXPECT_EQ(problem("mix:weights=1/2/3(random;pos)"), "mix: 3 weights for 2 schedulers");
  EXPECT_THAT(problem("mix:weights=0/0(random;pos)"), HasSubstr("not all 0"));
  EXPECT_THAT(problem("seeds(random;pos)"), HasSubstr("seeds takes at most 1 scheduler"));
  EXPECT_THAT(config_of("random", "raft(x)").error(), HasSubstr("takes nothing in parentheses"));
}

}  // namespace
}  // namespace schism
