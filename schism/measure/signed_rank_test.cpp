#include "schism/measure/signed_rank.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

namespace {
using namespace schism::measure;
using testing::HasSubstr;
using Values = std::vector<double>;

double p_of(const Values& a, const Values& b, Alternative alternative = Alternative::two_sided,
            Method method = Method::automatic) {
  return signed_rank(a, b, {.alternative = alternative, .method = method})->p.value();
}

TEST(SignedRank, WithoutTies) {  // vector 9
  const Values x{1.83, .50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
  const Values y{.878, .647, .598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
  EXPECT_EQ(signed_rank(x, y)->statistic, 40);
  EXPECT_NEAR(p_of(x, y), 0.0390625, 1e-15);
  EXPECT_NEAR(p_of(x, y, Alternative::greater), 0.01953125, 1e-15);
}

TEST(SignedRank, WithTiesAndAZero) {  // vector 9
  const Values x{125, 115, 130, 140, 140, 115, 140, 125, 140, 135};
  const Values y{110, 122, 125, 120, 140, 124, 123, 137, 135, 145};
  const auto t = signed_rank(x, y, {.method = Method::normal, .words = {"x", "y"}});
  EXPECT_EQ(t->statistic, 27);
  EXPECT_NEAR(*t->p, 0.63528932, 1e-8);
  EXPECT_NEAR(p_of(x, y, Alternative::two_sided, Method::uncorrected), 0.59363059, 1e-8);
  EXPECT_THAT(t->line(), HasSubstr("x needs more runs than y; n = 9; 1 equal pairs left out"));
}

TEST(SignedRank, RoundingMakesNoRanks) {
  // 0.3 - 0.2 and 0.2 - 0.1 differ in the last bit, and 0.1 + 0.2 is not quite 0.3.
  const auto t = signed_rank(Values{0.3, 0.1, 0.1 + 0.2}, Values{0.2, 0.2, 0.3});
  EXPECT_EQ(t->statistic, 1.5);
  EXPECT_EQ(t->sizes, std::vector<std::size_t>{2});
}

TEST(SignedRank, RefusesWhatHasNoAnswer) {
  EXPECT_THAT(signed_rank(Values{1, 2}, Values{1}).error(), HasSubstr("not 2 and 1"));
  EXPECT_FALSE(signed_rank(Values{}, Values{}));
  EXPECT_FALSE(signed_rank(Values{NAN}, Values{1}));
  const auto same = signed_rank(Values{4, 5}, Values{4, 5});
  EXPECT_EQ(same->p, 1);
  EXPECT_THAT(same->line(), HasSubstr("no pair differs"));
}

RC_GTEST_PROP(SignedRank, ExactIsEnumeration, ()) {
  const auto d = *rc::gen::container<std::vector<int>>(
      static_cast<std::size_t>(*rc::gen::inRange(1, 11)), rc::gen::inRange(-6, 7));
  Values a, b(d.size()), sizes;
  for (const int x : d) a.push_back(x);
  for (const int x : d)
    if (x != 0) sizes.push_back(std::abs(x));
  // A rank is how many are smaller, and half of the others that are equal, from 1; twice that.
  std::vector<int> doubled;
  for (const double x : sizes) {
    int r = 1;
    for (const double y : sizes) r += y < x ? 2 : y == x ? 1 : 0;
    doubled.push_back(r);
  }
  int seen = 0;
  std::size_t next = 0;
  for (const int x : d)
    if (x != 0) seen += x > 0 ? doubled[next++] : (next++, 0);
  double less = 0, greater = 0;
  for (unsigned signs = 0; signs < 1U << sizes.size(); ++signs) {
    int v = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i)
      if (signs >> i & 1) v += doubled[i];
    less += v <= seen, greater += v >= seen;
  }
  const double all = std::ldexp(1.0, static_cast<int>(sizes.size()));
  RC_ASSERT(signed_rank(a, b)->statistic == seen / 2.0);
  RC_ASSERT(std::abs(p_of(a, b, Alternative::less) - less / all) < 1e-13);
  RC_ASSERT(std::abs(p_of(a, b, Alternative::greater) - greater / all) < 1e-13);
  RC_ASSERT(std::abs(p_of(a, b) - std::min(1.0, 2 * std::min(less, greater) / all)) < 1e-13);
}

}  // namespace
