// Who lies in a run: the nodes that the options name, or as many as they say, drawn from the node
// seed among those that the system lets lie. The same for everybody who asks, so that a strategy,
// the world and a trace speak of the same nodes.
#pragma once

#include "schism/world/world.hpp"

namespace schism {

std::vector<NodeId> liars_of(const Setup& setup);
// Whose place it is (Setup::places); and as people read it: 0' is the twin of 0.
NodeId identity_of(const Setup& setup, NodeId place);
std::string place_text(const Setup& setup, NodeId place);
// Whether the system lets that node lie: who may not is somebody else's client, or a service.
bool may_lie_at(const Setup& setup, NodeId place);
// Whether any node lies in runs of this setup.
inline bool has_liars(const WorldOptions& options) {
  return !options.liars.empty() || options.liars_drawn > 0;
}

}  // namespace schism
