// Every seeded bug of every registered system as one benchmark, each configured by its system's
// declaration alone: nobody who knows the bug has set a parameter, a budget or a weight, but for
// what it takes to see it at all (system/seen.hpp).
#pragma once

#include <vector>

#include "schism/run/config.hpp"
#include "schism/system/seen.hpp"

namespace schism {

struct Exhibit {
  const System* system = nullptr;
  const Bug* bug = nullptr;

  std::string name() const { return system->name + "/" + bug->name; }
  const Seen& seen() const { return schism::seen(*system, *bug); }
  // Whatever is found in it need not be the bug, or nothing can be; why. Empty: what is found is.
  const std::string& blurred() const {
    return seen().hidden.empty() ? system->drawing.fails_itself : seen().hidden;
  }
};

std::vector<Exhibit> zoo();  // by system, in the order in which it lists its bugs
// "raft/commit-old-term"; the bug's name alone where only one system has it.
Result<Exhibit> find_exhibit(std::string_view name);

// As it is hunted by an explorer. One that draws its worlds gets nothing but the system and the
// bug; any other the system's defaults, with a few of each kind of fault that it survives.
Result<RunConfig> exhibit_config(const Exhibit& exhibit, const Spec& explorer);

}  // namespace schism
