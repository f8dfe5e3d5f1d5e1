#include "schism/world/world.hpp"

namespace schism {

std::string_view refusal_text(Refusal refusal) {
  static constexpr std::string_view texts[] = {
      "applied",
      "it is not pending",
      "it is held back",
      "another one is before it",
      "the node is down",
      "the node is up",
      "the node is paused",
      "the node is not paused",
      "the link is cut",
      "the link is not cut",
      "the timer is not due",
      "the budget for it is used up",
      "it is not allowed here",
      "the clock cannot do that",
      "its content does not fit the message type",
      "there is no such action",
      "its sender is no liar: only liars' messages are changed, made up or omitted",
      "it would forge a signature: no liar has received or sent such an item",
  };
  return texts[static_cast<std::size_t>(refusal)];
}

bool Observer::sees(const Event& event) const {
  EventMask bits = mask_of(event.kind);
  if (event.kind == Happened::announced || event.kind == Happened::answered) {
    bits |= mask_of_type(*event.type);
    bool named = types.empty();
    for (const TypeInfo* type : types) named = named || type == event.type;
    if (!named) return false;
  }
  return (bits & mask) != 0;
}

void World::set_liars(std::vector<NodeId> liars) {
  liars_ = std::move(liars);
  liar_.assign(static_cast<std::size_t>(setup_.nodes), false);
  for (const NodeId id : liars_) liar_[static_cast<std::size_t>(id)] = true;
  liar_.resize(static_cast<std::size_t>(setup_.places()), true);
}

void World::release_all(Holder who) {
  pending_.each([&](Do kind, std::uint32_t slot) {
    if (pending_.slot(kind, slot).held_by(who)) release(kind, slot, who);
  });
}

}  // namespace schism
