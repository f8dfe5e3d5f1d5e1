// Strategies side by side: every case is hunted by every strategy, from several starting seeds,
// each until its first find (or on, where all occurrences count) or the end of its budget. Budgets
// in runs, steps, deliveries and simulated time give the same table on every machine.
#pragma once

#include <map>
#include <optional>

#include "schism/campaign/hunt.hpp"
#include "schism/campaign/zoo.hpp"
#include "schism/laboratory/effort.hpp"

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
  // One of the zoo instead of the text: configured by its system's declaration alone.
  std::optional<Exhibit> exhibit;
};

struct Experiment {
  std::string title;
  std::vector<Strategy> strategies;  // the first is what the others are measured against
  std::vector<Case> cases;
  int trials = 1;
  HuntOptions budget;   // of a trial; seed: of the first trial
  bool shrink = false;  // finds, to say how small they become
  bool quick = false;   // cut short to see that it runs: nothing is expected to be found
};

// One hunt of an experiment: a function of what is in it, whoever carries it out and when.
struct TrialOrder {
  std::size_t case_index = 0, strategy = 0;
  int trial = 0;
  std::uint64_t seed = 1;
  std::string key;  // all that decides it, in words: under that it is kept
};

// Where a trial begins: far enough apart that trials share no seed.
std::uint64_t trial_seed(std::uint64_t first, int trial);

Result<RunConfig> config_of(const Case& c, const Strategy& strategy);

// Checked before anything runs: a mistake in the last case is not found out after an hour.
Status check(const Experiment& experiment);

// All trials, case by case; within a case strategy by strategy. It was checked.
std::vector<TrialOrder> orders_of(const Experiment& experiment);

// So short that all of it takes a few seconds on one core: one trial each, with an equal share.
void make_quick(Experiment& experiment);

}  // namespace schism
