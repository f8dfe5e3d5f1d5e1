// A scenario as it is said, before anybody asked whether its words exist: conditions, actions,
// filters, state machines, expectations. Files (parse.hpp) and C++ (words.hpp) both make this, and
// everything after it knows only this, so that the two forms cannot behave differently.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "schism/base/spec.hpp"
#include "schism/base/time.hpp"
#include "schism/base/value.hpp"
#include "schism/words/run_text.hpp"

namespace schism {
class World;
}

namespace schism::scenario {

struct Moment;

struct Position {  // in its file; line 0: made in C++
  int line = 0, column = 0;
};

// A value: a number, a word, a variable, a field of what happens, who does it, a counter.
struct Term {
  enum Kind : std::uint8_t {
    nothing,
    number,
    word,
    text,
    variable,
    field,
    from,
    to,
    at,
    count,
    size
  };
  Kind kind = nothing;
  std::int64_t value = 0;       // a number; what is added to the rest
  std::string name = {};        // word, text, variable, path of a field, counter, set
  std::vector<Term> keys = {};  // of a counter
  Position where = {};
  int slot = -1;  // of a variable, when it is bound
};

enum class Order : std::uint8_t { equal, unequal, less, at_most, greater, at_least };

struct Cond {
  enum Kind : std::uint8_t {
    always,
    all,
    any,
    negation,
    event,  // `name`: sent, received, announced, ...; `types`: any of these
    from,   // terms[0]
    to,
    at,
    between,    // terms[0], terms[1], either way
    from_part,  // `name`
    to_part,
    across,  // from one part to another
    within,
    compare,   // terms[0] `order` terms[1]
    state_of,  // of node terms[0]: its field terms[1] `order` terms[2]
    in_state,  // `name`
    once,
    in_set,  // the message is in set `name`
    named,   // a word of the system's vocabulary; terms are its arguments
    custom,
  };
  using Test = std::function<bool(const World&, const Moment&)>;

  Kind kind = always;
  std::string name = {};
  std::vector<std::string> types = {};
  std::vector<Term> terms = {};
  Order order = Order::equal;
  std::vector<Cond> parts = {};
  std::function<Test()> make = {};  // anew for every run
  Position where = {};
};

struct Act {
  enum Kind : std::uint8_t {
    deliver,  // now; of a timer, disk operation or request: serve it now
    drop,
    store,        // in set `name`, held back
    deliver_all,  // from set `name`, in random order or (`kept`) as they came
    release,      // from set `name`, to the explorer
    delay,        // for terms[0] steps of the explorer, or as many as are drawn up to terms[1]
    duplicate,
    change,  // field `name` := terms[0]; what liars do, as the next three
    omit,
    lie,    // in the way `name` (byzantine/ways.hpp)
    forge,  // message `name` from terms[0] to terms[1], with fields
    fire,   // timer `name` of node terms[0]
    crash,  // terms[0]
    restart,
    pause,
    resume,
    cut,  // both ways between terms[0] and terms[1]
    heal,
    isolate,  // cut terms[0] from all others
    rejoin,
    submit,     // request `name` to node terms[0], with fields
    increment,  // counter terms[0]
    record,     // variable `name` := terms[0]
    pass,       // to the explorer, and that is meant
    go_on,      // later filters are asked as well
    once,       // parts[0], the first time in a run
    custom,
  };
  using Deed = std::function<void(World&, const Moment&)>;

  Kind kind = deliver;
  std::string name = {};
  bool kept = false;
  std::vector<Term> terms = {};
  std::vector<std::pair<std::string, Term>> fields = {};
  std::vector<Act> parts = {};
  std::function<Deed()> make = {};
  Position where = {};
};

struct Filter {
  std::string name;
  Cond condition;
  std::vector<Act> actions;
  Position where = {};
};

// States are made by being named; it begins in "start". "goal" is where a run should end, and
// "violation" where it must not come.
struct Transition {
  std::string from, to;
  Cond condition;
  std::vector<Act> records;  // record and increment alone
  Position where = {};
};
struct Machine {
  std::vector<Transition> transitions;
  std::vector<std::string> goals;  // beside "goal"
};

struct Let {  // a variable from the beginning
  std::string name;
  bool random_node = false;
  Term value = {};
};
struct Part {
  std::string name;
  int size = 0;
};

struct Expectation {
  enum Kind : std::uint8_t { goal, violation };
  Kind kind = goal;
  bool none = false;          // "no violation"
  std::string property = {};  // of a violation; empty: any
  int percent = 100;          // at least
};

struct Scenario {
  std::string name;
  RunText run;  // system, bugs, nodes, world, faults, explorer, steps, tail
  std::uint64_t runs = 100, seed = 1;
  bool until_calm = false;
  std::vector<Let> lets;
  std::vector<Part> parts;
  Machine machine, property;
  std::vector<Filter> filters;
  std::vector<Expectation> expectations;
};

// As a file has it, one way for each meaning. `code` in a condition or action: it has C++ in it and
// cannot be read back.
std::string print(const Scenario& scenario);
std::string print(const Cond& condition);
std::string print(const Act& action);
std::string print(const Term& term);
bool has_code(const Scenario& scenario);
bool has_requests(const Scenario& scenario);  // of clients of its own

std::string_view order_sign(Order order);

}  // namespace schism::scenario
