// Medians against their definition, trials that share no seed, what counts as expected, budgets
// that end where they say, and what a trial writes down.
#include "schism/laboratory/experiment.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "schism/base/random.hpp"
#include "schism/laboratory/crew.hpp"
#include "schism/laboratory/trial.hpp"
#include "schism/schism.hpp"

namespace schism {
namespace {

// With trials that found nothing as infinitely late.
std::optional<double> slow_median(std::vector<double> all, int trials) {
  all.resize(static_cast<std::size_t>(trials), std::numeric_limits<double>::infinity());
  if (all.empty()) return std::nullopt;
  std::sort(all.begin(), all.end());
  const std::size_t n = all.size();
  const double middle = n % 2 == 1 ? all[n / 2] : (all[n / 2 - 1] + all[n / 2]) / 2;
  return std::isfinite(middle) ? std::optional(middle) : std::nullopt;
}

TEST(Cell, MedianIsTheMiddleOfAllTrials) {
  Rng rng(1);
  for (int i = 0; i < 2000; ++i) {
    Cell cell;
    cell.trials = static_cast<int>(rng.below(9));
    for (int trial = 0; trial < cell.trials; ++trial)
      if (rng.chance(0.6)) cell.efforts_to_find.push_back(static_cast<double>(1 + rng.below(50)));
    std::sort(cell.efforts_to_find.begin(), cell.efforts_to_find.end());
    ASSERT_EQ(cell.median(), slow_median(cell.efforts_to_find, cell.trials));
  }
}

TEST(Compare, TrialsShareNoSeed) {
  std::set<std::uint64_t> seen;
  for (int trial = 0; trial < 200; ++trial) seen.insert(trial_seed(5, trial));
  EXPECT_EQ(seen.size(), 200U);
  EXPECT_EQ(trial_seed(5, 0), 5U);
  std::uint64_t before = 0;
  for (const std::uint64_t seed : seen) {
    EXPECT_GE(seed - before, before == 0 ? 0U : 1'000'000'000U);  // runs of a trial
    before = seed;
  }
}

Experiment of(const char* bug, std::optional<bool> expected, std::uint64_t runs) {
  Experiment out;
  out.strategies = {{"walk", {"random", {}}}};
  Case one;
  one.name = "toy";
  one.text.system = {"toy-consensus", {}};
  if (*bug) one.text.bugs = {bug};
  one.expected = expected;
  out.cases = {one};
  out.trials = 4;
  out.budget.runs = runs;
  return out;
}

const std::atomic<bool> kNever{false};

Cell first_cell(const Experiment& e) {
  const auto store = open_sqlite("", "test");
  const auto results = carry_out(e, **store, 2, {}, kNever);
  EXPECT_TRUE(results) << results.error();
  return cell_of(e, *results, 0, 0);
}

TEST(Compare, AFindInEveryTrialIsExpectedOrInNone) {
  // Of a bug that one run in some shows, few runs find it in some trials only.
  std::uint64_t runs = 1;
  Cell some;
  for (; runs < 4096; runs *= 2) {
    some = first_cell(of("distrust-commits", true, runs));
    ASSERT_EQ(some.trials, 4);
    if (some.found() > 0) break;
  }
  EXPECT_EQ(some.as_expected, some.found() == 4);
  const Cell always = first_cell(of("distrust-commits", true, 64 * runs));
  EXPECT_EQ(always.found(), 4);
  EXPECT_TRUE(always.as_expected);
  EXPECT_FALSE(first_cell(of("distrust-commits", false, 64 * runs)).as_expected);
  const Cell never = first_cell(of("", false, 50));
  EXPECT_EQ(never.found(), 0);
  EXPECT_TRUE(never.as_expected);
  EXPECT_FALSE(first_cell(of("", true, 50)).as_expected);
  EXPECT_EQ(never.total.runs, 200U);
}

Record played(const Experiment& e) {
  const auto record = play(e, orders_of(e)[0], kNever);
  EXPECT_TRUE(record && record->problem.empty()) << (record ? record->problem : "stopped");
  return record.value_or(Record{});
}

// The last run that counts is within the budget, and one run more would not be.
TEST(Budget, EndsBeforeTheRunThatWouldPassIt) {
  Experiment e = of("", {}, 60);
  const Record all = played(e);
  ASSERT_EQ(all.total.runs, 60U);
  const struct {
    Unit unit;
    std::uint64_t HuntOptions::*limit;
    std::uint64_t Effort::*used;
  } budgets[] = {{Unit::steps, &HuntOptions::steps, &Effort::steps},
                 {Unit::deliveries, &HuntOptions::deliveries, &Effort::deliveries}};
  for (const auto& b : budgets) {
    e.budget = {};
    e.budget.*(b.limit) = all.total.*(b.used) / 2;
    ASSERT_EQ(unit_of(e.budget), b.unit);
    const Record half = played(e);
    EXPECT_LE(half.total.*(b.used), e.budget.*(b.limit));
    EXPECT_TRUE(half.whole);
    EXPECT_EQ(trial_of(e, half).at, limit_of(e.budget));
    Experiment more = of("", {}, half.total.runs + 1);
    EXPECT_GT(played(more).total.*(b.used), e.budget.*(b.limit));
  }
  e.budget = {};
  e.strategies[0].explorer = {"timed", {}};
  e.budget.simulated_us = 200'000;
  ASSERT_EQ(unit_of(e.budget), Unit::simulated);
  const Record timed = played(e);
  EXPECT_GT(timed.total.runs, 0U);
  EXPECT_LE(timed.total.simulated_us, 200'000U);
}

TEST(Budget, OfCpuTimeIsKept) {
  Experiment e = of("", {}, 0);
  e.budget.cpu_seconds = 0.05;
  const Record record = played(e);
  EXPECT_GT(record.total.runs, 0U);
  EXPECT_TRUE(record.whole);
  EXPECT_EQ(trial_of(e, record).at, 0.05);
  EXPECT_FALSE(trial_of(e, record).found);
}

TEST(Trial, WritesDownWhatWasCoveredOverTime) {
  Experiment e = of("", {}, 200);
  e.budget.coverage = *parse_coverages("colours,classes");
  const Record record = played(e);
  ASSERT_EQ(record.curves.size(), 2U);
  for (const Curve& curve : record.curves) {
    EXPECT_EQ(curve.values.size(), static_cast<std::size_t>(kCurvePoints));
    EXPECT_TRUE(std::is_sorted(curve.values.begin(), curve.values.end()));
    EXPECT_EQ(curve.values.back(), curve.last);
    EXPECT_GT(curve.last, 0);
  }
  // The number at half of the budget is what half of the budget covers.
  Experiment half = e;
  half.budget.runs = 100;
  EXPECT_EQ(played(half).curve("classes")->last,
            record.curve("classes")->values[kCurvePoints / 2 - 1]);
}

TEST(Trial, CountsHowOftenEachBugShows) {
  Experiment e = of("distrust-commits", {}, 2000);
  e.budget.keep_going = true;
  const Record record = played(e);
  EXPECT_TRUE(record.found);
  EXPECT_EQ(record.total.runs, 2000U);
  EXPECT_LT(record.at.runs, 2000U);
  std::uint64_t seen = 0;
  for (const Sighting& s : record.sightings) seen += s.occurrences;
  EXPECT_EQ(seen, record.violated);
  EXPECT_GT(seen, 1U);
  // And the first of them is where a trial ends that does not go on.
  e.budget.keep_going = false;
  EXPECT_EQ(played(e).at.runs, record.at.runs);
}

// It fails once after it was told to, in whatever process, and never again.
std::atomic<bool>& armed() {
  static auto* const shared = static_cast<std::atomic<bool>*>(
      ::mmap(nullptr, sizeof(std::atomic<bool>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
             -1, 0));
  return *shared;
}
struct Knock {
  FIELDS()
};
struct Once : Node<Once, Knock> {
  FIELDS()
  void start(Context& c) {
    if (c.self == 0) c.send(1, Knock{});
  }
  void on(Context& c, NodeId, const Knock&) {
    if (armed().exchange(false)) c.fail("only this once");
  }
};
const Registration once = [] {
  armed() = false;
  return Registration(system<Once>("test-once", "for tests: fails when it is told to").nodes(2));
}();

TEST(Trial, AViolationThatNobodyCouldExamineIsNoFind) {
  Experiment e = of("", {}, 3);
  e.cases[0].text.system = {"test-once", {}};
  e.cases[0].text.world = {{"place", "processes"}};
  e.budget.keep_going = true;
  armed() = true;
  const Record record = played(e);
  EXPECT_EQ(record.problem, "");
  EXPECT_EQ(record.violated, 1U);
  EXPECT_FALSE(record.found);
  EXPECT_TRUE(record.sightings.empty());
}

TEST(Experiment, AKeySaysAllThatDecidesATrial) {
  const Experiment e = of("distrust-commits", {}, 100);
  std::set<std::string> keys;
  const auto add = [&](const Experiment& other) {
    for (const TrialOrder& order : orders_of(other))
      EXPECT_TRUE(keys.insert(order.key).second) << order.key;
  };
  add(e);
  Experiment other = e;
  other.budget.runs = 101;
  add(other);
  other.budget.keep_going = true;
  add(other);
  other.budget.coverage = *parse_coverages("colours");
  add(other);
  other.shrink = true;
  add(other);
  other.budget.seed = 7;
  add(other);
  other.strategies[0].explorer = {"pos", {}};
  add(other);
  other.budget.steps = 5;
  add(other);
}

TEST(Experiment, OfTheZooIsConfiguredByItsDeclaration) {
  Case c;
  c.exhibit = *find_exhibit("commit-old-term");
  const auto config = config_of(c, {"random", {"random", {}}});
  ASSERT_TRUE(config) << config.error();
  EXPECT_EQ(to_flags(*config), to_flags(*exhibit_config(*c.exhibit, {"random", {}})));
}

}  // namespace
}  // namespace schism
