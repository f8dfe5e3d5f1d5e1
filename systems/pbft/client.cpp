#include "systems/pbft/client.hpp"

namespace pbft {

constexpr Micros kRetry = 300'000;
constexpr int kNext = 0;  // in place of a stamp: it is time for the next operation

void Client::on_request(Context& c, RequestId request, const Add& add) {
  open = request;
  to_come = c.config().apart > 0 ? c.config().requests - 1 : 0;
  ask(c, add.amount);
}

void Client::ask(Context& c, int amount) {
  Asking& one = asking[++stamp];
  one.op = c.sign(Op{c.self, stamp, amount});
  c.announce(Asked{digest_of(*one.op)});
  c.send(view % replicas_of(c.nodes(), c.config()), Request{one.op});
  c.set_timer(Clock::resend, kRetry, stamp);
  if (to_come > 0) c.set_timer(Clock::resend, c.config().apart, kNext);
}

void Client::on_timer(Context& c, Clock, int of) {
  if (of == kNext) {
    --to_come;
    return ask(c, stamp + 1);
  }
  const auto late = asking.find(of);
  if (late == asking.end()) return;
  for (NodeId to = 0; to < replicas_of(c.nodes(), c.config()); ++to)
    c.send(to, Request{late->second.op});
  c.set_timer(Clock::resend, kRetry, of);
}

void Client::on(Context& c, NodeId from, const Reply& m) {
  const int replicas = replicas_of(c.nodes(), c.config());
  const auto one = asking.find(m.stamp);
  if (from >= replicas || one == asking.end()) return;
  auto& replies = one->second.replies;
  replies[from] = m.result;
  const std::size_t f = faults_of(replicas);
  const std::size_t needed = c.config().reply_quorum ? 2 * f + 1 : f + 1;
  std::size_t same = 0;
  for (const auto& [replica, result] : replies) same += result == m.result ? 1 : 0;
  if (same < needed) return;
  view = std::max(m.view, 0);
  c.cancel_timer(Clock::resend, m.stamp);
  asking.erase(one);
  if (!asking.empty() || to_come > 0) return;
  c.answer(*open, Sum{m.result});
  open.reset();
}

}  // namespace pbft
