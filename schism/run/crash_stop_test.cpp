// Crashes that are for good: nobody comes back, not even in the fair tail, and who is down owes
// nothing.
#include <gtest/gtest.h>

#include "schism/campaign/hunt.hpp"
#include "schism/testing/checked.hpp"

namespace schism {
namespace {

Result<HuntResult> hunted(const std::string& system, const std::string& explorer, Pairs world) {
  static const std::atomic<bool> go_on{false};
  HuntOptions options;
  options.runs = 300;
  options.shrink = false;
  world.emplace_back("crashes", "stop");
  return hunt(testing_tools::config_of(
                  system, {.faults = {{"crash", "1"}}, .world = world, .explorer = explorer}),
              options, {}, go_on);
}

TEST(CrashStop, NobodyRestartsUnderAnyScheduler) {
  for (const char* explorer : {"random", "pos", "pctcp", "timed", "stepped"}) {
    RunConfig config = testing_tools::config_of(
        "raft", {.faults = {{"crash", "3"}}, .world = {{"crashes", "stop"}}, .explorer = explorer});
    Runner runner(config.setup, config.limits);
    const auto scheduler = make_scheduler(config, 0);
    int crashes = 0, restarts = 0;
    const auto count = watch(mask_of(Happened::crashed) | mask_of(Happened::restarted),
                             [&](const World&, std::span<const Event> events) {
                               for (const Event& e : events) {
                                 crashes += e.kind == Happened::crashed ? 1 : 0;
                                 restarts += e.kind == Happened::restarted ? 1 : 0;
                               }
                             });
    runner.attach(*count);
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      RunPlan plan;
      plan.seed = plan.node_seed = seed;
      runner.run(*scheduler, plan);
      const auto& refused = runner.first_refusal();
      EXPECT_FALSE(refused && refused->second == Refusal::not_allowed) << explorer;
    }
    EXPECT_GT(crashes, 0) << explorer;
    EXPECT_EQ(restarts, 0) << explorer;
  }
}

// Made for nodes that stop: a fair end with one of them down is judged, and nothing is wrong.
TEST(CrashStop, AFairEndIsJudgedAndWhoIsDownOwesNothing) {
  for (const char* explorer : {"random", "timed"}) {
    const auto result = hunted("hierarchical-consensus", explorer, {});
    ASSERT_TRUE(result) << result.error();
    EXPECT_TRUE(result->finds.empty()) << result->finds.front().trace.violation->property;
    EXPECT_TRUE(result->unjudged.empty());
  }
}

TEST(CrashStop, BugsAreStillFound) {
  static const std::atomic<bool> go_on{false};
  HuntOptions options;
  options.runs = 2000;
  options.shrink = false;
  int found = 0;
  for (const char* bug : {"advance-once", "keep-own", "decide-at-once"}) {
    const auto result =
        hunt(testing_tools::config_of(
                 "hierarchical-consensus",
                 {.bugs = {bug}, .faults = {{"crash", "1"}}, .world = {{"crashes", "stop"}}}),
             options, {}, go_on);
    ASSERT_TRUE(result) << result.error();
    found += result->finds.empty() ? 0 : 1;
  }
  EXPECT_GE(found, 2);
}

}  // namespace
}  // namespace schism
