// The eventual leader detector (Omega) as an abstract service (Cachin, Guerraoui and Rodrigues,
// Module 2.9), in the node that asks it: a node may be told any leaders, so many times, even one
// that has crashed; then it settles, and from then on trusts the first node that has not crashed.
// So in the end all correct nodes trust the same correct one.
//
//   SCHISM_ENUM(Timer, trust, settle);
//
//   struct Member : Node<Member, Crashed> {
//     using Timers = Timer;
//     EventualLeader<Timer::trust, Timer::settle> omega;
//     FIELDS(omega)
//     void start(Context& c) { omega.start(c, {.wrong = 1}); }
//     void on_timer(Context& c, Timer timer, int key) {
//       omega.on_timer(c, timer, key, [&] { leader_changed(c); });     // omega.leader
//     }
//     void on(Context& c, NodeId who, const Crashed&) {   // .crash_notice<Crashed>(...)
//       omega.on_crash(c, who, [&] { leader_changed(c); });
//     }
//     void leader_changed(Context& c);
//   };
//
// What it may say next is what is pending: a timer a leader, and one to settle. With `wrong` 0 it
// is settled from the start: the leader that a perfect failure detector gives.
#pragma once

#include <cstdint>

#include "schism/node/node.hpp"

namespace schism::service {

template <auto Trust, auto Settle>
struct EventualLeader {
  struct Options {
    int wrong = 0;     // leaders that it may name before it settles
    int members = 0;   // nodes 0 to members-1 can lead; 0: all
    NodeId first = 0;  // who leads in the end, if it is correct; else the next after it
  };

  NodeId leader = 0;
  std::uint64_t crashed = 0;  // a bit a node
  int wrong = 0, members = 0;
  NodeId first = 0;
  bool settled = true;
  FIELDS(leader, crashed, wrong, members, first, settled)

  template <class Context>
  void start(Context& c, Options options) {
    wrong = options.wrong;
    members = options.members > 0 ? options.members : c.nodes();
    leader = first = options.first;
    settled = wrong == 0;
    if (!settled) c.set_timer(Settle, 1'000'000);
    offer(c);
  }

  // `changed()` is called where `leader` is another than before.
  template <class Context, class Changed>
  void on_crash(Context&, NodeId who, Changed&& changed) {
    crashed |= std::uint64_t{1} << who;
    if (settled) trust(last(), changed);
  }
  // False: not one of its timers.
  template <class Context, class Timer, class Changed>
  bool on_timer(Context& c, Timer timer, int key, Changed&& changed) {
    if (timer == Settle) {
      settled = true;
      wrong = 0;
      withdraw(c);
      trust(last(), changed);
    } else if (timer == Trust) {
      --wrong;
      withdraw(c);
      trust(key, changed);
      offer(c);
    } else {
      return false;
    }
    return true;
  }

 private:
  NodeId last() const {
    for (int i = 0; i < members; ++i)
      if (const NodeId node = (first + i) % members; !(crashed >> node & 1)) return node;
    return first;
  }
  template <class Changed>
  void trust(NodeId node, Changed&& changed) {
    if (node == leader) return;
    leader = node;
    changed();
  }
  template <class Context>
  void offer(Context& c) {
    for (NodeId node = 0; wrong > 0 && node < members; ++node)
      if (node != leader) c.set_timer(Trust, 50'000 * (1 + (node + c.self) % members), node);
  }
  template <class Context>
  void withdraw(Context& c) {
    for (NodeId node = 0; node < members; ++node) c.cancel_timer(Trust, node);
  }
};

}  // namespace schism::service
