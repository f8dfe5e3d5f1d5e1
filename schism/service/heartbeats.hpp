// A failure detector made of heartbeats and a growing timeout (Cachin, Guerraoui and Rodrigues,
// Algorithm 2.7): eventually perfect where messages are some day as fast as the timeout. A real
// implementation with the face of EventuallyPerfect, so that a protocol takes either.
//
//   Heartbeats<Timer::tick, Beat> detector;      // struct Beat { FIELDS() }; among the messages
//   void start(Context& c) { detector.start(c, {}); }
//   void on(Context&, NodeId from, const Beat&) { detector.on_beat(from); }
//   void on_timer(Context& c, Timer timer, int key) {
//     detector.on_timer(c, timer, key, [&](NodeId who, bool suspected) { ... });
//   }
#pragma once

#include <cstdint>

#include "schism/node/node.hpp"

namespace schism::service {

template <auto Tick, class Beat>
struct Heartbeats {
  struct Options {
    Micros timeout = 100'000;  // grows by itself each time that a suspicion was wrong
    int ticks = 0;             // then it is silent: for systematic search; 0: for ever
    int members = 0;           // nodes 0 to members-1 are watched; 0: all
  };

  std::uint64_t suspected = 0, heard = 0;  // a bit a node
  Micros timeout = 0, step = 0;
  int ticks = 0, members = 0;
  bool bounded = false;
  FIELDS(suspected, heard, timeout, step, ticks, members, bounded)

  template <class Context>
  void start(Context& c, Options options) {
    timeout = step = options.timeout;
    bounded = options.ticks > 0;
    ticks = options.ticks;
    members = options.members > 0 ? options.members : c.nodes();
    beat(c);
  }
  bool suspects(NodeId node) const { return (suspected >> node & 1) != 0; }

  void on_beat(NodeId from) { heard |= std::uint64_t{1} << from; }

  // `changed(node, suspected)` is called for each change. False: not its timer.
  template <class Context, class Timer, class Changed>
  bool on_timer(Context& c, Timer timer, int, Changed&& changed) {
    if (timer != Tick) return false;
    const std::uint64_t silent = ~heard, before = suspected;
    if ((before & heard) != 0) timeout += step;
    heard = 0;
    if (bounded) --ticks;
    for (NodeId node = 0; node < members; ++node) {
      if (node == c.self) continue;
      const std::uint64_t mask = std::uint64_t{1} << node;
      const bool was = (before & mask) != 0, is = (silent & mask) != 0;
      if (was == is) continue;
      suspected ^= mask;
      changed(node, is);
    }
    if (!bounded || ticks > 0) beat(c);
    return true;
  }

 private:
  template <class Context>
  void beat(Context& c) {
    for (NodeId to = 0; to < members; ++to)
      if (to != c.self) c.send(to, Beat{});
    c.set_timer(Tick, timeout);
  }
};

}  // namespace schism::service
