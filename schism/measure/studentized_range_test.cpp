#include "schism/measure/studentized_range.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "schism/measure/distributions.hpp"

namespace {
using namespace schism::measure;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// The definition as it stands in textbooks, by Simpson's rule with many points, over the smallest
// value and the deviation itself; the distribution, not its tail.
double slow_lower(double q, int k, double freedom) {
  const auto simpson = [](auto f, double low, double high, int n) {
    double sum = f(low) + f(high);
    for (int i = 1; i < n; ++i) sum += (i % 2 == 1 ? 4 : 2) * f(low + (high - low) * i / n);
    return sum * (high - low) / n / 3;
  };
  const auto range = [&](double w) {
    return simpson(
        [&](double z) {
          const double inside = std::erfc(-(z + w) / std::numbers::sqrt2) / 2 -
                                std::erfc(-z / std::numbers::sqrt2) / 2;
          return k * std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi) *
                 std::pow(inside, k - 1);
        },
        -9, 9, 400);
  };
  return simpson(
      [&](double s) {
        if (s == 0) return 0.0;
        const double log = std::log(2.0) + freedom / 2 * std::log(freedom / 2) -
                           std::lgamma(freedom / 2) + (freedom - 1) * std::log(s) -
                           freedom * s * s / 2;
        return std::exp(log) * range(q * s);
      },
      0, 6, 1200);
}

TEST(StudentizedRange, Vectors) {  // vector 12
  EXPECT_NEAR(studentized_range_upper(3.5, 4, 39), 0.079885384, 1e-9);
  EXPECT_NEAR(studentized_range_quantile(0.05, 4, 39), 3.7948542, 1e-7);
  EXPECT_NEAR(studentized_range_quantile(0.05, 3, 15), 3.6733776, 1e-7);
  EXPECT_NEAR(studentized_range_quantile(0.05, 4, 52), 3.7534626, 1e-7);
}

// With two values it is Student's t, times the root of two.
TEST(StudentizedRange, OfTwoIsStudent) {
  for (const double freedom : {1.0, 2.0, 3.5, 10.0, 39.0, 1000.0, 900000.0})
    for (const double q : {0.01, 0.5, 2.0, 3.7, 8.0, 20.0}) {
      const double student = 2 * t_upper(q / std::numbers::sqrt2, freedom);
      EXPECT_NEAR(studentized_range_upper(q, 2, freedom) / student, 1, 1e-10)
          << q << " " << freedom;
    }
  EXPECT_NEAR(
      studentized_range_upper(9, 2, kInfinite) / (2 * normal_upper(9 / std::numbers::sqrt2)), 1,
      1e-11);
}

TEST(StudentizedRange, IsTheTextbooksIntegral) {
  for (const int k : {3, 5, 10})
    for (const double freedom : {4.0, 15.0, 60.0})
      for (const double q : {1.0, 3.5, 5.0})
        EXPECT_NEAR(studentized_range_upper(q, static_cast<std::size_t>(k), freedom),
                    1 - slow_lower(q, k, freedom), 1e-9)
            << k << " " << freedom << " " << q;
}

// studentized_range of scipy 1.10.1. R's ptukey differs from the seventh digit on for many values
// (0.95263646 in the last line), and qtukey from the fifth.
TEST(StudentizedRange, AsScipySays) {
  const struct {
    std::size_t k;
    double freedom, tail;
  } tails[] = {{3, 2, 0.2294715206939828},
               {10, 20, 0.3370709659483514},
               {20, 120, 0.605030076850329},
               {50, 5, 0.824219947058112},
               {50, kInfinite, 0.952636716761037}};
  for (const auto& c : tails)
    EXPECT_NEAR(studentized_range_upper(3.5, c.k, c.freedom), c.tail, 1e-11) << c.k;
  EXPECT_NEAR(studentized_range_quantile(0.05, 3, 2), 8.330782645637044, 1e-8);
  EXPECT_NEAR(studentized_range_quantile(0.05, 10, 20), 5.007882667595452, 1e-8);
  EXPECT_NEAR(studentized_range_quantile(0.05, 50, 5), 9.673997537047397, 1e-8);
}

TEST(StudentizedRange, TheQuantileIsTheInverse) {
  for (const double tail : {0.999, 0.5, 0.01, 1e-8})
    EXPECT_NEAR(studentized_range_upper(studentized_range_quantile(tail, 4, 12), 4, 12) / tail, 1,
                1e-9);
}

// A tail beyond any pair's own cannot be larger than all pairs' tails together.
TEST(StudentizedRange, SmallTailsKeepTheirDigits) {
  for (const double q : {12.0, 20.0, 40.0}) {
    const double pair = 2 * t_upper(q / std::numbers::sqrt2, 30);
    const double all = studentized_range_upper(q, 5, 30);
    EXPECT_GT(all, pair);
    EXPECT_LT(all, 10 * pair);
  }
}

TEST(StudentizedRange, Edges) {
  EXPECT_EQ(studentized_range_upper(0, 3, 5), 1);
  EXPECT_EQ(studentized_range_upper(kInfinite, 3, 5), 0);
  EXPECT_TRUE(std::isnan(studentized_range_upper(1, 1, 5)));
  EXPECT_TRUE(std::isnan(studentized_range_upper(1, 3, 0.5)));
  EXPECT_TRUE(std::isnan(studentized_range_quantile(0, 3, 5)));
  EXPECT_LT(studentized_range_upper(1e9, 3, 10), 1e-80);
  EXPECT_GT(studentized_range_upper(1e9, 3, 10), 0);
}

}  // namespace
