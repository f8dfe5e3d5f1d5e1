// Checkpoints, garbage collection, and state transfer for whoever is behind.
#include "systems/pbft/replica.hpp"

namespace pbft {

void Replica::make_mark(Context& c, int n) {
  const auto mark = c.sign(Mark{n, state});
  c.broadcast(Checkpoint{mark});
  add_mark(c, mark);
}

void Replica::on(Context& c, NodeId from, const Checkpoint& m) {
  if (from_replica(c, from, m.mark) && m.mark->n > stable && m.mark->n % c.config().interval == 0)
    add_mark(c, m.mark);
}

void Replica::add_mark(Context& c, const Signed<Mark>& mark) {
  auto& all = marks[mark->n];
  all.try_emplace(mark.signer, mark);
  std::vector<Signed<Mark>> same;
  for (const auto& [who, other] : all)
    if (other->state == mark->state || c.config().early_gc) same.push_back(other);
  const std::size_t needed = c.config().early_gc ? f(c) + 1 : quorum(c);
  if (same.size() < needed) return;
  if (mark->n <= static_cast<int>(log.size())) make_stable(c, mark->n, same);
  else if (c.config().early_gc) make_stable(c, mark->n, same);
  else
    c.send(same[0].signer == c.self ? same[1].signer : same[0].signer,
           Fetch{static_cast<int>(log.size())});
}

// Its own marks may have been lost, and without them nobody gets beyond the high one.
void Replica::remind(Context& c) {
  if (!c.config().resend) return;
  for (const auto& [n, by] : marks)
    if (const auto own = by.find(c.self); own != by.end()) c.broadcast(Checkpoint{own->second});
}

bool Replica::proves(Context& c, int n, const std::vector<Signed<Mark>>& by) const {
  if (n == 0) return true;
  NodeSet who;
  for (const Signed<Mark>& mark : by) {
    if (!is_replica(c, mark.signer) || !c.verified(mark) || mark->n != n) return false;
    if (!c.config().early_gc && mark->state != by[0]->state) return false;
    who.insert(mark.signer);
  }
  return who.size() >= (c.config().early_gc ? f(c) + 1 : quorum(c));
}

void Replica::make_stable(Context& c, int n, std::vector<Signed<Mark>> by) {
  if (n <= stable) return;
  stable = n;
  proof = std::move(by);
  std::erase_if(slots, [&](const auto& entry) { return entry.first <= n; });
  std::erase_if(prepared, [&](const auto& entry) { return entry.first <= n; });
  std::erase_if(marks, [&](const auto& entry) { return entry.first <= n; });
  if (active && primary_of(c, view) == c.self)
    for (const auto& [client, op] : std::map(waiting)) propose(c, op);
}

void Replica::on(Context& c, NodeId from, const Fetch& m) {
  if (!is_replica(c, from) || stable == 0 || m.from >= stable ||
      stable > static_cast<int>(log.size()))
    return;
  c.send(from, State{{log.begin(), log.begin() + stable}, proof});
}

// Believed where it leads to the state that the proof names, and goes on from what is here.
void Replica::on(Context& c, NodeId from, const State& m) {
  const int n = static_cast<int>(m.log.size());
  if (!is_replica(c, from) || n <= static_cast<int>(log.size()) || m.proof.empty() ||
      !proves(c, n, m.proof))
    return;
  int reached = 0;
  for (const Signed<Op>& op : m.log)
    reached = static_cast<int>(
        absorb_field(Hash128{static_cast<std::uint64_t>(reached), 3}, *op).lo & 0x3fffffff);
  if (reached != m.proof[0]->state) return;
  while (static_cast<int>(log.size()) < n) {
    const int next = static_cast<int>(log.size()) + 1;
    execute(c, next, m.log[static_cast<std::size_t>(next - 1)]);
  }
  make_stable(c, n, m.proof);
  execute_all(c);
}

}  // namespace pbft
