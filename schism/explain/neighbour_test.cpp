#include "schism/explain/neighbour.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schism/testing/runs.hpp"

namespace schism::draw {
namespace {

using testing::HasSubstr;

void expect_neighbour(const Trace& failing, const Neighbour& n) {
  EXPECT_FALSE(n.trace.violation);
  EXPECT_FALSE(replay(n.trace).difference);
  ASSERT_EQ(n.origin.size(), n.trace.steps.size());
  EXPECT_EQ(failing.steps[n.step].action.kind, Do::deliver);
  // Every step is one of the failing run, each at most once, and but for one in the same order.
  std::vector<std::int64_t> order;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < n.origin.size(); ++i) {
    const std::int64_t from = n.origin[i];
    if (from < 0) continue;
    ++kept;
    const Action& was = failing.steps[static_cast<std::size_t>(from)].action;
    EXPECT_EQ(n.trace.steps[i].action.kind, was.kind);
    if (was.kind != Do::advance) {
      EXPECT_EQ(n.trace.steps[i].action.name, was.name);
    }
    if (from != static_cast<std::int64_t>(n.step)) order.push_back(from);
  }
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  EXPECT_EQ(std::adjacent_find(order.begin(), order.end()), order.end());
  if (failing.fair) return;
  const std::size_t list = failing.steps.size() - (n.change == Change::dropped ? 1 : 0);
  EXPECT_EQ(kept + n.skipped, list);
  EXPECT_EQ(kept - order.size(), n.change == Change::dropped ? 0U : 1U);
}

TEST(Neighbour, OneDeliveryElsewhereAndThePropertyHolds) {
  const Trace raft = find_of("raft", "quorum-third", {{"crash", "3"}, {"drop", "10"}});
  const auto n = nearest_passing(raft);
  ASSERT_TRUE(n);
  expect_neighbour(raft, *n);
  const auto again = nearest_passing(raft);
  EXPECT_EQ(to_text(again->trace), to_text(n->trace));
  EXPECT_EQ(again->replays, n->replays);
  EXPECT_EQ(describe(*again), describe(*n));
}

TEST(Neighbour, TheMessageThatBreaksItIsNotDelivered) {
  const Trace toy = find_of("toy-consensus", "distrust-commits");
  const auto n = nearest_passing(toy);
  ASSERT_TRUE(n);
  expect_neighbour(toy, *n);
}

TEST(Neighbour, KeepsToItsLimits) {
  const Trace toy = find_of("toy-consensus", "distrust-commits");
  EXPECT_FALSE(nearest_passing(toy, {0, 1000}));
  EXPECT_FALSE(nearest_passing(toy, {100, 0}));
  Trace passing = toy;
  passing.violation.reset();
  EXPECT_FALSE(nearest_passing(passing));
}

TEST(Neighbour, OfAnyFind) {
  std::size_t found = 0;
  each_run("120", 3, [&](const Trace& trace) {
    const auto n = nearest_passing(trace, {30, 200'000});
    if (!n) return;
    ++found;
    EXPECT_LE(n->replays, 30U);
    expect_neighbour(trace, *n);
    EXPECT_THAT(describe(*n), HasSubstr(std::to_string(n->step)));
  });
  EXPECT_GT(found, 0U);
}

}  // namespace
}  // namespace schism::draw
