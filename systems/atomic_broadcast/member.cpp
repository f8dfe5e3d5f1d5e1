#include "systems/atomic_broadcast/member.hpp"

#include <algorithm>
#include <bit>

namespace schism::atomic_broadcast {
namespace {

Batch one(NodeId origin) { return Batch{1} << origin; }
Batch all_of(const std::vector<NodeId>& origins) {
  Batch batch = 0;
  for (const NodeId origin : origins) batch |= one(origin);
  return batch;
}

}  // namespace

// To the others, then to itself at once.
template <class M>
void Member::to_members(Context& c, const M& message) {
  for (NodeId to = 0; to < members(c); ++to)
    if (to != c.self) c.send(to, message);
  on(c, c.self, message);
}

// ---- reliable broadcast
// --------------------------------------------------------------------------

void Member::on_request(Context& c, RequestId, const Broadcast&) {
  if (gone) return;
  c.announce(Sent{c.self});
  mine |= one(c.self);
  if (c.config().broadcast_by == BroadcastBy::box) c.send(members(c), Submit{c.self});
  else on(c, c.self, Deliver{c.self, c.self});
}

void Member::on(Context& c, NodeId, const Deliver& d) {
  if (gone || (seen & one(d.origin))) return;
  seen |= one(d.origin);
  if (c.config().broadcast_by == BroadcastBy::eager)
    for (NodeId to = 0; to < members(c); ++to)
      if (to != c.self) c.send(to, d);
  if (!c.config().forget_ordered && (all_of(ordered) & one(d.origin))) return;
  waiting.push_back(d.origin);
  propose(c);
}

// ---- rounds
// --------------------------------------------------------------------------------------

void Member::propose(Context& c) {
  if (asked || waiting.empty()) return;
  asked = true;
  const Batch batch = all_of(waiting);
  if (c.config().consensus_by == ConsensusBy::box) {
    c.send(c.nodes() - 1, Suggest{round, batch});
    return;
  }
  Ballots& i = paxos[round];
  i.proposed = true;
  i.own = batch;
  if (leader(c) == c.self && !i.decided) try_ballot(c, round);
}

void Member::on(Context& c, NodeId, const Decide& d) {
  if (gone) return;
  if (c.config().any_round) {
    put_in_order(c, d.value);
    round = std::max(round, d.instance + 1);
    asked = false;
    propose(c);
    return;
  }
  decided[d.instance] = d.value;
  finish_rounds(c);
}

void Member::finish_rounds(Context& c) {
  for (auto it = decided.find(round); it != decided.end(); it = decided.find(round)) {
    put_in_order(c, it->second);
    decided.erase(it);
    ++round;
    asked = false;
    propose(c);
  }
}

// Within a batch by origin, which is the same everywhere.
void Member::put_in_order(Context& c, Batch batch) {
  std::vector<NodeId> next;
  if (c.config().arrival_order)
    std::copy_if(waiting.begin(), waiting.end(), std::back_inserter(next),
                 [&](NodeId origin) { return (batch & one(origin)) != 0; });
  for (NodeId origin = 0; origin < members(c); ++origin)
    if ((batch & one(origin)) && std::find(next.begin(), next.end(), origin) == next.end())
      next.push_back(origin);
  for (const NodeId origin : next) {
    ordered.push_back(origin);
    c.announce(Ordered{static_cast<int>(ordered.size()), origin});
    std::erase(waiting, origin);
  }
}

// ---- Paxos, in each instance
// ---------------------------------------------------------------------

NodeId Member::leader(Context& c) const {
  return std::min(std::countr_one(crashed), members(c) - 1);
}

// A new leader tries what it has proposed; what it has not, it will.
void Member::on(Context& c, NodeId who, const Crashed&) {
  if (gone) return;
  const NodeId before = leader(c);
  crashed |= one(who);
  if (leader(c) == before || leader(c) != c.self) return;
  std::vector<int> open;
  for (const auto& [instance, i] : paxos)
    if (i.proposed && !i.decided) open.push_back(instance);
  for (const int instance : open) try_ballot(c, instance);
}

void Member::try_ballot(Context& c, int instance) {
  Ballots& i = paxos[instance];
  i.ballot = i.tries++ * members(c) + c.self + 1;
  i.offer = i.own, i.voted_in = 0, i.promises = 0, i.asking = false;
  if (i.ballot == 1) ask(c, instance);  // no ballot is below the first one
  else to_members(c, Prepare{instance, i.ballot});
}

void Member::ask(Context& c, int instance) {
  Ballots& i = paxos[instance];
  i.asking = true;
  to_members(c, Accept{instance, i.ballot, i.offer});
}

void Member::on(Context& c, NodeId from, const Prepare& p) {
  Ballots& i = paxos[p.instance];
  if (gone || p.ballot <= i.promised) return;
  i.promised = p.ballot;
  const Promise promise{p.instance, p.ballot, i.voted, i.value};
  if (from == c.self) on(c, c.self, promise);
  else c.send(from, promise);
}

void Member::on(Context& c, NodeId from, const Promise& p) {
  Ballots& i = paxos[p.instance];
  if (gone || p.ballot != i.ballot || i.asking) return;
  i.promises |= one(from);
  if (p.voted > i.voted_in) i.voted_in = p.voted, i.offer = p.value;
  if (std::popcount(i.promises) >= majority(c)) ask(c, p.instance);
}

void Member::on(Context& c, NodeId, const Accept& a) {
  Ballots& i = paxos[a.instance];
  if (gone || a.ballot < i.promised) return;
  i.promised = i.voted = a.ballot;
  i.value = a.value;
  to_members(c, Accepted{a.instance, a.ballot, a.value});
}

void Member::on(Context& c, NodeId from, const Accepted& a) {
  Ballots& i = paxos[a.instance];
  if (gone || i.decided) return;
  std::uint64_t& voters = i.votes[a.ballot];
  voters |= one(from);
  if (std::popcount(voters) < majority(c)) return;
  i.decided = true;
  on(c, c.self, Decide{a.instance, a.value});
}

}  // namespace schism::atomic_broadcast
