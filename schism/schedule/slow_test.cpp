// `slow`: what goes over a slow link comes late and comes; everything else is as without it.
#include <gtest/gtest.h>

#include "schism/run/config.hpp"

namespace schism {
namespace {

RunConfig config_of(const std::string& explorer,
                    const std::string& system = "raft:progress=false") {
  RunText text;
  text.system = *parse_spec(system);
  text.explorer = *parse_spec(explorer);
  auto config = make_config(text);
  EXPECT_TRUE(config) << config.error();
  return *std::move(config);
}

// How many other steps a message waited, on average, on the slowest link and on all.
struct Waits {
  double slowest = 0, mean = 0;
};

Waits waits_of(const RunConfig& config, std::uint64_t seed) {
  Runner runner(config.setup, config.limits);
  std::map<std::pair<int, int>, std::pair<double, int>> links;
  std::map<std::uint64_t, std::uint64_t> born;
  runner.on_step([&](const World& world) {
    world.pending().each([&](Do kind, std::uint32_t slot) {
      if (kind == Do::deliver)
        born.try_emplace(world.pending().flights[slot].name.bits(), world.step());
    });
    if (world.decisions().empty()) return;
    const Action& last = world.decisions().back();
    if (last.kind != Do::deliver) return;
    auto& [sum, count] = links[{last.name.from(), last.name.to()}];
    sum += static_cast<double>(world.step() - born[last.name.bits()]);
    ++count;
  });
  const auto scheduler = make_scheduler(config);
  RunPlan plan;
  plan.seed = plan.node_seed = seed;
  runner.run(*scheduler, plan);
  Waits out;
  double sum = 0;
  int count = 0;
  for (const auto& [link, own] : links) {
    if (own.second >= 1) out.slowest = std::max(out.slowest, own.first / own.second);
    sum += own.first, count += own.second;
  }
  if (count > 0) out.mean = sum / count;
  return out;
}

TEST(SlowScheduler, ASlowLinkIsSlowForTheWholeRun) {
  double with = 0, without = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    with += waits_of(config_of("slow:links=2,slowness=60"), seed).slowest;
    without += waits_of(config_of("random"), seed).slowest;
  }
  EXPECT_GT(with, 2 * without);
}

TEST(SlowScheduler, EverythingComesInTheEnd) {
  for (const char* spec : {"slow:links=4", "slow:senders=2", "slow:links=2(pos)", "slow(pctcp)"}) {
    const RunConfig config = config_of(spec, "two-phase-commit");
    Runner runner(config.setup, config.limits);
    const auto scheduler = make_scheduler(config);
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      RunPlan plan;
      plan.seed = plan.node_seed = seed;
      const RunSummary summary = runner.run(*scheduler, plan);
      EXPECT_FALSE(summary.violated) << spec;
      EXPECT_TRUE(runner.fair()) << spec;
      EXPECT_FALSE(runner.world().pending().any_held_by(Holder::scheduler)) << spec;
    }
  }
}

TEST(SlowScheduler, IsRefusedWhereTimePasses) {
  RunText text;
  text.system = {"raft", {}};
  text.explorer = *parse_spec("slow(timed)");
  const auto config = make_config(text);
  ASSERT_FALSE(config);
  EXPECT_NE(config.error().find("slow-links"), std::string::npos) << config.error();
}

}  // namespace
}  // namespace schism
