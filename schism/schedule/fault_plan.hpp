// Faults for schedulers that have no notion of them: each unit of a run's budgets gets a uniformly
// random step of the first `horizon`, and what can be undone is undone some steps later. The
// scheduler asks before each of its own choices.
#pragma once

#include <vector>

#include "schism/base/random.hpp"
#include "schism/schedule/faults.hpp"

namespace schism {

class FaultPlan {
 public:
  void begin(const Faults& budgets, std::uint64_t horizon, std::uint64_t seed);
  // The fault for this step, or Do::nothing.
  Action next(World& world);
  // Whether something that was broken will still be repaired.
  bool repairs_pending() const;
  // The next repair at once, when nothing else is left to do.
  Action hasten(World& world);
  static bool plays(Do fault) {
    return fault != Do::inject && fault != Do::complete && fault != Do::omit;
  }

 private:
  struct Turn {
    std::uint64_t step;
    Do kind;  // crash, restart, …; begin: a partition; heal: all links
    NodeId node;
  };
  void plan(std::uint64_t step, Do kind, NodeId node = 0);
  void take(World& world, const Turn& turn);

  std::vector<Turn> agenda_;  // by step
  std::uint64_t step_ = 0, horizon_ = 0;
  Rng rng_;
  Script script_;
};

}  // namespace schism
