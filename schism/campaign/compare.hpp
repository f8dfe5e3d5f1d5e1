// Strategies side by side: every case is hunted by every strategy, from several starting seeds,
// each until its first find or the end of its budget. What counts is runs, not time, so that the
// table is the same on every machine.
#pragma once

#include <map>

#include "schism/campaign/hunt.hpp"

namespace schism {

struct Strategy {
  std::string name;  // the column's title
  Spec explorer;
};

struct Case {
  std::string name;
  RunText text;                           // explorer apart
  std::map<std::string, Spec> explorers;  // a strategy's name: other parameters for this case
  std::optional<bool> expected;           // whether something must be found
};

struct Experiment {
  std::vector<Strategy> strategies;
  std::vector<Case> cases;
  int trials = 1;
  HuntOptions budget;   // of a trial; seed: of the first trial
  bool shrink = false;  // finds, to say how small they become
};

// One find, made small.
struct Small {
  std::uint64_t before = 0, after = 0;  // actions
  int nodes = 0;
  bool minimal = false;
  std::uint64_t replays = 0;
  std::string look;  // property, evidence and shape
};

// One case hunted by one strategy.
struct Cell {
  std::string case_name, strategy, command;
  std::vector<std::uint64_t> runs_to_find;  // ascending, of the trials that found something
  int trials = 0;
  std::map<std::string, int> properties;  // violated, in how many trials
  std::vector<Small> small;               // by size, where finds are shrunk
  std::uint64_t runs = 0, steps = 0;
  double seconds = 0;
  bool as_expected = true;

  // Runs to the first find in half of the trials; nothing: more than half found nothing.
  std::optional<double> median() const;
};

// Where a trial begins: far enough apart that trials share no seed.
std::uint64_t trial_seed(std::uint64_t first, int trial);

// Checked before anything runs: a mistake in the last case is not found out after an hour.
Status check(const Experiment& experiment);

// Cells come case by case, each handed over as soon as it is complete.
Result<std::vector<Cell>> compare(const Experiment& experiment,
                                  const std::function<void(const Cell&)>& done,
                                  const std::atomic<bool>& stop);

}  // namespace schism
