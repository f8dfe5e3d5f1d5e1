// Numbers for draws: powers as exact as they need to be, ends included, every decade alike.
#include "schism/explore/odds.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

namespace schism {
namespace {

TEST(Odds, PowersAreThoseOfTheLibrary) {
  for (const double base : {0.1, 0.5, 1.0, 2.0, 7.0, 1000.0})
    for (double share = 0; share < 1; share += 0.0625)
      EXPECT_NEAR(power(base, share), std::pow(base, share), 1e-6 * std::pow(base, share));
}

RC_GTEST_PROP(Odds, StayWithinTheirEnds, (std::uint64_t seed)) {
  Rng random(seed);
  const auto low = random.between(1, 1000);
  const auto high = low + random.between(0, 100'000);
  const auto drawn = log_uniform_integer(random, low, high);
  RC_ASSERT(low <= drawn);
  RC_ASSERT(drawn <= high);
  const double real = log_uniform(random, 0.02, 0.5);
  RC_ASSERT(real >= 0.02);
  RC_ASSERT(real <= 0.5);
}

TEST(Odds, ReachBothEndsAndEveryDoublingAlike) {
  Rng random(1);
  std::map<std::int64_t, int> seen;
  constexpr int kDraws = 40'000;
  for (int i = 0; i < kDraws; ++i) ++seen[log_uniform_integer(random, 1, 31)];
  EXPECT_EQ(seen.size(), 31U);
  // 1; 2 to 3; 4 to 7; 8 to 15; 16 to 31: a fifth each.
  for (std::int64_t low = 1; low < 32; low *= 2) {
    int count = 0;
    for (std::int64_t i = low; i < 2 * low; ++i) count += seen[i];
    EXPECT_NEAR(count, kDraws / 5, 5 * std::sqrt(kDraws * 0.2 * 0.8)) << low;
  }
}

TEST(Odds, AreShortToRead) {
  EXPECT_EQ(short_number(0.12345), "0.123");
  EXPECT_EQ(short_number(2), "2");
}

}  // namespace
}  // namespace schism
