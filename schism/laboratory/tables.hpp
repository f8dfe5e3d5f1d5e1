// An experiment for other programs and for people: CSV of all trials, JSON, one page.
#pragma once

#include "schism/base/value.hpp"
#include "schism/laboratory/judgement.hpp"

namespace schism {

// A line a trial.
std::string trials_csv(const Experiment& experiment, const Results& results);
Value cell_json(const Experiment& experiment, const Cell& cell);
// Standings, cells, tests.
Value experiment_json(const Experiment& experiment, const Results& results);
// One page, which needs nothing else: standings, curves, boxes, every case, every test.
std::string experiment_page(const Experiment& experiment, const Results& results);

// "150", "150 (11 of 20)", "3 of 20" where less than half of the trials found something, "-" where
// none did, "?" where there are none.
std::string outcome_text(const Cell& cell, Unit unit);
std::string ratio_text(const Standing& row);

}  // namespace schism
