// The eventually perfect failure detector as an abstract service (Cachin, Guerraoui and Rodrigues,
// Module 2.8), in the node that asks it: every crash is told sooner or later and for good; until it
// settles, a node that is up may be suspected wrongly, so many times, each taken back later.
//
//   SCHISM_ENUM(Timer, suspect, restore, settle);
//   struct Member : Node<Member, Crashed> {
//     using Timers = Timer;
//     EventuallyPerfect<Timer::suspect, Timer::restore, Timer::settle> detector;
//     FIELDS(detector)
//     void start(Context& c) { detector.start(c, {.wrong = 2}); }
//     void on_timer(Context& c, Timer timer, int key) {
//       detector.on_timer(c, timer, key, [&](NodeId who, bool suspected) { ... });
//     }
//     void on(Context& c, NodeId who, const Crashed&) {   // .crash_notice<Crashed>(...)
//       detector.on_crash(c, who, [&](NodeId who, bool suspected) { ... });
//     }
//   };
//
// What it may say next is what is pending: a timer for each. That it settles is one of them, so
// that a run in which it says nothing wrong comes to an end. With `wrong` 0 it is the perfect
// detector.
#pragma once

#include <cstdint>

#include "schism/node/node.hpp"

namespace schism::service {

inline std::uint64_t bit(NodeId node) { return std::uint64_t{1} << node; }

template <auto Suspect, auto Restore, auto Settle>
struct EventuallyPerfect {
  struct Options {
    int wrong = 0;    // suspicions that it may raise without reason
    int members = 0;  // nodes 0 to members-1 are watched; 0: all
  };

  std::uint64_t suspected = 0, crashed = 0;  // a bit a node
  int wrong = 0, members = 0;
  FIELDS(suspected, crashed, wrong, members)

  template <class Context>
  void start(Context& c, Options options) {
    wrong = options.wrong;
    members = options.members > 0 ? options.members : c.nodes();
    if (wrong > 0) c.set_timer(Settle, 1'000'000);
    offer(c);
  }
  bool suspects(NodeId node) const { return (suspected & bit(node)) != 0; }

  // `changed(node, suspected)` is called for each change.
  template <class Context, class Changed>
  void on_crash(Context& c, NodeId who, Changed&& changed) {
    if (crashed & bit(who)) return;
    crashed |= bit(who);
    c.cancel_timer(Suspect, who);
    c.cancel_timer(Restore, who);
    if (suspects(who)) return;
    suspected |= bit(who);
    changed(who, true);
  }
  // False: not one of its timers.
  template <class Context, class Timer, class Changed>
  bool on_timer(Context& c, Timer timer, int key, Changed&& changed) {
    if (timer == Settle) {
      wrong = 0;
      offer(c);
    } else if (timer == Suspect) {
      suspected |= bit(key);
      --wrong;
      c.set_timer(Restore, 100'000, key);
      offer(c);
      changed(key, true);
    } else if (timer == Restore) {
      suspected &= ~bit(key);
      offer(c);
      changed(key, false);
    } else {
      return false;
    }
    return true;
  }

 private:
  // Whom it may suspect next.
  template <class Context>
  void offer(Context& c) {
    for (NodeId node = 0; node < members; ++node) {
      if (node == c.self || suspects(node)) continue;
      if (wrong > 0) c.set_timer(Suspect, 50'000 * (1 + (node + c.self) % members), node);
      else c.cancel_timer(Suspect, node);
    }
    if (wrong == 0) c.cancel_timer(Settle);
  }
};

}  // namespace schism::service
