// One planned run as a trace.
#pragma once

#include "schism/trace/trace.hpp"

namespace schism::testing_tools {

inline Trace recorded(const RunConfig& config, const RunPlan& plan, std::uint64_t run = 0) {
  Runner runner(config.setup, config.limits);
  const auto scheduler = make_scheduler(config, plan.arm);
  runner.run(*scheduler, plan);
  const World& world = runner.world();
  RunConfig as_it_was = config;
  as_it_was.setup.death = world.setup().death;
  return make_trace(as_it_was, plan, run, record(world.decisions(), world.contents()));
}

}  // namespace schism::testing_tools
