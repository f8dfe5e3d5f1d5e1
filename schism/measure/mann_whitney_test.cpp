#include "schism/measure/mann_whitney.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace {
using namespace schism::measure;
using testing::HasSubstr;
using Values = std::vector<double>;

double p_of(const Values& a, const Values& b, Alternative alternative = Alternative::two_sided,
            Method method = Method::automatic, TwoSided rule = TwoSided::doubling) {
  return mann_whitney(a, b, {.alternative = alternative, .method = method, .two_sided = rule})
      ->p.value();
}

// The slow definition: every way to deal the pooled values, each judged by counting pairs.
Tails enumerate(const Values& a, const Values& b) {
  const auto twice_u = [](const Values& x, const Values& y) {
    int out = 0;
    for (const double v : x)
      for (const double w : y) out += v > w ? 2 : v == w ? 1 : 0;
    return out;
  };
  Values all = a;
  all.insert(all.end(), b.begin(), b.end());
  std::vector<bool> chosen(all.size());
  std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(a.size()), true);
  const int seen = twice_u(a, b), middle = static_cast<int>(a.size() * b.size());
  double less = 0, greater = 0, distance = 0, count = 0;
  do {
    Values x, y;
    for (std::size_t i = 0; i < all.size(); ++i) (chosen[i] ? x : y).push_back(all[i]);
    const int u = twice_u(x, y);
    ++count;
    less += u <= seen;
    greater += u >= seen;
    distance += std::abs(u - middle) >= std::abs(seen - middle);
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return {less / count, greater / count, distance / count};
}

Values up_to(int n, int from = 0) {
  Values out;
  for (int i = 0; i < n; ++i) out.push_back(from + i);
  return out;
}

TEST(MannWhitney, WithoutTies) {  // vector 1
  const Values a{3, 5, 8, 9}, b{1, 2, 4, 6, 7};
  const auto u = mann_whitney(a, b);
  EXPECT_EQ(u->statistic, 15);
  EXPECT_EQ(a12(a, b), 0.75);
  EXPECT_NEAR(*u->p, 2.0 / 7, 1e-14);
  EXPECT_NEAR(p_of(a, b, Alternative::greater), 1.0 / 7, 1e-14);
  EXPECT_NEAR(p_of(a, b, Alternative::two_sided, Method::normal), 0.2703441407, 1e-10);
  EXPECT_NEAR(p_of(a, b, Alternative::greater, Method::normal), 0.1351720703, 1e-10);
  EXPECT_NEAR(p_of(a, b, Alternative::two_sided, Method::uncorrected), 0.2206713619, 1e-10);
  const auto s = shift(a, b);
  EXPECT_EQ(s->value, 2);
  EXPECT_EQ(s->interval->low, -3);
  EXPECT_EQ(s->interval->high, 7);
}

TEST(MannWhitney, WithTies) {  // vector 2
  const Values a{12, 15, 15, 20, 22, 30}, b{10, 12, 15, 15, 18, 19, 21};
  EXPECT_EQ(mann_whitney(a, b)->statistic, 27.5);
  EXPECT_NEAR(*a12(a, b), 55.0 / 84, 1e-15);
  EXPECT_NEAR(p_of(a, b, Alternative::two_sided, Method::normal), 0.3840844009, 1e-10);
  EXPECT_NEAR(p_of(a, b, Alternative::greater, Method::normal), 0.1920422004, 1e-10);
  EXPECT_NEAR(p_of(a, b, Alternative::two_sided, Method::uncorrected), 0.3457175946, 1e-10);
  EXPECT_NEAR(p_of(a, b, Alternative::greater), 329.0 / 1716, 1e-14);
  EXPECT_NEAR(p_of(a, b, Alternative::two_sided, Method::exact, TwoSided::distance), 219.0 / 572,
              1e-14);
  EXPECT_NEAR(p_of(a, b), 2 * 329.0 / 1716, 1e-14);
}

TEST(MannWhitney, FewValuesManyTies) {  // vector 3
  const Values a{1, 1, 2}, b{1, 2, 2, 2};
  EXPECT_EQ(mann_whitney(a, b)->statistic, 3.5);
  EXPECT_NEAR(*a12(a, b), 7.0 / 24, 1e-15);
  EXPECT_NEAR(p_of(a, b, Alternative::less), 13.0 / 35, 1e-14);
  EXPECT_NEAR(p_of(a, b, Alternative::greater), 34.0 / 35, 1e-14);
  EXPECT_NEAR(p_of(a, b), 26.0 / 35, 1e-14);
  EXPECT_NEAR(p_of(a, b, Alternative::two_sided, Method::exact, TwoSided::distance), 17.0 / 35,
              1e-14);
  EXPECT_NEAR(p_of(a, b, Alternative::two_sided, Method::normal), 0.4142161782, 1e-10);
}

TEST(MannWhitney, OneValueAndAllEqual) {  // vector 4
  EXPECT_EQ(mann_whitney(Values{5}, Values{1, 2, 3})->statistic, 3);
  EXPECT_EQ(a12(Values{5}, Values{1, 2, 3}), 1);
  EXPECT_NEAR(p_of({5}, {1, 2, 3}, Alternative::greater), 0.25, 1e-15);
  EXPECT_NEAR(p_of({5}, {1, 2, 3}), 0.5, 1e-15);
  for (const Method m : {Method::automatic, Method::exact, Method::normal, Method::uncorrected}) {
    const auto same = mann_whitney(Values{7, 7, 7}, Values{7, 7}, {.method = m});
    EXPECT_EQ(same->p, 1);
    EXPECT_EQ(same->effects[0].value, 0.5);
    EXPECT_THAT(same->line(), HasSubstr("every value is the same"));
  }
}

TEST(MannWhitney, Separated) {  // vector 5
  const struct {
    int a, b;
    double exact, normal;
  } cases[] = {{10, 10, 5.412544112e-06, 9.133589555e-05},
               {13, 13, 9.614829914e-08, 8.248332531e-06},
               {13, 12, 1.922965983e-07, 1.246434732e-05},
               {20, 20, 7.254444552e-12, 3.397807564e-08}};
  for (const auto& c : cases) {
    const Values a = up_to(c.a, 100), b = up_to(c.b);
    EXPECT_NEAR(p_of(a, b, Alternative::greater) / c.exact, 1, 1e-9);
    EXPECT_NEAR(p_of(b, a, Alternative::less) / c.exact, 1, 1e-9);
    EXPECT_NEAR(p_of(a, b, Alternative::greater, Method::normal) / c.normal, 1, 1e-9);
  }
}

TEST(MannWhitney, OneFindInTwentyAgainstNone) {  // vector 16
  Values a(20, 20000), b(20, 20000);
  a[0] = 862;
  EXPECT_NEAR(*a12(b, a), 0.525, 1e-15);
  EXPECT_NEAR(p_of(a, b, Alternative::less, Method::normal), 0.171, 5e-4);
  // What the approximation hides: the one find is as likely to be anybody's.
  EXPECT_NEAR(p_of(a, b, Alternative::less), 0.5, 1e-14);
}

TEST(MannWhitney, SaysMethodAlternativeAndDirection) {
  const Words words{"swarm", "random"};
  const auto u = mann_whitney(Values{1, 2, 3}, Values{2, 5, 6, 7}, {.words = words});
  EXPECT_EQ(u->line(),
            "Mann-Whitney U = 1.5, p = 0.1714, two-sided (exact, given the ties, by doubling); "
            "A12 = 0.125; swarm needs fewer runs than random; n = 3, 4");
  const Words cover{"swarm", "random", "covers", "states"};
  const auto greater =
      mann_whitney(up_to(60, 30), up_to(60), {.alternative = Alternative::greater, .words = cover});
  EXPECT_THAT(greater->line(), HasSubstr("one-sided: swarm greater than random"));
  EXPECT_THAT(greater->line(), HasSubstr("normal approximation corrected for ties, with"));
  EXPECT_THAT(greater->line(), HasSubstr("swarm covers more states than random"));
}

TEST(MannWhitney, RefusesWhatHasNoAnswer) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(mann_whitney(Values{}, Values{1}).error(), HasSubstr("A has 0 values"));
  EXPECT_THAT(mann_whitney(Values{1}, Values{2, nan}).error(), HasSubstr("B: value 2 is nan"));
  EXPECT_FALSE(mann_whitney(Values{1}, Values{HUGE_VAL}));
  EXPECT_FALSE(a12(Values{nan}, Values{1}));
  EXPECT_FALSE(shift(Values{1}, Values{2}, 1.5));
  EXPECT_THAT(mann_whitney(up_to(100), up_to(100), {.method = Method::exact}).error(),
              HasSubstr("too much work"));
  // Three against three: no shift can be excluded with 95%.
  EXPECT_FALSE(shift(up_to(3), up_to(3, 1))->interval);
}

TEST(MannWhitney, LargeSamplesAgreeWithTheirApproximation) {
  const Values a = up_to(50, 8), b = up_to(50);
  EXPECT_NEAR(p_of(a, b), p_of(a, b, Alternative::two_sided, Method::normal), 0.001);
}

RC_GTEST_PROP(MannWhitney, ExactIsEnumeration, ()) {
  const auto size = rc::gen::inRange(1, 7);
  const auto value = rc::gen::map(rc::gen::inRange(0, 8), [](int v) { return 1.0 * v; });
  const auto a = *rc::gen::container<Values>(static_cast<std::size_t>(*size), value);
  const auto b = *rc::gen::container<Values>(static_cast<std::size_t>(*size), value);
  const Tails slow = enumerate(a, b);
  for (const Alternative alternative :
       {Alternative::two_sided, Alternative::less, Alternative::greater})
    for (const TwoSided rule : {TwoSided::doubling, TwoSided::distance})
      RC_ASSERT(std::abs(p_of(a, b, alternative, Method::exact, rule) - slow.p(alternative, rule)) <
                1e-13);
}

RC_GTEST_PROP(MannWhitney, ExchangingTheSamplesMirrors, (Values a, Values b)) {
  RC_PRE(!a.empty() && !b.empty());
  RC_ASSERT(std::abs(*a12(a, b) + *a12(b, a) - 1) < 1e-12);
  for (const Method m : {Method::automatic, Method::normal}) {
    RC_ASSERT(std::abs(p_of(a, b, Alternative::less, m) - p_of(b, a, Alternative::greater, m)) <
              1e-12);
    RC_ASSERT(std::abs(p_of(a, b, Alternative::two_sided, m) -
                       p_of(b, a, Alternative::two_sided, m)) < 1e-12);
  }
}

}  // namespace
