// What is made of trials, on records that nobody played: which count, how far, and against whom.
#include "schism/laboratory/results.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "schism/laboratory/judgement.hpp"
#include "schism/laboratory/trial.hpp"

namespace schism {
namespace {

using testing::HasSubstr;

Experiment of(std::size_t cases, std::size_t strategies) {
  Experiment out;
  for (const char* name : {"random", "pos", "pctcp"})
    if (out.strategies.size() < strategies) out.strategies.push_back({name, {name, {}}});
  for (std::size_t c = 0; c < cases; ++c) {
    Case& one = out.cases.emplace_back();
    one.name = "case " + std::to_string(c);
    one.text.system = {"toy-consensus", {}};
  }
  out.budget.runs = 100;
  return out;
}

Record record_at(std::uint64_t runs, bool found) {
  Record out;
  out.found = found;
  out.at.runs = out.total.runs = runs;
  return out;
}

TEST(Cell, CountsOnlyWhatCouldBePlayed) {
  Experiment e = of(1, 1);
  e.trials = 3;
  e.cases[0].expected = true;
  Results results;
  results.records[{0, 0, 0}] = record_at(5, true);
  results.records[{0, 0, 1}].problem = "it fell";
  results.records[{0, 0, 2}] = record_at(7, true);
  EXPECT_EQ(results.of(0, 0).size(), 2U);
  const Cell cell = cell_of(e, results, 0, 0);
  EXPECT_EQ(cell.trials, 2);
  EXPECT_EQ(cell.efforts_to_find, (std::vector<double>{5, 7}));
  EXPECT_THAT(cell.problems, testing::ElementsAre("it fell"));
  EXPECT_TRUE(cell.as_expected);
  results.records[{0, 0, 2}] = record_at(100, false);
  EXPECT_FALSE(cell_of(e, results, 0, 0).as_expected) << "one trial of two found nothing";
}

// A trial that found nothing gave up at its budget; one that was stopped, where it was stopped; and
// a find that CPU time counts is never beyond what was paid for.
TEST(Trial, EndsAtItsBudgetOrWhereItWasStopped) {
  Experiment e = of(1, 1);
  e.budget = {};
  e.budget.cpu_seconds = 2;
  Record record;
  record.found = true;
  record.at.cpu = 2.01;
  EXPECT_EQ(trial_of(e, record).at, 2);
  EXPECT_TRUE(trial_of(e, record).found);
  record.at.cpu = 0.5;
  EXPECT_EQ(trial_of(e, record).at, 0.5);
  record.found = false;
  record.total.cpu = 1.9;
  EXPECT_EQ(trial_of(e, record).at, 2);
  record.whole = false;
  EXPECT_EQ(trial_of(e, record).at, 1.9);
}

// A budget of runs that a clock cuts short is not used up.
TEST(Trial, IsNotWholeWhereAClockEndedIt) {
  Experiment e = of(1, 1);
  e.budget.runs = 1'000'000'000;
  e.budget.seconds = 0.01;
  const auto record = play(e, orders_of(e)[0], std::atomic<bool>(false));
  ASSERT_TRUE(record);
  EXPECT_EQ(record->problem, "");
  EXPECT_LT(record->total.runs, e.budget.runs);
  EXPECT_FALSE(record->whole);
}

TEST(Budget, HasAUnitAndALimitInIt) {
  const Effort effort{1, 2, 3, 4'500'000, 5};
  EXPECT_EQ(effort.in(Unit::runs), 1);
  EXPECT_EQ(effort.in(Unit::steps), 2);
  EXPECT_EQ(effort.in(Unit::deliveries), 3);
  EXPECT_EQ(effort.in(Unit::simulated), 4.5);
  EXPECT_EQ(effort.in(Unit::cpu), 5);
  HuntOptions budget;
  EXPECT_TRUE(is_exact(budget));
  budget.simulated_us = 2'500'000;
  EXPECT_EQ(limit_of(budget), 2.5);
  EXPECT_TRUE(is_exact(budget));
  budget.cpu_seconds = 1;
  EXPECT_FALSE(is_exact(budget)) << "how far it comes depends on the machine";
  budget.cpu_seconds = 0, budget.seconds = 1;
  EXPECT_FALSE(is_exact(budget));
}

TEST(Experiment, ACaseMayHaveItsOwnExplorerForAStrategy) {
  Experiment e = of(1, 2);
  e.cases[0].explorers["pos"] = *parse_spec("pctcp:depth=4");
  EXPECT_EQ(config_of(e.cases[0], e.strategies[0])->scheduler.name, "random");
  EXPECT_EQ(print_spec(config_of(e.cases[0], e.strategies[1])->scheduler), "pctcp:depth=4");
}

TEST(Judgements, OfCoverageWaitForTrialsThatAreAsLong) {
  Experiment e = of(1, 2);
  Results results;
  for (std::size_t s = 0; s < 2; ++s)
    for (int trial = 0; trial < 4; ++trial) {
      Record r = record_at(100, false);
      r.curves.push_back({"events", {}, static_cast<double>(50 + trial)});
      results.records[{0, s, trial}] = r;
    }
  const auto of_coverage = [&] {
    for (const Judgement& one : judge_cases(e, results))
      if (one.question == "coverage: events") return one.why_not;
    return std::string("there is none");
  };
  EXPECT_EQ(of_coverage(), "");
  results.records[{0, 1, 2}].found = true;
  EXPECT_THAT(of_coverage(), HasSubstr("keep-going"));
  e.budget.keep_going = true;
  EXPECT_EQ(of_coverage(), "");
}

std::string told(const std::vector<Judgement>& all) {
  std::string out;
  for (const Judgement& one : all) out += one.line() + "\n";
  return out;
}

// Three strategies on some cases, the later ones slower.
Results slower_and_slower(std::size_t cases) {
  Results out;
  for (std::size_t c = 0; c < cases; ++c)
    for (std::size_t s = 0; s < 3; ++s)
      for (int trial = 0; trial < 5; ++trial)
        out.records[{c, s, trial}] =
            record_at(3 + static_cast<std::uint64_t>(trial) + 7 * s * (c + 1), true);
  return out;
}

TEST(Judgements, OverAllCasesAreOfThoseThatEverybodyPlayed) {
  Results results = slower_and_slower(5);
  for (int trial = 0; trial < 5; ++trial) results.records.erase({4, 1, trial});
  const std::string some = told(judge_all(of(5, 3), results));
  EXPECT_FALSE(some.empty());
  EXPECT_EQ(some, told(judge_all(of(4, 3), slower_and_slower(4))));
}

// Holm (1979): the smallest p counts as often as there are tests, the next one less, and none is
// less than the one before it.
TEST(Judgements, AreCorrectedForHowManyThereAre) {
  const auto all = judge_cases(of(4, 3), slower_and_slower(4));
  std::map<std::string, std::vector<const Judgement*>> families;
  for (const Judgement& one : all)
    if (one.test.p) families[one.question].push_back(&one);
  ASSERT_FALSE(families.empty());
  for (auto& [question, family] : families) {
    std::sort(family.begin(), family.end(),
              [](const auto* a, const auto* b) { return *a->test.p < *b->test.p; });
    double before = 0;
    for (std::size_t i = 0; i < family.size(); ++i) {
      const double corrected =
          std::min(1.0, *family[i]->test.p * static_cast<double>(family.size() - i));
      before = std::max(before, corrected);
      ASSERT_TRUE(family[i]->adjusted);
      EXPECT_NEAR(*family[i]->adjusted, before, 1e-12) << question;
    }
  }
}

}  // namespace
}  // namespace schism
