// A system that takes its process with it, in each way that there is, when two messages overtake
// each other. Without a way it is harmless.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

#include "schism/system/system.hpp"

namespace schism::testing_only {

SCHISM_ENUM(Way, none, segfault, aborts, exits, throws, hangs, sleeps, overflows, destructor,
            leaks);

struct Poke {
  int number = 0;
  FIELDS(number)
};

struct Brittle : Node<Brittle, Poke> {
  struct Config {
    Way way = Way::none;
    int pokes = 3;
  };
  int highest = 0;
  bool overtaken = false, undone = false;
  FIELDS(highest, overtaken)

  Brittle() = default;
  Brittle(const Brittle&) = default;
  Brittle& operator=(const Brittle&) = default;
  ~Brittle() {
    if (undone) std::abort();
  }

  void start(Context& c) {
    if (c.self != 0) return;
    for (int i = 1; i <= c.config().pokes; ++i) c.broadcast(Poke{i});
  }

  void on(Context& c, NodeId, const Poke& poke) {
    overtaken = poke.number < highest;
    highest = poke.number < highest ? highest : poke.number;
    if (overtaken) give_in(c.config().way);
  }

 private:
  // Volatile, and not inlined, so that each has a frame and the compiler sees no end of the world.
  [[gnu::noinline]] static void write_nowhere() {
    volatile int* volatile nowhere = nullptr;
    *nowhere = 1;
  }
  [[gnu::noinline]] static int dig(int depth) {
    volatile char room[4096] = {};
    room[0] = static_cast<char>(depth);
    return depth < 0 ? 0 : dig(depth + 1) + room[0];
  }
  [[gnu::noinline]] static void spin() {
    volatile int turns = 0;
    for (;;) {
      const int next = turns + 1;
      turns = next;
    }
  }

  void give_in(Way way) {
    static int left = 0;  // the state that leaks
    switch (way) {
      case Way::none: break;
      case Way::segfault: write_nowhere(); break;
      case Way::aborts: std::abort();
      case Way::exits: ::_exit(3);
      case Way::throws: throw std::out_of_range("overtaken");
      case Way::hangs: spin(); break;
      case Way::sleeps: ::pause(); break;
      case Way::overflows: left = dig(0); break;
      case Way::destructor: undone = true; break;
      case Way::leaks:
        if (++left > 1) write_nowhere();
        break;
    }
  }
};

inline SystemBuilder<Brittle> brittle(std::string name) {
  return system<Brittle>(std::move(name), "takes its process with it when messages overtake")
      .nodes(2)
      .param<&Brittle::Config::way>("way", "how it ends")
      .param<&Brittle::Config::pokes>("pokes", 1, 10, "messages to each node")
      .fragile();
}

}  // namespace schism::testing_only
