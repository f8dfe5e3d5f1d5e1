#include "schism/measure/test_result.hpp"

#include <gtest/gtest.h>

namespace {
using namespace schism::measure;

TEST(TestResult, OneLineWithEverything) {
  TestResult t{.test = "Some test", .symbol = "Q", .statistic = 1.5, .freedom = {2, 7.25}};
  t.p = 0.01234;
  t.method = "exact";
  t.hypothesis = "two-sided";
  t.direction = "A needs fewer runs than B";
  t.effects = {{.name = "size", .value = 0.3, .interval = Interval{0.1, 0.5}},
               {.name = "other", .value = {}}};
  t.sizes = {3, 4};
  EXPECT_EQ(t.line(),
            "Some test Q(2, 7.25) = 1.5, p = 0.0123, two-sided (exact); size = 0.3 (95% interval "
            "0.1 to 0.5); other undefined; A needs fewer runs than B; n = 3, 4");
  t.p.reset();
  t.why_no_p = "nothing varies";
  EXPECT_NE(t.line().find(", no p: nothing varies, two-sided"), std::string::npos);
}

TEST(TestResult, SmallPsKeepTheirSize) {
  EXPECT_EQ(p_text(1), "p = 1.0000");
  EXPECT_EQ(p_text(0.05), "p = 0.0500");
  EXPECT_EQ(p_text(3.41e-16), "p = 3.4e-16");
  EXPECT_EQ(p_text(0), "p < 1e-300");
}

TEST(TestResult, Directions) {
  const Words w{"swarm", "random"};
  EXPECT_EQ(w.direction(-2), "swarm needs fewer runs than random");
  EXPECT_EQ(w.direction(0), "neither swarm nor random needs more runs");
  EXPECT_EQ(hypothesis_text(Alternative::less, w), "one-sided: swarm less than random");
}

TEST(TestResult, SamplesMustBeNumbers) {
  EXPECT_TRUE(check_sample(std::vector<double>{1, 2}, "x", 2));
  EXPECT_EQ(check_sample(std::vector<double>{1}, "x", 2).error(),
            "x has 1 value, and at least 2 are needed");
}

}  // namespace
