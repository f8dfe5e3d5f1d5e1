// Which clauses of a protocol a scenario reaches: the handlers of its nodes (messages, timers,
// requests, disk, recovery), and the branches that its vocabulary names. A scenario looks at them
// itself, by filters that see everything and do nothing.
#pragma once

#include "schism/scenario/test.hpp"

namespace schism::scenario {

struct Clause {
  std::string text;  // as a condition of the language
  std::uint64_t reached = 0;
};

// All clauses of a system: of its messages in order, timers, requests, disk, recovery, words.
std::vector<std::string> clauses_of(const System& system);
// How often the scenario's runs reach each of them.
Result<std::vector<Clause>> reach(const Scenario& scenario, const TestOptions& options,
                                  const std::atomic<bool>& stop);

}  // namespace schism::scenario
