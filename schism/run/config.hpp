// What decides a run, as text and as objects. Command lines, TOML files and traces all become a
// RunText first and then, checked against the registry, a RunConfig.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "schism/explore/registry.hpp"
#include "schism/run/runner.hpp"
#include "schism/schedule/registry.hpp"
#include "schism/system/systems.hpp"

namespace schism {

using Pairs = std::vector<std::pair<std::string, std::string>>;

struct RunText {
  Spec system;  // with its parameters
  std::vector<std::string> bugs;
  std::string nodes;        // empty: the system's default
  Pairs world, faults;      // semantics and budgets
  Spec explorer;            // empty name: `seeds`; a scheduler's name means seeds over it
  std::string steps, tail;  // empty: the system's defaults
  std::vector<std::string> mute = {};
};

struct RunConfig {
  Setup setup;  // node_seed apart
  std::vector<std::string> bugs;
  Spec system, explorer;   // complete: every parameter that differs from its default
  Spec scheduler;          // the first arm of the explorer
  std::vector<Spec> arms;  // all of them
  RunLimits limits;
};

// The parameters of every world, and the fault budgets.
const Params& world_params();
const Params& fault_params();

Result<RunConfig> make_config(const RunText& text);
// The same as text, nothing left out that decides; make_config(to_text(c)) is c again.
RunText to_text(const RunConfig& config);
// As flags of the command line.
std::string to_flags(const RunConfig& config);

std::unique_ptr<Scheduler> make_scheduler(const RunConfig& config, std::uint32_t arm = 0);
std::unique_ptr<Explorer> make_explorer(const RunConfig& config);

}  // namespace schism
