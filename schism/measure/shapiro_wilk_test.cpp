#include "schism/measure/shapiro_wilk.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "schism/base/random.hpp"
#include "schism/measure/distributions.hpp"

namespace {
using namespace schism::measure;
using testing::HasSubstr;
using Values = std::vector<double>;

TEST(ShapiroWilk, WeightsOfMen) {  // Shapiro and Wilk 1965, as R 4.2.2 has it
  const auto t = shapiro_wilk(Values{148, 154, 158, 160, 161, 162, 166, 170, 182, 195, 236});
  EXPECT_NEAR(t->statistic, 0.7888146948, 1e-9);
  EXPECT_NEAR(*t->p, 0.00670381406, 1e-9);
  EXPECT_THAT(t->line(), HasSubstr("not normal (Royston's approximation); A is unlikely to be"));
}

TEST(ShapiroWilk, AsRSays) {  // shapiro.test of R 4.2.2
  Values to_30, squares, mixed;
  for (int i = 1; i <= 30; ++i) to_30.push_back(i);
  for (int i = 1; i <= 50; ++i) squares.push_back(i * i);
  for (int i = 1; i <= 2000; ++i) mixed.push_back(i * 7919 % 10007);
  const struct {
    Values values;
    double w, p;
  } cases[] = {{{1, 2, 4}, 0.9642857143, 0.636886845},
               {{1, 2, 4, 8}, 0.9202026788, 0.538083777},
               {{3, 1, 4, 1, 5}, 0.8939244938, 0.377222469},
               {{2.1, 2.3, 2.2, 2.8, 2.9, 2.0, 9}, 0.5750118629, 0.000137589774},
               {to_30, 0.957450559, 0.266232679},
               {squares, 0.8981247997, 0.000416885152}};
  for (const auto& c : cases) {
    EXPECT_NEAR(shapiro_wilk(c.values)->statistic, c.w, 1e-9);
    EXPECT_NEAR(*shapiro_wilk(c.values)->p / c.p, 1, 1e-7);
  }
  EXPECT_NEAR(shapiro_wilk(mixed)->statistic, 0.954824726, 1e-9);
  EXPECT_LT(*shapiro_wilk(mixed)->p, 2.220446e-16);
}

TEST(ShapiroWilk, RefusesWhatHasNoAnswer) {
  EXPECT_THAT(shapiro_wilk(Values{1, 2}).error(), HasSubstr("at least 3 are needed"));
  EXPECT_FALSE(shapiro_wilk(Values(5001, 1)));
  EXPECT_FALSE(shapiro_wilk(Values{1, 2, NAN}));
  const auto same = shapiro_wilk(Values{2, 2, 2, 2});
  EXPECT_FALSE(same->p);
  EXPECT_THAT(same->line(), HasSubstr("W undefined, no p: every value is the same"));
  EXPECT_FALSE(shapiro_wilk(Values{-1.7e308, 0, 1.7e308})->p);
}

// Of normal samples one in twenty is called unlikely at 5%.
TEST(ShapiroWilk, HoldsItsLevel) {
  schism::Rng rng(7);
  for (const std::size_t n : {4U, 8U, 20U, 100U}) {
    int rejected = 0;
    constexpr int kSamples = 4000;
    for (int i = 0; i < kSamples; ++i) {
      Values v;
      for (std::size_t j = 0; j < n; ++j) v.push_back(normal_quantile(rng.unit() + 0x1p-54));
      rejected += *shapiro_wilk(v)->p < 0.05;
    }
    // Five deviations of a proportion.
    EXPECT_NEAR(rejected / static_cast<double>(kSamples), 0.05,
                5 * std::sqrt(0.05 * 0.95 / kSamples))
        << n;
  }
}

RC_GTEST_PROP(ShapiroWilk, ScaleAndPlaceDoNotMatter, ()) {
  const auto raw = *rc::gen::container<std::vector<int>>(
      static_cast<std::size_t>(*rc::gen::inRange(3, 40)), rc::gen::inRange(-1000, 1000));
  const Values v(raw.begin(), raw.end());
  Values w;
  for (const double x : v) w.push_back(-1e-200 * x);
  const auto a = shapiro_wilk(v), b = shapiro_wilk(w);
  RC_ASSERT(a->p.has_value() == b->p.has_value());
  if (a->p) RC_ASSERT(std::abs(a->statistic - b->statistic) < 1e-12);
}

}  // namespace
