#include "systems/bft_smart/client.hpp"

namespace bft_smart {

void Client::on_request(Context& c, RequestId request, const Add& add) {
  if (gone) return;
  open = request;
  replies.clear();
  op = {c.self, ++stamp, add.amount};
  c.announce(Asked{digest_of(op)});
  for (NodeId to = 0; to < replicas_of(c.nodes(), c.config()); ++to)
    c.send(to, Request{c.sign(op)});
}

void Client::on(Context& c, NodeId from, const Reply& m) {
  const int replicas = replicas_of(c.nodes(), c.config());
  if (gone || !open || from >= replicas || m.stamp != stamp) return;
  replies[from] = m.result;
  const std::size_t needed = c.config().read_only ? quorum_of(replicas) : faults_of(replicas) + 1;
  std::size_t same = 0;
  for (const auto& [replica, result] : replies) same += result == m.result ? 1 : 0;
  if (same < needed) return;
  c.announce(Computed{once_of(op), m.result});
  c.answer(*open, Sum{m.result});
  open.reset();
}

}  // namespace bft_smart
