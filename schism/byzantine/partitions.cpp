#include "schism/byzantine/partitions.hpp"

#include <algorithm>

namespace schism::byzantine {

// Drawn from all assignments and kept where it is the first to name its blocks in order, which each
// partition is exactly once.
std::vector<int> random_partition(Rng& random, const std::vector<NodeId>& members, std::size_t size,
                                  std::size_t blocks) {
  std::vector<int> block(size, 0);
  const std::size_t n = members.size();
  if (n < 2) return block;
  const std::size_t most = blocks == 0 ? n : std::min(blocks, n);
  for (;;) {
    int highest = -1;
    bool canonical = true;
    for (const NodeId id : members) {
      const auto own = static_cast<int>(random.below(most));
      canonical = canonical && own <= highest + 1;
      highest = std::max(highest, own);
      block[static_cast<std::size_t>(id)] = own;
    }
    const bool enough = blocks == 0 ? highest > 0 : highest + 1 == static_cast<int>(most);
    if (canonical && enough) return block;
  }
}

}  // namespace schism::byzantine
