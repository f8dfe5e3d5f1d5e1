// Tests that grow with the number of systems: one test a system, so that none is long.
//
//   class ReplayOf : public testing_tools::EverySystem {};
//   TEST_P(ReplayOf, GivesTheSameEvents) { play(system()); }
//   INSTANTIATE_TEST_SUITE_P(, ReplayOf, testing_tools::each_system(),
//                            testing_tools::system_in_name);
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "schism/system/systems.hpp"

namespace schism::testing_tools {

class EverySystem : public testing::TestWithParam<std::string> {
 protected:
  static const System& system() { return *systems().find(GetParam()); }
};

inline auto each_system() { return testing::ValuesIn(systems().names()); }

// GoogleTest allows letters, digits and underscores.
inline std::string word_in_name(std::string word) {
  std::replace(word.begin(), word.end(), '-', '_');
  return word;
}

inline std::string system_in_name(const testing::TestParamInfo<std::string>& tested) {
  return word_in_name(tested.param);
}

}  // namespace schism::testing_tools
