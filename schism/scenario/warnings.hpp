// What looks like a scenario and did nothing: filters that never matched, states that were never
// reached, sets that were never released, counters that nobody moved. The mistakes of published
// scenarios (the quirk table of docs/scenarios.md) each give one of these.
#pragma once

#include <string>
#include <vector>

#include "schism/scenario/goal.hpp"
#include "schism/scenario/player.hpp"

namespace schism::scenario {

// `goal` may be null.
std::vector<std::string> warnings_of(const Program& program, const Tally& tally, const Goal* goal);

}  // namespace schism::scenario
