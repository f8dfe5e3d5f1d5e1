// What a state is: everything that the future and its verdict depend on.
#include <tuple>

#include "schism/check/world_model.hpp"

namespace schism::check {

std::optional<Hash128> WorldModel::digest() {
  if (!in_place_) play_again();
  Hash128 sum = world_.digest();
  for (const auto& oracle : oracles_) {
    const auto own = oracle->digest();
    if (!own) return std::nullopt;
    sum = absorb(sum, *own);
  }
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
  Hash128 sum = world_.renamed_digest(r);
  for (const auto& oracle : oracles_) {
    const auto own = oracle->renamed_digest(r);
    if (!own) return std::nullopt;
    sum = absorb(sum, *own);
  }
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

// Messages before timers, faults last; then by where, from whom and what. What the order leaves
// open has the same effect.
std::uint32_t WorldModel::default_choice() {
  if (!in_place_) play_again();
  const auto place = [](Do kind) {
    constexpr Do order[] = {Do::deliver, Do::submit, Do::complete, Do::fire,
                            Do::restart, Do::crash,  Do::drop,     Do::duplicate};
    int at = 0;
    while (order[at] != kind) ++at;
    return at;
  };
  using Rank = std::tuple<int, NodeId, std::uint64_t, Hash128>;
  std::uint32_t best = kNever;
  Rank least;
  for (std::uint32_t i = 0; i < pends_.size(); ++i) {
    if (!pends_[i].enabled()) continue;
    const More& more = more_[i];
    Rank rank{place(more.kind), more.node, 0, {}};
    if (more.kind == Do::fire || more.kind == Do::complete) {
      const Name name = world_.pending().slot(more.kind, more.message).name;
      std::get<2>(rank) = Name(0, name.to(), name.type(), 0).bits();
    } else if (more.kind == Do::submit) {
      std::get<2>(rank) = messages_[more.message].name.bits();
    } else if (more.message != kNone) {
      const Flight& flight = world_.pending().flights[messages_[more.message].slot];
      const Name name = flight.name;
      std::get<2>(rank) = Name(name.from(), name.to(), name.type(), 0).bits();
      std::get<3>(rank) = flight.body->type->hash(flight.body->content());
    }
    if (best == kNever || rank < least) best = i, least = rank;
  }
  return best;
}

}  // namespace schism::check
