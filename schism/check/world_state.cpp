// What a state is: everything that the future and its verdict depend on.
#include "schism/check/world_model.hpp"

namespace schism::check {

std::optional<Hash128> WorldModel::digest() {
  if (!in_place_) play_again();
  const auto verdict = jury_.digest();
  if (!verdict) return std::nullopt;
  Hash128 sum = absorb(world_->digest(), *verdict);
  for (const NodeLog& node : nodes_) {
    sum = absorb(sum, node.lives.size());
    if (bounds_.events > 0) sum = absorb(sum, node.events);
  }
  if (bounds_.drops + bounds_.duplicates > 0)
    for (const LinkLog& link : links_)
      sum = absorb(sum, std::uint64_t{link.drops} << 32 | link.duplicates);
  return sum;
}

std::optional<Hash128> WorldModel::renamed_digest(const Renaming& r) {
  if (!in_place_) play_again();
  const auto verdict = jury_.renamed_digest(r);
  if (!verdict) return std::nullopt;
  const Hash128 sum = absorb(world_->renamed_digest(r), *verdict);
  Hash128 logs;
  for (std::size_t id = 0; id < nodes_.size(); ++id) {
    const Hash128 h = absorb(scatter(static_cast<std::uint64_t>(r.node(static_cast<int>(id)))),
                             nodes_[id].lives.size());
    logs += bounds_.events > 0 ? absorb(h, nodes_[id].events) : h;
  }
  if (bounds_.drops + bounds_.duplicates > 0)
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const int from = r.node(static_cast<int>(i / nodes_.size()));
      const int to = r.node(static_cast<int>(i % nodes_.size()));
      logs += absorb(scatter(Name(from, to, 0, 0).bits()),
                     std::uint64_t{links_[i].drops} << 32 | links_[i].duplicates);
    }
  return absorb(sum, logs);
}

// Messages before timers, faults last; then by where, from whom and what.
WorldModel::Likeness WorldModel::likeness(std::uint32_t pend) const {
  const auto place = [](Do kind) {
    constexpr Do order[] = {Do::deliver, Do::submit, Do::complete,  Do::fire,  Do::restart,
                            Do::crash,   Do::drop,   Do::duplicate, Do::inject};
    int at = 0;
    while (order[at] != kind) ++at;
    return at;
  };
  const More& more = more_[pend];
  Likeness out{place(more.kind), more.node, 0, {}};
  if (more.kind == Do::fire || more.kind == Do::complete) {
    const Name name = world_->pending().slot(more.kind, more.message).name;
    std::get<2>(out) = Name(0, name.to(), name.type(), 0).bits();
  } else if (more.kind == Do::inject) {
    const Lie& lie = liar_moves_[more.message];
    std::get<2>(out) = Name(lie.from, lie.to, lie.type, lie.content).bits();
  } else if (more.kind == Do::submit) {
    std::get<2>(out) = messages_[more.message].name.bits();
  } else if (more.message != kNone) {
    const Flight& flight = world_->pending().flights[messages_[more.message].slot];
    const Name name = flight.name;
    std::get<2>(out) = Name(name.from(), name.to(), name.type(), 0).bits();
    std::get<3>(out) = flight.body->type->hash(flight.body->content());
  }
  return out;
}

Happening WorldModel::happening(std::uint32_t pend) {
  if (!in_place_) play_again();
  const Do kind = more_[pend].kind;
  const bool local = kind == Do::fire || kind == Do::complete;
  if (!local && kind != Do::deliver && kind != Do::submit) return {};
  const auto& [place, node, name, content] = likeness(pend);
  Hash128 h = absorb(seeded("happening", static_cast<std::uint64_t>(place)),
                     static_cast<std::uint64_t>(node));
  h = absorb(absorb(h, name), content);
  return {h.lo | 1, local ? node_bit(node) : 0};
}

std::uint64_t WorldModel::renewed() const {
  std::uint64_t nodes = 0;
  for (std::size_t i = 0; i < pends_.size(); ++i) {
    const bool local = more_[i].kind == Do::fire || more_[i].kind == Do::complete;
    if (local && pends_[i].executed == 0 && pends_[i].killers[at_node] == depth())
      nodes |= node_bit(more_[i].node);
  }
  return nodes;
}

std::uint32_t WorldModel::default_choice() {
  if (!in_place_) play_again();
  std::uint32_t best = kNever;
  Likeness least;
  for (std::uint32_t i = 0; i < pends_.size(); ++i) {
    if (!pends_[i].enabled()) continue;
    const Likeness mine = likeness(i);
    if (best == kNever || mine < least) best = i, least = mine;
  }
  return best;
}

}  // namespace schism::check
