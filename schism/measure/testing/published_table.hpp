// For tests: Table 5.4 of the thesis behind ModelFuzz, the mean iterations in which four fuzzers
// found fourteen bugs of RedisRaft, with the budget of 20,000 for a bug that was not found.
#pragma once

#include "schism/measure/groups.hpp"

namespace schism::measure {

inline std::vector<Group> published_table() {
  return {
      {"ModelFuzz",
       {299, 10409, 48, 10255, 578, 8334, 6925, 20000, 11155, 11748, 12031, 5709, 6563, 862}},
      {"Random",
       {227, 13420, 19, 12823, 696, 20000, 14345, 20000, 12449, 6598, 14041, 11832, 20000, 20000}},
      {"Trace",
       {368, 8518, 32, 11600, 945, 20000, 20000, 16275, 12766, 18001, 12158, 16097, 20000, 20000}},
      {"Line",
       {256, 7592, 43, 10581, 482, 17784, 6512, 20000, 15157, 9680, 12261, 20000, 20000, 20000}}};
}

}  // namespace schism::measure
