// `atomic-broadcast`: all nodes deliver the same messages in the same order, out of reliable
// broadcast and consensus. Each of the two is a box that keeps its specification, in one node, or a
// protocol: eager broadcast, Paxos. So the layer on top is checked apart from what is below.
#include "schism/service/broadcast_box.hpp"
#include "schism/service/consensus_box.hpp"
#include "systems/atomic_broadcast/member.hpp"

namespace schism::atomic_broadcast {
namespace {

struct Carrier : service::BroadcastBox<Carrier, Messages, Submit, Deliver, Crashed> {
  using Config = atomic_broadcast::Config;
};
struct Decider : service::ConsensusBox<Decider, Messages, Suggest, Decide, Crashed> {
  using Config = atomic_broadcast::Config;
};

// Promised of correct nodes; with Paxos as long as they are a majority.
std::vector<const Member*> correct(const World& world) {
  std::vector<const Member*> out;
  const auto& config = *static_cast<const Config*>(world.setup().config.get());
  const int members = config.members(world.setup().nodes);
  for (NodeId id = 0; id < members; ++id)
    if (const auto* node = world.as<Member>(id); node && !node->gone) out.push_back(node);
  const bool enough =
      config.consensus_by == ConsensusBy::box || static_cast<int>(out.size()) > members / 2;
  return enough ? out : std::vector<const Member*>{};
}

bool all_order_the_same(const World& world) {
  const auto nodes = correct(world);
  for (const Member* node : nodes)
    if (node->ordered != nodes.front()->ordered) return false;
  return true;
}

bool order_their_own(const World& world) {
  for (const Member* node : correct(world)) {
    Batch all = 0;
    for (const NodeId origin : node->ordered) all |= Batch{1} << origin;
    if ((node->mine & ~all) != 0) return false;
  }
  return true;
}

const Registration registered =
    system<Member>("atomic-broadcast", "the same messages in the same order, by consensus")
        .nodes(4, 3, 32)
        // Its modules keep their promises over perfect links.
        .survives({Fault::crash})
        .colour<Member>([](const Member& node, Paint& paint) {
          paint.role(node.asked);
          paint.is(node.gone);
          paint.size(node.waiting.size(), 4);
          for (const NodeId origin : node.ordered) paint.is(origin);
          paint.size(node.decided.size(), 3);
          paint.rank(node.round);
        })
        .param<&Config::broadcasts>("broadcasts", 0, 32,
                                    "nodes that broadcast once, the first ones")
        .param<&Config::broadcast_by>("broadcast-by",
                                      "box: reliable broadcast is a node that keeps its promises")
        .param<&Config::consensus_by>("consensus-by",
                                      "box: consensus is a node that keeps its promises")
        .bug<&Config::arrival_order>(
            "arrival-order",
            "within a batch each node keeps the order in which it heard of them (broadcasts=3)")
        .bug<&Config::any_round>("any-round",
                                 "a decision is taken at once, though an earlier round is open")
        .bug<&Config::forget_ordered>(
            "forget-ordered",
            "a message that is in order already is proposed again when it is delivered late")
        .service<Carrier>([](NodeId id, int n, const Config& k) { return k.is_carrier(id, n); })
        .service<Decider>([](NodeId id, int n, const Config& k) { return k.is_decider(id, n); })
        .crash_notice<Crashed>(nullptr)
        .workload([](Workload& w) {
          const Config& k = w.config<Member>();
          for (NodeId id = 0; id < k.members(w.nodes) && id < k.broadcasts; ++id)
            w.request<Member>(id, id, Broadcast{});
        })
        .oracle(agreement<Ordered>(&Ordered::place, &Ordered::origin))
        .oracle(integrity<Ordered>(&Ordered::origin, &Ordered::origin))
        .oracle(validity<Ordered, Sent>(&Ordered::origin, &Sent::origin))
        .oracle(eventually("the same in the end", all_order_the_same))
        .oracle(eventually("their own", order_their_own))
        .thread_safe();

}  // namespace
}  // namespace schism::atomic_broadcast
