// What a trial of a strategy on a bug says: found at so many runs (steps, seconds), or given up at
// the budget. A miss is never dropped: it is the strongest thing that a trial can say.
#pragma once

#include <span>

#include "schism/measure/bootstrap.hpp"
#include "schism/measure/test_result.hpp"

namespace schism::measure {

struct Trial {
  double at = 0;  // of the find, or of giving up
  bool found = false;
};

Status check_trials(std::span<const Trial> trials, const std::string& name);

// Misses at the budget, so that they tie with each other and are later than every find. Error: a
// find after the budget, or a trial that gave up before it; such trials need survival curves.
Result<std::vector<double>> at_budget(std::span<const Trial> trials, double budget,
                                      const std::string& name);

// Penalised average: a miss counts so many times the effort at which it gave up.
Result<double> penalised_average(std::span<const Trial> trials, double penalty = 2);
inline Result<double> par2(std::span<const Trial> trials) { return penalised_average(trials, 2); }

// What the resampling asks: how would other trials on these very cases have come out, or how would
// it look on other cases like these?
enum class Resample { trials, cases };

// One case (a bug, say) hunted by two strategies.
struct CaseTrials {
  std::string name;
  std::vector<Trial> a, b;
};

// PAR-2 of a over PAR-2 of b, each the mean over cases of the mean over trials; below 1: a needs
// less.
Result<Effect> par2_ratio(std::span<const CaseTrials> cases, Resample resample,
                          const BootstrapOptions& options = {});

}  // namespace schism::measure
