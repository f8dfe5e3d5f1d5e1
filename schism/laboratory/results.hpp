// What came out of an experiment: a record a trial, put together by case and strategy, and ranked.
#pragma once

#include <map>
#include <tuple>

#include "schism/laboratory/experiment.hpp"
#include "schism/laboratory/record.hpp"
#include "schism/measure/survival.hpp"

namespace schism {

struct Results {
  std::map<std::tuple<std::size_t, std::size_t, int>, Record> records;  // case, strategy, trial
  std::size_t unknown = 0;  // trials that were not played

  // Those that could be played, in the order of trials.
  std::vector<const Record*> of(std::size_t case_index, std::size_t strategy) const;
};

// In the unit of the budget; a miss at the budget, or where it gave up.
measure::Trial trial_of(const Experiment& experiment, const Record& record);
std::vector<measure::Trial> trials_of(const Experiment& experiment, const Results& results,
                                      std::size_t case_index, std::size_t strategy);

// One case hunted by one strategy.
struct Cell {
  std::string case_name, strategy, command;
  std::vector<double> efforts_to_find;  // ascending, of the trials that found something
  int trials = 0;
  std::map<std::string, int> properties;             // violated, in how many trials
  std::map<std::string, std::uint64_t> occurrences;  // of each bug, in all trials
  std::vector<Small> small;                          // by size, where finds are shrunk
  Effort total;
  double seconds = 0;
  bool as_expected = true;
  bool whole = true;  // no trial was cut short by a limit of time
  std::vector<std::string> problems;

  // Effort to the first find in half of the trials; nothing: more than half found nothing.
  std::optional<double> median() const;
  int found() const { return static_cast<int>(efforts_to_find.size()); }
};

Cell cell_of(const Experiment& experiment, const Results& results, std::size_t case_index,
             std::size_t strategy);

// One strategy on all cases.
struct Standing {
  std::string strategy;
  int cases_found = 0;  // in any trial
  int found = 0, trials = 0;
  double par2 = 0;
  // Of its PAR-2 to that of the first strategy, cases drawn again; none: nothing to compare.
  std::optional<measure::Effect> ratio;
  std::optional<measure::Survival> survival;
};

// In the order of the experiment; over the cases that both it and the first have trials of.
std::vector<Standing> standings_of(const Experiment& experiment, const Results& results);

}  // namespace schism
