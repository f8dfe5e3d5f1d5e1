// State digests: the one that is kept up to date equals the one from scratch after every step, in
// every universe and under every scheduler; equal digests mean equal states.
#include <gtest/gtest.h>

#include "schism/run/runner.hpp"
#include "schism/testing/drive.hpp"
#include "schism/testing/strategies.hpp"

namespace schism {
namespace {

using namespace contract;

// What a digest must tell apart, as far as it can be seen from outside.
std::string visible(const World& world) {
  const Pending& p = world.pending();
  std::string out;
  for (NodeId id = 0; id < p.nodes; ++id)
    out += fmt::format("{} {} {}\n", world.runs(id), p.paused.has(static_cast<std::uint32_t>(id)),
                       to_json(world.inspect(id)));
  std::vector<std::string> lines;
  for (std::uint32_t s = 0; s < p.flights.size(); ++s) {
    const Flight& f = p.flights[s];
    if (f.alive())
      lines.push_back(fmt::format("{} {} {} {}\n", f.name.from(), f.name.to(), f.body->type->name,
                                  to_json(f.body->type->to_value(f.body->content()))));
  }
  for (std::uint32_t s = 0; s < p.timers.size(); ++s)
    if (p.timers[s].alive())
      lines.push_back(fmt::format("timer {} {} {}\n", p.timers[s].name.from(),
                                  p.timers[s].name.to(), p.timers[s].name.type()));
  for (std::uint32_t s = 0; s < p.waits.size(); ++s)
    if (p.waits[s].alive())
      lines.push_back(fmt::format("wait {} {} {}\n", p.waits[s].name.from(),
                                  static_cast<int>(p.waits[s].done.op), p.waits[s].done.tag));
  for (std::uint32_t s = 0; s < p.askings.size(); ++s)
    if (p.askings[s].alive())
      lines.push_back(fmt::format("asking {:x}\n", p.askings[s].name.bits()));
  for (std::uint32_t i = 0; i < p.severed.size(); ++i)
    lines.push_back(fmt::format("cut {}\n", p.severed[i]));
  std::sort(lines.begin(), lines.end());
  for (const std::string& line : lines) out += line;
  const Faults& f = p.left;
  return out + fmt::format("{} {} {} {} {} {} {} {} {}", f.drop, f.duplicate, f.mutate, f.inject,
                           f.crash, f.pause, f.cut, f.partition, f.disk_error);
}

TEST(Digest, KeptUpToDateEqualsTheOneFromScratch) {
  std::size_t steps = 0, states = 0;
  for (const auto& system : sturdy_systems())
    for (std::uint64_t seed = 1; seed <= 120; ++seed) {
      SCOPED_TRACE(fmt::format("{}, seed {}", system->name, seed));
      Rng rng(seed * 13);
      Play play(any_setup(*system, rng), seed);
      play.world().keep_digest(true);
      play.restart();
      std::map<Hash128, std::string> seen;
      const double asks = rng.unit();  // dirty marks of several steps may add up
      for (int i = 0; i < 60; ++i) {
        if (rng.chance(asks)) {
          const Hash128 digest = play.world().digest();
          ASSERT_EQ(digest, play.world().digest_from_scratch()) << story(play);
          const std::string text = visible(play.world());
          ASSERT_EQ(seen.emplace(digest, text).first->second, text) << "two states, one digest\n"
                                                                    << story(play);
        }
        const auto move = play.random_move(rng);
        if (!move) break;
        ASSERT_EQ(play.apply(*move), Refusal::none) << move->text();
        ++steps;
      }
      states += seen.size();
    }
  fmt::print("{} steps, {} states\n", steps, states);
  EXPECT_GT(steps, 3000 * sturdy_systems().size());
}

TEST(Digest, IsTheSameInEveryOrderOfIndependentSteps) {
  std::size_t orders = 0;
  for (const auto& system : sturdy_systems())
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      SCOPED_TRACE(fmt::format("{}, seed {}", system->name, seed));
      Rng rng(seed * 17);
      Play play(any_setup(*system, rng), seed);
      play.world().keep_digest(true);
      play.restart();
      play.go(rng, 40);
      const std::vector<Step> steps = play.steps();
      const Hash128 digest = play.world().digest();
      const auto moves = in_order(steps, another_order(steps, rng, 5 * steps.size()));
      ASSERT_TRUE(play.again(moves)) << story(play);
      ASSERT_EQ(play.world().digest(), digest) << story(play);
      ++orders;
    }
  fmt::print("{} orders\n", orders);
  EXPECT_GE(orders, 40 * sturdy_systems().size());
}

// Somebody may only want digests in the middle of a run, or no longer.
TEST(Digest, CanBeSwitchedOnAndOffDuringARun) {
  for (const auto& system : sturdy_systems())
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      SCOPED_TRACE(fmt::format("{}, seed {}", system->name, seed));
      Rng rng(seed);
      Play play(any_setup(*system, rng), seed);
      for (int i = 0; i < 6; ++i) {
        play.world().keep_digest(i % 2 == 0);
        play.go(rng, 5);
        ASSERT_EQ(play.world().digest(), play.world().digest_from_scratch()) << story(play);
      }
    }
}

// With a clock, deadlines come closer though the node does nothing; the fair tail changes clocks.
TEST(Digest, HoldsUnderEverySchedulerAndInTheFairTail) {
  std::size_t steps = 0;
  for (const auto& system : sturdy_systems())
    for (const auto& entry : schedulers().sorted())
      for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        SCOPED_TRACE(fmt::format("{}, {}, seed {}", system->name, entry.name, seed));
        Rng rng(seed);
        const auto scheduler = testing_tools::made(entry);
        schism::Setup setup = any_setup(*system, rng);
        // Only the test systems survive other contents.
        setup.options.faults.mutate = setup.options.faults.inject = 0;
        Runner runner(setup, {100, 1'000'000, 100});
        runner.world().keep_digest(true);
        bool same = true;
        runner.on_step([&](const World& world) {
          ++steps;
          same = same && runner.world().digest() == world.digest_from_scratch();
        });
        runner.run(*scheduler, {seed, seed});
        ASSERT_TRUE(same);
      }
  fmt::print("{} steps\n", steps);
  EXPECT_GT(steps, 300 * sturdy_systems().size());
}

}  // namespace
}  // namespace schism
