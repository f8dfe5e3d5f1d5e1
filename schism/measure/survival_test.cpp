#include "schism/measure/survival.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace {
using namespace schism::measure;
using testing::HasSubstr;
using Trials = std::vector<Trial>;

const Trials kA{{100, true}, {250, true}, {250, true}, {600, true}, {1000, false}, {1000, false}};
const Trials kB{{300, true}, {700, true}, {900, true}, {1000, false}, {1000, false}, {1000, false}};

TEST(Survival, CurvesMeansAndLogRank) {  // vector 15
  const Survival a = *kaplan_meier(kA), b = *kaplan_meier(kB);
  EXPECT_NEAR(a.at(100), 5.0 / 6, 1e-15);
  EXPECT_NEAR(a.at(250), 1.0 / 2, 1e-15);
  EXPECT_NEAR(a.at(599), 1.0 / 2, 1e-15);
  EXPECT_NEAR(a.at(600), 1.0 / 3, 1e-15);
  EXPECT_EQ(a.at(99), 1);
  EXPECT_NEAR(b.at(300), 5.0 / 6, 1e-15);
  EXPECT_NEAR(b.at(700), 2.0 / 3, 1e-15);
  EXPECT_NEAR(b.at(900), 1.0 / 2, 1e-15);
  EXPECT_EQ(a.median(), 250);
  EXPECT_EQ(b.median(), 900);
  EXPECT_NEAR(*a.restricted_mean(1000)->value, 533.3333333, 1e-7);
  EXPECT_NEAR(*b.restricted_mean(1000)->value, 816.6666667, 1e-7);
  const auto t = log_rank(kA, kB, {.words = {"swarm", "random"}});
  EXPECT_EQ(t->effects[0].value, 4);
  EXPECT_NEAR(*t->effects[1].value, 2.7364718615, 1e-10);
  EXPECT_NEAR(*t->effects[2].value, 1.5791820688, 1e-10);
  EXPECT_NEAR(t->statistic, 1.0109685187, 1e-10);
  EXPECT_NEAR(*t->p, 0.3146709237, 1e-10);
  EXPECT_THAT(t->line(), HasSubstr("swarm finds sooner than random"));
  EXPECT_THAT(log_rank(kB, kA)->line(), HasSubstr("A finds later than B"));
}

// Without censoring before the end Greenwood's deviation is that of a proportion.
TEST(Survival, GreenwoodIsBinomialWithoutCensoring) {
  const Survival a = *kaplan_meier(kA, 0.95, Band::plain);
  for (const SurvivalStep& s : a.steps) {
    const double binomial = std::sqrt(s.survival * (1 - s.survival) / 6);
    EXPECT_NEAR(s.deviation, binomial, 1e-15);
    EXPECT_NEAR(s.interval->low, std::max(0.0, s.survival - 1.959963984540054 * binomial), 1e-12);
  }
}

// Worked by hand: 1 of 4 at 1, one leaves at 2, 1 of 2 at 3, the last leaves at 3 too.
TEST(Survival, CensoredOnTheWay) {
  const Survival s = *kaplan_meier(Trials{{3, true}, {1, true}, {2, false}, {3, false}});
  ASSERT_EQ(s.steps.size(), 2U);
  EXPECT_EQ(s.steps[1].at_risk, 2U);  // who leaves where another finds was watched
  EXPECT_NEAR(s.steps[1].survival, 0.375, 1e-15);
  const double hazard = 1.0 / (4 * 3) + 1.0 / (2 * 1);
  EXPECT_NEAR(s.steps[1].deviation, 0.375 * std::sqrt(hazard), 1e-15);
  const double z = 1.959963984540054, log = std::log(0.375);
  EXPECT_NEAR(s.steps[1].interval->low, std::pow(0.375, std::exp(z * std::sqrt(hazard) / -log)),
              1e-12);
  EXPECT_EQ(s.censored, (std::vector<double>{2, 3}));
  // Area: 1 up to 1, then 3/4 up to 3; its variance only has the first find's part before 3.
  const auto mean = s.restricted_mean(3);
  EXPECT_NEAR(*mean->value, 2.5, 1e-15);
  EXPECT_NEAR(mean->interval->high - 2.5, z * 1.5 * std::sqrt(1.0 / 12), 1e-12);
}

TEST(Survival, AllFoundAndNoneFound) {
  const Survival all = *kaplan_meier(Trials{{1, true}, {2, true}});
  EXPECT_EQ(all.steps.back().survival, 0);
  EXPECT_FALSE(all.steps.back().interval);
  EXPECT_NEAR(*all.restricted_mean(10)->value, 1.5, 1e-15);
  const Survival none = *kaplan_meier(Trials{{5, false}, {5, false}});
  EXPECT_TRUE(none.steps.empty());
  EXPECT_FALSE(none.median());
  EXPECT_EQ(none.restricted_mean(5)->value, 5);
  EXPECT_FALSE(none.restricted_mean(5)->interval);
  EXPECT_THAT(none.restricted_mean(6).error(), HasSubstr("the last ended at 5"));
  const auto t = log_rank(Trials{{5, false}}, Trials{{5, false}});
  EXPECT_FALSE(t->p);
  EXPECT_THAT(t->line(), HasSubstr("chi2(1) undefined, no p: nobody found anything"));
  // b had left before a found: nothing was ever compared.
  EXPECT_FALSE(log_rank(Trials{{5, true}}, Trials{{4, false}})->p);
  EXPECT_FALSE(kaplan_meier(Trials{}));
  EXPECT_FALSE(kaplan_meier(Trials{{NAN, true}}));
  EXPECT_FALSE(kaplan_meier(Trials{{-1, true}}));
}

RC_GTEST_PROP(Survival, IsTheShareLeftIfAllGaveUpLast, ()) {
  const auto at = *rc::gen::container<std::vector<int>>(
      static_cast<std::size_t>(*rc::gen::inRange(1, 15)), rc::gen::inRange(1, 12));
  Trials trials;
  for (const int t : at) trials.push_back({std::min(10.0, 1.0 * t), t <= 10});
  const Survival s = *kaplan_meier(trials);
  for (int effort = 0; effort <= 10; ++effort) {
    int left = 0;
    for (const int t : at) left += t > effort;
    RC_ASSERT(std::abs(s.at(effort) - left / static_cast<double>(at.size())) < 1e-12);
  }
}

// The slow definition of the sums: at each effort with finds count who is still there.
RC_GTEST_PROP(Survival, LogRankByCounting, ()) {
  const auto some = [] {
    Trials out;
    const int n = *rc::gen::inRange(1, 10);
    for (int i = 0; i < n; ++i)
      out.push_back({1.0 * *rc::gen::inRange(1, 8), *rc::gen::inRange(0, 3) > 0});
    return out;
  };
  const Trials a = some(), b = some();
  double observed = 0, expected = 0, variance = 0;
  for (int t = 1; t < 8; ++t) {
    double risk_a = 0, risk = 0, finds_a = 0, finds = 0;
    for (const auto& [trials, is_a] : {std::pair(a, 1), std::pair(b, 0)})
      for (const Trial& x : trials) {
        risk += x.at >= t, risk_a += is_a * (x.at >= t);
        finds += x.at == t && x.found, finds_a += is_a * (x.at == t && x.found);
      }
    if (finds == 0) continue;
    observed += finds_a;
    expected += finds * risk_a / risk;
    if (risk > 1)
      variance += finds * risk_a * (risk - risk_a) * (risk - finds) / (risk * risk * (risk - 1));
  }
  const auto t = log_rank(a, b);
  RC_ASSERT(std::abs(*t->effects[0].value - observed) < 1e-12);
  RC_ASSERT(std::abs(*t->effects[1].value - expected) < 1e-12);
  RC_ASSERT(std::abs(*t->effects[2].value - variance) < 1e-12);
  RC_ASSERT(t->p.has_value() == (variance > 0));
}

}  // namespace
