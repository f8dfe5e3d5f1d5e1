// View changes: who is impatient leaves the view with what was prepared in it; the next primary
// goes on with that, and everybody checks that it does.
#include "systems/pbft/replica.hpp"

namespace pbft {

constexpr Micros kChange = 1'000'000, kResend = 400'000;
constexpr int kDoublings = 3;

void Replica::on_timer(Context& c, Clock timer) {
  if (timer == Clock::patience) {
    ++change_count;
    return leave_view(c, view + 1);
  }
  if (active) return;
  c.broadcast(ViewChange{c.sign(my_change(c, view))});  // it may have been lost
  remind(c);
  c.set_timer(Clock::resend, kResend);
}

Change Replica::my_change(Context& c, int to) const {
  Change change{to, stable, proof, {}};
  for (const auto& [n, p] : prepared) {
    if (c.config().prepared_lost || (c.config().o_off_by_one && n == stable + 1)) continue;
    change.prepared.push_back(p);
  }
  return change;
}

void Replica::leave_view(Context& c, int to) {
  view = to;
  active = false;
  slots.clear();
  c.cancel_timer(Clock::patience);
  std::erase_if(changes, [&](const auto& entry) { return entry.first < to; });
  remind(c);
  const auto change = c.sign(my_change(c, to));
  c.broadcast(ViewChange{change});
  if (c.config().resend) c.set_timer(Clock::resend, kResend);
  came_by = change;
  changes[to].insert_or_assign(c.self, change);
  lead(c);
}

bool Replica::certifies(Context& c, const Prepared& p) const {
  if (!c.verified(p.proposal) || p.proposal.signer != primary_of(c, p.proposal->view)) return false;
  if (!c.config().digest_unchecked &&
      (!is_known(c, p.op) || digest_of(*p.op) != p.proposal->digest))
    return false;
  NodeSet who;
  for (const Signed<Accept>& a : p.accepts) {
    const bool same = a->digest == p.proposal->digest || c.config().slot_votes_unbound;
    if (!is_replica(c, a.signer) || !c.verified(a) || a.signer == p.proposal.signer || !same ||
        a->view != p.proposal->view || a->n != p.proposal->n)
      return false;
    who.insert(a.signer);
  }
  return who.size() >= quorum(c) - 1;
}

bool Replica::is_sound(Context& c, const Signed<Change>& change) const {
  if (!is_replica(c, change.signer) || !c.verified(change)) return false;
  if (change->view < 0 || change->stable < 0 || !proves(c, change->stable, change->proof))
    return false;
  for (const Prepared& p : change->prepared)
    if (p.proposal->view < 0 || p.proposal->view >= change->view ||
        p.proposal->n <= change->stable ||
        p.proposal->n > change->stable + 2 * c.config().interval || !certifies(c, p))
      return false;
  return true;
}

void Replica::on(Context& c, NodeId from, const ViewChange& m) {
  if (m.change.signer != from || !is_sound(c, m.change)) return;
  if (active && m.change->view <= view) return help(c, from);
  if (m.change->view < view) return;
  changes[m.change->view].insert_or_assign(from, m.change);
  if (m.change->stable > static_cast<int>(log.size()))
    c.send(from, Fetch{static_cast<int>(log.size())});
  // f + 1 are further: one of them is correct, so join the nearest.
  std::map<NodeId, int> further;
  for (const auto& [v, by] : changes)
    for (const auto& [who, change] : by)
      if (v > view && who != c.self) further.try_emplace(who, v);
  if (further.size() > f(c)) {
    int nearest = further.begin()->second;
    for (const auto& [who, v] : further) nearest = std::min(nearest, v);
    return leave_view(c, nearest);
  }
  if (!active) lead(c);
}

// Whoever changes to this view or to an earlier one again and again has not heard its primary, who
// may never speak to it. Then so many must have come as far that it may go on to the next; one of
// them is here. Every second time, so that two who are both in the view do not answer each other
// for ever.
void Replica::help(Context& c, NodeId late_one) {
  if (!c.config().resend || !came_by || (*came_by)->view != view) return;
  if (!late.contains(late_one)) return late.insert(late_one);
  late.erase(late_one);
  c.send(late_one, ViewChange{*came_by});
}

// What follows from the changes: the same for everybody who has them.
Replica::Order Replica::order_of(Context& c, int of_view,
                                 const std::vector<Signed<Change>>& all) const {
  Order out;
  std::map<int, const Prepared*> best;
  for (const Signed<Change>& change : all) {
    if (change->stable >= out.first) {
      out.first = change->stable;
      out.proof = change->proof;
    }
    for (const Prepared& p : change->prepared) {
      const Prepared*& other = best[p.proposal->n];
      const bool later = !other || p.proposal->view > other->proposal->view;
      const bool earlier = !other || p.proposal->view < other->proposal->view;
      if (c.config().lowest_view_wins ? earlier : later) other = &p;
    }
  }
  int last = best.empty() ? out.first : std::max(out.first, best.rbegin()->first);
  last = std::min(last, out.first + 2 * c.config().interval);
  for (int n = out.first + 1; n <= last; ++n) {
    const auto p = best.find(n);
    out.ops.push_back(p == best.end() ? Signed<Op>{} : p->second->op);
    const int digest = p == best.end() ? digest_of(Op{}) : p->second->proposal->digest;
    out.proposals.push_back({of_view, n, digest});
  }
  return out;
}

void Replica::lead(Context& c) {
  // Once enough have come as far, whoever leads must be heard within a time.
  NodeSet as_far;
  for (const auto& [v, by] : changes)
    for (const auto& [who, change] : by)
      if (v >= view) as_far.insert(who);
  if (as_far.size() >= quorum(c) && awaited != view) {
    awaited = view;
    c.set_timer(Clock::patience, kChange << std::min(change_count, kDoublings));
  }
  const auto& mine = changes[view];
  if (mine.size() < quorum(c) || primary_of(c, view) != c.self) return;
  NewView all{view, {}, {}, {}};
  for (const auto& [who, change] : mine) all.changes.push_back(change);
  const Order order = order_of(c, view, all.changes);
  for (const Proposal& p : order.proposals) all.proposals.push_back(c.sign(p));
  all.ops = order.ops;
  c.broadcast(all);
  enter(c, view, order, all.proposals);
}

void Replica::on(Context& c, NodeId from, const NewView& m) {
  if (m.view < view || (m.view == view && active) || m.view < 0) return;
  const bool trusted = c.config().new_view_trusted;
  if (from == c.self || (!trusted && from != primary_of(c, m.view))) return;
  NodeSet who;
  for (const Signed<Change>& change : m.changes) {
    if (!trusted && (change->view != m.view || !is_sound(c, change))) return;
    who.insert(change.signer);
  }
  if (!trusted && who.size() < quorum(c)) return;
  Order order = order_of(c, m.view, m.changes);
  if (m.ops.size() != m.proposals.size()) return;
  if (c.config().new_view_unchecked || trusted) {
    order.proposals.clear();
    for (const Signed<Proposal>& p : m.proposals) order.proposals.push_back(*p);
    order.ops = m.ops;
  } else {
    if (order.proposals.size() != m.proposals.size()) return;
    for (std::size_t i = 0; i < m.proposals.size(); ++i)
      if (!from_replica(c, from, m.proposals[i]) || m.proposals[i]->view != m.view ||
          m.proposals[i]->n != order.proposals[i].n ||
          m.proposals[i]->digest != order.proposals[i].digest)
        return;
  }
  if (m.view > view) came_by = c.sign(my_change(c, m.view));
  enter(c, m.view, order, m.proposals);
}

void Replica::enter(Context& c, int to, const Order& order,
                    const std::vector<Signed<Proposal>>& by) {
  view = to;
  active = true;
  late = {};
  slots.clear();
  c.cancel_timer(Clock::resend);
  c.cancel_timer(Clock::patience);
  std::erase_if(changes, [&](const auto& entry) { return entry.first <= to; });
  if (order.first > stable && !order.proof.empty()) {
    if (order.first <= static_cast<int>(log.size())) make_stable(c, order.first, order.proof);
    else
      c.send(order.proof[0].signer == c.self ? order.proof.back().signer : order.proof[0].signer,
             Fetch{static_cast<int>(log.size())});
  }
  next_n = order.first + 1;
  const bool leads = primary_of(c, to) == c.self;
  for (std::size_t i = 0; i < by.size(); ++i) {
    const int n = order.proposals[i].n;
    next_n = std::max(next_n, n + 1);
    if (!in_range(c, n)) continue;
    take(c, by[i], order.ops[i]);
    if (leads) continue;
    const auto accept = c.sign(Accept{to, n, order.proposals[i].digest});
    c.broadcast(Prepare{accept});
    add_accept(c, accept);
  }
  if (!waiting.empty() && !c.config().timers_cleared)
    c.set_timer(Clock::patience, kChange << std::min(change_count, kDoublings));
  if (leads)
    for (const auto& [client, op] : std::map(waiting)) propose(c, op);
  else if (c.config().resend)
    for (const auto& [client, op] : waiting) c.send(primary_of(c, to), Request{op});
}

}  // namespace pbft
