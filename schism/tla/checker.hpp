// Breadth-first through all states, counting as TLC counts: generated is every initial state and
// every successor, repeated ones too; a state outside of the constraints is neither counted as
// distinct nor expanded, yet invariants are judged on it.
#pragma once

#include <atomic>
#include <functional>

#include "schism/tla/spec.hpp"
#include "schism/tla/state_table.hpp"
#include "schism/tla/symmetry.hpp"

namespace schism::tla {

enum class Outcome {
  holds,
  violated,  // an invariant or a property
  deadlock,
  failed,   // an expression could not be evaluated
  stopped,  // a limit was reached, or somebody interrupted
};

struct TraceStep {
  State state;
  std::string action;  // how it was reached: "Initial predicate", or Name(arguments)
  Location where;
};

struct CheckReport {
  Outcome outcome = Outcome::holds;
  std::string what;       // the property, or the error
  bool asserted = false;  // the error is an Assert of the specification
  std::vector<TraceStep> trace;
  std::uint64_t generated = 0, distinct = 0, depth = 0, queue = 0, initial = 0;
  std::vector<std::uint64_t> by_action, new_by_action;
  std::vector<std::string> warnings;
  std::size_t bytes = 0;
};

struct CheckLimits {
  std::uint64_t states = UINT64_MAX;
  std::uint64_t depth = UINT64_MAX;
  bool deadlock = true;
  std::uint64_t seed = 1;
  std::function<void(const CheckReport&)> progress;
  std::function<void(const std::string&)> print;
  std::function<void(std::uint32_t from, std::uint32_t to, const Node* action)> edge;
};

class Checker {
 public:
  Checker(Spec& spec, CheckLimits limits, const std::atomic<bool>& interrupted);
  CheckReport run();
  // After run: the states in the order of discovery.
  State state(std::uint32_t i) const;
  std::size_t states() const { return rows_.size() / std::max<std::size_t>(width_, 1); }

 private:
  struct Stop {};
  bool assumptions();
  void initial();
  void expand();
  void successor(std::uint32_t from, const State& s, std::span<const Value> t, const Node* action);
  bool in_model(std::span<const Value> s);
  std::pair<std::uint32_t, bool> remember(std::span<const Value> s);
  void violated(Outcome outcome, const std::string& what, std::uint32_t at,
                std::span<const Value> last);
  void tell_path(std::uint32_t to, std::span<const Value> last);
  TraceStep explain_step(const State& from, const State& to);
  Value ask(Store& store, const std::string& what);
  std::vector<Value> trace_to_here(Store& store);
  Value as_record(Store& store, const State& s) const;

  Spec& spec_;
  CheckLimits limits_;
  const std::atomic<bool>& interrupted_;
  Evaluator& eval_;
  std::size_t width_;
  StateTable table_;                 // of states, or of what stands for them
  std::vector<std::uint32_t> rows_;  // the states themselves, in the same order
  bool own_rows_;
  std::vector<std::uint32_t> parents_;
  std::unique_ptr<Symmetry> symmetry_;
  std::vector<Value> scratch_;
  std::vector<std::uint32_t> packed_;
  CheckReport report_;
  std::uint64_t level_ = 1;
  std::uint32_t here_ = UINT32_MAX;
};

}  // namespace schism::tla
