// Estimates against counts: how many of their intervals hold the number that there is, and how wide
// they are.
#include "schism/check/estimate.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "schism/check/testing/random_model.hpp"
#include "schism/check/testing/random_tree.hpp"
#include "schism/check/testing/reference.hpp"
#include "schism/check/world_model.hpp"
#include "schism/run/config.hpp"

namespace schism::check {
namespace {

constexpr std::uint32_t kProbes = 1000;

// Intervals so far, of numbers that were not simply counted.
struct Coverage {
  std::size_t all = 0, held = 0;
  std::vector<double> widths;  // the upper end over the lower

  void add(const Guess& guess, double truth) {
    if (guess.exact) {
      EXPECT_EQ(guess.value, truth);
      return;
    }
    ++all;
    held += guess.low <= truth && truth <= guess.high ? 1 : 0;
    widths.push_back(guess.low > 0 ? guess.high / guess.low : 1e9);
  }
  double median_width() {
    std::sort(widths.begin(), widths.end());
    return widths[widths.size() / 2];
  }
  void expect_95(const char* what, double widest_median) {
    fmt::print("{}: {} of {} intervals hold the count, median width a factor of {:.2f}\n", what,
               held, all, median_width());
    EXPECT_GE(held * 100, all * 90) << what;
    EXPECT_LE(median_width(), widest_median) << what;
  }
};

double classes_of(Model& model, std::uint64_t most) {
  Dpor dpor(model, {});
  const Finished ending =
      dpor.run({[&](const Model&, const DporTotals& t, bool) { return t.executions < most; }});
  const double out = ending == Finished::all ? static_cast<double>(dpor.totals().executions) : 0;
  model.rewind(0);
  return out;
}

// From a thousand leaves to a million, even and uneven, flat and deep.
TEST(Estimate, IntervalsHoldTheLeavesOfSkewedTrees) {
  Coverage coverage;
  for (std::uint64_t i = 0; i < 100; ++i) {
    const double truth = std::floor(std::pow(10, 3 + static_cast<double>(i * 37 % 100) * 0.03));
    RandomTree tree(1000 + i, static_cast<std::uint64_t>(truth), static_cast<double>(i % 4),
                    static_cast<double>(i / 4 % 3) * 0.3);
    coverage.add(estimate(tree, kProbes, 0, i).classes, truth);
  }
  EXPECT_GE(coverage.all, 95U);
  coverage.expect_95("trees", 8);
}

TEST(Estimate, IntervalsHoldTheClassesOfRandomSystems) {
  Coverage coverage;
  for (std::uint64_t seed = 1; coverage.all < 100 && seed < 3000; ++seed) {
    RandomModel model(seed);
    const double truth = classes_of(model, 30'000);
    if (truth >= 300) coverage.add(estimate(model, kProbes, 0, seed).classes, truth);
  }
  EXPECT_GE(coverage.all, 100U);
  coverage.expect_95("systems", 2);
}

// Counts that world_model_test.cpp has, found by two other programs.
TEST(Estimate, IntervalsHoldTheClassesOfProtocols) {
  struct Known {
    std::string system;
    int nodes;
    std::vector<NodeId> crash;
    std::uint32_t drops, duplicates;
    const char* links;
    double classes;
  };
  const Known known[] = {
      {"hierarchical-consensus", 4, {0}, 0, 0, "any", 17'568},
      {"hierarchical-consensus", 4, {1}, 0, 0, "any", 9'216},
      {"hierarchical-consensus", 4, {2}, 0, 0, "any", 4'104},
      {"hierarchical-consensus", 4, {3}, 0, 0, "any", 2'976},
      {"reliable-broadcast:self-delivery=also", 4, {0}, 0, 0, "any", 224'641},
      {"paxos", 5, {}, 0, 0, "any", 226'080},
      {"paxos", 5, {}, 0, 0, "fifo", 42'048},
      {"reliable-broadcast:broadcasts=2", 3, {}, 1, 0, "any", 149'161},
      {"reliable-broadcast:broadcasts=2", 3, {}, 1, 0, "fifo", 25'801},
      {"reliable-broadcast", 3, {0}, 0, 1, "any", 96'388},
  };
  Coverage coverage;
  for (const Known& k : known) {
    RunText text;
    text.system = *parse_spec(k.system);
    text.nodes = std::to_string(k.nodes);
    text.world = {{"links", k.links}};
    const auto config = make_config(text);
    ASSERT_TRUE(config) << config.error();
    Bounds bounds;
    bounds.may_crash = k.crash;
    bounds.drops = k.drops, bounds.duplicates = k.duplicates;
    for (const std::uint64_t seed : {1U, 2U}) {
      WorldModel model(config->setup, bounds, true);
      model.judge_nothing();
      coverage.add(estimate(model, 4 * kProbes, 0, seed).classes, k.classes);
    }
  }
  EXPECT_EQ(coverage.all, std::size(known) * 2);
  coverage.expect_95("protocols", 4);
}

TEST(Estimate, IsUnbiased) {
  double classes = 0, expected = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    RandomModel model(seed);
    const double truth = classes_of(model, 5'000);
    if (truth == 0) continue;
    const Guess guess = estimate(model, 200, 0, seed).classes;
    classes += 1, expected += guess.value / truth;
  }
  EXPECT_GE(classes, 200);
  EXPECT_NEAR(expected / classes, 1, 0.03);
}

TEST(Estimate, WhatIsSmallIsCounted) {
  std::size_t exact = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed)
    for (const std::uint32_t depth : {0U, 4U}) {
      RandomModel model(seed);
      const Counted there = count_classes(model, 200, depth);
      if (!there.complete) continue;
      model.rewind(0);
      const Guess guess = estimate(model, 20'000, depth, 1).classes;
      if (!guess.exact) continue;
      ++exact;
      EXPECT_EQ(guess.value, static_cast<double>(there.classes.size())) << seed << " " << depth;
    }
  EXPECT_GE(exact, 100U);
}

// Two processes that go on for ever.
class Endless final : public Model {
 public:
  Endless() { rewind(0); }
  void rewind(std::uint32_t depth) override {
    run_.resize(depth);
    pends_.resize(2 + depth);
    for (std::uint32_t i = 0; i < pends_.size(); ++i) {
      pends_[i].id = scatter(i);
      pends_[i].objects.bits = 1;
      pends_[i].enablers[0] = i < 2 ? 0 : i - 1;
      if (pends_[i].executed > depth) pends_[i].executed = 0;
    }
  }
  bool play(std::uint32_t index) override {
    ++played;
    run_.push_back(index);
    pends_[index].executed = depth();
    Pend& next = pends_.emplace_back();
    next.id = scatter(pends_.size() - 1);
    next.objects.bits = 1;
    next.enablers[0] = depth();
    return true;
  }
  bool finish(bool) override { return true; }
  std::uint32_t default_choice() override { return depth(); }
  std::uint64_t played = 0;
};

TEST(Estimate, OfRunsWithoutEndIsUnknownAfterOne) {
  Endless model;
  const Estimate e = estimate(model, 4000, 0, 1, 500);
  EXPECT_EQ(e.runs.value, 0);
  EXPECT_EQ(e.classes.value, 0);
  EXPECT_EQ(model.played, 500U);
  const Estimate to_a_depth = estimate(model, 4000, 10, 1);  // two to choose from at each step
  EXPECT_NEAR(to_a_depth.runs.value, 1024, 1e-6);
}

TEST(Estimate, StopsWhenItIsTold) {
  Endless model;
  const Estimate e = estimate(model, 4000, 0, 1, 500, [&] { return model.played >= 100; });
  EXPECT_EQ(e.runs.value, 0);
  EXPECT_EQ(e.classes.value, 0);
  EXPECT_EQ(model.played, 100U);
}

// What is pending piles up, and each state looks at all of it: fewer rounds, and an estimate still.
TEST(Estimate, OfLongRunsCostsNoMoreThanOfShortOnes) {
  Endless model;
  const Estimate e = estimate(model, 4000, 1000, 1);
  EXPECT_NEAR(std::log2(e.runs.value), 1000, 1e-6);
  EXPECT_LT(model.played, 600'000U);  // without a bound 2,000,000
}

TEST(Estimate, SaysUnknownAfterHardlyAnyRoundThatSawSomething) {
  EXPECT_EQ(guess_of({0, 0, 0, 0, 5, 0, 0, 9}).value, 0);
  const Guess half = guess_of({8, 0, 8, 0, 8, 0, 8, 0});
  EXPECT_EQ(half.value, 4);
  EXPECT_LT(half.low, 4);
  EXPECT_GT(half.high, 4);
}

TEST(Estimate, OfASumIsUnknownWhereAPartIs) {
  Guess a{10, 5, 20, false};
  a += Guess{100, 70, 200, false};
  EXPECT_EQ(a.value, 110);
  EXPECT_GT(a.low, 70);
  EXPECT_LT(a.high, 220);
  a += Guess{};
  EXPECT_EQ(a.value, 0);
}

}  // namespace
}  // namespace schism::check
