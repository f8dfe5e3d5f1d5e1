// Evaluates code in a state, and finds the states that an action leads to. One evaluator a thread;
// all of them share the store.
//
//   Evaluator eval(store, arena, variables);
//   Value v = eval.evaluate(code, current);
//   bool may = eval.holds(code, current, next);
//   eval.successors(code, current, [&](std::span<const Value> next) { ... return true; });
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "schism/base/random.hpp"
#include "schism/tla/algebra.hpp"
#include "schism/tla/code.hpp"
#include "schism/tla/reads.hpp"

namespace schism::tla {

struct Frame {
  Value* slots;
  Frame* up;
  const Layout* layout;
};

// What specifications may ask about the run that evaluates them, and say to it.
struct Surroundings {
  std::function<void(const std::string&)> print;
  std::function<Value(Store&, const std::string&)> get;  // TLCGet("level") and the like
  std::function<std::vector<Value>(Store&)> trace;       // states up to the current one
};

class Evaluator : public Algebra {
 public:
  Evaluator(Store& store, const CodeArena& arena, std::vector<Symbol> variables);
  ~Evaluator() override;

  Value evaluate(const Code& code, std::span<const Value> state, std::span<const Value> next = {});
  // With a value in a slot of the code's frame.
  Value evaluate_with(const Code& code, std::span<const Value> state, std::uint32_t slot, Value v);
  bool holds(const Code& code, std::span<const Value> state, std::span<const Value> next = {});

  // Which part of a formula makes it FALSE, with the values of what is bound around it: "at
  // raft.tla:12:3, where i = s1".
  std::string why_false(const Code& code, std::span<const Value> state,
                        std::span<const Value> next = {});

  // Which guard of an action with these arguments is FALSE: where it stands. Empty: not known.
  Location disabled_at(const Code& code, std::span<const Value> state,
                       std::span<const std::uint32_t> slots, std::span<const Value> args);

  // Return false to stop. The action is the innermost named one, see Op::action.
  using Sink = absl::FunctionRef<bool(std::span<const Value> next)>;
  // Every assignment of the primed variables, in order, repeated ones too.
  void successors(const Code& code, std::span<const Value> state, Sink sink,
                  std::span<const std::uint32_t> slots = {}, std::span<const Value> args = {});
  void initial(const Code& code, Sink sink);
  // Which action the state that is being reported came from, and its arguments.
  const Node* current_action() const { return action_; }
  std::vector<Value> action_arguments();
  // While there is one, evaluations tell it what they look at; null: none.
  void tell(Reads* reads) { reads_ = reads; }
  // How many states stood between the two actions of a \cdot so far.
  std::uint64_t between() const { return between_; }

  void seed(std::uint64_t seed) { random_ = Rng(seed); }
  Surroundings& surroundings() { return around_; }
  std::string describe_failure(const Failure& f) const;
  // Rules made by evaluating are forgotten; call it between states.
  void sweep();
  void forget_constants();
  // Everything that can be computed again; what cannot is told: TLCSet's registers.
  void forget_values(std::vector<Value*>& kept);
  // What another evaluator of the same code has computed once for all.
  void adopt_constants(const Evaluator& other);
  std::vector<std::string>& warnings() { return warnings_; }

 private:
  struct Closure;
  struct Arguments;
  struct Thunk {
    const Node* node;
    Frame* frame;
  };
  // What is left to do once an expression is satisfied.
  struct Rest {
    const Node* node;
    Frame* frame;
    std::uint32_t at;  // which conjunct is next
    const Rest* then;
    absl::FunctionRef<void()>* done = nullptr;
  };

  Value eval(const Node& n, Frame& f);
  Value eval_op(const Node& n, Frame& f);
  bool test(const Node& n, Frame& f) {
    const Value v = eval(n, f);
    if (v == kTrue) return true;
    if (v != kFalse) not_boolean(n, v);
    return false;
  }
  [[noreturn]] void not_boolean(const Node& n, Value v) const;
  Value missing_field(const Node& n, Value r);
  Value of_variable(const Node& n, Frame& f);
  Value told_part(const Node& n, Frame& f);
  Value told_member(const Node& n, Frame& f);
  // Numbers, strings and Booleans are equal if their words are; the rest is looked into.
  bool same(Value a, Value b) {
    if (a == b) return true;
    if (a.tag() == b.tag() && !a.is_node() && !a.is_model()) return false;
    return equal(a, b);
  }
  std::int64_t integer(const Node& n, Frame& f);
  Value force(Value& slot, const Node& n);
  static Frame& frame_at(Frame& f, std::uint16_t hops) {
    Frame* at = &f;
    for (; hops > 0; --hops) at = at->up;
    return *at;
  }
  Value arithmetic(const Node& n, Frame& f);
  Value case_of(const Node& n, Frame& f);
  Value except(const Node& n, Frame& f);
  Value change(Value old, const ChangeCode& c, std::size_t step, Frame& f);
  Value call_function(const Node& n, Frame& f);
  Value choose(const Node& n, Frame& f);
  Value filter(const Node& n, Frame& f);
  Value map(const Node& n, Frame& f);
  Value function(const Node& n, Frame& f);
  Value record_set(const Node& n, Frame& f);
  Value union_of(const Node& n, Frame& f);
  using Bindings = std::vector<std::pair<Symbol, Value>>;
  const Node& culprit(const Node& n, Frame& f, Bindings& bound);
  const Node* false_guard(const Node& n, Frame& f);
  bool each_binding(const Node& n, std::size_t group, std::size_t name, Frame& f, Value* set,
                    absl::FunctionRef<bool()> body);
  bool each_binding(const Node& n, Frame& f, absl::FunctionRef<bool()> body);
  void bind_tuple(const Group& g, Value v, Frame& f);
  void bind_key(const Node& n, Value key, Frame& f);
  bool enabled(const Node& n, Frame& f);
  Value builtin(const Node& n, Frame& f);
  Value fold(const Node& n, Frame& f);
  Value select_seq(const Node& n, Frame& f);
  Value sort_seq(const Node& n, Frame& f);
  Value sequence_op(const Node& n, Frame& f);
  Value tlc_op(const Node& n, Frame& f);
  Value set_op(const Node& n, Frame& f);
  Value permutations(Value set);

  // Actions (action.cpp).
  void next(const Node& n, Frame& f, const Rest* rest);
  void proceed(const Rest* rest);
  void emit();
  void next_each(const Node& n, Frame& f, const Rest* rest);
  void next_forall(const Node& n, Frame& f, const Rest* rest);
  void next_call(const Node& n, Frame& f, const Rest* rest);
  void next_compose(const Node& n, Frame& f, const Rest* rest);
  void next_unchanged(const Node& n, const Rest* rest);
  bool next_assign(const Node& n, Frame& f, const Rest* rest);
  Value told_next(std::uint32_t variable, const Node& n, Frame& f);
  void next_element(std::uint32_t variable, Value v, const Rest* rest);

  // Rules.
  Value call(const ValueNode& lambda, Value x) override;
  Value rule_domain(const ValueNode& lambda) override;
  Value rule_base(const ValueNode& filter) override;
  bool rule_holds(const ValueNode& filter, Value v) override;
  Value make_rule(const Node& n, Frame& f, Kind kind, Value domain);
  bool is_endless(Value v);
  Value endless_with(Value function, Value x, Value v);
  void check_stack(Location where);
  void find_stack();
  void prepare();
  // Another state is the current one: what is known of the last one is not known of it.
  void enter(const Value* state) {
    state_ = state;
    ++epoch_;
  }
  Value argument(const Node& n, Frame& f, Arguments& arguments, std::size_t i);
  void explore(const Node& n, Frame& f, Sink sink, bool partial);

  class FrameGuard;
  Value* push_slots(std::size_t n);

  const CodeArena& arena_;
  std::vector<Symbol> variables_;
  std::vector<Value> caches_;
  std::vector<std::pair<Value, std::uint64_t>> state_caches_;     // with the epoch of their state
  std::vector<absl::flat_hash_map<std::uint64_t, Value>> memos_;  // of Op::of_variable
  std::uint64_t epoch_ = 1;
  const Value* state_ = nullptr;
  const Value* next_ = nullptr;  // primed variables; those being assigned in assigned_
  std::vector<Value> assigned_;
  std::vector<std::vector<Value>> spare_;  // for assigned_, at each depth of ENABLED
  bool assigning_initial_ = false, stop_ = false, partial_ = false;
  Sink* sink_ = nullptr;
  Reads* reads_ = nullptr;
  const Node* action_ = nullptr;
  Frame* action_frame_ = nullptr;
  std::vector<std::unique_ptr<Value[]>> chunks_;
  std::size_t chunk_ = 0, used_ = 0;
  std::vector<std::unique_ptr<Closure>> rules_, kept_rules_;
  std::uint64_t between_ = 0;
  absl::flat_hash_map<std::int64_t, Value> registers_;
  Rng random_;
  Surroundings around_;
  const char* stack_end_ = nullptr;
  std::vector<std::string> warnings_;
};

}  // namespace schism::tla
