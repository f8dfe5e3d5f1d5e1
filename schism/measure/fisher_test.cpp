#include "schism/measure/fisher.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace {
using namespace schism::measure;
using testing::HasSubstr;

Interval interval(const TestResult& t) { return *t.effects.at(0).interval; }

// R's fisher.test stops its search for a root at this distance, for odds ratios above 1 that of
// the inverse. So its digits after the fourth are not those of the solution; ours are compared
// with R's within this, and with the solution in 50 digits (by fractions of whole numbers) closely.
constexpr double kRootOfR = 0.0001220703125;

void expect_odds(double ours, double exact, double of_r) {
  const auto scale = [](double odds) { return odds > 1 ? 1 / odds : odds; };
  EXPECT_NEAR(scale(ours), scale(of_r), kRootOfR) << of_r;
  EXPECT_NEAR(ours / exact, 1, 1e-10) << exact;
}

TEST(Fisher, WithIntervals) {  // vector 6
  const auto first = fisher({64, 26}, {11, 79});
  EXPECT_NEAR(*first->p / 3.4123253e-16, 1, 1e-7);
  expect_odds(first->statistic, 17.3126883049, 17.312718);
  expect_odds(interval(*first).low, 7.6859144615, 7.6857346);
  expect_odds(interval(*first).high, 42.1981773859, 42.181210);
  const auto second = fisher({21, 9}, {10, 20});
  EXPECT_NEAR(*second->p, 0.0092059747, 1e-10);
  expect_odds(second->statistic, 4.53654596815, 4.5365465);
  expect_odds(interval(*second).low, 1.39107192111, 1.3911004);
  expect_odds(interval(*second).high, 16.0397902087, 16.040588);
  const auto greater = fisher({21, 9}, {10, 20}, {.alternative = Alternative::greater});
  EXPECT_NEAR(*greater->p, 0.0046029874, 1e-10);
}

TEST(Fisher, PublishedTable) {  // vector 7
  const struct {
    Counts a, b;
    double p, exact, of_r;
  } cases[] = {{{21, 9}, {17, 13}, 0.42197538, 1.76699220394, 1.7670238},
               {{17, 13}, {10, 20}, 0.11876490, 2.57225900133, 2.5722591},
               {{23, 7}, {20, 10}, 0.56748973, 1.62926392496, 1.6292304},
               {{23, 7}, {16, 14}, 0.10333512, 2.8232255467, 2.8232257},
               {{16, 14}, {20, 10}, 0.42956919, 0.576844639747, 0.57683376}};
  for (const auto& c : cases) {
    EXPECT_NEAR(*fisher(c.a, c.b)->p, c.p, 1e-8);
    expect_odds(fisher(c.a, c.b)->statistic, c.exact, c.of_r);
  }
}

TEST(Fisher, AtTheEdge) {  // vector 8
  const auto three = fisher({3, 17}, {0, 20});
  EXPECT_NEAR(*three->p, 0.23076923, 1e-8);
  EXPECT_TRUE(std::isinf(three->statistic));
  expect_odds(interval(*three).low, 0.426654596023, 0.42665376);
  EXPECT_TRUE(std::isinf(interval(*three).high));
  EXPECT_NEAR(*fisher({3, 17}, {0, 20}, {.alternative = Alternative::greater})->p, 0.11538462,
              1e-8);
  const auto all = fisher({20, 0}, {0, 20});
  EXPECT_NEAR(*all->p / 1.4508889e-11, 1, 1e-7);
  EXPECT_TRUE(std::isinf(all->statistic));
  expect_odds(interval(*all).low, 49.1521195344, 49.128013);
  const auto one = fisher({1, 19}, {0, 20});
  EXPECT_NEAR(*one->p, 1, 1e-12);
  EXPECT_TRUE(std::isinf(one->statistic));
  const auto nothing = fisher({30, 0}, {30, 0});
  EXPECT_EQ(nothing->p, 1);
  EXPECT_TRUE(std::isnan(nothing->statistic));
  EXPECT_FALSE(nothing->effects.at(0).value);
  EXPECT_EQ(interval(*nothing).low, 0);
  EXPECT_TRUE(std::isinf(interval(*nothing).high));
  EXPECT_THAT(nothing->line(), HasSubstr("odds ratio undefined, p = 1"));
}

TEST(Fisher, AsRSays) {  // fisher.test of R 4.2.2
  const auto a = fisher({3, 7}, {9, 2});
  EXPECT_NEAR(*a->p, 0.0299731229, 1e-10);
  expect_odds(a->statistic, 0.10940273728, 0.109373949237);
  expect_odds(interval(*a).low, 0.00711393148373, 0.00710970545295);
  expect_odds(interval(*a).high, 0.987959730559, 0.98795921112580);
  const auto none = fisher({0, 10}, {5, 5});
  EXPECT_NEAR(*none->p, 0.0325077399, 1e-10);
  EXPECT_EQ(none->statistic, 0);
  EXPECT_EQ(interval(*none).low, 0);
  expect_odds(interval(*none).high, 0.836521793918, 0.836542842502);
  const auto many = fisher({300, 700}, {350, 650});
  EXPECT_NEAR(*many->p, 0.0192843216, 1e-10);
  expect_odds(many->statistic, 0.796009334571, 0.796014691842);
  expect_odds(interval(*many).low, 0.656793742082, 0.656783238349);
  expect_odds(interval(*many).high, 0.964374430413, 0.964362266223);
  const auto less = fisher({2, 3}, {4, 1}, {.alternative = Alternative::less});
  EXPECT_NEAR(*less->p, 0.261904762, 1e-9);
  EXPECT_EQ(interval(*less).low, 0);
  expect_odds(interval(*less).high, 3.17216211822, 3.1723700783);
}

TEST(Fisher, SaysDirection) {
  EXPECT_THAT(fisher({21, 9}, {10, 20}, {.words = {"swarm", "random"}})->line(),
              HasSubstr("swarm succeeds more often than random (21 of 30 against 10 of 30)"));
  EXPECT_THAT(fisher({1, 1}, {2, 2})->line(), HasSubstr("A and B succeed equally often"));
  EXPECT_THAT(fisher({0, 0}, {1, 2}).error(), HasSubstr("A has no trials"));
  EXPECT_FALSE(fisher({1, 1}, {1, 1}, {.confidence = 1}));
  EXPECT_FALSE(fisher({10'000'000, 1}, {1, 1}));
}

// The slow definition: deal so many hits to the trials one by one, each in every possible way.
struct Slow {
  std::vector<double> ways;  // by hits of a
  std::size_t seen = 0;

  Slow(unsigned of_a, unsigned of_b, unsigned hits, unsigned seen_hits) : seen(seen_hits) {
    ways.resize(of_a + 1);
    for (unsigned set = 0; set < 1U << (of_a + of_b); ++set)
      if (static_cast<unsigned>(__builtin_popcount(set)) == hits)
        ++ways[static_cast<std::size_t>(__builtin_popcount(set & ((1U << of_a) - 1)))];
  }
  // Given an odds ratio: the mean, and the tail as seen.
  std::pair<double, double> under(double odds) const {
    double all = 0, mean = 0, tail = 0;
    for (std::size_t x = 0; x < ways.size(); ++x) {
      const double w = ways[x] * std::pow(odds, static_cast<double>(x));
      all += w;
      mean += w * static_cast<double>(x);
      if (x >= seen) tail += w;
    }
    return {mean / all, tail / all};
  }
};

RC_GTEST_PROP(Fisher, IsEnumeration, ()) {
  const auto some = rc::gen::inRange(0U, 6U);
  const Counts a{*some, *some}, b{*some, *some};
  const unsigned of_a = static_cast<unsigned>(a.hits + a.misses);
  const unsigned of_b = static_cast<unsigned>(b.hits + b.misses);
  RC_PRE(of_a > 0 && of_b > 0);
  const Slow slow(of_a, of_b, static_cast<unsigned>(a.hits + b.hits),
                  static_cast<unsigned>(a.hits));
  double all = 0, no_likelier = 0, less = 0;
  for (std::size_t x = 0; x < slow.ways.size(); ++x) {
    all += slow.ways[x];
    if (slow.ways[x] <= slow.ways[a.hits]) no_likelier += slow.ways[x];
    if (x <= a.hits) less += slow.ways[x];
  }
  const auto t = fisher(a, b);
  RC_ASSERT(std::abs(*t->p - no_likelier / all) < 1e-10);
  RC_ASSERT(std::abs(*fisher(a, b, {.alternative = Alternative::less})->p - less / all) < 1e-10);
  if (std::isfinite(t->statistic) && t->statistic > 0)
    RC_ASSERT(std::abs(slow.under(t->statistic).first - static_cast<double>(a.hits)) < 1e-8);
  if (const double low = interval(*t).low; low > 0)
    RC_ASSERT(std::abs(slow.under(low).second - 0.025) < 1e-8);
}

}  // namespace
