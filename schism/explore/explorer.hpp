// Decides across runs: which run next, learning from the last ones. Plans are made in batches whose
// size is the explorer's own, and results come back in the order of the plans, so that the same
// runs happen on any number of workers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "schism/base/params.hpp"
#include "schism/base/result.hpp"
#include "schism/words/plan.hpp"

namespace schism {

class Explorer {
 public:
  virtual ~Explorer() = default;
  // Which scheduler plays its runs, unless the user names one.
  virtual Spec scheduler() const = 0;
  // The next runs; none: it is finished. Called again only after learn() saw all of them.
  virtual std::vector<RunPlan> propose(std::uint64_t first_seed, std::uint64_t first_run) = 0;
  virtual void learn(const RunPlan&, const RunSummary&) {}
};

}  // namespace schism
