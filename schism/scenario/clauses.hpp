// Which clauses of a protocol a scenario reaches: the handlers of its nodes (messages, timers,
// requests), and the branches that its vocabulary names. Who looks on never acts: the runs are
// those of a test.
#pragma once

#include "schism/scenario/test.hpp"

namespace schism::scenario {

struct Clause {
  std::string text;  // as a condition of the language
  std::uint64_t reached = 0;
};

// All clauses of a system: its messages in order, timers, requests, words.
std::vector<std::string> clauses_of(const System& system);
// How often the scenario's runs reach each of them.
Result<std::vector<Clause>> reach(const Scenario& scenario, const TestOptions& options,
                                  const std::atomic<bool>& stop);

}  // namespace schism::scenario
