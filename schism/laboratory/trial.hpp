// Carries out one order of an experiment: a hunt, and what it says.
#pragma once

#include <atomic>

#include "schism/laboratory/experiment.hpp"
#include "schism/laboratory/record.hpp"

namespace schism {

// Nothing: it was stopped, and says nothing.
std::optional<Record> play(const Experiment& experiment, const TrialOrder& order,
                           const std::atomic<bool>& stop);

}  // namespace schism
