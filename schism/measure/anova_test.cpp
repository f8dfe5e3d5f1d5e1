#include "schism/measure/anova.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "schism/measure/distributions.hpp"
#include "schism/measure/rank_groups.hpp"
#include "schism/measure/testing/published_table.hpp"

namespace {
using namespace schism::measure;
using testing::HasSubstr;
using Groups = std::vector<Group>;

const Groups kThree{
    {"A", {6, 8, 4, 5, 3, 4}}, {"B", {8, 12, 9, 11, 6, 8}}, {"C", {13, 9, 11, 8, 7, 12}}};

TEST(Anova, OneWayAndKruskalWallis) {  // vector 10
  const auto anova = one_way_anova(kThree);
  EXPECT_NEAR(anova->test.statistic, 9.2647058824, 1e-10);
  EXPECT_EQ(anova->test.freedom, (std::vector<double>{2, 15}));
  EXPECT_NEAR(*anova->test.p, 0.0023987773, 1e-10);
  EXPECT_THAT(anova->test.line(), HasSubstr("lowest mean: A (5), highest: C (10)"));
  const auto kruskal = kruskal_wallis(kThree);
  EXPECT_NEAR(kruskal->statistic, 9.4206848358, 1e-10);
  EXPECT_NEAR(*kruskal->p, 0.0090016947, 1e-10);
}

TEST(Anova, RepeatedMeasuresOfThePublishedTable) {  // vector 11
  const auto anova = repeated_anova(published_table());
  EXPECT_NEAR(anova->test.statistic, 4.5536041, 1e-7);
  EXPECT_EQ(anova->test.freedom, (std::vector<double>{3, 39}));
  EXPECT_NEAR(*anova->test.p, 0.0078897632, 1e-10);
  EXPECT_NEAR(anova->epsilon, 0.6890183, 1e-7);
  EXPECT_NEAR(*anova->corrected.p, 0.0189181, 1e-7);
  EXPECT_NEAR(anova->error.mean_square, 16252934.866, 1e-3);
  const auto ranks = friedman(published_table());
  EXPECT_NEAR(ranks->statistic, 5.3622047, 1e-7);
  EXPECT_NEAR(*ranks->p, 0.1471166, 1e-7);
  const auto unpaired = one_way_anova(published_table());
  EXPECT_NEAR(unpaired->test.statistic, 1.4592633, 1e-7);
  EXPECT_NEAR(*unpaired->test.p, 0.2363856, 1e-7);
}

TEST(Anova, UnequalGroupsAsRSays) {  // R 4.2.2: aov, kruskal.test, friedman.test
  const Groups g{{"a", {1, 2, 3, 4}}, {"b", {3, 5, 4}}, {"c", {6, 7, 9, 8, 10, 7}}};
  EXPECT_NEAR(one_way_anova(g)->test.statistic, 21.01006, 1e-5);
  EXPECT_NEAR(*one_way_anova(g)->test.p, 0.00026251, 1e-8);
  EXPECT_NEAR(kruskal_wallis(g)->statistic, 9.695290859, 1e-9);
  EXPECT_NEAR(*kruskal_wallis(g)->p, 0.00784683173, 1e-11);
  const Groups rows{{"x", {1, 2, 4, 1, 3}}, {"y", {2, 2, 5, 1, 2}}, {"z", {3, 1, 5, 1, 9}}};
  EXPECT_NEAR(friedman(rows)->statistic, 1.285714286, 1e-9);
  EXPECT_NEAR(*friedman(rows)->p, 0.525788024, 1e-9);
}

TEST(Anova, SaysWhenNothingVaries) {
  const Groups same{{"a", {2, 2}}, {"b", {2, 2}}}, apart{{"a", {1, 1}}, {"b", {0.1, 0.1}}};
  EXPECT_FALSE(one_way_anova(same)->test.p);
  EXPECT_THAT(one_way_anova(same)->test.line(), HasSubstr("F(1, 2) undefined, no p: neither"));
  EXPECT_FALSE(one_way_anova(apart)->test.p);
  EXPECT_THAT(one_way_anova(apart)->test.line(), HasSubstr("F(1, 2) = inf, no p: nothing varies"));
  EXPECT_FALSE(repeated_anova(apart)->test.p);
  EXPECT_FALSE(repeated_anova(apart)->corrected.p);
  EXPECT_FALSE(kruskal_wallis(same)->p);
  EXPECT_FALSE(friedman(same)->p);
}

TEST(Anova, RefusesWhatIsNoDesign) {
  EXPECT_EQ(one_way_anova(Groups{{"a", {1, 2}}}).error(), "1 group cannot be compared");
  EXPECT_FALSE(one_way_anova(Groups{{"a", {1}}, {"b", {2}}}));
  EXPECT_THAT(repeated_anova(Groups{{"a", {1, 2}}, {"b", {2, 3, 4}}}).error(),
              HasSubstr("b has 3 values and a has 2"));
  EXPECT_FALSE(friedman(Groups{{"a", {1, NAN}}, {"b", {2, 3}}}));
}

// With two groups F is t squared, paired or not.
RC_GTEST_PROP(Anova, OfTwoIsStudent, ()) {
  Group a{"a", {}}, b{"b", {}};
  const int n = *rc::gen::inRange(3, 10);
  for (int i = 0; i < n; ++i) {
    a.values.push_back(*rc::gen::inRange(-50, 50));
    b.values.push_back(*rc::gen::inRange(-50, 50));
  }
  const auto spread = [](const std::vector<double>& v) {
    double out = 0;
    for (const double x : v) out += (x - mean(v)) * (x - mean(v));
    return out / static_cast<double>(v.size() - 1);
  };
  std::vector<double> d;
  for (std::size_t i = 0; i < a.values.size(); ++i) d.push_back(a.values[i] - b.values[i]);
  RC_PRE(spread(a.values) > 0 && spread(d) > 0);
  const Groups both{a, b};
  const double away = mean(d);
  const double t = away / std::sqrt((spread(a.values) + spread(b.values)) / n);
  const auto one = one_way_anova(both);
  RC_ASSERT(std::abs(one->test.statistic - t * t) < 1e-9 * (1 + t * t));
  RC_ASSERT(std::abs(*one->test.p - 2 * t_upper(std::abs(t), 2 * n - 2)) < 1e-9);
  const double paired = away / std::sqrt(spread(d) / n);
  const auto repeated = repeated_anova(both);
  RC_ASSERT(std::abs(repeated->test.statistic - paired * paired) < 1e-9 * (1 + paired * paired));
  RC_ASSERT(std::abs(repeated->epsilon - 1) < 1e-9);
}

}  // namespace
