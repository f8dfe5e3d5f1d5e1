// What names mean where an expression stands. A module that is instantiated twice has two scopes:
// in each its constants and variables mean what the substitution says.
#pragma once

#include <deque>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "schism/tla/code.hpp"
#include "schism/tla/syntax.hpp"

namespace schism::tla {

struct Scope;

struct Binding {
  enum class What : std::uint8_t {
    value,       // a constant of the configuration
    variable,    // number `index`
    slot,        // a bound variable or a parameter
    lazy,        // an argument, a LET definition, a substituted name: an expression in a scope
    definition,  // an operator in the scope where it was defined
    instance,    // M(x) == INSTANCE ...
    builtin,
  };
  What what;
  Value value;
  std::uint32_t index = 0;
  std::uint64_t bit = 0;
  Layout* layout = nullptr;  // of a slot, or where a lazy one is memoised
  const Expr* expr = nullptr;
  Scope* scope = nullptr;
  const Definition* definition = nullptr;
  Builtin builtin = Builtin::none;
  Op op = Op::literal;  // of a builtin that is not a library function
  int arity = 0;
  bool local = false;
  bool memo = true;
  bool table = false;  // the value is what an operator gives, by its arguments
  // Of a variable that an instance replaces by an expression, counted from 1: inside of an ENABLED
  // of that module its next value is a variable of its own, because what the module could do does
  // not depend on what the expression can become. `home` is the instance.
  std::uint32_t shadow = 0;
  const Scope* home = nullptr;
  bool argument = false;  // of an operator
  // Filled when first used:
  const Node* code = nullptr;
  const Node* primed_code = nullptr;
  std::optional<std::uint32_t> memo_slot;
  std::vector<std::uint32_t>* resets = nullptr;  // of the node that binds it
  int epoch = 0;
  std::size_t at_depth = 0;  // EXCEPTs around it
  Scope* instantiated = nullptr;
};

struct Scope {
  Scope* up = nullptr;
  Layout* layout = nullptr;        // null for modules
  const Module* module = nullptr;  // of a module's scope
  const Definition* of = nullptr;  // the operator whose parameters these are
  absl::flat_hash_map<Symbol, Binding*> names;
  absl::flat_hash_map<Symbol, Module*> inner;

  Binding* find(Symbol name) const {
    for (const Scope* s = this; s != nullptr; s = s->up)
      if (const auto found = s->names.find(name); found != s->names.end()) return found->second;
    return nullptr;
  }
};

struct ScopeArena {
  std::deque<Binding> bindings;
  std::deque<Scope> scopes;
};

}  // namespace schism::tla
