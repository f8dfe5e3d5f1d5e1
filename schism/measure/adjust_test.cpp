#include "schism/measure/adjust.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

namespace {
using namespace schism::measure;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using Values = std::vector<double>;

auto near(double x) { return DoubleNear(x, 1e-15); }

TEST(Adjust, FiveTests) {  // vector 13
  const Values p{.01, .04, .03, .005, .5};
  EXPECT_THAT(*holm(p), ElementsAre(near(.04), near(.09), near(.09), near(.025), near(.5)));
  EXPECT_THAT(*benjamini_hochberg(p),
              ElementsAre(near(.025), near(.05), near(.05), near(.025), near(.5)));
  EXPECT_THAT(*bonferroni(p), ElementsAre(near(.05), near(.2), near(.15), near(.025), near(1)));
}

TEST(Adjust, RefusesWhatIsNoP) {
  EXPECT_THAT(holm(Values{0.5, NAN}).error(), HasSubstr("p-value 2 is nan"));
  EXPECT_FALSE(benjamini_hochberg(Values{1.1}));
  EXPECT_FALSE(bonferroni(Values{-0.1}));
  EXPECT_TRUE(holm(Values{})->empty());
}

// Holm by its definition as a closed test: a hypothesis may be rejected at a level if Bonferroni
// rejects every set of hypotheses that it belongs to.
RC_GTEST_PROP(Adjust, HolmIsTheClosureOfBonferroni, ()) {
  const auto p = *rc::gen::container<Values>(
      static_cast<std::size_t>(*rc::gen::inRange(1, 8)),
      rc::gen::map(rc::gen::inRange(0, 1001), [](int x) { return x / 1000.0; }));
  const auto adjusted = *holm(p);
  for (std::size_t i = 0; i < p.size(); ++i) {
    double largest = 0;
    for (unsigned set = 0; set < 1U << p.size(); ++set) {
      if (!(set >> i & 1)) continue;
      double smallest = 1;
      for (std::size_t j = 0; j < p.size(); ++j)
        if (set >> j & 1) smallest = std::min(smallest, p[j]);
      largest = std::max(largest, std::min(1.0, smallest * __builtin_popcount(set)));
    }
    RC_ASSERT(std::abs(adjusted[i] - largest) < 1e-12);
  }
}

}  // namespace
