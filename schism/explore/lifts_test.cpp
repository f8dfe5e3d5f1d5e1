// Which draws led to finds: the table, what is drawn less because of it, and its memory.
#include "schism/explore/lifts.hpp"

#include <gtest/gtest.h>

namespace schism {
namespace {

const Lift* row_of(const std::vector<Lift>& table, const std::string& feature) {
  for (const Lift& row : table)
    if (row.feature == feature) return &row;
  return nullptr;
}

TEST(LiftsTest, AreFindsAStepAgainstAll) {
  Lifts lifts;
  for (int i = 0; i < 10; ++i) {
    lifts.add("scheduler.random fault.crash", 100,
              i < 5 ? std::vector<std::uint32_t>{3} : std::vector<std::uint32_t>{});
    lifts.add("scheduler.random fault.none", 300, {});
  }
  const auto table = lifts.table();
  ASSERT_EQ(table.size(), 3U);
  EXPECT_EQ(table[0].feature, "fault.crash");
  EXPECT_DOUBLE_EQ(table[0].lift, 4);  // 5 in 1,000 steps against 5 in 4,000
  EXPECT_EQ(table[0].draws, 10U);
  EXPECT_EQ(table[0].hits, 5U);
  EXPECT_DOUBLE_EQ(row_of(table, "scheduler.random")->lift, 1);
  EXPECT_DOUBLE_EQ(row_of(table, "fault.none")->lift, 0);
  EXPECT_TRUE(lifts.damping().empty()) << "it is hardly known";
}

TEST(LiftsTest, WhatLeadsToAKnownFindIsDampedAndNothingElse) {
  Lifts lifts;
  for (int i = 0; i < 40; ++i) {
    lifts.add("fault.crash nodes.3", 100, {3});
    lifts.add("fault.drop parameter.requests nodes.3", 100, {});
    lifts.add("fault.pause", 100,
              i % 8 == 0 ? std::vector<std::uint32_t>{5} : std::vector<std::uint32_t>{});
  }
  const Damping damping = lifts.damping();
  ASSERT_EQ(damping.size(), 1U);
  EXPECT_EQ(damping.begin()->first, "fault.crash");
  EXPECT_NEAR(damping.begin()->second, 1.0 / 3, 1e-9);
}

TEST(LiftsTest, NothingIsDampedAway) {
  Lifts lifts;
  for (int i = 0; i < 40; ++i) lifts.add("fault.crash", 10, {3});
  for (int i = 0; i < 1000; ++i) lifts.add("fault.drop", 100, {});
  EXPECT_DOUBLE_EQ(lifts.damping().at("fault.crash"), 0.25);
}

TEST(LiftsTest, AGroupIsOneFindHoweverManyOraclesItViolates) {
  Lifts lifts;
  lifts.add("fault.crash", 100, {3, 5, 8});
  EXPECT_EQ(lifts.table().at(0).hits, 1U);
}

TEST(LiftsTest, AreRemembered) {
  Lifts lifts, again;
  lifts.add("a b", 7, {1, 2});
  lifts.add("b", 9, {});
  ASSERT_TRUE(again.load(lifts.save()));
  EXPECT_EQ(again.save(), lifts.save());
  EXPECT_FALSE(again.load("nonsense"));
}

}  // namespace
}  // namespace schism
