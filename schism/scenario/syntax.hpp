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
    size,
    quorum,  // more than half of the nodes
    nodes    // all of them
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
    hold,       // until a step of the script takes it
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

// One step of a script: something pending is served, or something is done to a node or link, as
// soon as it can be. A variable without a value matches any node for which no other variable of a
// script stands, and stands for it from then on: a role. Of several that match the oldest is taken.
struct Cue {
  enum Kind : std::uint8_t {
    deliver,
    drop,
    duplicate,
    change,  // to `content`
    forge,   // with `content`
    fire,
    complete,
    fail,  // a disk operation
    submit,
    crash,
    restart,
    pause,
    resume,
    cut,  // one way
    heal,
  };
  Kind kind = deliver;
  std::string type = {};                                  // message, timer, request; empty: any
  Term from = {};                                         // of a message or link; nothing: any
  Term to = {};                                           // of these; the node of all others
  Cond condition = {};                                    // over the message
  bool all = false;                                       // as many as there are
  Term times = {};                                        // nothing: once
  int skipped = 0;                                        // so many older ones stay
  int kept = 0;                                           // operations that a crashed disk keeps
  bool torn = false;                                      // and half of the next
  std::vector<std::pair<std::string, Term>> fields = {};  // of a request
  std::string client = {};                                // who asks; empty: somebody else
  std::string content = {};                               // JSON
  std::vector<int> choices = {};                          // what nodes choose in it
  Position where = {};
};
// Its steps come in any order, and all of them before those of the next line.
struct Line {
  std::vector<Cue> cues;
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
  std::int64_t node_seed = -1;  // of all runs: what nodes draw; -1: each run its own
  bool until_calm = false;
  std::vector<Let> lets;
  std::vector<Part> parts;
  Machine machine, property;
  std::vector<Filter> filters;
  std::vector<Line> script;
  std::vector<Expectation> expectations;
  std::string problem = {};  // C++: a text in it that cannot be read
};

// As a file has it, one way for each meaning. `code` in a condition or action: it has C++ in it and
// cannot be read back.
std::string print(const Scenario& scenario);
std::string print(const Cond& condition);
std::string print(const Act& action);
std::string print(const Term& term);
std::string print(const Cue& cue);
bool has_code(const Scenario& scenario);

std::string_view order_sign(Order order);

}  // namespace schism::scenario
