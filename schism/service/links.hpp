// Stronger links out of weaker ones, in the nodes at both ends.
//
// Reliable<Timer::resend, Packet, Receipt>: over links that lose (`--faults drop=2`) and copy,
// every message arrives, once (Cachin, Guerraoui and Rodrigues, Algorithms 2.1 and 2.2): sent again
// until its receipt is there, and delivered the first time only.
//
//   struct Packet { int number; Order content; FIELDS(number, content) };
//   struct Receipt { int number; FIELDS(number) };
//   struct Shop : Node<Shop, Packet, Receipt> {
//     using Timers = Timer;
//     service::Reliable<Timer::resend, Packet, Receipt> link;
//     std::vector<Order> orders;
//     FIELDS(link, orders)
//     void start(Context& c) { link.send(c, 1, Order{7}); }
//     void on(Context& c, NodeId from, const Packet& p) {
//       if (link.on_packet(c, from, p)) orders.push_back(p.content);
//     }
//     void on(Context& c, NodeId from, const Receipt& r) { link.on_receipt(c, from, r); }
//     void on_timer(Context& c, Timer t, int key) { link.on_timer(c, t, key); }
//   };
//
// A link that loses at most k messages needs k + 1 sendings; with `tries` 0 they never end.
//
// InOrder<Packet>: over links that overtake, messages are handed over in the order of sending, by
// sequence numbers. `--world links=fifo` is the abstraction.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "schism/node/node.hpp"

namespace schism::service {

template <auto Resend, class Packet, class Receipt>
struct Reliable {
  struct Open {
    NodeId to = 0;
    Packet packet;
    int sent = 0;
    FIELDS(to, packet, sent)
  };

  int tries = 0;  // sendings of a message; 0: until its receipt
  Micros pause = 50'000;
  int next = 0;
  std::map<int, Open> open;                  // by number
  std::map<NodeId, std::set<int>> received;  // numbers, by sender
  FIELDS(tries, pause, next, open, received)

  template <class Context, class Content>
  void send(Context& c, NodeId to, Content content) {
    const int number = next++;
    open[number] = {to, Packet{number, std::move(content)}, 0};
    send_again(c, number);
  }
  // True: it is here for the first time.
  template <class Context>
  bool on_packet(Context& c, NodeId from, const Packet& p) {
    c.send(from, Receipt{p.number});
    return received[from].insert(p.number).second;
  }
  template <class Context>
  void on_receipt(Context& c, NodeId, const Receipt& r) {
    open.erase(r.number);
    c.cancel_timer(Resend, key_of(r.number));
  }
  // False: not its timer.
  template <class Context, class Timer>
  bool on_timer(Context& c, Timer timer, int key) {
    if (timer != Resend) return false;
    for (const auto& [number, o] : open)
      if (key_of(number) == key) return send_again(c, number), true;
    return true;
  }

 private:
  static int key_of(int number) { return number & 0x3ff; }  // what a timer's name has room for
  template <class Context>
  void send_again(Context& c, int number) {
    Open& o = open[number];
    c.send(o.to, o.packet);
    if (++o.sent != tries) c.set_timer(Resend, pause, key_of(number));
  }
};

template <class Packet>
struct InOrder {
  std::map<NodeId, int> sent, handed;             // how many, by peer
  std::map<NodeId, std::map<int, Packet>> early;  // arrived before an earlier one
  FIELDS(sent, handed, early)

  template <class Context, class Content>
  void send(Context& c, NodeId to, Content content) {
    c.send(to, Packet{sent[to]++, std::move(content)});
  }
  // `hand_over(content)` is called for everything whose turn it is now.
  template <class HandOver>
  void on_packet(NodeId from, const Packet& p, HandOver&& hand_over) {
    auto& waiting = early[from];
    int& turn = handed[from];
    waiting.emplace(p.number, p);
    while (!waiting.empty() && waiting.begin()->first <= turn) {
      const Packet first = waiting.begin()->second;
      waiting.erase(waiting.begin());
      if (first.number != turn) continue;  // a copy
      ++turn;
      hand_over(first.content);
    }
  }
};

}  // namespace schism::service
