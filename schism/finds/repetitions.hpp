// A closer look at a run that violated something in a world that replays as best it can: nothing
// says that it happens again, so it is repeated, and what is told is how often. A run that is not
// repeated once is not called nondeterminism of its system.
#pragma once

#include "schism/finds/examine.hpp"

namespace schism {

inline constexpr std::uint32_t kRepetitions = 10;

// The run is recorded when it happens for a second time, and its decisions are played so often. As
// examine().
void examine_repeatedly(const RunConfig& config, const LookClosely& order, guard::Outbox& out,
                        const std::atomic<bool>& over);

// How many of `of` repetitions of its decisions violate its property.
Repeats repeat_decisions(const Trace& trace, std::uint32_t of, const std::atomic<bool>& stop);

}  // namespace schism
