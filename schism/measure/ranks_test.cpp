#include "schism/measure/ranks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>

namespace {
using namespace schism::measure;
using testing::ElementsAre;

TEST(Ranks, TiesShareTheirMean) {
  const Ranks r = rank(std::vector<double>{5, 1, 5, 3});
  EXPECT_THAT(r.doubled, ElementsAre(7, 2, 7, 4));
  EXPECT_EQ(r.tie_sum, 6);
  EXPECT_TRUE(r.ties);
  EXPECT_FALSE(rank(std::vector<double>{1, 1.5}).ties);
  EXPECT_TRUE(rank(std::vector<double>{1, 1.5}, 0.5).ties);
  EXPECT_TRUE(rank({}).doubled.empty());
}

RC_GTEST_PROP(Ranks, SubsetSumsCountEverySubset, ()) {
  const auto items = *rc::gen::container<std::vector<std::int64_t>>(
      static_cast<std::size_t>(*rc::gen::inRange(0, 10)), rc::gen::inRange<std::int64_t>(0, 9));
  const auto choose = static_cast<std::size_t>(*rc::gen::inRange<std::size_t>(0, items.size() + 1));
  const auto total =
      static_cast<std::size_t>(std::accumulate(items.begin(), items.end(), std::int64_t{0}));
  std::vector<double> any(total + 1), chosen(total + 1);
  for (unsigned set = 0; set < 1U << items.size(); ++set) {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < items.size(); ++i)
      if (set >> i & 1) sum += static_cast<std::size_t>(items[i]);
    ++any[sum];
    if (static_cast<std::size_t>(__builtin_popcount(set)) == choose) ++chosen[sum];
  }
  RC_ASSERT(subset_sums(items) == any);
  auto fast = subset_sums(items, choose);
  fast.resize(total + 1);
  RC_ASSERT(fast == chosen);
}

}  // namespace
