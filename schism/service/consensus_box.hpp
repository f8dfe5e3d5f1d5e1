// Uniform consensus as an abstract service: a node that never fails and stands for the protocol.
// Members send it what they propose; the first proposal that arrives is the decision of its
// instance, and everybody is told. Which one arrives first is the scheduler's choice, so one event
// decides, and any proposal made before it can be the one. What a member proposed that has crashed
// may be lost: so it is where the news of the crash arrives here first.
//
//   struct Suggest { int instance; int value; FIELDS(instance, value) };
//   struct Decide { int instance; int value; FIELDS(instance, value) };
//   struct Decider : service::ConsensusBox<Decider, Messages, Suggest, Decide, Crashed> {
//     using Config = MyConfig;          // members(nodes): nodes 0 to members-1 take part
//   };
//
//   system<Member>("name", "what it is")
//       .service<Decider>([](NodeId id, int nodes, const MyConfig&) { return id == nodes - 1; })
//       .crash_notice<Crashed>([](const MyConfig&) { return false; })
#pragma once

#include <map>

#include "schism/node/node.hpp"

namespace schism::service {

template <class Self, class Messages, class Propose, class Decide, class Notice>
struct ConsensusBox : Node<Self, Messages> {
  using Context = NodeContext<Self>;

  std::map<int, decltype(Propose::value)> decided;  // by instance
  std::uint64_t crashed = 0;                        // a bit a member
  FIELDS(decided, crashed)

  void on(Context& c, NodeId from, const Propose& p) {
    if ((crashed >> from & 1) || !decided.try_emplace(p.instance, p.value).second) return;
    const int members = c.config().members(c.nodes());
    for (NodeId to = 0; to < members; ++to) c.send(to, Decide{p.instance, p.value});
  }
  void on(Context&, NodeId who, const Notice&) { crashed |= std::uint64_t{1} << who; }
  template <class M>
  void on(Context&, NodeId, const M&) {}  // not meant for it
};

}  // namespace schism::service
