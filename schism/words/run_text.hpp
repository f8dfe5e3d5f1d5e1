// What decides a run, as text: command lines, TOML files, traces and drawn configurations are this
// first and then, checked against the registry, a RunConfig (run/config.hpp).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "schism/base/spec.hpp"

namespace schism {

using Pairs = std::vector<std::pair<std::string, std::string>>;

struct RunText {
  Spec system;  // with its parameters
  std::vector<std::string> bugs;
  std::string nodes;        // empty: the system's default
  Pairs world, faults;      // semantics and budgets
  Spec explorer;            // empty name: `seeds`; a scheduler's name means seeds over it
  std::string steps, tail;  // empty: the system's defaults
  std::vector<std::string> mute = {};
  std::string scenario = {};       // its whole text; empty: none
  std::string scenario_file = {};  // where that was read, for printed commands

  friend bool operator==(const RunText&, const RunText&) = default;
};

}  // namespace schism
