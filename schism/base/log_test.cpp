#include "schism/base/log.hpp"

#include <gtest/gtest.h>

namespace schism {
namespace {

struct Entry {
  int term = 0, value = 0;
  FIELDS(term, value)
};

Log<Entry> log_of(std::initializer_list<int> values) {
  Log<Entry> log;
  for (const int v : values) log.append({1, v});
  return log;
}

TEST(Log, IndicesBeginAtOne) {
  const auto log = log_of({7, 8});
  EXPECT_EQ(log.base(), 0U);
  EXPECT_EQ(log.last(), 2U);
  EXPECT_FALSE(log.has(0));
  EXPECT_TRUE(log.has(2));
  EXPECT_FALSE(log.has(3));
  EXPECT_EQ(log[1].value, 7);
}

TEST(Log, PrefixHashesTellWhereLogsPart) {
  const auto a = log_of({1, 2, 3}), b = log_of({1, 2, 4}), c = log_of({2, 1});
  EXPECT_EQ(a.prefix(2), b.prefix(2));
  EXPECT_NE(a.prefix(3), b.prefix(3));
  EXPECT_NE(a.prefix(2), c.prefix(2));
}

TEST(Log, TruncationBringsTheOldHashBack) {
  auto log = log_of({1, 2, 3});
  log.truncate(1);
  EXPECT_EQ(log.digest(), log_of({1}).digest());
  log.append({1, 2});
  EXPECT_EQ(log.prefix(2), log_of({1, 2}).prefix(2));
}

TEST(Log, CompactionKeepsThePrefixHash) {
  auto log = log_of({1, 2, 3, 4});
  const auto whole = log;
  log.compact(3);
  EXPECT_EQ(log.base(), 3U);
  EXPECT_EQ(log.size(), 1U);
  EXPECT_EQ(log[4].value, 4);
  EXPECT_EQ(log.prefix(3), whole.prefix(3));
  EXPECT_EQ(log.prefix(4), whole.prefix(4));
  EXPECT_NE(log.digest(), whole.digest());    // what is kept is part of the state
  EXPECT_EQ(log.prefix(1), whole.prefix(1));  // until the next time
  log.compact(4);
  EXPECT_FALSE(log.knows(2));
  EXPECT_EQ(log.prefix(4), whole.prefix(4));
  log = whole;
  log.compact(3);

  Log<Entry> follower = log_of({9, 9});
  follower.reset(3, whole.prefix(3));
  follower.append({1, 4});
  EXPECT_EQ(follower.digest(), log.digest());
}

}  // namespace
}  // namespace schism
