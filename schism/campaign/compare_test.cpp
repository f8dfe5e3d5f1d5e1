// Medians against their definition, trials that share no seed, and what counts as expected.
#include "schism/campaign/compare.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "schism/base/random.hpp"

namespace schism {
namespace {

// With trials that found nothing as infinitely late.
std::optional<double> slow_median(std::vector<std::uint64_t> found, int trials) {
  std::vector<double> all(found.begin(), found.end());
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
      if (rng.chance(0.6)) cell.runs_to_find.push_back(1 + rng.below(50));
    std::sort(cell.runs_to_find.begin(), cell.runs_to_find.end());
    ASSERT_EQ(cell.median(), slow_median(cell.runs_to_find, cell.trials));
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

TEST(Compare, AFindInEveryTrialIsExpectedOrInNone) {
  const std::atomic<bool> stop{false};
  const auto cell = [&](const Experiment& e) { return compare(e, {}, stop)->front(); };
  // Of a bug that one run in some shows, few runs find it in some trials only.
  std::uint64_t runs = 1;
  Cell some;
  for (; runs < 4096; runs *= 2) {
    some = cell(of("distrust-commits", true, runs));
    ASSERT_EQ(some.trials, 4);
    if (!some.runs_to_find.empty()) break;
  }
  EXPECT_EQ(some.as_expected, some.runs_to_find.size() == 4);
  const Cell always = cell(of("distrust-commits", true, 64 * runs));
  EXPECT_EQ(always.runs_to_find.size(), 4U);
  EXPECT_TRUE(always.as_expected);
  EXPECT_FALSE(cell(of("distrust-commits", false, 64 * runs)).as_expected);
  const Cell never = cell(of("", false, 50));
  EXPECT_TRUE(never.runs_to_find.empty());
  EXPECT_TRUE(never.as_expected);
  EXPECT_FALSE(cell(of("", true, 50)).as_expected);
  EXPECT_EQ(never.runs, 200U);
}

}  // namespace
}  // namespace schism
