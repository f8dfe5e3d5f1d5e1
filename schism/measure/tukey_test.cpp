#include "schism/measure/tukey.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schism/measure/testing/published_table.hpp"

namespace {
using namespace schism::measure;
using testing::HasSubstr;

const TukeyPair& between(const Tukey& t, std::size_t first, std::size_t second) {
  for (const TukeyPair& p : t.pairs)
    if (p.first == first && p.second == second) return p;
  throw std::out_of_range("no such pair");
}

TEST(Tukey, ThreeGroups) {  // vector 10
  const std::vector<Group> groups{
      {"A", {6, 8, 4, 5, 3, 4}}, {"B", {8, 12, 9, 11, 6, 8}}, {"C", {13, 9, 11, 8, 7, 12}}};
  const auto t = tukey(groups);
  const TukeyPair &ba = between(*t, 0, 1), &ca = between(*t, 0, 2), &cb = between(*t, 1, 2);
  EXPECT_NEAR(ba.difference(), 4, 1e-14);
  EXPECT_NEAR(ba.interval().low, 0.8070010, 1e-7);
  EXPECT_NEAR(ba.interval().high, 7.1929990, 1e-7);
  EXPECT_NEAR(*ba.test.p, 0.0139132873, 1e-10);
  EXPECT_NEAR(ca.difference(), 5, 1e-14);
  EXPECT_NEAR(ca.interval().low, 1.8070010, 1e-7);
  EXPECT_NEAR(ca.interval().high, 8.1929990, 1e-7);
  EXPECT_NEAR(*ca.test.p, 0.0027321220, 1e-10);
  EXPECT_NEAR(cb.difference(), 1, 1e-14);
  EXPECT_NEAR(*cb.test.p, 0.7006599385, 1e-10);
  EXPECT_THAT(ba.test.line(), HasSubstr("the mean of B is higher than that of A"));
}

TEST(Tukey, ThePublishedTableUnpaired) {  // vector 12
  const auto t = tukey(published_table());
  EXPECT_NEAR(*between(*t, 0, 3).test.p, 0.4620790, 1e-7);
  EXPECT_NEAR(*between(*t, 0, 1).test.p, 0.3695183, 1e-7);
  EXPECT_NEAR(*between(*t, 0, 2).test.p, 0.2379300, 1e-7);
  EXPECT_NEAR(*t->half_width, 3572.0274, 1e-4);
}

TEST(Tukey, ThePublishedTableWithTheRightError) {  // vector 12
  const auto t = tukey_repeated(published_table());
  EXPECT_EQ(t->error.freedom, 39);
  EXPECT_NEAR(*between(*t, 0, 3).test.p, 0.0607307, 1e-7);
  EXPECT_NEAR(*between(*t, 0, 1).test.p, 0.0309701, 1e-7);
  EXPECT_NEAR(*between(*t, 0, 2).test.p, 0.0089280, 1e-7);
  EXPECT_NEAR(*between(*t, 1, 3).test.p, 0.9917108, 1e-7);
  EXPECT_THAT(between(*t, 0, 1).test.line(), HasSubstr("error of the repeated measures"));
}

TEST(Tukey, UnequalGroupsAsRSays) {  // TukeyHSD of R 4.2.2
  const std::vector<Group> g{{"a", {1, 2, 3, 4}}, {"b", {3, 5, 4}}, {"c", {6, 7, 9, 8, 10, 7}}};
  const auto t = tukey(g);
  EXPECT_FALSE(t->half_width);
  EXPECT_NEAR(*between(*t, 0, 1).test.p, 0.344612994087420, 1e-9);
  EXPECT_NEAR(*between(*t, 0, 2).test.p, 0.000275589017358, 1e-9);
  EXPECT_NEAR(*between(*t, 1, 2).test.p, 0.005886329856095, 1e-9);
  EXPECT_NEAR(between(*t, 1, 2).interval().low, 1.24478034143, 1e-6);
  EXPECT_NEAR(between(*t, 1, 2).interval().high, 6.42188632523, 1e-6);
}

TEST(Tukey, SaysWhenNothingVaries) {
  EXPECT_THAT(tukey(std::vector<Group>{{"a", {1, 1}}, {"b", {1, 1}}}).error(),
              HasSubstr("no pairs can be told apart: neither the means"));
}

}  // namespace
