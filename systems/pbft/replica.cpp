// The normal case: request, PRE-PREPARE, PREPARE, COMMIT, reply.
#include "systems/pbft/replica.hpp"

namespace pbft {

constexpr Micros kPatience = 1'000'000;
constexpr int kDoublings = 3;

// What a client asked for, or the null request.
bool Replica::is_known(Context& c, const Signed<Op>& op) const {
  if (op->stamp == 0) return op.signer == -1 && op->add == 0 && op->client == -1;
  return c.verified(op) && op.signer == op->client && op.signer >= replicas(c);
}

void Replica::on(Context& c, NodeId from, const Request& m) {
  if (!is_known(c, m.op) || m.op->stamp == 0) return;
  const NodeId client = m.op.signer;
  if (const auto last = done.find(client);
      last != done.end() && m.op->stamp <= last->second.stamp) {
    if (m.op->stamp == last->second.stamp)
      c.send(client, Reply{view, last->second.n, last->second.stamp, last->second.result});
    return;
  }
  if (!active && !c.config().resend) return;  // nor would it be remembered
  wait_for(c, m.op);
  if (!active) return;
  if (primary_of(c, view) == c.self) propose(c, m.op);
  else if (from == client) c.send(primary_of(c, view), m);
}

void Replica::wait_for(Context& c, const Signed<Op>& op) {
  const bool idle = waiting.empty();
  const auto known = waiting.find(op.signer);
  if (known == waiting.end() || known->second->stamp < op->stamp) waiting[op.signer] = op;
  if (idle && active) c.set_timer(Clock::patience, kPatience << std::min(change_count, kDoublings));
}

void Replica::propose(Context& c, const Signed<Op>& op) {
  for (const auto& [n, slot] : slots)
    if (slot.proposal && slot.op == op) return;  // it is on its way
  next_n = std::max({next_n, stable + 1, static_cast<int>(log.size()) + 1});
  while (slots.contains(next_n) && slots[next_n].proposal) ++next_n;
  if (!in_range(c, next_n)) return;
  const auto proposal = c.sign(Proposal{view, next_n++, digest_of(*op)});
  if (take(c, proposal, op)) c.broadcast(PrePrepare{proposal, op});
}

void Replica::on(Context& c, NodeId from, const PrePrepare& m) {
  const Proposal& p = *m.proposal;
  if (!active || p.view != view || from != primary_of(c, view) || from == c.self) return;
  if (!from_replica(c, from, m.proposal) || !in_range(c, p.n)) return;
  if (!c.config().digest_unchecked && (!is_known(c, m.op) || p.digest != digest_of(*m.op))) return;
  if (!take(c, m.proposal, m.op)) return;
  if (m.op->stamp > 0 && is_known(c, m.op)) {
    const auto last = done.find(m.op.signer);
    if (last == done.end() || last->second.stamp < m.op->stamp) wait_for(c, m.op);
  }
  const auto accept = c.sign(Accept{view, p.n, p.digest});
  c.broadcast(Prepare{accept});
  add_accept(c, accept);
}

// The first proposal for a number in a view is the one.
bool Replica::take(Context& c, const Signed<Proposal>& proposal, const Signed<Op>& op) {
  Slot& slot = slots[proposal->n];
  if (slot.proposal) return false;
  slot.proposal = proposal;
  slot.op = op;
  progress(c, proposal->n);
  return true;
}

void Replica::on(Context& c, NodeId from, const Prepare& m) {
  if (!active || m.accept->view != view || !in_range(c, m.accept->n)) return;
  if (!from_replica(c, from, m.accept) || from == primary_of(c, view)) return;
  add_accept(c, m.accept);
}

void Replica::add_accept(Context& c, const Signed<Accept>& accept) {
  slots[accept->n].accepts.try_emplace(accept.signer, accept);
  progress(c, accept->n);
}

void Replica::on(Context& c, NodeId from, const Commit& m) {
  if (!active || m.settle->view != view || !in_range(c, m.settle->n)) return;
  if (from_replica(c, from, m.settle)) add_settle(c, from, *m.settle);
}

void Replica::add_settle(Context& c, NodeId from, const Settle& settle) {
  Slot& slot = slots[settle.n];
  slot.settles.try_emplace(from, settle.digest);
  ++slot.settle_count;
  progress(c, settle.n);
}

void Replica::progress(Context& c, int n) {
  Slot& slot = slots[n];
  if (!slot.proposal) return;
  const bool unbound = c.config().slot_votes_unbound;
  const int digest = (*slot.proposal)->digest;
  std::vector<Signed<Accept>> accepts;
  for (const auto& [who, accept] : slot.accepts)
    if (accept->digest == digest || unbound) accepts.push_back(accept);
  if (!slot.settled && accepts.size() >= quorum(c) - 1) {
    slot.settled = true;
    prepared[n] = {*slot.proposal, accepts, slot.op};
    const auto settle = c.sign(Settle{view, n, digest});
    c.broadcast(Commit{settle});
    return add_settle(c, c.self, *settle);
  }
  std::size_t settles = 0;
  for (const auto& [who, d] : slot.settles) settles += d == digest || unbound ? 1 : 0;
  if (c.config().votes_not_distinct) settles = static_cast<std::size_t>(slot.settle_count);
  const std::size_t needed = c.config().commit_quorum_2f ? quorum(c) - 1 : quorum(c);
  if (!slot.settled || slot.committed || settles < needed) return;
  slot.committed = true;
  execute_all(c);
}

void Replica::execute_all(Context& c) {
  for (;;) {
    const int n = static_cast<int>(log.size()) + 1;
    const auto slot = slots.find(n);
    if (slot == slots.end() || !slot->second.committed) break;
    execute(c, n, slot->second.op);
    if (n % c.config().interval == 0) make_mark(c, n);
  }
  rest_or_wait(c);
  // What had no place between the marks, or came while nobody led.
  if (active && primary_of(c, view) == c.self)
    for (const auto& [client, op] : std::map(waiting)) propose(c, op);
}

void Replica::execute(Context& c, int n, const Signed<Op>& op) {
  log.push_back(op);
  state = static_cast<int>(absorb_field(Hash128{static_cast<std::uint64_t>(state), 3}, *op).lo &
                           0x3fffffff);
  if (op->stamp == 0) return;
  Done& last = done[op->client];
  if (op->stamp > last.stamp) {  // each at most once, in whatever places it stands
    c.announce(Executed{n, digest_of(*op), op->client * 100'000 + op->stamp});
    sum += op->add;
    last = {op->stamp, sum, n};
  }
  if (op->client >= replicas(c) && op->client < c.nodes())
    c.send(op->client, Reply{view, last.n, last.stamp, last.result});
  change_count = 0;
}

// Impatient as long as something waits.
void Replica::rest_or_wait(Context& c) {
  const bool had = !waiting.empty();
  std::erase_if(waiting, [&](const auto& entry) {
    const auto last = done.find(entry.first);
    return last != done.end() && last->second.stamp >= entry.second->stamp;
  });
  if (!active) return;
  if (waiting.empty()) c.cancel_timer(Clock::patience);
  else if (had) c.set_timer(Clock::patience, kPatience << std::min(change_count, kDoublings));
}

}  // namespace pbft
