// What a search found, as a run of the world that was asked for.
#pragma once

#include "schism/check/check.hpp"
#include "schism/check/outcome.hpp"

namespace schism::check {

// An error: it does not repeat there, and says why.
Result<Trace> counterexample_of(const RunConfig& config, const CheckOptions& options,
                                const Outcome& outcome, std::uint64_t run);

}  // namespace schism::check
