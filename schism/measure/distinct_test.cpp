#include "schism/measure/distinct.hpp"

#include <gtest/gtest.h>

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

TEST(Distinct, OrderDoesNotMatter) {
  Distinct a, b;
  for (std::uint64_t i = 0; i < 1000; ++i) a.add(scatter(i)), b.add(scatter(999 - i));
  EXPECT_EQ(a.estimate(), b.estimate());
}

}  // namespace
