#include "systems/tendermint/oracles.hpp"

#include <algorithm>

namespace tendermint {

void Validity::begin(const World&) {
  absolve();
  decisions_.clear();
  made_.clear();
}

void Validity::look(const World& world, std::span<const Event> events) {
  for (const Event& event : events) {
    if (event.kind != Happened::announced) continue;
    if (const Proposed* p = event.as<Proposed>()) made_[event.node].push_back(p->id);
    if (const Decided* d = event.as<Decided>())
      decisions_[event.node].try_emplace(d->height, Decision{*d, world.step()});
  }
}

std::string Validity::fault_of(const World& world, NodeId node, const Decided& d) const {
  const int nodes = world.setup().nodes;
  const auto& own = decisions_.at(node);
  const auto before = own.find(d.height - 1);
  if (d.id == kNil || d.block.load <= 0) return "which is no block";
  if (d.block.height != d.height) return "which is for another height";
  if (d.height > 1 && (before == own.end() || before->second.decided.id != d.block.parent))
    return "which does not go on from what it decided before";
  if (d.block.round < 0 || d.maker != proposer_of(d.height, d.block.round, nodes))
    return "which somebody made whose turn it was not";
  if (world.liar(d.maker)) return "";
  const auto made = made_.find(d.maker);
  const bool proposed = made != made_.end() && std::find(made->second.begin(), made->second.end(),
                                                         d.id) != made->second.end();
  return proposed ? "" : "which its maker never proposed";
}

void Validity::finish(const World& world, const Ending&) {
  for (const auto& [node, own] : decisions_)
    for (const auto& [height, decision] : own)
      if (const std::string fault = fault_of(world, node, decision.decided); !fault.empty())
        violate(world,
                fmt::format("node {} decided {} at height {}, {}", node, decision.decided.id,
                            height, fault),
                {{decision.step, fmt::format("decided {}", decision.decided.id)}});
}

std::optional<Hash128> Validity::digest() const {
  Hash128 sum = seeded("validity");
  for (const auto& [node, own] : decisions_)
    for (const auto& [height, decision] : own)
      sum += absorb_field(Hash128{1, static_cast<std::uint64_t>(node)}, decision.decided);
  for (const auto& [node, ids] : made_)
    for (const int id : ids)
      sum += absorb(Hash128{2, static_cast<std::uint64_t>(node)}, static_cast<std::uint64_t>(id));
  return sum;
}

void Accusations::look(const World& world, std::span<const Event> events) {
  for (const Event& event : events) {
    const Accused* a = event.kind == Happened::announced ? event.as<Accused>() : nullptr;
    if (a && !world.liar(a->who))
      violate(world, fmt::format("node {} has evidence against node {}, which is correct: two "
                                 "signatures for height {}, round {}",
                                 event.node, a->who.id, a->height, a->round));
  }
}

}  // namespace tendermint
