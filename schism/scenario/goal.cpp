#include "schism/scenario/goal.hpp"

namespace schism::scenario {

void Goal::begin(const World& world) {
  absolve();
  state_.begin(*program_, world);
  at_ = 0;
  path_.clear();
  visited_.resize(machine().states.size());
  ++visited_[0];
}

void Goal::look(const World& world, std::span<const Event> events) {
  for (const Event& e : events) {
    if (!(mask_of(e.kind) & machine().listens)) continue;
    const int before = at_;
    const int taken = step(machine(), at_, world, state_, moment_of(e));
    if (taken < 0) continue;
    ++visited_[static_cast<std::size_t>(at_)];
    for (const Deed& deed : machine().transitions[static_cast<std::size_t>(taken)].records)
      if (deed.kind == Act::increment) counted_.insert(deed.terms[0].term.name);
    if (at_ != before) path_.push_back({world.step(), "then " + state()});
    if (at_ != machine().violation) continue;
    const Transition& why = program_->source.property.transitions[static_cast<std::size_t>(taken)];
    return violate(world, fmt::format("from {}: {}", why.from, print(why.condition)), path_);
  }
}

std::optional<bool> Goal::met() const {
  for (const bool goal : machine().goal)
    if (goal) return machine().goal[static_cast<std::size_t>(at_)];
  return std::nullopt;
}

}  // namespace schism::scenario
