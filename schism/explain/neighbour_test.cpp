#include "schism/explain/neighbour.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schism/schism.hpp"
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

class NeighbourOf : public testing_tools::EverySystem {};
INSTANTIATE_TEST_SUITE_P(, NeighbourOf, testing_tools::each_system(),
                         testing_tools::system_in_name);

TEST_P(NeighbourOf, AnyFind) {
  std::size_t found = 0;
  each_run(system(), "120", 3, [&](const Trace& trace) {
    const auto n = nearest_passing(trace, {30, 200'000});
    if (!n) return;
    ++found;
    EXPECT_LE(n->replays, 30U);
    expect_neighbour(trace, *n);
    EXPECT_THAT(describe(*n), HasSubstr(std::to_string(n->step)));
  });
  if (GetParam() == "raft" || GetParam() == "toy-consensus") {
    EXPECT_GT(found, 0U);
  }
}

// It takes the way of the first message that it gets: one ends at once, and nothing is done; on the
// other it goes on for ever, and nobody can say.
struct Turn {
  bool left = false;
  FIELDS(left)
};
struct Mile {
  int number = 0;
  FIELDS(number)
};
SCHISM_ENUM(Walk, on);
constexpr Micros kMile = 1_ms;  // shorter, and the tails of other tests have 100,000 steps
struct Crossroads : Node<Crossroads, Turn> {
  using Timers = Walk;
  int miles = 0;
  bool turned = false;
  FIELDS(miles, turned)
  void start(Context& c) {
    if (c.self != 0) return;
    c.send(1, Turn{true});
    c.send(1, Turn{false});
  }
  void on(Context& c, NodeId, const Turn& turn) {
    if (!turned && !turn.left) c.set_timer(Walk::on, kMile);
    turned = true;
  }
  void on_timer(Context& c, Walk) {
    c.announce(Mile{++miles});
    c.set_timer(Walk::on, kMile);
  }
};
const Registration crossroads =
    system<Crossroads>("test-crossroads", "for tests: one way ends, the other does not")
        .nodes(2, 2, 2)
        .steps(10)
        .oracle(sometimes<Mile>("a mile", [](const Mile&) { return true; }))
        .oracle(eventually("arrival", [](const World&) { return false; }));

TEST(Neighbour, ThatNobodyCouldJudgePassesNothing) {
  RunText text;
  text.system = {"test-crossroads", {}};
  text.explorer = {"random", {}};
  auto config = make_config(text);
  ASSERT_TRUE(config) << config.error();
  config->limits.tail_steps = 300;  // and its time is far from over
  HuntOptions options;
  options.runs = 50;
  options.shrink = false;
  const auto result = hunt(*config, options, {}, std::atomic<bool>(false));
  ASSERT_TRUE(result && !result->finds.empty());
  const Trace& failing = result->finds[0].trace;
  EXPECT_TRUE(failing.fair);
  EXPECT_EQ(failing.violation->property, "arrival");
  EXPECT_FALSE(nearest_passing(failing));
}

}  // namespace
}  // namespace schism::draw
