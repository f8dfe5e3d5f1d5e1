// Uniform reliable broadcast as an abstract service: a node that never fails and stands for the
// protocol. A member submits a message; when that arrives here, it is on its way to every member,
// and all of them that stay up deliver it. If the sender crashes, its message may be lost instead,
// for all: that is so where the news of the crash arrives here first. So one event decides between
// all and nothing, and a correct sender's message is never lost.
//
//   struct Submit { int value; FIELDS(value) };
//   struct Deliver { NodeId origin; int value; FIELDS(origin, value) };
//   struct Carrier : service::BroadcastBox<Carrier, Messages, Submit, Deliver, Crashed> {
//     using Config = MyConfig;          // members(nodes): nodes 0 to members-1 take part
//   };
//
//   system<Member>("name", "what it is")
//       .service<Carrier>([](NodeId id, int nodes, const MyConfig&) { return id == nodes - 1; })
//       .crash_notice<Crashed>([](const MyConfig&) { return false; })
//
// Plain (not uniform) reliable broadcast also lets a sender that crashes deliver its own message
// alone: `static constexpr bool kOwnApart = true;` in the carrier, and the member sends the Deliver
// to itself when it submits. Where links keep order the crash never overtakes a message: nothing is
// lost then.
#pragma once

#include "schism/node/node.hpp"

namespace schism::service {

template <class Self, class Messages, class Submit, class Deliver, class Notice>
struct BroadcastBox : Node<Self, Messages> {
  using Context = NodeContext<Self>;
  static constexpr bool kOwnApart = false;

  std::uint64_t crashed = 0;  // a bit a member
  FIELDS(crashed)

  void on(Context& c, NodeId origin, const Submit& s) {
    if (crashed >> origin & 1) return;
    const int members = c.config().members(c.nodes());
    for (NodeId to = 0; to < members; ++to)
      if (to != origin || !Self::kOwnApart) c.send(to, Deliver{origin, s.value});
  }
  void on(Context&, NodeId who, const Notice&) { crashed |= std::uint64_t{1} << who; }
  template <class M>
  void on(Context&, NodeId, const M&) {}  // not meant for it
};

}  // namespace schism::service
