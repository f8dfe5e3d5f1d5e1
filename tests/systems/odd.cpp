// Systems that misbehave on purpose, to see what the program says about them. They are part of a
// second executable for the tests only.
#include <cstdlib>
#include <stdexcept>

#include "schism/schism.hpp"

namespace {
using namespace schism;

struct Ping {
  int n;
  FIELDS(n)
};

// What no node may have: memory that survives the run.
int g_deliveries = 0;

// Each Ping carries a number that differs from run to run, so a repetition shows other events.
struct Flaky : Node<Flaky, Ping> {
  int seen = 0;
  FIELDS(seen)
  void start(Context& c) {
    if (c.self == 0) c.broadcast(Ping{0});
  }
  void on(Context& c, NodeId from, const Ping&) {
    ++seen;
    c.send(from, Ping{++g_deliveries});
  }
};
const Registration flaky =
    system<Flaky>("flaky", "not deterministic: its messages count all runs together")
        .oracle(invariant<Flaky>("few", [](const Flaky& f) { return f.seen < 3; }));

// The same events each time, but the violation comes only once.
int g_judged = 0;
const Registration flaky_verdict =
    system<Flaky>("flaky-verdict", "not deterministic: its oracle complains only once")
        .oracle(world_invariant("once", [](const World& w) {
          return w.step() == 0 && ++g_judged == 3 ? std::string("the third look") : std::string();
        }));

struct Quiet : Node<Quiet, Ping> {
  int seen = 0;
  FIELDS(seen)
  void start(Context& c) {
    if (c.self == 0) c.broadcast(Ping{1});
  }
  void on(Context& c, NodeId, const Ping& p) {
    ++seen;
    c.announce(p);
  }
};
const Registration vacuous =
    system<Quiet>("vacuous", "nobody ever announces what its oracle waits for")
        .oracle(sometimes<Ping>("a second ping", [](const Ping& p) { return p.n == 2; }));

// It announces something else than what its oracle judges.
struct Verdict {
  int instance = 0, value = 0;
  FIELDS(instance, value)
};
const Registration untested =
    system<Quiet>("untested", "nobody ever decides, so that agreement is never put to the test")
        .oracle(agreement<Verdict>(&Verdict::instance, &Verdict::value));

// Oracles that could never object, whatever happens: all of them are slips of the pen.
struct Elsewhere : Node<Elsewhere, Ping> {
  FIELDS()
  void on(Context&, NodeId, const Ping&) {}
};
const Registration no_such_node =
    system<Quiet>("no-such-node", "its invariant is of a class that no node is of")
        .oracle(invariant<Elsewhere>("never", [](const Elsewhere&) { return false; }));

Property misspelt(std::string_view from, std::string_view to, std::string goal = {}) {
  Property out("one ping", std::move(goal));
  out.on("start", announced<Ping>(), "seen").on(std::string(from), announced<Ping>(), to);
  return out;
}
const Registration no_such_state =
    system<Quiet>("no-such-state", "nothing leads to a state of its property")
        .oracle(misspelt("sene", "failing"));
const Registration no_failure =
    system<Quiet>("no-failure", "its property's failing state is misspelt")
        .oracle(misspelt("seen", "faling"));
const Registration no_such_goal = system<Quiet>("no-such-goal", "its property's goal is misspelt")
                                      .oracle(misspelt("seen", "done", "doen"));

SCHISM_ENUM(Beat, beat);

// Makes progress at every beat, and beats so fast that the fair tail runs out of steps before its
// time is over.
struct Restless : Node<Restless, Ping> {
  using Timers = Beat;
  int beats = 0;
  FIELDS(beats)
  void start(Context& c) { c.set_timer(Beat::beat, 1); }
  void on(Context&, NodeId, const Ping&) {}
  void on_timer(Context& c, Beat) {
    c.announce(Ping{++beats});
    c.set_timer(Beat::beat, 1);
  }
};
const Registration never_fair =
    system<Restless>("never-fair", "its runs have no fair end")
        .nodes(2)
        .steps(10)
        .oracle(sometimes<Ping>("a beat", [](const Ping&) { return true; }))
        .oracle(eventually("rest", [](const World&) { return true; }));

struct Mischief {
  bool throws = false, hangs = false;
};

// Some runs end the process that plays them.
struct Deadly : Node<Deadly, Ping> {
  using Config = Mischief;
  FIELDS()
  void start(Context& c) {
    if (c.self == 0) c.send(1, Ping{static_cast<int>(c.random_below(50))});
  }
  void on(Context& c, NodeId, const Ping& p) {
    if (p.n != 0) return;
    if (c.config().throws) throw std::runtime_error("thrown by a node");
    for (volatile bool forever = c.config().hangs; forever;) continue;
    std::abort();
  }
};
const Registration deadly =
    system<Deadly>("deadly", "aborts in one run of fifty")
        .bug<&Mischief::throws>("throws", "it throws instead")
        .bug<&Mischief::hangs>("hangs", "it never returns instead")
        .oracle(invariant<Deadly>("fine", [](const Deadly&) { return true; }));

struct Words {
  std::string text;
  FIELDS(text)
};

// Text that a terminal or a shell could trip over, in names, messages and violations.
struct Wordy : Node<Wordy, Words> {
  int seen = 0;
  FIELDS(seen)
  void start(Context& c) {
    if (c.self != 0) return;
    c.broadcast(Words{"two\nlines, a tab\t, \x1b[31mred\x1b[0m, \"quotes\", it's $HOME `date`"});
    c.broadcast(
        Words{"größer als ∀x∃y: 日本語のとても長いテキスト, and so on and so on and so on"});
  }
  void on(Context& c, NodeId, const Words& w) {
    c.announce(w);
    if (++seen == 2) c.fail("it's a «failure» with\na second line and $(no command)");
  }
};
const Registration wordy = system<Wordy>("wordy", "messages full of odd characters").nodes(3, 2, 8);

}  // namespace
