// What decides a run, as text and as objects. Command lines, TOML files and traces all become a
// RunText first and then, checked against the registry, a RunConfig.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "schism/explore/registry.hpp"
#include "schism/run/runner.hpp"
#include "schism/run/staging.hpp"
#include "schism/schedule/registry.hpp"
#include "schism/system/systems.hpp"
#include "schism/words/run_text.hpp"

namespace schism {

struct RunConfig {
  Setup setup;  // node_seed apart
  std::vector<std::string> bugs;
  Spec system, explorer;   // complete: every parameter that differs from its default
  Spec scheduler;          // the first arm of the explorer
  std::vector<Spec> arms;  // all of them
  RunLimits limits;
  // A scenario in front of all arms; null: none. It owns the setup's system.
  std::shared_ptr<const Staging> staging = {};
  std::string scenario_file = {};  // for people
  // Where the explorer draws worlds: what was asked for, which no draw changes.
  std::optional<RunText> asked = {};
};

// The parameters of every world, and the fault budgets.
const Params& world_params();
const Params& fault_params();

Result<RunConfig> make_config(const RunText& text);
// The same as text, nothing left out that decides; make_config(to_text(c)) is c again.
RunText to_text(const RunConfig& config);
// As flags of the command line.
std::string to_flags(const RunConfig& config);

// Puts a scenario in front; make_config does so where the text has one.
void stage(RunConfig& config, std::shared_ptr<const Staging> staging);

std::unique_ptr<Scheduler> make_scheduler(const RunConfig& config, std::uint32_t arm = 0);
std::unique_ptr<Explorer> make_explorer(const RunConfig& config);

// A world that the explorer drew, with the scheduler that plays its runs: a configuration like any
// other, which its traces store. `about`: what its explorer wants to hear of it again.
struct DrawnConfig {
  RunConfig config;
  std::string about;
};
// Of that number, under that policy; a draw that is refused is drawn again.
DrawnConfig draw_config(const RunConfig& base, const Explorer& explorer, std::uint32_t world,
                        std::string_view policy);

}  // namespace schism
