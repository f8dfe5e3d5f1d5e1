// The searches over abstract models, where everything can be compared with a slow definition: sets
// of classes, not numbers of them, in six orders each. Wrong variants pass in some orders and on
// most systems, so each rule is switched off once, and must be missed.
#include "schism/check/dpor.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "schism/check/testing/random_model.hpp"
#include "schism/check/testing/reference.hpp"

namespace schism::check {
namespace {

struct Sweep {
  std::uint64_t systems = 300, first = 1;
  std::size_t prefixes_max = 20'000;
  std::uint32_t depth = 0, events_a_node = 0;
  std::vector<Reduction> modes = {Reduction::optimal};
  std::size_t orders = 6;
};

struct Swept {
  std::size_t cases = 0, classes = 0, wrong = 0;
  std::uint64_t blocked_optimal = 0;
};

Swept sweep(const Sweep& s, RaceRules rules = {}) {
  Swept out;
  for (std::uint64_t seed = s.first; seed < s.first + s.systems; ++seed) {
    RandomModel model(seed, s.events_a_node);
    const Counted there = count_classes(model, s.prefixes_max, s.depth);
    if (!there.complete) continue;
    ++out.cases;
    out.classes += there.classes.size();
    for (const Reduction mode : s.modes) {
      auto variants = six_orders(mode);
      variants.resize(s.orders);
      for (DporOptions& options : variants) {
        options.depth = s.depth;
        options.rules = rules;
        model.rewind(0);
        const Compared c = compare(model, options, there.classes);
        if (mode == Reduction::optimal) out.blocked_optimal += c.blocked;
        out.wrong += c.exact() ? 0 : 1;
      }
    }
  }
  return out;
}

TEST(Dpor, RunsEachClassOfRandomSystemsOnceInEveryOrder) {
  Sweep s;
  s.systems = 2'100;
  const Swept swept = sweep(s);
  fmt::print("{} systems, {} classes\n", swept.cases, swept.classes);
  EXPECT_EQ(swept.wrong, 0U);
  EXPECT_EQ(swept.blocked_optimal, 0U);
  EXPECT_GE(swept.cases, 2'000U);
  EXPECT_GE(swept.classes, 150'000U);
}

TEST(Dpor, WeakerReductionsMissNothingEither) {
  Sweep s;
  s.systems = 400;
  s.prefixes_max = 4'000;
  s.modes = {Reduction::source, Reduction::sleep};
  s.orders = 3;
  const Swept swept = sweep(s);
  EXPECT_EQ(swept.wrong, 0U);
  EXPECT_GE(swept.cases, 350U);
  EXPECT_GE(swept.classes, 15'000U);
}

TEST(Dpor, WithoutReductionEveryRunIsOfAKnownClass) {
  std::size_t runs = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    RandomModel model(seed);
    const Counted there = count_classes(model, 800);
    if (!there.complete) continue;
    DporOptions options;
    options.mode = Reduction::none;
    model.rewind(0);
    const Compared c = compare(model, options, there.classes);
    EXPECT_EQ(c.missed + c.foreign, 0U) << seed;
    EXPECT_EQ(c.executions, there.classes.size() + c.twice) << seed;
    runs += c.executions;
  }
  EXPECT_GT(runs, 10'000U);
}

TEST(Dpor, IsExactUpToADepth) {
  std::size_t cases = 0, classes = 0;
  for (const std::uint32_t depth : {5U, 7U}) {
    Sweep s;
    s.systems = 600;
    s.depth = depth;
    const Swept swept = sweep(s);
    EXPECT_EQ(swept.wrong, 0U) << depth;
    EXPECT_EQ(swept.blocked_optimal, 0U) << depth;
    cases += swept.cases, classes += swept.classes;
  }
  fmt::print("{} cases, {} classes\n", cases, classes);
  EXPECT_GE(cases, 1'000U);
  EXPECT_GE(classes, 150'000U);
}

TEST(Dpor, IsExactWithABoundOfEventsANode) {
  Sweep s;
  s.systems = 800;
  s.events_a_node = 3;
  s.modes = {Reduction::optimal, Reduction::source, Reduction::sleep};
  const Swept swept = sweep(s);
  EXPECT_EQ(swept.wrong, 0U);
  EXPECT_GE(swept.cases, 750U);
}

// ---- each rule is needed ---------------------------------------------------------------------

std::size_t wrong_without(bool RaceRules::*rule, std::uint32_t depth = 0) {
  RaceRules rules;
  rules.*rule = false;
  Sweep s;
  s.systems = 60;
  s.prefixes_max = 3'000;
  s.depth = depth;
  return sweep(s, rules).wrong;
}

TEST(DporRules, AreAllNeeded) {
  EXPECT_GT(wrong_without(&RaceRules::phantoms), 0U);
  EXPECT_GT(wrong_without(&RaceRules::born_dead), 0U);
  EXPECT_GT(wrong_without(&RaceRules::whole_suffix), 0U);
  EXPECT_GT(wrong_without(&RaceRules::gate_enablers), 0U);
  EXPECT_GT(wrong_without(&RaceRules::cut_slots, 5), 0U);
  EXPECT_GT(wrong_without(&RaceRules::cut_room, 5), 0U);
}

// ---- the parts -------------------------------------------------------------------------------

Process event(std::uint64_t id, std::uint64_t objects) {
  return {scatter(id), {objects, 0, 0, 0}, {}};
}

TEST(WakeupTrees, WeakInitialsCanComeFirstOrBeTakenIn) {
  const std::vector<Process> v = {event(1, 1), event(2, 2), event(3, 3)};
  EXPECT_TRUE(weak_initial(event(1, 1), v, true));
  EXPECT_TRUE(weak_initial(event(2, 2), v, true));
  EXPECT_FALSE(weak_initial(event(3, 3), v, true)) << "1 and 2 must come before it";
  EXPECT_TRUE(weak_initial(event(4, 4), v, true)) << "independent of all";
  EXPECT_FALSE(weak_initial(event(4, 4), v, false)) << "but not without room for it";
  EXPECT_FALSE(weak_initial(event(5, 2), v, true));
}

TEST(WakeupTrees, TakeInWhatABranchCoversAndGrowByTheRest) {
  WakeupTrees trees;
  WakeupTrees::Node tree = WakeupTrees::kEmpty;
  std::vector<Process> v = {event(1, 1), event(2, 1)};
  trees.insert(tree, v, kNever);
  EXPECT_EQ(trees.size(), 2U);
  v = {event(1, 1), event(2, 1)};
  trees.insert(tree, v, kNever);
  EXPECT_EQ(trees.size(), 2U) << "covered by its first branch";
  v = {event(1, 1), event(3, 1)};
  trees.insert(tree, v, kNever);
  EXPECT_EQ(trees.size(), 3U) << "a second branch below the first event";
  v = {event(4, 1)};
  trees.insert(tree, v, kNever);
  EXPECT_EQ(trees.size(), 4U);
  WakeupTrees::Node below = WakeupTrees::kEmpty;
  EXPECT_EQ(trees.take(tree, below).id, scatter(1));
  EXPECT_EQ(trees.process(below).id, scatter(2));
  EXPECT_EQ(trees.process(trees.next(below)).id, scatter(3));
  EXPECT_EQ(trees.process(tree).id, scatter(4));
  EXPECT_EQ(trees.peak(), 4U);
}

}  // namespace
}  // namespace schism::check
