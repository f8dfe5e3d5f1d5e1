// Carries out the orders of an experiment, several at a time, each in a process of its own: the
// same numbers come out whatever their number, and what kills one trial leaves the others. A trial
// that is done is in the store before the next begins, so that an experiment that was killed goes
// on where it was.
#pragma once

#include <functional>

#include "schism/laboratory/results.hpp"
#include "schism/laboratory/store.hpp"

namespace schism {

struct CrewListener {
  // Each trial as it is known, in whatever order they end; `left` of them are not.
  std::function<void(const TrialOrder&, const Record&, std::size_t left)> done;
};

// What is in the store is not played again. Stopped, it gives what it has. Error: the store fails,
// or a trial comes out otherwise than it once did.
Result<Results> carry_out(const Experiment& experiment, Store& store, int jobs,
                          const CrewListener& listener, const std::atomic<bool>& stop);

}  // namespace schism
