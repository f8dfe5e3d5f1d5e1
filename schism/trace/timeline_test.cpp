#include "schism/trace/timeline.hpp"

#include <gtest/gtest.h>

#include "schism/campaign/hunt.hpp"
#include "schism/testing/recorded.hpp"

namespace {
using namespace schism;

Trace some_trace(const char* system, const char* explorer, Pairs faults, std::uint64_t seed) {
  RunText text;
  text.system = {system, {}};
  text.explorer = {explorer, {}};
  text.faults = std::move(faults);
  text.steps = "300";
  const auto config = make_config(text);
  EXPECT_TRUE(config) << config.error();
  return testing_tools::recorded(*config, {seed, seed}, 0);
}

struct Seen {
  Hash128 hash, digest;
  friend bool operator==(const Seen&, const Seen&) = default;
};

Seen look(const World& world) { return {world.causal_hash(), world.digest_from_scratch()}; }

// The same state whichever way it is reached: forwards, backwards, by jumps, with and without
// checkpoints.
TEST(Timeline, EveryWayToAPositionLeadsToTheSameState) {
  for (const char* system : {"toy-consensus", "tokens"})
    for (const char* explorer : {"random", "timed", "stepped"}) {
      const Trace trace = some_trace(system, explorer, {{"crash", "2"}, {"drop", "3"}}, 5);
      Timeline straight(trace, 0);
      std::vector<Seen> truth;
      for (std::uint32_t i = 0; i <= straight.length(); ++i)
        truth.push_back(look(straight.seek(i)));
      for (const std::uint32_t every : {0U, 1U, 7U, 64U}) {
        Timeline line(trace, every);
        ASSERT_EQ(line.length(), straight.length());
        Rng rng(every);
        for (int jump = 0; jump < 200; ++jump) {
          const auto step = static_cast<std::uint32_t>(rng.below(line.length() + 1));
          ASSERT_EQ(look(line.seek(step)), truth[step]) << system << " " << explorer << " " << step;
          ASSERT_EQ(line.position(), step);
        }
      }
    }
}

TEST(Timeline, CheckpointsMakeGoingBackCheap) {
  const Trace trace = some_trace("tokens", "random", {}, 1);
  Timeline with(trace, 16), without(trace, 0);
  for (Timeline* line : {&with, &without}) line->seek(line->length());
  const auto cost = [](Timeline& line) {
    const auto before = line.steps_replayed();
    for (std::uint32_t back = 1; back <= 100; ++back) line.seek(line.length() - back);
    return line.steps_replayed() - before;
  };
  EXPECT_LE(cost(with), 100U * 16U);
  EXPECT_GT(cost(without), 100U * 150U);
}

TEST(Timeline, BeyondTheEndIsTheEnd) {
  const Trace trace = some_trace("toy-consensus", "random", {}, 3);
  Timeline line(trace);
  EXPECT_EQ(line.seek(1'000'000).causal_hash(), trace.run_class);
  EXPECT_EQ(line.position(), line.length());
}

}  // namespace
