// A system as systematic search sees it: a run is a sequence of processes, played one by one, and
// can be taken back to any earlier step. WorldModel is a simulated world; tests have others.
#pragma once

#include <vector>

#include "schism/check/process.hpp"

namespace schism::check {

class Model {
 public:
  virtual ~Model() = default;

  std::uint32_t depth() const { return static_cast<std::uint32_t>(run_.size()); }
  // Everything born so far in this run, oldest first; dead and executed ones stay.
  const std::vector<Pend>& pends() const { return pends_; }
  // The run: which pend each step executed.
  const std::vector<std::uint32_t>& run() const { return run_; }

  // To the state after the first `depth` steps of this run.
  virtual void rewind(std::uint32_t depth) = 0;
  // Executes an enabled pend. False: stop here (a violation, or the model cannot go on).
  virtual bool execute(std::uint32_t pend) = 0;
  // The run ends here; `whole`: because nothing is enabled. False: stop here.
  virtual bool finish(bool whole) = 0;
  // What a scheduler without imagination would do here: an enabled pend that depends on the state
  // alone, not on how it was reached. kNever: nothing is enabled.
  virtual std::uint32_t default_choice() = 0;

 protected:
  std::vector<Pend> pends_;
  std::vector<std::uint32_t> run_;
};

}  // namespace schism::check
