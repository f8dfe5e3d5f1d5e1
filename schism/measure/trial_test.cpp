#include "schism/measure/trial.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "schism/measure/fisher.hpp"
#include "schism/measure/mann_whitney.hpp"

namespace {
using namespace schism::measure;
using testing::HasSubstr;
using Trials = std::vector<Trial>;

Trials many(std::size_t n, Trial t) { return Trials(n, t); }

TEST(Trial, MissesTieAtTheBudget) {  // vector 16
  Trials a = many(20, {20000, false});
  const Trials b = a;
  a[0] = {862, true};
  const auto x = at_budget(a, 20000, "a"), y = at_budget(b, 20000, "b");
  EXPECT_NEAR(*a12(*y, *x), 0.525, 1e-15);
  EXPECT_NEAR(*fisher({1, 19}, {0, 20})->p, 1, 1e-12);
  EXPECT_THAT(at_budget(a, 500, "a").error(), HasSubstr("a find at 862 is beyond the budget"));
  EXPECT_THAT(at_budget(a, 30000, "a").error(), HasSubstr("gave up at 20000, before"));
  EXPECT_FALSE(at_budget(Trials{}, 1, "a"));
}

TEST(Trial, Par2CountsAMissTwice) {
  EXPECT_EQ(par2(Trials{{3, true}, {10, false}}), 11.5);
  EXPECT_EQ(penalised_average(Trials{{3, true}, {10, false}}, 10), 51.5);
  EXPECT_FALSE(par2(Trials{}));
  EXPECT_FALSE(par2(Trials{{NAN, true}}));
  EXPECT_FALSE(penalised_average(Trials{{3, true}}, 0.5));
}

TEST(Trial, RatioOfPar2) {
  const std::vector<CaseTrials> cases{
      {"easy", {{1, true}, {2, true}, {3, true}}, {{4, true}, {5, true}, {6, true}}},
      {"hard", {{6, true}, {10, false}, {8, true}}, {{10, false}, {10, false}, {9, true}}}};
  // a: (2 + 34 / 3) / 2, b: (5 + 49 / 3) / 2.
  const double ratio = (2 + 34.0 / 3) / (5 + 49.0 / 3);
  for (const Resample r : {Resample::trials, Resample::cases}) {
    const auto e = par2_ratio(cases, r);
    ASSERT_TRUE(e) << e.error();
    EXPECT_NEAR(*e->value, ratio, 1e-14);
    EXPECT_LE(e->interval->low, ratio);
    EXPECT_GE(e->interval->high, ratio);
  }
  // Both cases alone bound what drawing cases can give.
  const auto by_case = par2_ratio(cases, Resample::cases);
  EXPECT_GE(by_case->interval->low, 2.0 / 5 - 1e-12);
  EXPECT_LE(by_case->interval->high, 34.0 / 49 + 1e-12);
  EXPECT_FALSE(par2_ratio({}, Resample::trials));
  EXPECT_THAT(par2_ratio(std::vector<CaseTrials>{{"x", {}, {}}}, Resample::trials).error(),
              HasSubstr("x has no trials"));
}

}  // namespace
