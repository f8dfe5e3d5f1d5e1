// The table of schedulers, and how one enters it: in one statement.
//
//   static const Registration random =
//       scheduler<RandomScheduler>("random", "any enabled action, by weight")
//           .param<&RandomScheduler::Options::deliver>("deliver", 0, 1000, "weight of a delivery");
#pragma once

#include "schism/base/registry.hpp"
#include "schism/schedule/scheduler.hpp"

namespace schism {

Table<Scheduler>& schedulers();

template <class S>
StrategyBuilder<Scheduler, S> scheduler(std::string name, std::string description) {
  return {schedulers(), std::move(name), std::move(description)};
}

}  // namespace schism
