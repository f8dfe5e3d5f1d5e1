// Runs that begin like a trace, random runs, and traces followed to their end: they can find a
// violation and never prove that there is none.
#include <gtest/gtest.h>

#include <algorithm>

#include "schism/check/check.hpp"

namespace schism::check {
namespace {

const std::atomic<bool> kGoOn{false};

RunConfig config_of(const std::string& system, int nodes, Pairs faults = {},
                    std::vector<std::string> bugs = {}) {
  RunText text;
  text.system = *parse_spec(system);
  text.nodes = std::to_string(nodes);
  text.faults = std::move(faults);
  text.bugs = std::move(bugs);
  auto config = make_config(text);
  EXPECT_TRUE(config) << (config ? "" : config.error());
  return *config;
}

CheckOptions with(const std::string& search) {
  CheckOptions o;
  o.search = *parse_spec(search);
  o.probes = 0;
  return o;
}

CheckResult checked(const RunConfig& config, const CheckOptions& options) {
  auto result = check(config, options, {}, kGoOn);
  EXPECT_TRUE(result) << (result ? "" : result.error());
  return *result;
}

const Pairs kCrash = {{"crash", "1"}};

TEST(Guided, GoesOnFromAnyStepOfACounterexample) {
  const RunConfig config = config_of("hierarchical-consensus", 3, kCrash, {"advance-once"});
  const CheckResult found = checked(config, with("dpor"));
  ASSERT_TRUE(found.counterexample);
  const auto whole = beginning_of(*found.counterexample, kNever);
  ASSERT_TRUE(whole);
  for (std::uint32_t steps = 1; steps < whole->size(); ++steps)
    for (const char* search : {"dpor", "dpor:mode=sleep", "prefix", "dfs", "bfs"}) {
      CheckOptions options = with(search);
      options.beginning = *beginning_of(*found.counterexample, steps);
      EXPECT_EQ(options.beginning.size(), steps);
      const CheckResult r = checked(config, options);
      EXPECT_EQ(r.verdict, Verdict::violated) << search << " from step " << steps << r.reason;
    }
}

// All runs are those that begin with one of the first steps; classes may begin in several ways.
TEST(Guided, ExploresExactlyTheRunsThatBeginSo) {
  const RunConfig config = config_of("hierarchical-consensus", 3);
  const CheckResult all = checked(config, with("prefix"));
  WorldModel model(config.setup, {}, true);
  model.rewind(0);
  std::uint64_t sum = 0;
  std::vector<Action> firsts;
  for (std::uint32_t i = 0; i < model.pends().size(); ++i)
    if (model.pends()[i].enabled()) firsts.push_back(model.action(i));
  for (const Action& first : firsts) {
    CheckOptions options = with("prefix");
    options.beginning = {first};
    const CheckResult r = checked(config, options);
    EXPECT_EQ(r.verdict, Verdict::inconclusive) << "others were not explored";
    sum += r.totals.executions;
    options.jobs = 2;
    EXPECT_EQ(checked(config, options).totals.executions, r.totals.executions);
    options.search = *parse_spec("dpor");
    const std::uint64_t classes = checked(config, options).totals.executions;
    options.jobs = 1;
    EXPECT_EQ(checked(config, options).totals.executions, classes);
    EXPECT_GT(classes, 0U);
    EXPECT_LE(classes, checked(config, with("dpor")).totals.executions);
  }
  EXPECT_EQ(sum, all.totals.executions);
}

TEST(Guided, ATraceThatIsNotOfThisSystemIsRefused) {
  const CheckResult found =
      checked(config_of("hierarchical-consensus", 3, kCrash, {"advance-once"}), with("dpor"));
  CheckOptions options = with("dpor");
  options.beginning = *beginning_of(*found.counterexample, kNever);
  const auto r = check(config_of("two-phase-commit", 3), options, {}, kGoOn);
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error(), "check: no run of this system begins like the trace");
}

TEST(Replay, JudgesTheRunOfATrace) {
  const RunConfig config = config_of("two-phase-commit", 3, {}, {"commit-early"});
  const CheckResult found = checked(config, with("dpor"));
  CheckOptions options = with("replay");
  EXPECT_FALSE(check(config, options, {}, kGoOn)) << "which trace?";
  options.beginning = *beginning_of(*found.counterexample, kNever);
  const CheckResult again = checked(config, options);
  EXPECT_EQ(again.verdict, Verdict::violated) << again.reason;
  EXPECT_FALSE(check(config_of("two-phase-commit", 3), options, {}, kGoOn))
      << "it does not do that";
  options.beginning.resize(2);
  const CheckResult short_of_it = checked(config, options);
  EXPECT_EQ(short_of_it.verdict, Verdict::inconclusive);
}

TEST(Random, FindsBugsAndProvesNothing) {
  const RunConfig buggy = config_of("two-phase-commit", 3, {}, {"commit-early"});
  const CheckResult found = checked(buggy, with("random"));
  EXPECT_EQ(found.verdict, Verdict::violated);
  EXPECT_EQ(to_text(*checked(buggy, with("random")).counterexample), to_text(*found.counterexample))
      << "the seed decides";
  CheckOptions several = with("random");
  several.jobs = 3;
  EXPECT_EQ(to_text(*checked(buggy, several).counterexample), to_text(*found.counterexample));
  const CheckResult nothing = checked(config_of("two-phase-commit", 3), with("random:runs=500"));
  EXPECT_EQ(nothing.verdict, Verdict::inconclusive);
  EXPECT_EQ(nothing.totals.executions, 500U);
  EXPECT_EQ(nothing.reason, "no violation in 500 runs, which prove nothing");
}

TEST(Check, ACounterexampleNamesItsSearch) {
  const CheckResult r =
      checked(config_of("two-phase-commit", 3, {}, {"commit-early"}), with("dpor:mode=source"));
  ASSERT_TRUE(r.counterexample);
  const std::string text = to_text(*r.counterexample);
  EXPECT_THAT(text, ::testing::HasSubstr("\"explorer\":\"check dpor:mode=source\""));
  const auto again = parse_trace(text, "it");
  ASSERT_TRUE(again) << again.error();
  EXPECT_EQ(again->checked_by, "dpor:mode=source");
  EXPECT_EQ(to_text(*again), text);
}

}  // namespace
}  // namespace schism::check
