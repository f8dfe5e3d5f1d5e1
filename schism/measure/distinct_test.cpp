#include "schism/measure/distinct.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {
using namespace schism;

TEST(Distinct, WithinFivePercentFromFewToMany) {
  for (const std::uint64_t n : {1, 10, 100, 1000, 5000, 20000, 200000}) {
    Distinct d;
    for (std::uint64_t i = 0; i < n; ++i) d.add(scatter(i));
    for (std::uint64_t i = 0; i < n; ++i) d.add(scatter(i));  // again: counts once
    EXPECT_NEAR(static_cast<double>(d.estimate()), static_cast<double>(n),
                0.05 * static_cast<double>(n) + 0.5);
  }
}

// Where hardly a register is empty, counting them would be off by a tenth.
TEST(Distinct, IsAsExactAsPromisedWhereRegistersFill) {
  constexpr std::uint64_t kThings = 32'000, kSets = 20;
  double squares = 0;
  for (std::uint64_t set = 0; set < kSets; ++set) {
    Distinct d;
    for (std::uint64_t i = 0; i < kThings; ++i) d.add(scatter(set << 32 | i));
    const double off = static_cast<double>(d.estimate()) / static_cast<double>(kThings) - 1;
    squares += off * off;
  }
  EXPECT_LT(std::sqrt(squares / static_cast<double>(kSets)), 0.03);
}

TEST(Distinct, BothHalvesOfAHashCount) {
  Distinct low, high;
  for (std::uint64_t i = 0; i < 1000; ++i)
    low.add({scatter(i).lo, 7}), high.add({7, scatter(i).hi});
  EXPECT_NEAR(static_cast<double>(low.estimate()), 1000, 50);
  EXPECT_NEAR(static_cast<double>(high.estimate()), 1000, 50);
}

TEST(Distinct, OrderDoesNotMatter) {
  Distinct a, b;
  for (std::uint64_t i = 0; i < 1000; ++i) a.add(scatter(i)), b.add(scatter(999 - i));
  EXPECT_EQ(a.estimate(), b.estimate());
}

}  // namespace
