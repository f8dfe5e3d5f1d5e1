// Breadth-first through all states, counting as TLC counts: generated is every initial state and
// every successor, repeated ones too; a state outside of the constraints is neither counted as
// distinct nor expanded, yet invariants are judged on it. Workers look ahead from the states of the
// queue, round by round; one of them takes up what they found in the order of the queue.
#pragma once

#include <atomic>
#include <functional>

#include "schism/tla/big_stack.hpp"
#include "schism/tla/expander.hpp"
#include "schism/tla/liveness.hpp"

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
  std::string why;        // which part of it is FALSE
  bool asserted = false;  // the error is an Assert of the specification
  std::vector<TraceStep> trace;
  // A behaviour without end: after the last state comes this one of the trace again. The last one
  // itself: nothing happens any more.
  std::optional<std::size_t> back_to;
  std::string back_by;  // the action that leads there
  std::uint64_t generated = 0, distinct = 0, depth = 0, queue = 0, initial = 0;
  std::uint64_t expanded = 0;
  std::vector<std::uint64_t> by_action, new_by_action;
  std::vector<std::string> warnings;
  std::vector<std::string> unchecked;  // temporal properties, each with the reason
  std::size_t bytes = 0;
};

struct CheckLimits {
  std::uint64_t states = UINT64_MAX;
  std::uint64_t depth = UINT64_MAX;
  bool deadlock = true;
  std::uint64_t seed = 1;
  unsigned jobs = 1;
  std::function<void(const CheckReport&)> progress;
  std::function<void(const std::string&)> print;
  std::function<void(std::uint32_t from, std::uint32_t to, const Node* action)> edge;
};

class Checker {
 public:
  Checker(Spec& spec, CheckLimits limits, const std::atomic<bool>& interrupted);
  CheckReport run();
  // After run: the states in the order of discovery.
  State state(std::uint32_t i) const { return known_.state(i); }
  std::size_t states() const { return known_.size(); }

 private:
  struct Stop {};
  bool assumptions();
  void initial();
  void search();
  void judge_temporal();
  // The next stretch of the queue, found by all workers and taken up in order.
  void round(std::size_t from, std::size_t to);
  void take_up(const Findings& found, std::uint32_t first);
  void take_up_state(const Findings::OfState& of);
  bool goes_on(std::size_t at);
  void add_warnings(const std::vector<std::string>& more);
  [[noreturn]] void violated(Outcome outcome, const std::string& what, std::uint32_t at,
                             std::span<const Value> last);
  bool depends_on_order() const;

  void tell(const std::vector<State>& states);
  void tell_path(std::uint32_t to, std::span<const Value> last);
  TraceStep explain_step(const State& from, const State& to);
  Value ask(Store& store, const std::string& what);
  std::vector<Value> trace_to_here(Store& store);
  Value as_record(Store& store, const State& s) const;

  Spec& spec_;
  CheckLimits limits_;
  const std::atomic<bool>& interrupted_;
  Evaluator& eval_;
  KnownStates known_;
  std::vector<std::uint32_t> parents_;
  std::unique_ptr<Symmetry> symmetry_;
  std::vector<std::unique_ptr<Evaluator>> evaluators_;  // of all workers but the first
  std::vector<std::unique_ptr<Expander>> workers_;
  std::vector<Findings> findings_;
  std::unique_ptr<Crew> crew_;
  std::unique_ptr<StateGraph> graph_;  // where temporal properties are to be judged
  CheckReport report_;
  std::uint64_t level_ = 1;
  std::size_t level_end_ = 0;
  std::uint32_t here_ = UINT32_MAX;
};

}  // namespace schism::tla
