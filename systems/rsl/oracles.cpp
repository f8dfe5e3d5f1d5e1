#include "systems/rsl/oracles.hpp"

#include <algorithm>

namespace schism::rsl {

// ---- decided lists -------------------------------------------------------------------------

void DecidedLists::begin(const World&) {
  absolve();
  first_.clear();
}

void DecidedLists::look(const World& world, std::span<const Event> events) {
  for (const Event& event : events) {
    const auto* executed = event.kind == Happened::announced ? event.as<Executed>() : nullptr;
    if (!executed) continue;
    if (executed->position >= first_.size()) first_.resize(executed->position + 1);
    First& first = first_[executed->position];
    if (first.node == kNobody) {
      first = {executed->command, event.node, world.step()};
    } else if (first.command != executed->command) {
      violate(
          world,
          fmt::format("node {} has command {} at position {} of its decided list, but node {} "
                      "had {} there",
                      event.node, executed->command, executed->position, first.node, first.command),
          {{first.step, fmt::format("decided {}", first.command)},
           {world.step(), fmt::format("decided {}", executed->command)}});
    }
  }
}

std::optional<Hash128> DecidedLists::digest() const {
  Hash128 sum = seeded("decided-lists");
  for (std::size_t i = 0; i < first_.size(); ++i)
    if (first_[i].node != kNobody)
      sum += absorb(scatter(i), static_cast<std::uint64_t>(first_[i].command));
  return sum;
}

// ---- one primary ---------------------------------------------------------------------------

void OnePrimary::begin(const World&) {
  absolve();
  elected_.clear();
}

void OnePrimary::look(const World& world, std::span<const Event> events) {
  for (const Event& event : events) {
    const auto* change = event.kind == Happened::announced ? event.as<RoleChange>() : nullptr;
    if (!change || change->role != Role::primary) continue;
    const auto known = std::find_if(elected_.begin(), elected_.end(), [&](const Elected& elected) {
      return elected.ballot == change->ballot;
    });
    if (known == elected_.end()) {
      elected_.push_back({change->ballot, {kEmpty, event.node, world.step()}});
    } else if (known->primary.node != event.node) {
      violate(world,
              fmt::format("nodes {} and {} are both primary in ballot {}", known->primary.node,
                          event.node, change->ballot),
              {{known->primary.step, fmt::format("node {} elected", known->primary.node)},
               {world.step(), fmt::format("node {} elected", event.node)}});
    }
  }
}

std::optional<Hash128> OnePrimary::digest() const {
  Hash128 sum = seeded("one-primary");
  for (const Elected& elected : elected_)
    sum += absorb(scatter(elected.ballot), static_cast<std::uint64_t>(elected.primary.node));
  return sum;
}

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
