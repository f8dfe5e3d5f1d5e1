#include "systems/rsl/oracles.hpp"

#include <algorithm>

namespace schism::rsl {

// ---- progress ------------------------------------------------------------------------------

Progressing::Progressing(const Setup& setup) {
  const auto* config = static_cast<const Config*>(setup.config.get());
  wanted_ = config->progress && !config->published() && !config->quit;
}

void Progressing::begin(const World&) {
  absolve();
  judged_ = satisfied_ = false;
  primary_ = kNobody;
}

NodeId Progressing::primary(const World& world) {
  NodeId found = kNobody;
  std::uint32_t highest = 0;
  for (NodeId id = 0; id < world.setup().nodes; ++id) {
    const Replica* node = world.as<Replica>(id);
    if (!node || !node->leads() || node->accepted.ballot.number < highest) continue;
    found = id;
    highest = node->accepted.ballot.number;
  }
  return found;
}

NodeId Progressing::behind(const World& world) const {
  for (NodeId id = 0; id < world.setup().nodes; ++id) {
    const Replica* node = world.as<Replica>(id);
    if (!node) continue;
    const bool follows = id == primary_ ? node->decided.last() > due_
                                        : node->role == Role::secondary &&
                                              node->accepted.ballot.number == ballot_ &&
                                              node->accepted.decree >= due_;
    if (!follows) return id;
  }
  return kNobody;
}

void Progressing::look(const World& world, std::span<const Event>) {
  if (!wanted_ || satisfied_ || !world.calm()) return;
  const NodeId now = primary(world);
  if (now == kNobody) {
    primary_ = kNobody;
    return;
  }
  const Proposal& accepted = world.as<Replica>(now)->accepted;
  if (now != primary_ || accepted.ballot.number != ballot_) {
    primary_ = now;
    ballot_ = accepted.ballot.number;
    due_ = accepted.decree;
  }
  satisfied_ = behind(world) == kNobody;
}

void Progressing::finish(const World& world, const Ending& ending) {
  judged_ = wanted_ && ending.fair && world.calm();
  if (!judged_ || satisfied_) return;
  if (primary_ == kNobody || primary(world) != primary_) {
    violate(world, "nobody is primary, though the end was fair");
    return;
  }
  const NodeId late = behind(world);
  if (late == kNobody) return;
  violate(world, fmt::format("node {} does not follow primary {} of ballot {} to decree {}, though "
                             "the end was fair",
                             late, primary_, ballot_, due_));
}

}  // namespace schism::rsl
