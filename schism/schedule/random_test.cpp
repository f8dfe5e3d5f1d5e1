// `random` follows its weights: over many steps each kind and class of timer comes as often as its
// share says, and within a kind every event as often as another. Seeds are fixed; the bounds are
// five standard deviations, so that a weight that is a few percent off fails.
#include <gtest/gtest.h>

#include <cmath>

#include "schism/testing/drive.hpp"

#include "schism/schedule/scheduler.hpp"

namespace schism {
namespace {

using namespace contract;

struct Tally {
  double expected = 0, variance = 0;
  double observed = 0;
  void add(double p, bool happened) {
    expected += p, variance += p * (1 - p), observed += happened ? 1 : 0;
  }
  double deviation() const { return (observed - expected) / std::sqrt(variance); }
};

class RandomWalk {
 public:
  RandomWalk(const char* spec, std::map<Do, double> weights, double tick, double tock)
      : scheduler_(std::move(*schedulers().make(*parse_spec(spec), "scheduler"))),
        weights_(std::move(weights)),
        tick_(tick),
        tock_(tock) {
    setup_.system = systems().find("test-kitchen");
    setup_.config = setup_.system->fresh_config();
    setup_.nodes = 4;
    setup_.options.faults.drop = setup_.options.faults.duplicate = 1'000'000;
    setup_.options.faults.crash = setup_.options.faults.pause = 1'000'000;
  }

  void run(std::uint64_t seeds) {
    SimWorld world;
    world.attend(scheduler_.get(), false);
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      setup_.node_seed = seed;
      scheduler_->begin(setup_, seed);
      world.reset(setup_);
      for (int i = 0; i < 150; ++i) {
        const Action action = scheduler_->next(world);
        if (action.kind == Do::nothing) break;
        count(world.pending(), action);
        ASSERT_EQ(world.apply(action), Refusal::none);
        ++steps;
      }
    }
  }

  std::map<Do, Tally> kinds;
  Tally ticks, tocks;
  std::map<std::uint32_t, Tally> positions;  // of deliveries where there are five to choose from
  std::size_t steps = 0;

 private:
  void count(const Pending& p, const Action& action) {
    double total = tick_ * p.count_fire(0) + tock_ * p.count_fire(1);
    for (const auto& [kind, weight] : weights_) total += weight * p.count(kind);
    for (const auto& [kind, weight] : weights_)
      kinds[kind].add(weight * p.count(kind) / total, action.kind == kind);
    const bool fires = action.kind == Do::fire;
    ticks.add(tick_ * p.count_fire(0) / total, fires && action.name.type() == 0);
    tocks.add(tock_ * p.count_fire(1) / total, fires && action.name.type() == 1);
    if (action.kind == Do::deliver && p.deliverable.size() == 5)
      for (std::uint32_t i = 0; i < 5; ++i) positions[i].add(0.2, p.deliverable[i] == action.hint);
  }

  std::unique_ptr<Scheduler> scheduler_;
  std::map<Do, double> weights_;
  double tick_, tock_;
  schism::Setup setup_;
};

void expect_fair(RandomWalk& walk, std::uint64_t seeds) {
  ASSERT_NO_FATAL_FAILURE(walk.run(seeds));
  for (const auto& [kind, tally] : walk.kinds) {
    fmt::print("{}: {} of {:.0f} expected, {:+.1f} deviations\n", action_name(kind), tally.observed,
               tally.expected, tally.deviation());
    EXPECT_LT(std::abs(tally.deviation()), 5) << action_name(kind);
    EXPECT_GT(tally.expected, 50) << action_name(kind);
  }
  EXPECT_LT(std::abs(walk.ticks.deviation()), 5);
  EXPECT_LT(std::abs(walk.tocks.deviation()), 5);
  EXPECT_GT(walk.tocks.expected, 50);
  for (const auto& [position, tally] : walk.positions)
    EXPECT_LT(std::abs(tally.deviation()), 5) << "position " << position;
  EXPECT_GT(walk.steps, 20'000U);
}

TEST(Random, FollowsItsDefaultWeights) {
  // The system itself gives its timer `tock` the weight 20.
  RandomWalk walk("random",
                  {{Do::deliver, 100},
                   {Do::submit, 20},
                   {Do::drop, 2},
                   {Do::duplicate, 2},
                   {Do::crash, 1},
                   {Do::pause, 1},
                   {Do::restart, 10},
                   {Do::resume, 10}},
                  10, 20);
  expect_fair(walk, 600);
}

TEST(Random, FollowsTheWeightsItIsGiven) {
  RandomWalk walk(
      "random:deliver=7,submit=5,drop=3,duplicate=1,crash=1,pause=2,restart=9,resume=4,"
      "timer.tick=6,timer.tock=3",
      {{Do::deliver, 7},
       {Do::submit, 5},
       {Do::drop, 3},
       {Do::duplicate, 1},
       {Do::crash, 1},
       {Do::pause, 2},
       {Do::restart, 9},
       {Do::resume, 4}},
      6, 3);
  expect_fair(walk, 600);
}

// The test itself can fail: judged by other weights than those it was given.
TEST(Random, WouldBeNoticedIfItDidNot) {
  RandomWalk walk("random:deliver=7,submit=5",
                  {{Do::deliver, 100},
                   {Do::submit, 80},
                   {Do::drop, 2},
                   {Do::duplicate, 2},
                   {Do::crash, 1},
                   {Do::pause, 1},
                   {Do::restart, 10},
                   {Do::resume, 10}},
                  10, 20);
  walk.run(300);
  EXPECT_GT(std::abs(walk.kinds[Do::submit].deviation()), 5);
}

}  // namespace
}  // namespace schism
