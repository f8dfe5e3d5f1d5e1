// A check in a process of its own, which may die without taking this one along. What it was doing
// then is in a black box: the run that killed it is the counterexample.
#pragma once

#include "schism/check/check.hpp"

namespace schism::check {

using Checker = std::function<Result<CheckResult>(const CheckListener&, const std::atomic<bool>&)>;

Result<CheckResult> apart(const RunConfig& config, const CheckOptions& options,
                          const Checker& checker, const CheckListener& listener,
                          const std::atomic<bool>& stop);

}  // namespace schism::check
