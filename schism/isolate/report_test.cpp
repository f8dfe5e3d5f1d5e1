// Shares are told with the runs that they are shares of: a predictor that holds in most passing
// runs is not a good one, whatever it says of the failing ones.
#include "schism/isolate/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schism/base/lines.hpp"
#include "schism/isolate/reader.hpp"

namespace schism::isolate {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kSchema = R"(
processes = 1
[run]
bugs = "bugs"
[predicates]
thresholds = [1, 1]
tolerances = [0, 0]
assertions = 1
[kind]
n = { type = "integer", operators = ["="] }
[[verb]]
name = "A"
fields = [{ name = "x", at = 2, kind = "n" }]
)";

// Two equal messages from two senders' worth of runs: the predicate "A -> A with equal x" holds
// where `same` says so.
struct Log {
  explicit Log(Method method) : isolation(predicates, {method, {}, false}) {}

  void add(int runs, bool same, bool failed, const char* bug = nullptr) {
    for (int i = 0; i < runs; ++i) {
      std::string line =
          fmt::format(R"({{"run":"r{}","failed":{},"inbox":[[["A",0,1],["A",0,{}]]])", number++,
                      failed ? "true" : "false", same ? 1 : 2);
      line += bug ? fmt::format(R"(,"bugs":["{}"]}})", bug) : "}";
      line.reserve(line.size() + Lines::kPadding);
      const auto good = reader.read(line, run);
      ASSERT_TRUE(good) << good.error();
      isolation.add(run);
    }
  }

  Schema schema = *parse_schema(kSchema, "schema");
  Predicates predicates = *Predicates::generate(schema);
  RunReader reader{schema};
  Isolation isolation;
  Run run;
  int number = 0;
};

TEST(IsolateReport, APredictorThatHoldsInPassingRunsIsNotPerfect) {
  for (const Method method : {Method::refined, Method::seed}) {
    Log log(method);
    log.add(88, true, true, "only");
    log.add(567, true, false);
    log.add(345, false, false);
    const auto found = log.isolation.finish();
    ASSERT_TRUE(found) << found.error();
    ASSERT_FALSE(found->findings.empty());
    const Finding& f = found->findings[0];
    ASSERT_EQ(f.whole.pass_true, 567U);
    ASSERT_EQ(f.in_all.size(), 1U);
    EXPECT_DOUBLE_EQ(f.in_all[0].precision, 88.0 / (88 + 567));
    EXPECT_DOUBLE_EQ(f.in_all[0].recall, 1);
    EXPECT_LT(f.in_all[0].f1, 0.24);
    const std::string text = print(*found, {});
    EXPECT_THAT(text, HasSubstr("holds in 88 of 88 failing runs and in 567 of 912 passing ones"));
    EXPECT_THAT(text, HasSubstr("of all 1000 runs:"));
    EXPECT_THAT(text, Not(HasSubstr("F1 100.0%")));
  }
}

TEST(IsolateReport, EachPopulationIsNamed) {
  Log log(Method::seed);
  log.add(60, true, true, "one");
  log.add(10, true, true, "two");
  log.add(30, false, true, "two");
  log.add(20, true, false);
  log.add(80, false, false);
  const auto found = log.isolation.finish();
  ASSERT_TRUE(found) << found.error();
  const Finding& f = found->findings[0];
  ASSERT_EQ(f.in_all.size(), 2U);
  EXPECT_DOUBLE_EQ(f.in_all[0].precision, 60.0 / 90);
  EXPECT_DOUBLE_EQ(f.in_failing[0].precision, 60.0 / 70);
  EXPECT_DOUBLE_EQ(f.in_all[1].recall, 10.0 / 40);
  const std::string text = print(*found, {});
  EXPECT_THAT(text, HasSubstr("of all 200 runs:"));
  EXPECT_THAT(text, HasSubstr("of 100 failing:"));
  // Those after the first are judged on what is left of the failing runs, and say so.
  if (found->findings.size() > 1) {
    EXPECT_THAT(text, HasSubstr("of the 30 failing runs that are left"));
    EXPECT_EQ(found->findings[1].whole.fail_observed, 100U);
  }
}

}  // namespace
}  // namespace schism::isolate
