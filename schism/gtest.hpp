// GoogleTest: a hunt is a test whose failure message is the shrunk story, and a folder of kept
// traces is a regression suite.
//
//   TEST(Locks, SurviveAHunt) {
//     EXPECT_TRUE(schism::survives({.system = "locks", .faults = "drop=2", .runs = 2000}));
//   }
//   SCHISM_KEPT_TRACES(Locks, "tests/kept");   // a test a trace: it must not be reproduced
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "schism/base/shell.hpp"
#include "schism/campaign/assert.hpp"
#include "schism/trace/trace.hpp"

namespace schism {

// How a person runs the test that is running now: hunts are functions of their seeds, so that it
// fails in the same way.
inline std::string command_of_this_test() {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  std::error_code none;
  const std::string program = std::filesystem::read_symlink("/proc/self/exe", none).string();
  if (!test || program.empty()) return {};
  return quote(program) + " " +
         quote(std::string("--gtest_filter=") + test->test_suite_name() + "." + test->name());
}

inline ::testing::AssertionResult survives(const HuntSpec& spec) {
  const auto failure = hunt_failure(spec);
  if (!failure) return ::testing::AssertionSuccess() << "nothing wrong found";
  return ::testing::AssertionFailure()
         << *failure << "this test:  " << command_of_this_test() << "\n";
}

inline ::testing::AssertionResult stays_mended(const std::string& path) {
  const Kept kept = check_kept(path);
  if (kept.failure) return ::testing::AssertionFailure() << *kept.failure;
  return ::testing::AssertionSuccess() << kept.note;
}

// A folder that cannot be read gives one test, which fails.
inline std::vector<std::string> kept_traces(const std::string& folder) {
  const auto files = list_traces(folder);
  return files ? *files : std::vector<std::string>{folder};
}

class KeptTrace : public ::testing::TestWithParam<std::string> {};

inline void replay_kept(const std::string& path) {
  const Kept kept = check_kept(path);
  if (kept.unreachable) GTEST_SKIP() << path << ": " << kept.note;
  EXPECT_FALSE(kept.failure) << *kept.failure;
}

inline std::string name_of_kept(const ::testing::TestParamInfo<std::string>& tested) {
  std::string out;
  for (const char c : tested.param)
    out += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return out;
}

}  // namespace schism

// NOLINTNEXTLINE: a macro, because GoogleTest's own registration is one
#define SCHISM_KEPT_TRACES(suite, folder)                                      \
  class suite##Kept : public ::schism::KeptTrace {};                           \
  TEST_P(suite##Kept, IsNotReproduced) { ::schism::replay_kept(GetParam()); }  \
  GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(suite##Kept);                  \
  INSTANTIATE_TEST_SUITE_P(Traces, suite##Kept,                                \
                           ::testing::ValuesIn(::schism::kept_traces(folder)), \
                           ::schism::name_of_kept)
