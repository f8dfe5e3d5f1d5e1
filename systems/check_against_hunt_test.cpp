// What a hunt finds a check must not call proved: every system, with each of its bugs and without,
// hunted by random walks and checked in the same small configuration.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "schism/check/check.hpp"
#include "schism/run/config.hpp"
#include "schism/schism.hpp"

namespace schism {
namespace {

constexpr int kHunted = 400;
constexpr std::uint64_t kChecked = 4'000;  // runs of each search

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

class CheckAgainstHunt : public testing::TestWithParam<std::string> {};

TEST_P(CheckAgainstHunt, WhatIsFoundIsNotProved) {
  const std::atomic<bool> stop = false;
  std::vector<std::string> bugs = systems().find(GetParam())->bug_names();
  bugs.insert(bugs.begin(), "");
  int compared = 0, finds = 0, proofs = 0;
  for (const std::string& bug : bugs)
    for (const bool crash : {false, true}) {
      const auto config = config_of({GetParam(), bug, crash});
      if (!config && crash) continue;  // nobody crashes there
      ASSERT_TRUE(config) << config.error();
      const std::string found = hunted(*config);
      check::CheckOptions options;
      options.runs = kChecked;
      options.probes = 0;
      const auto checked = check::check(*config, options, {}, stop);
      ASSERT_TRUE(checked) << checked.error();
      const bool proved = checked->verdict == check::Verdict::holds;
      ++compared, finds += found.empty() ? 0 : 1, proofs += proved ? 1 : 0;
      EXPECT_FALSE(proved && !found.empty())
          << GetParam() << " " << bug << (crash ? " crash=1" : "") << ": " << found;
      if (bug.empty() && !crash) {
        EXPECT_NE(checked->verdict, check::Verdict::violated)
            << GetParam() << ": " << checked->counterexample->violation->message;
      }
    }
  fmt::print("{} compared, {} found by the hunt, {} proved\n", compared, finds, proofs);
  EXPECT_GE(compared, static_cast<int>(bugs.size()));
}

INSTANTIATE_TEST_SUITE_P(Systems, CheckAgainstHunt, testing::ValuesIn(small_systems()),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace schism
