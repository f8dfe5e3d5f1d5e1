// A long story is the story: what is told row by row out of a file is what `tell` makes of the run.
#include "schism/draw/long_story.hpp"

#include <gtest/gtest.h>

#include "schism/testing/checked.hpp"
#include "schism/testing/recorded.hpp"

namespace schism::draw {
namespace {

// Tokens go round and round.
Trace run_of(const std::string& system, std::uint64_t seed) {
  const RunConfig config = testing_tools::config_of(
      system, system == "tokens" ? testing_tools::Asked{.nodes = 3, .explorer = "stepped"}
                                 : testing_tools::Asked{.faults = {{"crash", "1"}, {"drop", "1"}},
                                                        .explorer = "random"});
  RunPlan plan;
  plan.seed = plan.node_seed = seed;
  return testing_tools::recorded(config, plan);
}

std::string told(const Source& source, const Skimmed& skimmed, const StoryOptions& options) {
  std::string out;
  const auto differs =
      tell_long(source, skimmed, options, [&](const std::string& row) { out += row; });
  EXPECT_TRUE(differs) << differs.error();
  EXPECT_FALSE(differs && *differs) << "step " << **differs;
  return out;
}

TEST(LongStory, IsWhatTellTells) {
  std::size_t stories = 0, folded = 0;
  for (const char* system :
       {"test-kitchen", "test-journal", "test-relay", "test-classes", "tokens"})
    for (std::uint64_t seed = 1; seed <= (system == std::string("tokens") ? 1 : 6); ++seed) {
      const Trace trace = run_of(system, seed);
      const Source source = Source::memory(to_text(trace), "a.trace");
      const auto skimmed = skim(source);
      ASSERT_TRUE(skimmed) << skimmed.error();
      EXPECT_EQ(skimmed->trace.steps.size(), trace.steps.size());
      EXPECT_TRUE(untrue_of(skimmed->trace).empty());
      for (const Piece& piece : fold(skimmed->likenesses)) folded += piece.steps > 1 ? 1 : 0;
      if (trace.violation) continue;  // which steps matter is not asked of a long run
      for (const bool fold : {true, false})
        for (const bool states : {true, false}) {
          StoryOptions options;
          options.fold = fold, options.states = states;
          EXPECT_EQ(told(source, *skimmed, options), tell(trace, options)) << system << seed;
          ++stories;
        }
    }
  EXPECT_GE(stories, 20U);
  EXPECT_GE(folded, 1U);
}

TEST(LongStory, SaysWhereTheRunGoesOtherwiseNow) {
  Trace trace = run_of("test-kitchen", 1);
  ASSERT_GT(trace.steps.size(), 6U);
  for (const std::size_t step : {5U, 6U}) {
    ASSERT_FALSE(trace.steps[step].events.empty());
    trace.steps[step].events.clear();
  }
  trace.fair = !trace.fair;
  const Source source = Source::memory(to_text(trace), "a.trace");
  const auto skimmed = skim(source);
  ASSERT_TRUE(skimmed) << skimmed.error();
  EXPECT_EQ(untrue_of(skimmed->trace).size(), 1U);
  StoryOptions options;
  options.states = true;
  const auto differs = tell_long(source, *skimmed, options, [](const std::string&) {});
  ASSERT_TRUE(differs) << differs.error();
  EXPECT_EQ(*differs, 5U);
}

}  // namespace
}  // namespace schism::draw
