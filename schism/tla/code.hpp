// What an expression becomes: a tree of nodes whose names are resolved. Operators are inlined, so
// that arguments and LET definitions are slots of one flat frame, computed at most once where they
// are needed; only recursive operators, and everything once a tree has grown too large, are
// functions with frames of their own. Subterms that depend on nothing are computed once for all.
#pragma once

#include <algorithm>
#include <deque>
#include <vector>

#include "schism/tla/value.hpp"

namespace schism::tla {

enum class Op : std::uint8_t {
  literal,
  variable,
  primed,
  slot,
  lazy,
  global,
  of_state,     // a definition of the current state alone: computed once a state
  of_variable,  // of one variable alone: computed once for each of its values
  unchanged,    // equations v' = v of several variables
  up,
  bind,  // an operator applied or a LET: forget the slots of its arguments, then the body
  call,
  and_,
  or_,
  not_,
  implies,
  iff,
  if_,
  case_,
  equal,
  not_equal,
  in,
  not_in,
  in_interval,
  subseteq,
  forall,
  exists,
  choose,
  filter,
  map,
  function,
  function_set,
  record,
  record_set,
  except,
  tuple,
  set,
  product,
  index,
  field,
  domain,
  powerset,
  union_,
  cup,
  cap,
  minus,
  interval,
  add,
  subtract,
  negate,
  multiply,
  divide,
  modulo,
  power,
  less,
  at_most,
  more,
  at_least,
  enabled,
  compose,
  action,
  builtin,
};

enum class Builtin : std::uint8_t {
  none,
  len,
  append,
  head,
  tail,
  sub_seq,
  concat,
  seq,
  select_seq,
  cardinality,
  is_finite_set,
  singleton,
  merge,
  print,
  print_t,
  assert_,
  permutations,
  sort_seq,
  to_string,
  random_element,
  tlc_eval,
  tlc_get,
  tlc_set,
  java_time,
  any,
  tlc_fp,
  fold_set,
  fold_seq,
  set_to_seq,
  real_divide,
  bit_and,
  bit_or,
  bit_xor,
  bit_not,
  shift_right,
  random_subset,
  random_set_of_subsets,
  model_value,
  assert_error,
  trace,
  level_only,
  atoi,
  io_env,
  to_json,
  refuse,
  string_set,
  k_subset,
  is_a_bag,
  env_get,
};

// What a node depends on.
enum Uses : std::uint8_t {
  kVariables = 1,
  kPrimes = 2,
  kImpure = 4,
  kUnfinished = 8,
  kOfTheRun = 16,  // what it gives or does depends on what was evaluated before
};

struct Node;

// The slots of a frame; a frame may see those of the one around it.
struct Layout {
  std::uint32_t size = 0;
  Layout* up = nullptr;
};

struct Function {
  Symbol name = 0;
  const Node* body = nullptr;
  Layout* layout = nullptr;
  std::vector<std::uint32_t> parameters;
  std::uint8_t uses = 0;
  std::uint64_t bound = 0;
  bool ready = false;
  bool calls_unfinished = false;
};

// Variables bound together: x, y \in S, or <<x, y>> \in S.
struct Group {
  const Node* set = nullptr;
  std::vector<std::uint32_t> slots;
  std::vector<Symbol> names;
  bool tuple = false;
};

struct ChangeCode {
  struct Step {
    bool field = false;
    const Node* index = nullptr;
  };
  std::vector<Step> path;
  const Node* value = nullptr;
  std::uint32_t at_slot = 0;
  bool uses_at = false;
  Location where;
};

struct Extra {
  std::vector<Group> groups;
  std::vector<std::uint32_t> resets;
  std::vector<std::uint32_t> variables;  // of Op::unchanged; of Op::of_variable one
  std::vector<ChangeCode> changes;
  const Function* function = nullptr;
  std::uint32_t self = 0;  // where a recursive function finds itself
  bool recursive = false;
  std::vector<const Node*> shown;  // the arguments of an action, for traces
};

struct alignas(64) Node {
  Op op = Op::literal;
  std::uint8_t uses = 0;
  std::uint16_t hops = 0;  // frames outwards
  std::uint32_t slot = 0;  // slot, variable, cache, action
  Value value;
  const Node* const* kids = nullptr;
  std::uint32_t count = 0;
  Symbol name = 0;
  Location where;
  Builtin builtin = Builtin::none;
  bool definition = false;  // of a global: the whole of a definition without parameters
  std::uint64_t bound = 0;  // binders outside that it depends on
  const Extra* extra = nullptr;

  const Node& kid(std::size_t i) const { return *kids[i]; }
  bool constant() const { return uses == 0 && bound == 0; }
};

struct Code {
  const Node* root = nullptr;
  Layout* layout = nullptr;
};

// Owns all of it.
struct CodeArena {
  std::deque<Node> nodes;
  std::deque<Extra> extras;
  std::deque<Layout> layouts;
  std::deque<Function> functions;
  std::deque<std::vector<const Node*>> lists;  // kids, many nodes' side by side
  std::uint32_t caches = 0;
  std::uint32_t state_caches = 0;  // of Op::of_state
  std::uint32_t memos = 0;         // of Op::of_variable
  std::uint32_t shadows = 0;       // see Binding::shadow

  const Node* const* keep(const std::vector<const Node*>& kids) {
    constexpr std::size_t kTogether = 4096;
    if (lists.empty() || lists.back().capacity() - lists.back().size() < kids.size())
      lists.emplace_back().reserve(std::max(kTogether, kids.size()));
    std::vector<const Node*>& to = lists.back();
    to.insert(to.end(), kids.begin(), kids.end());
    return to.data() + (to.size() - kids.size());
  }
};

}  // namespace schism::tla
