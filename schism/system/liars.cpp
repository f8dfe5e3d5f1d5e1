#include "schism/system/liars.hpp"

#include <algorithm>

#include "schism/base/random.hpp"
#include "schism/system/system.hpp"

namespace schism {

std::vector<NodeId> liars_of(const Setup& setup) {
  std::vector<NodeId> out;
  for (const std::int64_t id : setup.options.liars)
    if (id >= 0 && id < setup.nodes) out.push_back(static_cast<NodeId>(id));
  if (!out.empty() || setup.options.liars_drawn == 0) return out;
  std::vector<NodeId> may;
  for (NodeId id = 0; id < setup.nodes; ++id)
    if (may_lie_at(setup, id)) may.push_back(id);
  Rng random(keyed(setup.node_seed, hash_text("liars")));
  const auto wanted = static_cast<std::size_t>(setup.options.liars_drawn);
  for (std::size_t i = 0; i < may.size() && i < wanted; ++i) {
    std::swap(may[i], may[i + random.below(may.size() - i)]);
    out.push_back(may[i]);
  }
  std::sort(out.begin(), out.end());
  return out;
}

NodeId identity_of(const Setup& setup, NodeId place) {
  if (place < setup.nodes) return place;
  const std::vector<NodeId> liars = liars_of(setup);
  const auto twin = static_cast<std::size_t>(place - setup.nodes);
  return twin < liars.size() ? liars[twin] : place;
}

std::string place_text(const Setup& setup, NodeId place) {
  return std::to_string(identity_of(setup, place)) + (place < setup.nodes ? "" : "'");
}

bool may_lie_at(const Setup& setup, NodeId place) {
  if (place >= setup.nodes) return true;
  return !setup.system->may_lie || setup.system->may_lie(place, setup);
}

}  // namespace schism
