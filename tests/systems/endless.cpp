// Small systems whose runs go on for ever, or whose nodes come back from a crash: what must happen
// in the end does not, in runs that are easily forgotten.
#include "schism/schism.hpp"

namespace {
using namespace schism;

SCHISM_ENUM(Beat, tick);

struct Probe {
  bool even = false;
  FIELDS(even)
};
struct Ack {
  bool even = false;
  FIELDS(even)
};

// Node 0 asks which beat it is, and the answer counts while it is the same one. Who always comes a
// beat late goes round for ever, through four states, with nobody waiting.
struct Astray : Node<Astray, Probe, Ack> {
  using Timers = Beat;
  bool even = false, waits = false, done = false;
  FIELDS(even, waits, done)
  void start(Context& c) {
    if (c.self == 0) c.set_timer(Beat::tick, 10_ms);
  }
  void on_timer(Context& c, Beat) {
    even = !even;
    c.set_timer(Beat::tick, 10_ms);
    if (waits) return;
    waits = true;
    c.send(1, Probe{even});
  }
  void on(Context& c, NodeId from, const Probe& p) { c.send(from, Ack{p.even}); }
  void on(Context& c, NodeId, const Ack& a) {
    waits = false;
    if (a.even != even) return;
    done = true;
    c.cancel_timer(Beat::tick);
  }
};
bool node_is_done(const World& w) {
  const Astray* node = w.as<Astray>(0);
  return !node || node->done;
}
const Registration astray = system<Astray>("astray", "an answer may come late for ever")
                                .nodes(2, 2, 2)
                                .oracle(eventually("it is done", node_is_done));

// A clock ticks until a note arrives. To tick for ever is to let the note wait for ever.
struct Ticking : Node<Ticking, Probe> {
  using Timers = Beat;
  bool even = false, told = false;
  FIELDS(even, told)
  void start(Context& c) {
    if (c.self == 0) c.set_timer(Beat::tick, 10_ms);
    else c.send(0, Probe{});
  }
  void on_timer(Context& c, Beat) {
    even = !even;
    c.set_timer(Beat::tick, 10_ms);
  }
  void on(Context& c, NodeId, const Probe&) {
    told = true;
    c.cancel_timer(Beat::tick);
  }
};
const Registration ticking = system<Ticking>("ticking", "a clock ticks until a note arrives")
                                 .nodes(2, 2, 2)
                                 .oracle(eventually("it is told", [](const World& w) {
                                   const Ticking* node = w.as<Ticking>(0);
                                   return !node || node->told;
                                 }));

struct Offered {
  int value = 0;
  FIELDS(value)
};
struct Decided {
  int value = 0;
  FIELDS(value)
};

// Validity is judged where a run ends. One of two notes ends the run, the other one decides what
// nobody offered and lets it go round for ever.
struct Whirling : Node<Whirling, Probe> {
  using Timers = Beat;
  bool even = false, chosen = false;
  FIELDS(even, chosen)
  void start(Context& c) {
    if (c.self == 0) c.announce(Offered{1});
    if (c.self == 1)
      for (const bool even : {false, true}) c.send(0, Probe{even});
  }
  void on_timer(Context& c, Beat) {
    even = !even;
    c.set_timer(Beat::tick, 10_ms);
  }
  void on(Context& c, NodeId, const Probe& p) {
    if (chosen) return;
    chosen = true;
    c.announce(Decided{p.even ? 2 : 1});
    if (p.even) c.set_timer(Beat::tick, 10_ms);
  }
};
const Registration whirling =
    system<Whirling>("whirling", "what is wrong has no end")
        .nodes(2, 2, 2)
        .oracle(validity<Decided, Offered>(&Decided::value, &Offered::value));

// Forgets in a crash that it was told, and asks nobody again.
struct Forgetful : Node<Forgetful, Probe> {
  struct Config {
    bool asks = false;
  };
  bool told = false;
  FIELDS(told)
  void start(Context& c) {
    if (c.self == 0 && (c.restarts() == 0 || c.config().asks)) c.send(1, Probe{false});
  }
  void on(Context& c, NodeId from, const Probe& p) {
    if (p.even) told = true;
    else c.send(from, Probe{true});
  }
};
const Registration forgetful =
    system<Forgetful>("forgetful", "does not ask again after a crash")
        .nodes(2, 2, 2)
        .param<&Forgetful::Config::asks>("asks", "it does")
        .oracle(eventually("node 0 is told, if it is up", [](const World& w) {
          const Forgetful* node = w.as<Forgetful>(0);
          return !node || node->told;
        }));

// The first asks, and everybody who is asked tells the others. Who is down before that is missed.
struct Missing : Node<Missing, Probe> {
  int heard = 0;
  FIELDS(heard)
  void start(Context& c) {
    if (c.self == 0) c.broadcast(Probe{false});
  }
  void on(Context& c, NodeId, const Probe& p) {
    ++heard;
    if (!p.even) c.broadcast(Probe{true});
  }
};
const Registration missing =
    system<Missing>("missing", "goes on where nobody is down, or two are")
        .nodes(3, 3, 3)
        .oracle(eventually("with one down the others go on", [](const World& w) {
          int up = 0, stuck = 0;
          for (NodeId id = 0; id < 3; ++id) {
            const Missing* node = w.as<Missing>(id);
            up += node ? 1 : 0;
            stuck += node && node->heard < 2 ? 1 : 0;
          }
          return up != 2 || stuck == 0;
        }));

// Everybody who stays up decides.
struct Telling : Node<Telling, Probe> {
  bool decided = false;
  FIELDS(decided)
  void start(Context& c) {
    if (c.self != 0) return;
    c.broadcast(Probe{});
    decide(c);
  }
  void on(Context& c, NodeId, const Probe&) { decide(c); }
  void decide(Context& c) {
    decided = true;
    c.announce(Decided{1});
  }
};
const Registration telling = system<Telling>("telling", "who is up is told")
                                 .nodes(3, 2, 4)
                                 .oracle(termination<Decided>([](const Decided&) { return 0; },
                                                              [](const Setup&) { return 1; }));

}  // namespace
