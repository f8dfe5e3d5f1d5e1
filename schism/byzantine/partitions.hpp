// Partitions of nodes into blocks, each as likely as any other.
#pragma once

#include <vector>

#include "schism/base/random.hpp"
#include "schism/words/name.hpp"

namespace schism::byzantine {

// A number of its block for each of `size` nodes; who is no member has 0. Uniform over the
// partitions of the members into exactly so many blocks, or as many as there are members; with
// `blocks` 0 over all but the one that separates nobody.
std::vector<int> random_partition(Rng& random, const std::vector<NodeId>& members, std::size_t size,
                                  std::size_t blocks = 0);

}  // namespace schism::byzantine
