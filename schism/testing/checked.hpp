// For tests: systems by name, checked in one line, and every run of one, played again for whoever
// wants to look at it.
//
//   EXPECT_EQ(checked("paxos:ballots=2", {.nodes = 4}).verdict, check::Verdict::holds);
#pragma once

#include <gtest/gtest.h>

#include <atomic>

#include "schism/campaign/hunt.hpp"
#include "schism/check/check.hpp"
#include "schism/check/dpor.hpp"
#include "schism/sim/sim_world.hpp"

namespace schism::testing_tools {

struct Asked {
  int nodes = 0;  // 0: the system's own number
  std::vector<std::string> bugs = {};
  Pairs faults = {};
  Pairs world = {};
  std::string by = "dpor";
  std::string explorer = {};  // of a hunt
};

inline RunConfig config_of(const std::string& system, const Asked& asked = {}) {
  RunText text;
  text.system = *parse_spec(system);
  if (asked.nodes > 0) text.nodes = std::to_string(asked.nodes);
  text.bugs = asked.bugs;
  text.faults = asked.faults;
  text.world = asked.world;
  if (!asked.explorer.empty()) text.explorer = *parse_spec(asked.explorer);
  auto config = make_config(text);
  EXPECT_TRUE(config) << (config ? "" : config.error());
  return *config;
}

// Its counterexample, if there is one, has been seen to repeat.
inline check::CheckResult checked(const std::string& system, const Asked& asked = {}) {
  static const std::atomic<bool> go_on{false};
  check::CheckOptions options;
  options.search = *parse_spec(asked.by);
  options.probes = 0;
  auto result = check::check(config_of(system, asked), options, {}, go_on);
  EXPECT_TRUE(result) << system << ": " << (result ? "" : result.error());
  return result ? *result : check::CheckResult{};
}

inline std::string verdict_of(const std::string& system, const Asked& asked = {}) {
  const check::CheckResult r = checked(system, asked);
  if (r.counterexample) return "violated: " + r.counterexample->violation->property;
  return std::string(enum_name(r.verdict)) + (r.reason.empty() ? "" : ": " + r.reason);
}

// Whether some of so many random runs are violations.
inline bool hunted(const std::string& system, const Asked& asked, std::uint64_t runs) {
  static const std::atomic<bool> go_on{false};
  HuntOptions options;
  options.runs = runs;
  options.shrink = false;
  const auto result = hunt(config_of(system, asked), options, {}, go_on);
  EXPECT_TRUE(result) << system << ": " << (result ? "" : result.error());
  return result && !result->finds.empty();
}

// Every run by a reduction (`none`: every interleaving) of the nodes that may crash all crashing;
// each is played again in a world of its own, step by step, before `done`.
struct EveryRun {
  check::Reduction mode = check::Reduction::optimal;
  std::vector<NodeId> crashing = {};
  std::uint32_t drops = 0, events = 0;
  std::function<void(const World&)> step = {};
  std::function<void(const World&)> done = {};
};

inline std::uint64_t for_every_run(const RunConfig& config, const EveryRun& how) {
  check::Bounds bounds;
  bounds.may_crash = how.crashing;
  bounds.drops = how.drops;
  bounds.events = how.events;
  check::WorldModel model(config.setup, bounds, true);
  model.judge_nothing();
  SimWorld world;
  world.listen(kEveryEvent);
  check::DporOptions options;
  options.mode = how.mode;
  check::Dpor search(model, options);
  const auto ending = search.run({[&](const check::Model&, const check::DporTotals&, bool asleep) {
    if (asleep) return true;
    world.reset(model.world().setup());
    if (how.step) how.step(world);
    for (const Action& action : model.world().decisions()) {
      EXPECT_EQ(world.apply(action), Refusal::none);
      if (how.step) how.step(world);
    }
    if (how.done) how.done(world);
    return true;
  }});
  EXPECT_EQ(ending, check::Finished::all);
  EXPECT_EQ(model.problem(), "");
  return search.totals().executions;
}

}  // namespace schism::testing_tools
