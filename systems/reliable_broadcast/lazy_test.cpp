// The lazy variant of reliable broadcast needs a detector that misses no crash; that it is wrong
// now and then costs messages, nothing else.
#include <gtest/gtest.h>

#include "schism/testing/checked.hpp"

namespace schism {
namespace {

using namespace testing_tools;

const Pairs kOneCrash = {{"crash", "1"}};
const char* const kLazy = "reliable-broadcast:relay=lazy,piecewise=true";

TEST(LazyReliableBroadcast, HoldsOverAPerfectDetector) {
  EXPECT_EQ(verdict_of(kLazy, {.faults = kOneCrash}), "holds");
  EXPECT_EQ(verdict_of(std::string(kLazy) + ",self-delivery=only", {.faults = kOneCrash}), "holds");
  EXPECT_EQ(verdict_of(std::string(kLazy) + ",own-notice=true",
                       {.faults = kOneCrash, .world = {{"down", "empty"}}}),
            "holds");
}

TEST(LazyReliableBroadcast, HoldsOverADetectorThatErrs) {
  EXPECT_EQ(verdict_of("reliable-broadcast:relay=lazy,wrong-suspicions=1"), "holds");
  EXPECT_EQ(
      verdict_of(std::string(kLazy) + ",wrong-suspicions=2", {.nodes = 2, .faults = kOneCrash}),
      "holds");
  EXPECT_FALSE(hunted(std::string(kLazy) + ",wrong-suspicions=2,broadcasts=3",
                      {.faults = kOneCrash}, 5'000));
}

TEST(LazyReliableBroadcast, ItsBugIsFound) {
  EXPECT_EQ(verdict_of(kLazy, {.bugs = {"relay-known-only"}, .faults = kOneCrash}),
            "violated: agreement");
  EXPECT_TRUE(hunted(kLazy, {.bugs = {"relay-known-only"}, .faults = kOneCrash}, 5'000));
  EXPECT_EQ(verdict_of(kLazy, {.bugs = {"no-relay"}, .faults = kOneCrash}), "violated: agreement");
}

}  // namespace
}  // namespace schism
