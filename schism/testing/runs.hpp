// Runs for the tests of drawing: a registered system, with and without its bugs, under every
// scheduler, with faults of each kind.
#pragma once

#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "schism/campaign/hunt.hpp"
#include "schism/testing/every_system.hpp"
#include "schism/testing/recorded.hpp"
#include "schism/testing/strategies.hpp"

namespace schism::draw {

inline RunConfig config_of(const System& system, const std::string& scheduler, bool bugs,
                           const std::string& steps, Pairs world = {}) {
  RunText text;
  text.system = {system.name, {}};
  if (bugs) text.bugs = system.bug_names();
  text.explorer = *parse_spec(scheduler);
  text.steps = steps;
  text.tail = "20ms";
  text.faults = {
      {"crash", "2"}, {"drop", "3"}, {"duplicate", "2"}, {"pause", "1"}, {"partition", "1"}};
  if (system.is_service) text.faults = {{"crash", "2"}};  // the links to services are whole
  const auto played = schedulers().make(text.explorer, "scheduler");
  std::erase_if(text.faults, [&](const auto& fault) {
    return !(*played)->plays(action_of(*enum_value<Fault>(fault.first)));
  });
  text.world = std::move(world);
  auto config = make_config(text);
  EXPECT_TRUE(config) << config.error();
  return *config;
}

inline void each_run(const System& system, const std::string& steps, std::uint64_t seeds,
                     const std::function<void(const Trace&)>& look) {
  for (const std::string& scheduler : testing_tools::every_scheduler())
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      SCOPED_TRACE(system.name + " " + scheduler + " seed " + std::to_string(seed));
      const Pairs world = seed % 2 == 0 ? Pairs{{"links", "fifo"}, {"down", "waits"}} : Pairs{};
      look(testing_tools::recorded(config_of(system, scheduler, seed % 3 != 0, steps, world),
                                   {seed, seed}, 0));
    }
}

// The first violation that a hunt finds.
inline Trace find_of(const std::string& system, const std::string& bug, Pairs faults = {}) {
  RunText text;
  text.system = {system, {}};
  text.bugs = {bug};
  text.explorer = {"random", {}};
  text.faults = std::move(faults);
  const auto config = make_config(text);
  EXPECT_TRUE(config) << config.error();
  HuntOptions options;
  options.runs = 5000;
  const auto result = hunt(*config, options, {}, std::atomic<bool>(false));
  EXPECT_TRUE(result && !result->finds.empty());
  return result->finds.at(0).trace;
}

}  // namespace schism::draw
