// A specification with its configuration, ready to be asked: initial states, actions by name,
// successors, invariants. Nothing is global; several may live side by side. A Spec is used by one
// thread at a time.
//
//   auto spec = Spec::load("raft.tla", "raft.cfg");
//   State s = (*spec)->initial()->front();
//   auto next = (*spec)->apply(**(*spec)->action("Timeout"), {server}, s);
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "schism/base/result.hpp"
#include "schism/tla/config.hpp"
#include "schism/tla/evaluator.hpp"
#include "schism/tla/library.hpp"
#include "schism/tla/temporal_reader.hpp"

namespace schism::tla {

using State = std::vector<Value>;

struct LoadOptions {
  std::vector<std::string> path;  // further folders with modules
};

// A predicate with its name and place.
struct Check {
  std::string name;
  Code code;
  Location where;
};

// One part of a temporal formula.
struct Piece {
  enum class Kind { state, step, always, weak, strong, other } kind;
  const Expr* expr = nullptr;  // of a step or fairness: the action
  const Expr* subscript = nullptr;
  Scope* scope = nullptr;
  std::string name;
};

struct Action {
  std::string name;
  Code code;
  std::vector<std::uint32_t> slots;
  Location where;
};

class Spec {
 public:
  static Result<std::unique_ptr<Spec>> load(const std::string& tla, const std::string& cfg,
                                            LoadOptions options = {});
  static Result<std::unique_ptr<Spec>> from_text(const std::string& tla, const std::string& cfg,
                                                 LoadOptions options = {});
  ~Spec();

  // --- Asking. Every error is one sentence with its place. ---
  Result<std::vector<State>> initial();
  Result<std::vector<State>> successors(const State& s);
  Result<const Action*> action(const std::string& name);  // compiled when first asked for
  // Everything that is defined, with its number of parameters.
  std::vector<std::pair<std::string, std::size_t>> definitions() const;
  Result<std::vector<State>> apply(const Action& a, const std::vector<Value>& args, const State& s);
  // The first invariant that does not hold.
  Result<const Check*> violated(const State& s);
  Result<Value> evaluate(const std::string& expression);
  Result<Value> evaluate(const std::string& expression, const State& s);
  // An expression of the state, to be evaluated many times.
  Result<Check> predicate(const std::string& expression);
  std::uint64_t fingerprint(std::span<const Value> s) const;
  std::string print(Value v) const;
  std::string print(const State& s) const;  // /\ x = 1 a line each
  const std::vector<Symbol>& variables() const;
  Symbols& symbols() { return symbols_; }
  const Symbols& symbols() const { return symbols_; }
  Store& store() { return *store_; }
  Evaluator& evaluator() { return *evaluator_; }
  std::unique_ptr<Evaluator> new_evaluator();
  // Gives back every value made since loading that these do not lead to; they are rewritten. Each
  // must be named once, and nobody else may hold a value. Steps::keep_only is made of it.
  void give_back(std::vector<Value*> live);
  std::string explain(const Failure& f) const;

  // --- What the checker needs. ---
  Code init, next;
  bool has_behaviour = false;
  std::vector<Check> invariants, constraints, action_constraints, assumptions;
  std::vector<Check> implied_inits, implied_steps;  // of properties
  std::vector<Check> postconditions;
  std::optional<Check> view, alias;
  std::vector<Value> symmetry;  // permutations as functions
  TemporalFormulas temporal;
  std::vector<std::string> unchecked;  // temporal properties that cannot be read, with the reason
  std::vector<const Node*> actions;    // the parts of the next-state relation
  bool check_deadlock = true;
  std::vector<std::string> notes;  // what a user should know of the configuration

 private:
  Spec();
  void set_up(Module* main, const Config& config);
  void set_up_constants(Module* main, const Config& config);
  void add_tables(const Config& config, std::vector<Compiler::Override>& overrides);
  void set_up_alias(const Config& config);
  void set_up_behaviour(const Config& config);
  void set_up_properties(const Config& config);
  void set_up_checks(Module* main, const Config& config);
  Check check_named(const Config::Named& n);
  const Expr* name_expr(const Config::Named& n);
  void unfold(const Expr* e, Scope* scope, const std::string& name, std::vector<Piece>& out);
  void assume(const Piece& piece);
  void property(const Piece& piece, const std::string& name);
  void temporal_property(const Piece& piece, const std::string& name);
  const Node* mark_actions(const Node* n, const Node* within);
  Code conjunction(const std::vector<Piece>& pieces, bool initial);

  Symbols symbols_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Library> library_;
  ScopeArena scopes_;
  CodeArena code_;
  std::unique_ptr<Compiler> compiler_;
  std::unique_ptr<TemporalReader> reader_;
  std::string unread_fairness_;  // why the fairness of SPECIFICATION cannot be used
  std::unique_ptr<Evaluator> evaluator_;
  Scope* main_ = nullptr;
  absl::flat_hash_map<std::string, std::unique_ptr<Action>> named_;
};

}  // namespace schism::tla
