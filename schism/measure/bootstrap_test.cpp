#include "schism/measure/bootstrap.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "schism/base/random.hpp"
#include "schism/measure/distributions.hpp"

namespace {
using namespace schism::measure;
using testing::HasSubstr;
using Values = std::vector<double>;

TEST(Bootstrap, QuantilesBetweenOrderStatistics) {
  const Values v{1, 2, 4, 8};
  EXPECT_EQ(quantile(v, 0), 1);
  EXPECT_EQ(quantile(v, 0.5), 3);
  EXPECT_EQ(quantile(v, 0.25), 1.75);
  EXPECT_EQ(quantile(v, 1), 8);
  EXPECT_EQ(quantile(Values{7}, 0.3), 7);
}

TEST(Bootstrap, TheSameSeedTheSameInterval) {
  const Values v{3.1, 1.07, 4.23, 1.501, 5.9, 9.003, 2.77, 6.4142};
  const auto a = bootstrap_mean(v), b = bootstrap_mean(v), other = bootstrap_mean(v, {.seed = 2});
  EXPECT_EQ(a->interval->low, b->interval->low);
  EXPECT_EQ(a->interval->high, b->interval->high);
  EXPECT_NE(a->interval->low, other->interval->low);
  EXPECT_NEAR(*a->value, 4.248525, 1e-12);
}

// The slow definition: of three values all 27 draws are known.
TEST(Bootstrap, ThePercentilesAreThoseOfAllDraws) {
  const Values v{1, 2, 6};
  Values all;
  for (const double x : v)
    for (const double y : v)
      for (const double z : v) all.push_back((x + y + z) / 3);
  std::sort(all.begin(), all.end());
  const BootstrapOptions percentile{
      .method = BootstrapMethod::percentile, .resamples = 200'000, .confidence = 0.8};
  const auto drawn = bootstrap_mean(v, percentile);
  // Between the values that the 27 draws take there is nothing, so these are met exactly.
  EXPECT_NEAR(drawn->interval->low, all[2], 1e-12);
  EXPECT_NEAR(drawn->interval->high, all[24], 1e-12);
}

// Efron's formula by hand: for a mean the acceleration is a sixth of the skewness over root n.
TEST(Bootstrap, BcaMovesTowardsTheLongTail) {
  const Values v{1, 1, 2, 2, 3, 3, 4, 5, 9, 30};
  const auto bca = bootstrap_mean(v, {.resamples = 40'000});
  const auto plain =
      bootstrap_mean(v, {.method = BootstrapMethod::percentile, .resamples = 40'000});
  EXPECT_GT(bca->interval->low, plain->interval->low);
  EXPECT_GT(bca->interval->high, plain->interval->high);
}

TEST(Bootstrap, AsScipySays) {
  // scipy.stats.bootstrap 1.10.1 with 200,000 draws of other random numbers: 2.8 to 15.7, 16.0 or
  // 16.1 by seed, and 2.3 to 11.8 by percentiles. Means of ten whole numbers come in tenths.
  const Values v{1, 1, 2, 2, 3, 3, 4, 5, 9, 30};
  const auto bca = bootstrap_mean(v, {.resamples = 200'000});
  EXPECT_NEAR(bca->interval->low, 2.8, 0.1001);
  EXPECT_NEAR(bca->interval->high, 15.9, 0.3001);
  const auto plain =
      bootstrap_mean(v, {.method = BootstrapMethod::percentile, .resamples = 200'000});
  EXPECT_NEAR(plain->interval->low, 2.3, 0.1001);
  EXPECT_NEAR(plain->interval->high, 11.8, 0.1001);
}

// 95% intervals hold a true mean in nearly 95 of 100 samples; few values, skewed: somewhat fewer.
TEST(Bootstrap, CoversNearlyWhatItSays) {
  schism::Rng rng(3);
  int held = 0;
  constexpr int kSamples = 400;
  for (int i = 0; i < kSamples; ++i) {
    Values v;
    for (int j = 0; j < 40; ++j) v.push_back(normal_quantile(rng.unit() + 0x1p-54));
    const auto e = bootstrap_mean(v, {.resamples = 500, .seed = static_cast<std::uint64_t>(i)});
    held += e->interval->low <= 0 && 0 <= e->interval->high;
  }
  EXPECT_GT(held, 0.90 * kSamples);
  EXPECT_LT(held, 0.985 * kSamples);
}

TEST(Bootstrap, RefusesWhatHasNoInterval) {
  EXPECT_THAT(bootstrap_mean(Values{1}).error(), HasSubstr("at least 2"));
  EXPECT_FALSE(bootstrap_mean(Values{1, NAN}));
  EXPECT_FALSE(bootstrap_mean(Values{1, 2}, {.resamples = 10}));
  EXPECT_FALSE(bootstrap_mean(Values{1, 2}, {.confidence = 0}));
  EXPECT_FALSE(bootstrap("nothing", {}, [](const auto&) { return 0.0; }));
  // The same value always: an interval would claim certainty.
  EXPECT_EQ(bootstrap_median(Values{5, 5, 5})->value, 5);
  EXPECT_FALSE(bootstrap_median(Values{5, 5, 5})->interval);
  EXPECT_FALSE(bootstrap_a12(Values{1, 2}, Values{3, 4})->interval);
  // The largest value is never exceeded: there is no bias to correct by.
  const auto largest = [](const std::vector<Values>& s) {
    return *std::max_element(s[0].begin(), s[0].end()) > 2 ? 1e9 : 0;
  };
  EXPECT_TRUE(bootstrap("largest", {{1, 2, 3}}, largest, {.method = BootstrapMethod::percentile}));
  const auto inverse = [](const std::vector<Values>& s) { return 1 / (s[0][0] - s[0][1]); };
  EXPECT_THAT(bootstrap("inverse", {{1, 2}}, inverse).error(), HasSubstr("inf on some draws"));
}

}  // namespace
