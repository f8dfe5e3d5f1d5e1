// Small systems with one mistake each that a check must not miss: it is in a draw, a choice, an
// answer at the start, what a disk keeps, a member that is not declared, what nodes share.
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
    c.require(note.n != 3 || seen != 2 || !overtaken,
              "the third note after the second and the first");
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
    c.require(note.n != 3 || seen != 2 || !in_order,
              "the third note after the first and the second");
    ++seen;
  }
};
const Registration hidden_mirror =
    system<HiddenMirror>("hidden-mirror", "the same, with the other order").nodes(2, 2, 2);

// A count that all nodes share is no node's state, and moves without a message. It shows in an
// assertion, in a field, in a message, or in whether there is one.
SCHISM_ENUM(Shows, assertion, field, content, message);
int notes_taken = 0;
struct Sharing : Node<Sharing, Note> {
  struct Config {
    int wrong = 1;
    Shows shows = Shows::assertion;
  };
  int seen = 0;
  FIELDS(seen)
  void start(Context& c) {
    notes_taken = 0;
    if (c.self == 0)
      for (NodeId id = 1; id <= 2; ++id) c.send(id, Note{id});
  }
  void on(Context& c, NodeId, const Note& note) {
    if (c.self == 0) return void(seen = 10 * seen + note.n);
    const bool second = ++notes_taken == 2;
    switch (c.config().shows) {
      case Shows::assertion: return c.require(!second || note.n != c.config().wrong, "second");
      case Shows::field: return void(seen = notes_taken);
      case Shows::content: return c.send(0, Note{second ? 2 : 1});
      case Shows::message:
        if (second) c.send(0, Note{c.self});
    }
  }
};
const Registration sharing = system<Sharing>("sharing", "nodes share a static variable")
                                 .nodes(3, 3, 3)
                                 .param<&Sharing::Config::wrong>("wrong", 1, 2, "who is not second")
                                 .param<&Sharing::Config::shows>("shows", "where it can be seen");

// The same in an oracle, which says that it sees whole classes and judges an order.
struct Taking : Node<Taking, Note> {
  int seen = 0;
  FIELDS(seen)
  void start(Context& c) {
    if (c.self == 0)
      for (NodeId id = 1; id <= 2; ++id) c.send(id, Note{id});
  }
  void on(Context&, NodeId, const Note&) { ++seen; }
};
class FirstIs final : public Oracle {
 public:
  explicit FirstIs(NodeId who) : name_("first is " + std::to_string(who)), who_(who) {}
  std::string_view name() const override { return name_; }
  EventMask wakes_on() const override { return mask_of(Happened::delivered); }
  void begin(const World&) override { absolve(), seen_ = false; }
  void look(const World& world, std::span<const Event> events) override {
    for (const Event& event : events) {
      if (event.kind != Happened::delivered) continue;
      if (!seen_ && event.node != who_) violate(world, "another one was first");
      seen_ = true;
    }
  }
  std::optional<Hash128> digest() const override { return Hash128{seen_ ? 1U : 0U, 0}; }

 private:
  std::string name_;
  NodeId who_;
  bool seen_ = false;
};
const Registration first_one =
    system<Taking>("first-one", "an oracle judges an order and does not say so")
        .nodes(3, 3, 3)
        .oracle(FirstIs(1));
const Registration first_two =
    system<Taking>("first-two", "the same, with the other order").nodes(3, 3, 3).oracle(FirstIs(2));

// It would answer, and nobody asks: its workload was forgotten.
struct Idle : Node<Idle, Note> {
  using Requests = Types<Note>;
  int seen = 0;
  FIELDS(seen)
  void on(Context&, NodeId, const Note&) { ++seen; }
  void on_request(Context& c, RequestId request, const Note& note) {
    c.broadcast(note);
    c.answer(request, note);
  }
};
const Registration idle = system<Idle>("idle", "nobody begins").nodes(3, 2, 5);

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
const Registration asked = system<Asked>("asked", "its clients' requests are drawn")
                               .nodes(1, 1, 1)
                               .workload([](Workload& w) {
                                 w.request<Asked>(0, 0, Ask{static_cast<int>(w.random.below(100))});
                               });

}  // namespace
