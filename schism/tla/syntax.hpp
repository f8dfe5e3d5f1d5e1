// A module as it was written. Operators that TLA+ defines and operators of modules look the same
// here: an application of a name. Names are resolved when an expression is compiled, because the
// same text means different things in different instances.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "schism/tla/symbols.hpp"

namespace schism::tla {

struct Expr;
struct Definition;

enum class Form : std::uint8_t {
  number,
  string,
  at,        // 7, "text", @
  apply,     // path: x, Op(a), a + b, M(x)!Op(y), Def!1!2
  junction,  // name is /\ or \/, kids are the items
  forall,
  exists,
  choose,  // bounds, kids[0]; without sets: unbounded
  forall_time,
  exists_time,  // \AA, \EE
  filter,
  map,  // {x \in S : p}, {e : x \in S}
  function,
  function_set,  // [x \in S |-> e], [S -> T]
  record,
  record_set,  // names, kids
  except,      // kids[0] is the function, changes
  tuple,
  set,
  product,  // <<a, b>>, {a, b}, A \X B \X C
  index,
  field,  // f[a, b], r.name
  if_else,
  case_of,
  let,
  lambda,  // case_of: p1, e1, p2, e2, ..., and the other if odd
  box_action,
  angle_action,  // [A]_v, <<A>>_v
  weak_fair,
  strong_fair,  // v, A
};

struct Bound {
  std::vector<Symbol> names;
  bool tuple = false;   // <<x, y>> \in S
  Expr* set = nullptr;  // nothing: unbounded
};

struct PathItem {
  Symbol name = 0;
  std::vector<Expr*> args;
};

// One "!path = value" of EXCEPT; a path's step is an index (f[a, b] has several) or a field.
struct Change {
  struct Step {
    Symbol field = 0;  // if there is no index
    std::vector<Expr*> index;
  };
  std::vector<Step> path;
  Expr* value = nullptr;
  Location where;
};

struct Expr {
  Form form;
  bool parenthesised = false;
  bool bulleted = false;  // a junction list; otherwise /\ and \/ between operands
  Location where;
  Symbol name = 0;
  std::int64_t number = 0;
  std::vector<Expr*> kids;
  std::vector<Bound> bounds;
  std::vector<PathItem> path;
  std::vector<Symbol> names;
  std::vector<Change> changes;
  std::vector<Definition*> definitions;  // of LET; of LAMBDA one
  Symbol label = 0;                      // P0(x, y):: before it
  std::vector<Symbol> label_parameters;
};

struct Parameter {
  Symbol name = 0;
  int arity = 0;  // of an operator that is a parameter
};

struct Instance {
  Symbol module = 0;
  std::vector<std::pair<Symbol, Expr*>> with;
  bool local = false;
  Location where;
};

struct Definition {
  Symbol name = 0;
  std::vector<Parameter> parameters;
  Expr* body = nullptr;
  std::unique_ptr<Instance> instance;  // M(x) == INSTANCE ...
  bool is_function = false;            // f[x \in S] == e: the body is the function
  bool local = false;
  bool recursive = false;
  Location where;
};

struct Assumption {
  Symbol name = 0;
  Expr* body = nullptr;
  Location where;
};

struct Module {
  Symbol name = 0;
  std::uint32_t file = 0;
  std::vector<std::pair<Symbol, Location>> extends;
  std::vector<Parameter> constants;
  std::vector<Symbol> variables;
  std::vector<Definition*> definitions;
  std::vector<Instance> instances;  // unnamed ones
  std::vector<Assumption> assumptions;
  std::vector<Module*> inner;
  Module* outer = nullptr;
};

// Owns everything above.
struct SyntaxArena {
  std::deque<Expr> exprs;
  std::deque<Definition> definitions;
  std::deque<Module> modules;
};

}  // namespace schism::tla
