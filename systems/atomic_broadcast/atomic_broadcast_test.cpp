// Atomic broadcast holds over boxes and over protocols; its own bugs are found over either.
#include <gtest/gtest.h>

#include "schism/testing/checked.hpp"

namespace schism {
namespace {

using namespace testing_tools;

const Pairs kOneCrash = {{"crash", "1"}};
const char* const kOverProtocols = "atomic-broadcast:consensus-by=paxos,broadcast-by=eager";

TEST(AtomicBroadcast, HoldsOverBoxes) {
  EXPECT_EQ(verdict_of("atomic-broadcast", {.faults = kOneCrash}), "holds") << "two members";
  EXPECT_EQ(verdict_of("atomic-broadcast:broadcasts=1", {.nodes = 5, .faults = kOneCrash}),
            "holds");
}

TEST(AtomicBroadcast, HoldsOverOneBoxOrNone) {
  EXPECT_EQ(verdict_of("atomic-broadcast:consensus-by=paxos,broadcasts=1"), "holds");
  EXPECT_EQ(verdict_of("atomic-broadcast:broadcast-by=eager,broadcasts=1", {.faults = kOneCrash}),
            "holds");
  EXPECT_FALSE(hunted(std::string(kOverProtocols) + ",broadcasts=3",
                      {.nodes = 3, .faults = kOneCrash}, 3'000));
  EXPECT_FALSE(hunted("atomic-broadcast:broadcasts=3", {.nodes = 5, .faults = kOneCrash}, 3'000));
}

// The box has far fewer schedules than what it stands for.
TEST(AtomicBroadcast, IsCheapOverBoxes) {
  const auto runs = [](const std::string& system, int nodes) {
    return checked(system, {.nodes = nodes}).totals.executions;
  };
  const auto boxes = runs("atomic-broadcast:broadcasts=1", 5);
  const auto paxos = runs("atomic-broadcast:consensus-by=paxos,broadcasts=1", 4);
  const auto both = runs(std::string(kOverProtocols) + ",broadcasts=1", 3);
  fmt::print("three members: {} runs over boxes, {} over Paxos, {} over both protocols\n", boxes,
             paxos, both);
  EXPECT_LT(boxes, paxos);
  EXPECT_LT(paxos, both);
}

TEST(AtomicBroadcast, BugsAreFound) {
  EXPECT_EQ(verdict_of("atomic-broadcast:broadcasts=3", {.nodes = 5, .bugs = {"arrival-order"}}),
            "violated: agreement");
  EXPECT_EQ(verdict_of("atomic-broadcast", {.nodes = 5, .bugs = {"any-round"}}),
            "violated: agreement");
  EXPECT_EQ(verdict_of("atomic-broadcast", {.bugs = {"forget-ordered"}}), "violated: integrity");
  for (const char* bug : {"arrival-order", "any-round", "forget-ordered"}) {
    EXPECT_TRUE(hunted("atomic-broadcast:broadcasts=3", {.nodes = 5, .bugs = {bug}}, 20'000))
        << bug;
    // Only the leader's proposals count in Paxos: some bugs need another one.
    EXPECT_TRUE(hunted(std::string(kOverProtocols) + ",broadcasts=3",
                       {.nodes = 3, .bugs = {bug}, .faults = kOneCrash}, 40'000))
        << bug;
  }
}

}  // namespace
}  // namespace schism
