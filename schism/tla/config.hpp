// A configuration file: which definitions are the specification, what the constants are, and what
// to check. Several sections of a kind add up.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "schism/tla/lexer.hpp"
#include "schism/tla/store.hpp"

namespace schism::tla {

struct Config {
  struct Named {
    Symbol name = 0;
    Location where;
  };
  struct Assignment {
    Symbol name = 0, module = 0;
    std::vector<Value> args;  // of an operator that is given by its values
    Value value;              // c = value, or
    Symbol definition = 0;    // c <- Definition
    Location where;
  };
  std::optional<Named> specification, init, next, view, alias, postcondition;
  std::vector<Assignment> constants;
  std::vector<Named> invariants, properties, constraints, action_constraints, symmetry;
  bool check_deadlock = true;
};

// The text between "---- CONFIG name ----" and "====" in a file of modules; empty: there is none.
std::string_view config_inside(std::string_view tla);

// Throws Failure.
Config parse_config(std::string_view text, std::uint32_t file, Store& store);

}  // namespace schism::tla
