// Which steps of a find matter: a flag a step. What is outside the causal past of the evidence is
// irrelevant only if the run without it still violates the same property, which is tried: evidence
// may be incomplete (an invariant over several nodes names but the last step).
#pragma once

#include <vector>

#include "schism/draw/causality.hpp"

namespace schism::draw {

// The steps that a violation's evidence names, with the answers of requests among them.
std::vector<std::uint32_t> evidence_steps(const Trace& trace, const Causality& causality);

// The same list of steps without some; actions that do not apply any more are skipped.
std::vector<Recorded> keep_only(const std::vector<Recorded>& steps, const std::vector<bool>& keep);

// All true where nothing is violated. Costs at most two replays.
std::vector<bool> relevant_steps(const Trace& trace, const Causality& causality);

}  // namespace schism::draw
