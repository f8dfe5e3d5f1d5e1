// An experiment of `schism compare` as a TOML file: strategies, cases, budget.
#pragma once

#include <string>

#include "schism/laboratory/experiment.hpp"

namespace schism::cli {

// `path` is "-" for standard input. Trials, budgets, coverage and the like go into `budget`
// as they were written, because flags win over them.
Result<Experiment> read_experiment(const std::string& path, Pairs& budget);

}  // namespace schism::cli
