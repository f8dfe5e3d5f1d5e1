// A scenario whose words were all found to exist: types, fields, timers, states, variables. What is
// wrong is said here, before any run, with the nearest word that there is.
#pragma once

#include <map>
#include <memory>
#include <set>

#include "schism/scenario/moment.hpp"
#include "schism/scenario/syntax.hpp"
#include "schism/scenario/vocabulary.hpp"
#include "schism/schema/path.hpp"
#include "schism/schema/where.hpp"
#include "schism/system/system.hpp"

namespace schism::scenario {

// What happens in one run: variables, counters, sets, states. Made anew for every run.
struct State;

using Types = std::vector<const TypeInfo*>;

struct BoundTerm {
  Term term;
  std::vector<std::pair<const TypeInfo*, Path>> paths;  // of a field, by the type that has it
  std::vector<BoundTerm> keys;
  int index = -1;  // of a variable or set

  Value read(const State& state, const Moment& m) const;
};

struct Check {
  Cond::Kind kind = Cond::always;
  Order order = Order::equal;
  EventMask happenings = 0;
  bool asked = false;
  Types types;                         // empty: any
  std::vector<std::uint16_t> details;  // of timers; empty: any
  std::vector<BoundTerm> terms;
  std::vector<std::pair<const TypeInfo*, Where>> wheres;  // a field against a constant
  int index = -1;                                         // of a state, set, part, once-flag, test
  std::vector<Check> parts;

  bool holds(const World& world, State& state, const Moment& m) const;
};

struct Deed {
  Act::Kind kind{};
  const Act* act = nullptr;
  std::vector<BoundTerm> terms;
  std::vector<std::pair<std::string, BoundTerm>> fields;
  std::vector<std::pair<const TypeInfo*, Path>> paths;  // of a change
  int index = -1;                                       // variable, set, timer, message, once-flag
  int client = -1;                                      // of a submit
  std::vector<Deed> parts;
};

struct BoundFilter {
  const Filter* filter = nullptr;
  Check check;
  std::vector<Deed> deeds;
};

struct BoundTransition {
  int from = 0, to = 0;
  Check check;
  std::vector<Deed> records;
};
struct BoundMachine {
  std::vector<std::string> states;  // the first is "start"
  std::vector<bool> goal;
  int violation = -1;
  std::vector<BoundTransition> transitions;
  EventMask listens = 0;

  bool empty() const { return transitions.empty() && states.size() < 2; }
};

struct BoundCue {
  const Cue* cue = nullptr;
  std::string text;
  int type = -1;  // number of the message or timer; -1: any
  BoundTerm from, to, times;
  Check check;
  int client = -1, first = 0, copies = 1;  // of a submit: which of its client's requests
};

// One request that a scenario's own client makes when an action says so.
struct OwnRequest {
  int client = 0;
  int type = 0;
  Value content;
};

class Program {
 public:
  // Errors name scenario, place and nearest word.
  static Result<std::shared_ptr<const Program>> bind(Scenario scenario, const Setup& setup);

  Scenario source;  // named conditions spelled out
  std::vector<BoundFilter> filters;
  BoundMachine machine, property;
  bool states_of_property = false;  // `in STATE` means the property's
  std::vector<std::vector<BoundCue>> script;
  std::set<int> roles;  // variables that the script gives a value
  std::vector<std::string> variables, sets, counters;
  std::vector<std::function<Cond::Test()>> tests;  // of C++
  std::vector<std::function<Act::Deed()>> deeds;
  int once_flags = 0;
  EventMask listens = 0;  // filters and machines
  bool asks = false;      // some filter looks at requests that become pending
  bool lies = false;      // some filter lies in a named way
  std::vector<OwnRequest> requests;
  std::vector<std::string> contradictions;  // conditions that can never hold

  const BoundMachine& tested() const { return states_of_property ? property : machine; }
};

struct Kept {  // something pending that is in a set
  Do kind{};
  std::uint32_t slot = 0, generation = 0;
  std::uint64_t name = 0;
};

struct State {
  const Program* program = nullptr;
  std::vector<Value> variables;
  std::map<std::string, std::int64_t, std::less<>> counters;
  std::vector<bool> once;
  std::vector<int> part_of;  // a node each
  std::vector<std::vector<Kept>> sets;
  std::vector<Cond::Test> tests;
  std::vector<Act::Deed> deeds;
  int state = 0;        // of the machine that conditions ask for
  std::set<int> unset;  // variables that were read before anything set them
  const World* world = nullptr;

  void begin(const Program& of, const World& of_world);
};

// A counter's name with its keys.
std::string counter_key(const BoundTerm& counter, const State& state, const Moment& m);
// Steps a machine; the transition that was taken, or -1.
int step(const BoundMachine& machine, int& at, const World& world, State& state, const Moment& m);
// record and increment.
void note(const Deed& deed, State& state, const Moment& m);

bool compare(const Value& left, Order order, const Value& right);

}  // namespace schism::scenario
