// Experiments on any number of workers, stopped and taken up again, and what is made of them.
#include "schism/laboratory/crew.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schism/base/codec.hpp"
#include "schism/laboratory/plot.hpp"
#include "schism/laboratory/tables.hpp"

namespace schism {
namespace {

using testing::HasSubstr;

Experiment small() {
  Experiment e;
  e.title = "a <small> one";
  e.strategies = {{"random", {"random", {}}}, {"pos", {"pos", {}}}, {"swarm", {"swarm", {}}}};
  for (const char* name :
       {"toy-consensus/distrust-commits", "paxos/small-quorum", "paxos/own-value"}) {
    Case& c = e.cases.emplace_back();
    c.name = name;
    c.exhibit = *find_exhibit(name);
  }
  e.trials = 4;
  e.budget.runs = 40;
  e.budget.coverage = *parse_coverages("events");
  return e;
}

std::map<std::tuple<std::size_t, std::size_t, int>, std::string> timeless(const Results& results) {
  std::map<std::tuple<std::size_t, std::size_t, int>, std::string> out;
  for (const auto& [place, record] : results.records) out[place] = encode(record.timeless());
  return out;
}

const std::atomic<bool> kNever{false};

TEST(Crew, TheSameOnAnyNumberOfWorkersStoppedOrNot) {
  const Experiment e = small();
  const auto store = open_sqlite("", "b"), other = open_sqlite("", "b");
  const auto one = carry_out(e, **store, 1, {}, kNever);
  ASSERT_TRUE(one) << one.error();
  ASSERT_EQ(one->records.size(), 36U);
  EXPECT_EQ(one->unknown, 0U);

  std::atomic<bool> stop{false};
  std::size_t heard = 0;
  CrewListener listener;
  listener.done = [&](const TrialOrder&, const Record&, std::size_t left) {
    EXPECT_EQ(left, 36 - ++heard);
    if (heard == 7) stop = true;
  };
  const auto begun = carry_out(e, **other, 3, listener, stop);
  ASSERT_TRUE(begun) << begun.error();
  EXPECT_GE(begun->records.size(), 7U);
  EXPECT_LT(begun->records.size(), 36U);
  EXPECT_EQ(begun->unknown, 36 - begun->records.size());
  heard = 0;
  stop = false;
  const auto gone_on = carry_out(e, **other, 3, {}, stop);
  ASSERT_TRUE(gone_on);
  EXPECT_EQ(timeless(*gone_on), timeless(*one));
}

TEST(Crew, ATrialThatComesOutOtherwiseIsTold) {
  Experiment e = small();
  e.cases.resize(1);
  e.strategies.resize(1);
  e.trials = 1;
  // A store that has the row and does not show it: somebody else has just brought another result.
  class Late final : public Store {
   public:
    Result<Put> put(std::string_view, std::string_view, std::string_view) override {
      return Put::differs;
    }
    Result<std::optional<std::string>> find(std::string_view) override { return std::nullopt; }
  } late;
  const auto results = carry_out(e, late, 1, {}, kNever);
  ASSERT_FALSE(results);
  EXPECT_THAT(results.error(), HasSubstr("not deterministic"));
}

TEST(Crew, WhatCannotBePlayedIsAProblemAndIsNotKept) {
  Experiment e = small();
  e.cases.resize(1);
  e.strategies = {{"broken", {"no-such-explorer", {}}}};
  const auto store = open_sqlite("", "b");
  const auto results = carry_out(e, **store, 1, {}, kNever);
  ASSERT_TRUE(results);
  EXPECT_THAT(cell_of(e, *results, 0, 0).problems[0], HasSubstr("no-such-explorer"));
  EXPECT_EQ(*(*store)->find(orders_of(e)[0].key), std::nullopt);
}

// ---- what is made of them, on results that are known

Record at(double runs, bool found) {
  Record out;
  out.found = found;
  out.at.runs = out.total.runs = static_cast<std::uint64_t>(runs);
  return out;
}

TEST(Standings, AreThoseOfTheTrials) {
  Experiment e = small();
  e.budget.runs = 100;
  e.trials = 2;
  Results results;
  for (std::size_t c = 0; c < 3; ++c)
    for (int trial = 0; trial < 2; ++trial) {
      results.records[{c, 0, trial}] = at(10, true);
      results.records[{c, 1, trial}] = trial == 0 ? at(20, true) : at(100, false);
    }
  const auto rows = standings_of(e, results);
  EXPECT_DOUBLE_EQ(rows[0].par2, 10);
  EXPECT_DOUBLE_EQ(rows[1].par2, 110);  // half of them 20, half missed: twice 100
  EXPECT_EQ(rows[1].found, 3);
  EXPECT_EQ(rows[1].cases_found, 3);
  EXPECT_EQ(rows[2].trials, 0);
  ASSERT_TRUE(rows[1].ratio);
  EXPECT_DOUBLE_EQ(*rows[1].ratio->value, 11);
}

// Every test that is told says how it was made, against what, and which way the data point.
TEST(Judgements, SayMethodAlternativeAndDirection) {
  Experiment e = small();
  e.budget.runs = 100;
  e.budget.keep_going = true;
  e.trials = 5;
  Results results;
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t s = 0; s < 3; ++s)
      for (int trial = 0; trial < 5; ++trial) {
        const int when = 5 + trial + 30 * static_cast<int>(s) + 3 * static_cast<int>(c * s);
        Record r = s == 2 && trial == 4 ? at(100, false) : at(when, true);
        r.curves.push_back({"events", {}, static_cast<double>(50 + trial + 10 * s)});
        r.violated = static_cast<std::uint64_t>(trial);
        results.records[{c, s, trial}] = r;
      }
  const auto cases = judge_cases(e, results);
  ASSERT_EQ(cases.size(), 3U * 2 * 5);
  for (const Judgement& one : cases) {
    ASSERT_TRUE(one.why_not.empty()) << one.line();
    EXPECT_FALSE(one.test.method.empty()) << one.line();
    EXPECT_FALSE(one.test.hypothesis.empty()) << one.line();
    EXPECT_FALSE(one.test.direction.empty()) << one.line();
    if (one.test.p) {
      ASSERT_TRUE(one.adjusted);
      EXPECT_GE(*one.adjusted, *one.test.p);
    }
  }
  EXPECT_EQ(cases[0].question, "runs to the first find");
  EXPECT_THAT(cases[0].line(), HasSubstr("pos needs more runs than random"));
  const auto all = judge_all(e, results);
  std::string told;
  for (const Judgement& one : all) told += one.line() + "\n";
  for (const char* part : {"Wilcoxon", "Friedman", "Shapiro-Wilk", "Tukey"})
    EXPECT_THAT(told, HasSubstr(part));
}

TEST(Judgements, OfTrialsThatGaveUpAtDifferentEffortsHaveNoRanks) {
  Experiment e = small();
  e.budget.runs = 0;
  e.budget.seconds = 1;
  Results results;
  for (std::size_t s = 0; s < 2; ++s)
    for (int trial = 0; trial < 4; ++trial)
      results.records[{0, s, trial}] = at(10 + trial, trial == 0);
  const auto cases = judge_cases(e, results);
  ASSERT_FALSE(cases.empty());
  EXPECT_THAT(cases[0].why_not, HasSubstr("different"));
  EXPECT_TRUE(cases[2].why_not.empty()) << cases[2].line();  // log-rank needs no common budget
}

TEST(Tables, HaveEveryTrialAndThePageNeedsNothingElse) {
  const Experiment e = small();
  const auto store = open_sqlite("", "b");
  const auto results = carry_out(e, **store, 2, {}, kNever);
  ASSERT_TRUE(results);
  const std::string csv = trials_csv(e, *results);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 37);
  EXPECT_THAT(csv, HasSubstr("\"paxos/small-quorum\",\"pos\",3,"));
  const std::string page = experiment_page(e, *results);
  for (const char* part : {"a &lt;small&gt; one", "<svg", "paxos/own-value", "PAR-2", "</html>"})
    EXPECT_THAT(page, HasSubstr(part));
  EXPECT_THAT(page, testing::Not(HasSubstr("http")));
  EXPECT_THAT(page, testing::Not(HasSubstr("nan")));
  EXPECT_THAT(to_json(experiment_json(e, *results)), HasSubstr("\"missing\":0"));
}

TEST(Plot, AxesHaveRoundTicksAndStayInside) {
  const plot::Axis line{0, 4000, false, ""};
  EXPECT_EQ(line.ticks(), (std::vector<double>{0, 1000, 2000, 3000, 4000}));
  EXPECT_EQ(line.share(1000), 0.25);
  EXPECT_EQ(line.share(-5), 0);
  EXPECT_EQ(line.share(5000), 1);
  const plot::Axis log{1, 1000, true, ""};
  EXPECT_EQ(log.ticks().size(), 4U);
  EXPECT_NEAR(log.share(10), 1.0 / 3, 1e-12);
}

TEST(Plot, ABandGoesAsFarAsAllCame) {
  const auto band = plot::band_of("x", {{1, 2, 3}, {3, 4}, {5, 6, 7}});
  EXPECT_EQ(band.middle, (std::vector<double>{3, 4}));
  EXPECT_EQ(band.low, (std::vector<double>{2, 3}));
  EXPECT_EQ(band.high, (std::vector<double>{4, 5}));
  EXPECT_TRUE(plot::band_of("x", {}).middle.empty());
}

}  // namespace
}  // namespace schism
