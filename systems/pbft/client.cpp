#include "systems/pbft/client.hpp"

namespace pbft {

constexpr Micros kRetry = 300'000;

void Client::on_request(Context& c, RequestId request, const Add& add) {
  open = request;
  replies.clear();
  op = c.sign(Op{c.self, ++stamp, add.amount});
  c.announce(Asked{digest_of(*op)});
  c.send(view % replicas_of(c.nodes(), c.config()), Request{op});
  c.set_timer(Clock::resend, kRetry);
}

void Client::on_timer(Context& c, Clock) {
  if (!open) return;
  for (NodeId to = 0; to < replicas_of(c.nodes(), c.config()); ++to) c.send(to, Request{op});
  c.set_timer(Clock::resend, kRetry);
}

void Client::on(Context& c, NodeId from, const Reply& m) {
  const int replicas = replicas_of(c.nodes(), c.config());
  if (!open || from >= replicas || m.stamp != stamp) return;
  replies[from] = m.result;
  const std::size_t f = faults_of(replicas);
  const std::size_t needed = c.config().reply_quorum ? 2 * f + 1 : f + 1;
  std::size_t same = 0;
  for (const auto& [replica, result] : replies) same += result == m.result ? 1 : 0;
  if (same < needed) return;
  view = std::max(m.view, 0);
  c.cancel_timer(Clock::resend);
  c.answer(*open, Sum{m.result});
  open.reset();
}

}  // namespace pbft
