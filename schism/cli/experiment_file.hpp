// An experiment of `schism compare` as a TOML file: strategies, cases, budget.
#pragma once

#include <string>

#include "schism/campaign/compare.hpp"

namespace schism::cli {

// `path` is "-" for standard input. Trials, runs, time and seed as they were written go into
// `budget`, because flags win over them.
Result<Experiment> read_experiment(const std::string& path, Pairs& budget);

}  // namespace schism::cli
