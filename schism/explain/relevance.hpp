// Which steps of a find matter: a flag a step. That a step does not matter is a claim, and it needs
// the proof that a certificate of the shrinker is made of (shrink/certificate.hpp): the run without
// it still violates the same property with the same kinds of evidence, at a fair end of its own
// where that is when the property is judged. Without proof nothing is called irrelevant.
//
// What is tried is everything outside the causal past of the evidence, or of the nodes' last steps:
// together, and then one by one, so that nothing is dimmed that cannot be left out alone.
#pragma once

#include <vector>

#include "schism/explain/causality.hpp"

namespace schism::draw {

// The steps that a violation's evidence names, with the answers of requests among them.
std::vector<std::uint32_t> evidence_steps(const Trace& trace, const Causality& causality);

// The same list of steps without some; actions that do not apply any more are skipped.
std::vector<Recorded> keep_only(const std::vector<Recorded>& steps, const std::vector<bool>& keep);

struct RelevanceLimits {
  std::uint64_t steps = 1'000'000;  // of all replays together; beyond it nothing is irrelevant
};

// All true where nothing is violated, where the run goes differently today, and in a fair tail that
// judges it.
std::vector<bool> relevant_steps(const Trace& trace, const Causality& causality,
                                 const RelevanceLimits& limits = {});

}  // namespace schism::draw
