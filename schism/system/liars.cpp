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
    if (!setup.system->may_lie || setup.system->may_lie(id, setup)) may.push_back(id);
  Rng random(keyed(setup.node_seed, hash_text("liars")));
  const auto wanted = static_cast<std::size_t>(setup.options.liars_drawn);
  for (std::size_t i = 0; i < may.size() && i < wanted; ++i) {
    std::swap(may[i], may[i + random.below(may.size() - i)]);
    out.push_back(may[i]);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace schism
