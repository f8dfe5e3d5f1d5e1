#include "schism/measure/proportion.hpp"

#include <gtest/gtest.h>

#include "schism/isolate/statistics.hpp"

namespace {
using namespace schism::measure;

TEST(Proportion, ThreeOfTwenty) {  // vector 14
  EXPECT_NEAR(clopper_pearson(3, 20)->low, 0.032070937, 1e-9);
  EXPECT_NEAR(clopper_pearson(3, 20)->high, 0.378926827, 1e-9);
  EXPECT_NEAR(wilson(3, 20)->low, 0.052368746, 1e-9);
  EXPECT_NEAR(wilson(3, 20)->high, 0.360418865, 1e-9);
}

TEST(Proportion, NoneAndAll) {  // vector 14
  EXPECT_EQ(clopper_pearson(0, 20)->low, 0);
  EXPECT_NEAR(clopper_pearson(0, 20)->high, 0.16843347, 1e-8);
  EXPECT_NEAR(wilson(20, 20)->low, 0.83887484, 1e-8);
  EXPECT_EQ(wilson(20, 20)->high, 1);
  EXPECT_EQ(clopper_pearson(20, 20)->high, 1);
  EXPECT_EQ(wilson(0, 20)->low, 0);
}

TEST(Proportion, OtherConfidence) {  // binom.test of R 4.2.2
  EXPECT_NEAR(clopper_pearson(7, 9, 0.99)->low, 0.307393649231, 1e-11);
  EXPECT_NEAR(clopper_pearson(7, 9, 0.99)->high, 0.987876410919, 1e-11);
}

TEST(Proportion, TheOneOfIsolateIsTheSame) {
  for (const unsigned of : {1U, 7U, 100U})
    for (unsigned hits = 0; hits <= of; ++hits) {
      const auto theirs = schism::isolate::wilson(hits, of);
      EXPECT_NEAR(wilson(hits, of)->low, theirs.low, 1e-14);
      EXPECT_NEAR(wilson(hits, of)->high, theirs.high, 1e-14);
    }
}

TEST(Proportion, RefusesWhatIsNone) {
  EXPECT_EQ(wilson(0, 0).error(), "a proportion of no trials says nothing");
  EXPECT_EQ(clopper_pearson(3, 2).error(), "3 hits of 2 trials");
  EXPECT_FALSE(wilson(1, 2, 0));
}

}  // namespace
