// GoogleTest: a scenario is a test whose failure text is the story.
//
//   SCENARIO(raft, leader_loses_its_quorum) {
//     test.filter("cut off").If(sent("MsgApp") && to(3)).Then(Drop());
//     test.judged().On(word("becomes-leader"), "goal");
//     test.expect_goal(90);
//   }
//   SCHISM_SCENARIO_FILES(Incidents, "scenarios");   // a test a scenario
#pragma once

#include <gtest/gtest.h>

#include "schism/gtest.hpp"
#include "schism/scenario/files.hpp"
#include "schism/scenario/parse.hpp"
#include "schism/scenario/test.hpp"
#include "schism/scenario/words.hpp"

namespace schism::scenario {

inline ::testing::AssertionResult holds(const Scenario& scenario, const TestOptions& options = {}) {
  const std::atomic<bool> stop{false};
  const auto outcome = run_test(scenario, options, stop);
  if (!outcome) return ::testing::AssertionFailure() << outcome.error();
  if (!outcome->passed())
    return ::testing::AssertionFailure()
           << report(*outcome) << "\nthis test:  " << command_of_this_test() << "\n";
  auto out = ::testing::AssertionSuccess() << summary(*outcome);
  for (const std::string& warning : outcome->warnings) out << "\n  warning: " << warning;
  return out;
}

class ScenarioFile : public ::testing::TestWithParam<Scenario> {};

inline std::string name_of_scenario(const ::testing::TestParamInfo<Scenario>& tested) {
  std::string out = std::to_string(tested.index) + "_";
  for (const char c : tested.param.name)
    out += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return out;
}

}  // namespace schism::scenario

// NOLINTNEXTLINE: a macro, because GoogleTest's own registration is one
#define SCENARIO(system, title)                                                    \
  static void scenario_##system##_##title(::schism::scenario::ScenarioTest& test); \
  TEST(system, title) {                                                            \
    ::schism::scenario::ScenarioTest test(#title, #system);                        \
    scenario_##system##_##title(test);                                             \
    EXPECT_TRUE(::schism::scenario::holds(test));                                  \
  }                                                                                \
  static void scenario_##system##_##title(::schism::scenario::ScenarioTest& test)

// NOLINTNEXTLINE
#define SCHISM_SCENARIO_FILES(suite, folder)                                              \
  class suite##Scenario : public ::schism::scenario::ScenarioFile {};                     \
  TEST_P(suite##Scenario, Holds) { EXPECT_TRUE(::schism::scenario::holds(GetParam())); }  \
  GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(suite##Scenario);                         \
  INSTANTIATE_TEST_SUITE_P(Files, suite##Scenario,                                        \
                           ::testing::ValuesIn(::schism::scenario::scenarios_in(folder)), \
                           ::schism::scenario::name_of_scenario)
