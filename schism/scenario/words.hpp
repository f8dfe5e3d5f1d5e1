// The scenario language in C++. It reads as a scenario's file does and makes the same thing:
//
//   using namespace schism::scenario;
//   ScenarioTest test("a lagging follower", "raft");
//   test.filter("cut off").If(sent("MsgApp") && to(3) && field("term") >= 1).Then(Drop());
//   test.judged().On(word("becomes-leader"), "led").On(received("MsgVoteResp") && from(3), "goal");
//   test.expect_goal(90);
//
// Words that do not exist in the system are found when the test is run or `configure`d: an error
// that names the nearest.
#pragma once

#include "schism/base/fields.hpp"
#include "schism/scenario/parse.hpp"

namespace schism::scenario {

// ---- values --------------------------------------------------------------------------------

struct Val : Term {
  Val(int number) { kind = Term::number, value = number; }             // NOLINT: reads as a number
  Val(std::int64_t number) { kind = Term::number, value = number; }    // NOLINT
  Val(const char* word) { kind = Term::word, name = word; }            // NOLINT
  Val(bool yes) { kind = Term::word, name = yes ? "true" : "false"; }  // NOLINT
  Val(Term term) : Term(std::move(term)) {}                            // NOLINT
};

inline Term made_term(Term::Kind kind, std::string name = {}) {
  Term out;
  out.kind = kind, out.name = std::move(name);
  return out;
}
inline Term var(std::string name) { return made_term(Term::variable, std::move(name)); }
inline Term field(std::string path) { return made_term(Term::field, std::move(path)); }
inline Term sender() { return made_term(Term::from); }
inline Term receiver() { return made_term(Term::to); }
inline Term here() { return made_term(Term::at); }
inline Term text(std::string text) { return made_term(Term::text, std::move(text)); }
inline Term nothing() { return {}; }
inline Term size(std::string set) { return made_term(Term::size, std::move(set)); }
inline Term count(std::string counter, std::vector<Val> keys = {}) {
  Term out = made_term(Term::count, std::move(counter));
  out.keys.assign(keys.begin(), keys.end());
  return out;
}
inline Term operator+(Term t, std::int64_t by) { return t.value += by, t; }
inline Term operator-(Term t, std::int64_t by) { return t.value -= by, t; }

// A field by its member: field<&MsgVote::term>().
namespace detail {
template <class C, class T>
std::string field_name(T C::*member) {
  const C object{};
  const char* const at = reinterpret_cast<const char*>(&(object.*member));
  std::string out;
  std::size_t i = 0;
  object.schism_visit_fields([&](const auto&... fields) {
    ((reinterpret_cast<const char*>(&fields) == at && out.empty()
          ? void(out = std::string(nth_word(C::schism_field_names(), i)))
          : void(),
      ++i),
     ...);
  });
  return out;
}
}  // namespace detail
template <auto Member>
Term field() {
  return field(detail::field_name(Member));
}

// ---- conditions ----------------------------------------------------------------------------

inline Cond made_cond(Cond::Kind kind, std::vector<Term> terms = {}, std::string name = {}) {
  Cond out;
  out.kind = kind, out.terms = std::move(terms), out.name = std::move(name);
  return out;
}
inline Cond event(std::string word, std::vector<std::string> types) {
  Cond out = made_cond(Cond::event, {}, std::move(word));
  out.types = std::move(types);
  return out;
}
#define SCHISM_EVENT_WORD(word)                   \
  template <class... Type>                        \
  Cond word(Type... types) {                      \
    return event(#word, {std::string(types)...}); \
  }
SCHISM_EVENT_WORD(sent)
SCHISM_EVENT_WORD(received)
SCHISM_EVENT_WORD(message)
SCHISM_EVENT_WORD(announced)
SCHISM_EVENT_WORD(asked)
SCHISM_EVENT_WORD(invoked)
SCHISM_EVENT_WORD(answered)
SCHISM_EVENT_WORD(armed)
SCHISM_EVENT_WORD(fired)
SCHISM_EVENT_WORD(queued)
SCHISM_EVENT_WORD(completed)
SCHISM_EVENT_WORD(started)
SCHISM_EVENT_WORD(crashed)
SCHISM_EVENT_WORD(restarted)
#undef SCHISM_EVENT_WORD

inline Cond anything() { return {}; }
inline Cond from(Val who) { return made_cond(Cond::from, {std::move(who)}); }
inline Cond to(Val who) { return made_cond(Cond::to, {std::move(who)}); }
inline Cond at(Val who) { return made_cond(Cond::at, {std::move(who)}); }
inline Cond between(Val a, Val b) { return made_cond(Cond::between, {std::move(a), std::move(b)}); }
inline Cond from_part(std::string part) { return made_cond(Cond::from_part, {}, std::move(part)); }
inline Cond to_part(std::string part) { return made_cond(Cond::to_part, {}, std::move(part)); }
inline Cond across_parts() { return made_cond(Cond::across); }
inline Cond within_parts() { return made_cond(Cond::within); }
inline Cond in_state(std::string state) { return made_cond(Cond::in_state, {}, std::move(state)); }
inline Cond in_set(std::string set) { return made_cond(Cond::in_set, {}, std::move(set)); }
// A word of the system's own.
template <class... Argument>
Cond word(std::string name, Argument... arguments) {
  return made_cond(Cond::named, {Val(arguments)...}, std::move(name));
}
inline Cond once(Cond inner) {
  Cond out = made_cond(Cond::once);
  out.parts.push_back(std::move(inner));
  return out;
}
// Code of your own; `make` makes the object anew for every run.
inline Cond custom(std::function<Cond::Test()> make) {
  Cond out = made_cond(Cond::custom);
  out.make = std::move(make);
  return out;
}
inline Cond joined(Cond::Kind kind, Cond a, Cond b) {
  if (a.kind == kind) return a.parts.push_back(std::move(b)), a;
  Cond out = made_cond(kind);
  out.parts.push_back(std::move(a));
  out.parts.push_back(std::move(b));
  return out;
}
inline Cond operator&&(Cond a, Cond b) { return joined(Cond::all, std::move(a), std::move(b)); }
inline Cond operator||(Cond a, Cond b) { return joined(Cond::any, std::move(a), std::move(b)); }
inline Cond operator!(Cond inner) {
  Cond out = made_cond(Cond::negation);
  out.parts.push_back(std::move(inner));
  return out;
}
inline Cond compared(Term a, Order order, Val b) {
  Cond out = made_cond(Cond::compare, {std::move(a), std::move(b)});
  out.order = order;
  return out;
}
inline Cond operator==(Term a, Val b) { return compared(std::move(a), Order::equal, std::move(b)); }
inline Cond operator!=(Term a, Val b) {
  return compared(std::move(a), Order::unequal, std::move(b));
}
inline Cond operator<(Term a, Val b) { return compared(std::move(a), Order::less, std::move(b)); }
inline Cond operator<=(Term a, Val b) {
  return compared(std::move(a), Order::at_most, std::move(b));
}
inline Cond operator>(Term a, Val b) {
  return compared(std::move(a), Order::greater, std::move(b));
}
inline Cond operator>=(Term a, Val b) {
  return compared(std::move(a), Order::at_least, std::move(b));
}
// Of a node's state: node(3, field("role") == "StateLeader").
inline Cond node(Val who, Cond comparison) {
  comparison.kind = Cond::state_of;
  comparison.terms.insert(comparison.terms.begin(), std::move(who));
  return comparison;
}

// ---- actions -------------------------------------------------------------------------------

inline Act made_act(Act::Kind kind, std::vector<Term> terms = {}, std::string name = {}) {
  Act out;
  out.kind = kind, out.terms = std::move(terms), out.name = std::move(name);
  return out;
}
using Fields = std::vector<std::pair<std::string, Val>>;
inline Act with_fields(Act act, const Fields& fields) {
  for (const auto& [name, value] : fields) act.fields.emplace_back(name, value);
  return act;
}
inline Act Deliver() { return made_act(Act::deliver); }
inline Act Drop() { return made_act(Act::drop); }
inline Act Store(std::string set) { return made_act(Act::store, {}, std::move(set)); }
inline Act DeliverAll(std::string set) { return made_act(Act::deliver_all, {}, std::move(set)); }
inline Act DeliverInOrder(std::string set) {
  Act out = DeliverAll(std::move(set));
  out.kept = true;
  return out;
}
inline Act Release(std::string set) { return made_act(Act::release, {}, std::move(set)); }
inline Act Delay(Val steps) { return made_act(Act::delay, {std::move(steps)}); }
inline Act Delay(Val least, Val most) {
  return made_act(Act::delay, {std::move(least), std::move(most)});
}
inline Act Duplicate() { return made_act(Act::duplicate); }
inline Act Change(std::string field, Val to) {
  return made_act(Act::change, {std::move(to)}, std::move(field));
}
inline Act Omit() { return made_act(Act::omit); }
inline Act Lie(std::string way) { return made_act(Act::lie, {}, std::move(way)); }
inline Act Forge(std::string type, Val from, Val to, const Fields& fields) {
  return with_fields(made_act(Act::forge, {std::move(from), std::move(to)}, std::move(type)),
                     fields);
}
inline Act Fire(std::string timer, Val node) {
  return made_act(Act::fire, {std::move(node)}, std::move(timer));
}
inline Act Crash(Val node) { return made_act(Act::crash, {std::move(node)}); }
inline Act Restart(Val node) { return made_act(Act::restart, {std::move(node)}); }
inline Act Pause(Val node) { return made_act(Act::pause, {std::move(node)}); }
inline Act Resume(Val node) { return made_act(Act::resume, {std::move(node)}); }
inline Act Cut(Val a, Val b) { return made_act(Act::cut, {std::move(a), std::move(b)}); }
inline Act Heal(Val a, Val b) { return made_act(Act::heal, {std::move(a), std::move(b)}); }
inline Act Isolate(Val node) { return made_act(Act::isolate, {std::move(node)}); }
inline Act Rejoin(Val node) { return made_act(Act::rejoin, {std::move(node)}); }
inline Act Submit(std::string request, const Fields& fields, Val node) {
  return with_fields(made_act(Act::submit, {std::move(node)}, std::move(request)), fields);
}
inline Act Increment(Term counter) { return made_act(Act::increment, {std::move(counter)}); }
inline Act Record(std::string variable, Val value) {
  return made_act(Act::record, {std::move(value)}, std::move(variable));
}
inline Act Hold() { return made_act(Act::hold); }
inline Act Pass() { return made_act(Act::pass); }
inline Act GoOn() { return made_act(Act::go_on); }
inline Act Once(Act inner) {
  Act out = made_act(Act::once);
  out.parts.push_back(std::move(inner));
  return out;
}
inline Act Custom(std::function<Act::Deed()> make) {
  Act out = made_act(Act::custom);
  out.make = std::move(make);
  return out;
}

// ---- the whole -----------------------------------------------------------------------------

class FilterBuilder {
 public:
  FilterBuilder(Scenario& scenario, std::size_t at) : scenario_(scenario), at_(at) {}
  FilterBuilder& If(Cond condition) {
    scenario_.filters[at_].condition = std::move(condition);
    return *this;
  }
  template <class... Action>
  void Then(Action... actions) {
    scenario_.filters[at_].actions = {std::move(actions)...};
  }

 private:
  Scenario& scenario_;
  std::size_t at_;
};

// Reads from left to right: each On goes on from where the last one led.
class MachineBuilder {
 public:
  explicit MachineBuilder(Machine& machine, std::string at = "start")
      : machine_(machine), at_(std::move(at)) {}
  template <class... Records>
  MachineBuilder On(Cond condition, std::string to, Records... records) {
    machine_.transitions.push_back({at_, to, std::move(condition), {std::move(records)...}});
    return MachineBuilder(machine_, std::move(to));
  }
  MachineBuilder At(std::string state) { return MachineBuilder(machine_, std::move(state)); }
  MachineBuilder MarkGoal() {
    machine_.goals.push_back(at_);
    return *this;
  }

 private:
  Machine& machine_;
  std::string at_;
};

struct ScenarioTest : Scenario {
  ScenarioTest(std::string title, const std::string& system) {
    name = std::move(title);
    if (auto spec = parse_spec(system)) run.system = *std::move(spec);
    else run.system.name = system;  // refused when it is bound
  }
  ScenarioTest& nodes(int n) { return run.nodes = std::to_string(n), *this; }
  ScenarioTest& bug(std::string bug) { return run.bugs.push_back(std::move(bug)), *this; }
  ScenarioTest& explorer(const std::string& word) {
    if (auto spec = parse_spec(word)) run.explorer = *std::move(spec);
    else run.explorer.name = word;
    return *this;
  }
  ScenarioTest& steps(int n) { return run.steps = std::to_string(n), *this; }
  ScenarioTest& tail(std::string length) { return run.tail = std::move(length), *this; }
  ScenarioTest& times(std::uint64_t n) { return runs = n, *this; }
  ScenarioTest& random_node(std::string variable) {
    lets.push_back({std::move(variable), true, {}});
    return *this;
  }
  ScenarioTest& let(std::string variable, Val value) {
    lets.push_back({std::move(variable), false, std::move(value)});
    return *this;
  }
  ScenarioTest& part(std::string part, int size) {
    return parts.push_back({std::move(part), size}), *this;
  }
  FilterBuilder filter(std::string title) {
    filters.push_back({std::move(title), {}, {}});
    return {*this, filters.size() - 1};
  }
  FilterBuilder If(Cond condition) {
    FilterBuilder out = filter("filter " + std::to_string(filters.size() + 1));
    return out.If(std::move(condition)), out;
  }
  // Lines of steps, as a file has them.
  ScenarioTest& play(const std::string& lines) {
    auto parsed = parse_script(lines, "its script");
    if (!parsed) return problem = parsed.error(), *this;
    for (Line& line : *parsed) script.push_back(std::move(line));
    return *this;
  }
  MachineBuilder states() { return MachineBuilder(Scenario::machine); }
  MachineBuilder judged() { return MachineBuilder(Scenario::property); }
  ScenarioTest& expect_goal(int percent = 100) {
    expectations.push_back({Expectation::goal, false, {}, percent});
    return *this;
  }
  ScenarioTest& expect_violation(std::string property, int percent) {
    expectations.push_back({Expectation::violation, false, std::move(property), percent});
    return *this;
  }
  ScenarioTest& expect_no_violation() {
    expectations.push_back({Expectation::violation, true, {}, 0});
    return *this;
  }
};

}  // namespace schism::scenario
