#include "schism/byzantine/rounds.hpp"

namespace schism::byzantine {

void Rounds::begin(const Setup& setup) {
  nodes_.assign(static_cast<std::size_t>(setup.places()), {});
  verbs_ = setup.system->verbs;
}

void Rounds::pass(NodeId node, const OrderKey& key) {
  Position& position = nodes_[static_cast<std::size_t>(node)];
  OrderKey& at = position.at;
  if (key.view > at.view) {
    position.round += 1;
    at = key;
  } else if (key.view == at.view && key.number > at.number) {
    position.round += key.verb + verbs_ - at.verb;
    at = key;
  } else if (key.view == at.view && key.number == at.number && key.verb > at.verb) {
    position.round += key.verb - at.verb;
    at = key;
  }
}

void Rounds::pass_together(NodeId counter, const OrderKey& key) {
  const OrderKey& at = nodes_[static_cast<std::size_t>(counter)].at;
  if (key.view == at.view && key.number > at.number && key.verb > 1) return;
  pass(counter, key);
}

}  // namespace schism::byzantine
