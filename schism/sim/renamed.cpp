// The digest of a state whose nodes are called otherwise: sim_state.cpp's digest with every number
// of a node replaced, and nothing that depends on their order.
#include "schism/sim/step.hpp"

namespace schism {

Hash128 SimWorld::renamed_content(const Flight& flight, const Renaming& r) const {
  const Name n = flight.name;
  const Name way(r.node(n.from()), r.node(n.to()), n.type(), 0);
  return with_holders(flight,
                      absorb(flight.body->type->renamed(flight.body->content(), r), way.bits()));
}

Hash128 SimWorld::renamed_flights(const Renaming& r) const {
  Hash128 sum;
  if (setup_.options.links != LinkOrder::fifo) {
    for (std::uint32_t slot = 0; slot < pending_.flights.size(); ++slot)
      if (pending_.flights[slot].alive()) sum += renamed_content(pending_.flights[slot], r);
    return sum;
  }
  for (const Link& link : links_) {
    if (link.run != run_ || link.head == kNone) continue;
    Hash128 h = seeded("sequence");  // each message says its link
    for (std::uint32_t slot = link.head; slot != kNone; slot = pending_.flights[slot].next)
      h = absorb(h, renamed_content(pending_.flights[slot], r));
    sum += h;
  }
  return sum;
}

Hash128 SimWorld::renamed_rest(const Renaming& r) const {
  Hash128 cuts, asked;
  for (std::uint32_t i = 0; i < pending_.severed.size(); ++i) {
    const auto link = static_cast<int>(pending_.severed[i]);
    cuts += scatter(Name(r.node(link / places_), r.node(link % places_), 0, 0).bits());
  }
  for (std::size_t c = 0; c < client_next_.size(); ++c)
    asked +=
        absorb(scatter(static_cast<std::uint64_t>(r.client(static_cast<int>(c)))), client_next_[c]);
  for (std::uint32_t slot = 0; slot < pending_.askings.size(); ++slot)
    if (const Asking& asking = pending_.askings[slot]; asking.alive())
      asked += with_holders(asking, scatter(renamed_request(asking.name, r).bits()));
  if (!ballots_.empty())
    asked +=
        absorb(seeded("ballots"), ballots_.digest([&](NodeId id) { return r.node(id); },
                                                  [&](Name n) { return renamed_request(n, r); }));
  return absorb(absorb(budgets_left(), cuts), asked);
}

Hash128 SimWorld::renamed_digest(const Renaming& r) const {
  Hash128 sum;
  for (NodeId id = 0; id < places_; ++id) {
    const NodeState& node = at(id);
    Hash128 h = scatter(std::uint64_t{node.up} << 1 | std::uint64_t{node.paused});
    if (node.up) h = absorb(h, node.type->state->renamed(node.object, r));
    h = node_rest(node, h);
    if (!node.disk.pristine()) h = absorb(h, node.disk.renamed_digest(r));
    Hash128 open;
    for (const Name request : node.unanswered) open += scatter(renamed_request(request, r).bits());
    if (!node.unanswered.empty()) h = absorb(h, open);
    sum += absorb(h, static_cast<std::uint64_t>(r.node(id)));
  }
  return absorb(absorb(renamed_rest(r), sum), renamed_flights(r));
}

}  // namespace schism
