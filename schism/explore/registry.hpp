// The table of explorers, and how one enters it: in one statement.
//
//   static const Registration registered =
//       explorer<Seeds>("seeds", "runs of one scheduler with one seed after the other")
//           .param<&Seeds::Options::batch>("batch", 1, 1'000'000, "runs that are planned at once");
#pragma once

#include "schism/base/registry.hpp"
#include "schism/explore/explorer.hpp"

namespace schism {

// A scheduler's name, where an explorer is asked for, means `seeds` over it.
Table<Explorer>& explorers();

template <class S>
StrategyBuilder<Explorer, S> explorer(std::string name, std::string description) {
  return {explorers(), std::move(name), std::move(description)};
}

}  // namespace schism
