// The same search in pieces: whatever the pieces and the order in which they are done, each class
// is run once, and for optimal no run is in vain.
#include "schism/check/division.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "schism/base/random.hpp"
#include "schism/check/testing/random_model.hpp"
#include "schism/check/testing/reference.hpp"

namespace schism::check {
namespace {

struct Found {
  std::size_t missed = 0, twice = 0, foreign = 0, tasks = 0;
  DporTotals totals;
  bool exact() const { return missed + twice + foreign + totals.unrunnable == 0; }
};

// Tasks are done in a random order, several at a time: each is given before others come back.
Found in_pieces(Model& model, const DporOptions& options, const Classes& expected,
                std::uint64_t seed) {
  Rng rng(seed);
  Found out;
  Classes seen;
  Division division(options);
  std::vector<Division::Given> open;
  while (!division.done()) {
    for (auto& given : division.give(1 + rng.below(4))) open.push_back(std::move(given));
    const std::size_t at = rng.below(open.size());
    const Division::Given given = std::move(open[at]);
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
    Dpor search(model, options);
    search.run(given.task, 1 + rng.below(6), {[&](const Model& m, const DporTotals&, bool asleep) {
                 if (asleep) return true;
                 const Hash128 key = class_of(m, m.run());
                 if (!seen.insert(key).second) ++out.twice;
                 if (!expected.contains(key)) ++out.foreign;
                 return true;
               }});
    division.take(given.number, search.rest());
    const DporTotals& t = search.totals();
    out.totals.executions += t.executions, out.totals.blocked += t.blocked;
    out.totals.unrunnable += t.unrunnable;
    ++out.tasks;
  }
  for (const Hash128& key : expected) out.missed += seen.contains(key) ? 0 : 1;
  return out;
}

std::size_t sweep(std::uint64_t systems, std::uint32_t depth, std::size_t orders) {
  std::size_t cases = 0, classes = 0, tasks = 0;
  for (std::uint64_t seed = 1; seed <= systems; ++seed) {
    RandomModel model(seed);
    const Counted there = count_classes(model, 4'000, depth);
    if (!there.complete) continue;
    ++cases;
    auto variants = six_orders(Reduction::sleep);
    variants.resize(orders);
    for (DporOptions& options : variants) {
      options.depth = depth;
      const Found found = in_pieces(model, options, there.classes, seed);
      EXPECT_TRUE(found.exact()) << "system " << seed << ", order " << options.order_seed << ": of "
                                 << there.classes.size() << " missed " << found.missed << ", twice "
                                 << found.twice << ", foreign " << found.foreign
                                 << ", not runnable " << found.totals.unrunnable;
      EXPECT_EQ(found.totals.executions, there.classes.size());
      Dpor whole(model, options);
      whole.run({});
      EXPECT_EQ(found.totals.blocked, whole.totals().blocked) << seed;
      classes += there.classes.size(), tasks += found.tasks;
    }
  }
  fmt::print("{} systems, {} classes in {} tasks\n", cases, classes, tasks);
  EXPECT_GT(tasks, cases);
  return cases;
}

TEST(Division, SleepSetsMissNothingInAnyPieces) { EXPECT_GE(sweep(300, 0, 3), 250U); }

TEST(Division, WithoutReductionAllRunsAreThere) {
  std::size_t systems = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    RandomModel model(seed);
    const Counted there = count_classes(model, 500);
    if (!there.complete) continue;
    DporOptions options;
    options.mode = Reduction::none;
    Dpor whole(model, options);
    model.rewind(0);
    ASSERT_EQ(whole.run({}), Finished::all);
    const Found found = in_pieces(model, options, there.classes, seed);
    EXPECT_EQ(found.totals.executions, whole.totals().executions) << seed;
    EXPECT_EQ(found.missed + found.foreign, 0U) << seed;
    ++systems;
  }
  EXPECT_GE(systems, 20U);
}

TEST(WakeupTrees, SurviveBeingWrittenDown) {
  const auto event = [](std::uint64_t id, std::uint64_t objects) {
    return Process{scatter(id), {objects, 0, 0, 0}, {}};
  };
  WakeupTrees trees;
  WakeupTrees::Node tree = WakeupTrees::kEmpty;
  for (const auto& v : {std::vector<Process>{event(1, 1), event(2, 1)},
                        {event(1, 1), event(3, 1)},
                        {event(4, 1)}}) {
    std::vector<Process> w = v;
    trees.insert(tree, w, kNever);
  }
  const auto twigs = trees.cut(tree);
  EXPECT_EQ(tree, WakeupTrees::kEmpty);
  EXPECT_EQ(trees.size(), 0U);
  ASSERT_EQ(twigs.size(), 4U);
  EXPECT_EQ(twigs[2].process.id, scatter(3));
  EXPECT_EQ(twigs[2].depth, 1U);
  EXPECT_EQ(twigs[3].depth, 0U);
  WakeupTrees::Node again = trees.grow(twigs);
  const auto same = trees.cut(again);
  ASSERT_EQ(same.size(), twigs.size());
  for (std::size_t i = 0; i < same.size(); ++i) {
    EXPECT_EQ(same[i].process.id, twigs[i].process.id);
    EXPECT_EQ(same[i].depth, twigs[i].depth);
  }
}

}  // namespace
}  // namespace schism::check
