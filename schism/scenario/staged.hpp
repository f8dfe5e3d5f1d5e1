// A scenario put in front of a configuration.
#pragma once

#include "schism/run/config.hpp"
#include "schism/scenario/program.hpp"

namespace schism::scenario {

// What the scenario itself says of the run, its filters and its property in front.
Result<RunConfig> configure(const Scenario& scenario);
// The program behind a configuration that was made so; null: there is none.
const Program* program_of(const RunConfig& config);

}  // namespace schism::scenario
