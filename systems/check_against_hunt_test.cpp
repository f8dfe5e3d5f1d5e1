// What a hunt finds a check must not call proved: every system, with each of its bugs and without,
// hunted by random walks and checked in the same small configuration.
#include <gtest/gtest.h>

#include <algorithm>

#include "schism/check/check.hpp"
#include "schism/run/config.hpp"
#include "schism/schism.hpp"

namespace schism {
namespace {

constexpr int kHunted = 400;
// Runs of each search: a few tell whether runs end at all, without which nothing can be proved, and
// how long they are: what has long ones has more than can be gone through.
constexpr std::uint64_t kTried = 40, kChecked = 4'000, kSteps = 100'000;

struct Case {
  std::string system, bug;
  bool crash;
};

std::vector<std::string> small_systems() {
  std::vector<std::string> out;
  for (const auto& system : systems().sorted())
    if (!system->fragile && system->name != "xrpl") out.push_back(system->name);
  return out;
}

Result<RunConfig> config_of(const Case& c) {
  const System& system = *systems().find(c.system);
  RunText text;
  text.system.name = c.system;
  if (!c.bug.empty()) text.bugs = {c.bug};
  text.nodes = std::to_string(std::clamp(3, system.node_range.low, system.node_range.high));
  if (c.crash) text.faults = {{"crash", "1"}};
  text.explorer = *parse_spec("random");
  return make_config(text);
}

// The first violation of some random walks, in which nobody who crashed comes back: a check has no
// restarts unless they are asked for.
std::string hunted(const RunConfig& config) {
  Runner runner(config.setup, config.limits);
  const auto scheduler = make_scheduler(config);
  for (int i = 1; i <= kHunted; ++i) {
    const auto seed = static_cast<std::uint64_t>(i);
    runner.run(*scheduler, {seed, 0});
    const bool restarted =
        std::any_of(runner.world().decisions().begin(), runner.world().decisions().end(),
                    [](const Action& action) { return action.kind == Do::restart; });
    if (runner.violation() && !restarted) return runner.violation()->property;
  }
  return {};
}

Result<check::CheckResult> checked(const RunConfig& config) {
  const std::atomic<bool> stop = false;
  check::CheckOptions options;
  options.probes = 0;
  options.runs = kTried;
  auto result = check::check(config, options, {}, stop);
  if (!result || result->totals.cut > 0 || result->verdict != check::Verdict::inconclusive)
    return result;
  options.runs =
      std::clamp(kSteps / std::max<std::uint64_t>(1, result->totals.longest), kTried, kChecked);
  return check::check(config, options, {}, stop);
}

class CheckAgainstHunt : public testing::TestWithParam<std::string> {};

TEST_P(CheckAgainstHunt, WhatIsProvedIsNotFound) {
  std::vector<std::string> bugs = systems().find(GetParam())->bug_names();
  bugs.insert(bugs.begin(), "");
  int compared = 0;
  for (const std::string& bug : bugs)
    for (const bool crash : {false, true}) {
      const auto config = config_of({GetParam(), bug, crash});
      if (!config && crash) continue;  // nobody crashes there
      ASSERT_TRUE(config) << config.error();
      const auto result = checked(*config);
      ASSERT_TRUE(result) << result.error();
      ++compared;
      if (result->verdict == check::Verdict::holds) {
        EXPECT_EQ(hunted(*config), "") << GetParam() << " " << bug << (crash ? " crash=1" : "");
      }
      if (bug.empty() && !crash) {
        EXPECT_NE(result->verdict, check::Verdict::violated)
            << GetParam() << ": " << result->counterexample->violation->message;
      }
    }
  EXPECT_GE(compared, static_cast<int>(bugs.size()));
}

// That there is something to compare: small protocols are proved, with some of their bugs, too.
TEST(CheckAgainstHunt, SomethingIsProved) {
  for (const char* system : {"hierarchical-consensus", "multipaxos", "two-phase-commit"}) {
    const auto config = config_of({system, "", false});
    ASSERT_TRUE(config) << config.error();
    const auto result = checked(*config);
    ASSERT_TRUE(result) << result.error();
    EXPECT_EQ(result->verdict, check::Verdict::holds) << system << ": " << result->reason;
  }
}

INSTANTIATE_TEST_SUITE_P(Systems, CheckAgainstHunt, testing::ValuesIn(small_systems()),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace schism
