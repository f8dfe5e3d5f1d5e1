// For tests: a protocol for every number. What a node does in a handler is drawn from a generator
// that its number, the node, its phase and what it handles seed, so that a run is repeatable and
// the next number is another protocol: timers that are set, set again and cancelled anywhere, in
// start() too; messages, broadcasts and answers; records that are written, synced and read back.
// `fuel` bounds what a life of a node can do.
#pragma once

#include "schism/check/world_model.hpp"
#include "schism/schism.hpp"

namespace schism::check {

struct Word {
  int value;
  FIELDS(value)
};
struct Hint {
  int value;
  FIELDS(value)
};
struct Question {
  int value;
  FIELDS(value)
};
SCHISM_ENUM(Clockwork, early, late);

struct RandomProtocol : Node<RandomProtocol, Word, Hint> {
  struct Config {
    int number = 0;
    int fuel = 2;   // handlers of one life that do something
    int deeds = 3;  // at most so many in one of them
    bool timers = true;
    bool disks = false;
    bool clocks = false;   // it reads its clock
    bool choices = false;  // it chooses, and draws, wherever it is not at its start
    int requests = 0;      // of clients, the first of which asks anybody
  };
  using Timers = Clockwork;
  using Requests = Types<Question>;

  int phase = 0, fuel = 0;
  std::vector<RequestId> asked;
  FIELDS(phase, fuel, asked)

  void start(Context& c);
  void on(Context& c, NodeId from, const Word& w) { act(c, 100U + number(from, w.value)); }
  void on(Context& c, NodeId from, const Hint& h) { act(c, 300U + number(from, h.value)); }
  void on_timer(Context& c, Clockwork t, int key) { act(c, 500U + number(int(t), key)); }
  void on_request(Context& c, RequestId id, const Question& q);
  void on_disk(Context& c, const DiskDone& d) { act(c, 900U + number(int(d.op), d.tag)); }

 private:
  static std::uint64_t number(int a, int b) {
    return static_cast<std::uint64_t>(a) * 8 + static_cast<std::uint64_t>(b);
  }
  void act(Context& c, std::uint64_t trigger);
  void deed(Context& c, Rng& rng);
  void set_or_cancel(Context& c, Rng& rng);
  void store(Context& c, Rng& rng);
};

// A protocol and a world for it, all drawn from one number.
struct RandomCase {
  Setup setup;
  Bounds bounds;
  std::string text;  // what to type to see it again
};
// `by_state`: what searches by state can do and searches by process cannot, or the other way.
RandomCase random_case(std::uint64_t number, bool by_state);

}  // namespace schism::check
