// Small systems with one mistake each that a check must not miss: it is in a draw, a choice, an
// answer at the start, what a disk keeps, a member that is not declared.
#include "schism/schism.hpp"

namespace {
using namespace schism;

struct Note {
  int n = 0;
  FIELDS(n)
};

// Two notes to node 1; `overtaken`, which decides, is not among its fields.
struct Hidden : Node<Hidden, Note> {
  int seen = 0;
  bool overtaken = false;
  FIELDS(seen)
  NOT_STATE(overtaken)  // a lie
  void start(Context& c) {
    if (c.self == 0)
      for (int n = 1; n <= 3; ++n) c.send(1, Note{n});
  }
  void on(Context& c, NodeId, const Note& note) {
    if (note.n == 1 && seen == 1) overtaken = true;
    c.require(note.n != 3 || seen != 2 || !overtaken, "the third note after the second and the first");
    ++seen;
  }
};
const Registration hidden =
    system<Hidden>("hidden", "a member that decides is not declared").nodes(2, 2, 2);

// The mirror image: the other order is the wrong one.
struct HiddenMirror : Node<HiddenMirror, Note> {
  int seen = 0;
  bool in_order = false;
  FIELDS(seen)
  NOT_STATE(in_order)
  void start(Context& c) {
    if (c.self == 0)
      for (int n = 1; n <= 3; ++n) c.send(1, Note{n});
  }
  void on(Context& c, NodeId, const Note& note) {
    if (note.n == 2 && seen == 1) in_order = true;
    c.require(note.n != 3 || seen != 2 || !in_order, "the third note after the first and the second");
    ++seen;
  }
};
const Registration hidden_mirror =
    system<HiddenMirror>("hidden-mirror", "the same, with the other order").nodes(2, 2, 2);

// One draw of many is wrong.
struct Drawing : Node<Drawing, Note> {
  struct Config {
    int outcomes = 1000;
    int wrong = 7;
  };
  int drawn = 0;
  FIELDS(drawn)
  void start(Context& c) {
    if (c.self == 0) c.broadcast(Note{1});
  }
  void on(Context& c, NodeId, const Note&) {
    drawn = static_cast<int>(c.random_below(static_cast<std::uint64_t>(c.config().outcomes)));
    c.require(drawn != c.config().wrong, "the wrong number was drawn");
  }
};
const Registration drawing =
    system<Drawing>("drawing", "one outcome of a random draw is wrong")
        .nodes(2, 1, 4)
        .param<&Drawing::Config::outcomes>("outcomes", 1, 1'000'000, "of the draw")
        .param<&Drawing::Config::wrong>("wrong", -1, 1'000'000, "which one is wrong");

// Only one vector of choices is wrong, and only in one order of two notes.
struct Choosing : Node<Choosing, Note> {
  struct Config {
    bool at_start = false;
  };
  int sum = 0, first = 0, coin = 0;
  FIELDS(sum, first, coin)
  void start(Context& c) {
    if (c.config().at_start) coin = static_cast<int>(c.choose(2));
    if (c.self == 0)
      for (int n = 1; n <= 2; ++n) c.send(1, Note{n});
  }
  void on(Context& c, NodeId, const Note& note) {
    if (first == 0) first = note.n;
    const auto a = static_cast<int>(c.choose(3));
    if (a == 2) sum += static_cast<int>(c.choose(2));  // asked only after this answer
    sum += 10 * a;
    const bool wrong = c.config().at_start ? coin == 1 && sum == 41 : sum == 41;
    c.require(!wrong || first != 2, "two and one, then two, after the second note came first");
  }
};
const Registration choosing =
    system<Choosing>("choosing", "one vector of choices in one order is wrong")
        .nodes(2, 2, 2)
        .param<&Choosing::Config::at_start>("at-start", "nodes choose when they start, too");

struct Saved {
  int n = 0;
  FIELDS(n)
};

// Wrong only where the disk kept the first of two records that were not synced, and not the second.
struct HalfSaved : Node<HalfSaved, Note> {
  int found = -1;
  FIELDS(found)
  void start(Context& c) {
    if (c.restarts() > 0) {
      found = static_cast<int>(c.disk().length(0));
      c.require(found != 1, "half of it is on disk");
    } else if (c.self == 0) {
      c.disk().append(0, Saved{1});
      c.disk().append(0, Saved{2});
      c.send(1, Note{1});
    }
  }
  void on(Context&, NodeId, const Note&) {}
};
const Registration half_saved =
    system<HalfSaved>("half-saved", "cannot live with half of what it wrote").nodes(2, 2, 2);

SCHISM_ENUM(Alarm, once);

// Sets, cancels and sets again when it starts.
struct Fickle : Node<Fickle, Note> {
  using Timers = Alarm;
  int fired = 0;
  FIELDS(fired)
  void start(Context& c) {
    c.set_timer(Alarm::once, 10);
    c.cancel_timer(Alarm::once);
    if (c.self == 1) {
      c.set_timer(Alarm::once, 10);
      c.set_timer(Alarm::once, 20);
    }
  }
  void on(Context&, NodeId, const Note&) {}
  void on_timer(Context&, Alarm) { ++fired; }
};
const Registration fickle =
    system<Fickle>("fickle", "sets and cancels timers when it starts").nodes(2, 2, 2);

struct Ask {
  int n = 0;
  FIELDS(n)
};
// Clients ask for what a random number says.
struct Asked : Node<Asked, Note> {
  using Requests = Types<Ask>;
  int sum = 0;
  FIELDS(sum)
  void on(Context&, NodeId, const Note&) {}
  void on_request(Context& c, RequestId id, const Ask& ask) {
    sum += ask.n;
    c.answer(id, Ask{sum});
  }
};
const Registration asked =
    system<Asked>("asked", "its clients' requests are drawn").nodes(1, 1, 1).workload([](Workload& w) {
      w.request<Asked>(0, 0, Ask{static_cast<int>(w.random.below(100))});
    });

}  // namespace
