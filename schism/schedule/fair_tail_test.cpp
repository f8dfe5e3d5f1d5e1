// The tail mends what faults have left, serves everything in turn, and ends at its bound.
#include "schism/schedule/fair_tail.hpp"

#include <gtest/gtest.h>

#include "schism/schism.hpp"
#include "schism/testing/checked.hpp"

namespace schism {
namespace {

// A ball that nobody keeps.
struct Ball {
  FIELDS()
};
struct Juggler : Node<Juggler, Ball> {
  int caught = 0;
  FIELDS(caught)
  void start(Context& c) {
    if (c.self == 0) c.send(1, Ball{});
  }
  void on(Context& c, NodeId, const Ball&) {
    ++caught;
    c.send((c.self + 1) % c.nodes(), Ball{});
  }
};
// Registered by whoever needs it: tests that play every system want some that end.
RunConfig jugglers(Pairs faults = {}) {
  [[maybe_unused]] static const Registration registered =
      system<Juggler>("test-jugglers", "for tests: a ball goes round for ever").nodes(4, 4, 4);
  return testing_tools::config_of("test-jugglers", {.faults = std::move(faults)});
}

constexpr Micros kBound = 100'000;

// Plays a tail to its end: how many steps.
int play_tail(SimWorld& world) {
  FairTail tail(kBound);
  tail.begin(world.setup(), 1);
  world.attend(&tail, true);
  int steps = 0;
  for (Action a = tail.next(world); a.kind != Do::nothing && steps < 1000; ++steps) {
    EXPECT_EQ(world.apply(a), Refusal::none);
    a = tail.next(world);
  }
  world.attend(nullptr, false);
  return steps;
}

TEST(FairTail, MendsWhatFaultsHaveLeft) {
  SimWorld world;
  world.reset(jugglers({{"cut", "2"}, {"crash", "1"}, {"pause", "1"}}).setup);
  for (const Action& fault : {link_action(Do::cut, 1, 2), link_action(Do::cut, 2, 3),
                              node_action(Do::crash, 2), node_action(Do::pause, 3)})
    ASSERT_EQ(world.apply(fault), Refusal::none);
  play_tail(world);
  EXPECT_TRUE(world.calm());
  EXPECT_EQ(world.pending().severed.size(), 0U);
  for (NodeId id = 0; id < 4; ++id) {
    EXPECT_TRUE(world.runs(id)) << id;
    ASSERT_TRUE(world.as<Juggler>(id)) << id;
    EXPECT_GT(world.as<Juggler>(id)->caught, 5) << id;
  }
}

TEST(FairTail, EndsAtItsBound) {
  SimWorld world;
  world.reset(jugglers().setup);
  const int steps = play_tail(world);
  EXPECT_GT(steps, 90) << "a millisecond each";
  EXPECT_LT(steps, 110);
  EXPECT_GE(world.clock(), kBound);
  EXPECT_LE(world.clock(), kBound + 1000);
}

}  // namespace
}  // namespace schism
