// The round of a node, as ByzzFuzz counts it (Winter et al., OOPSLA 2023): how far along its
// protocol the furthest message is that it sent or received. A system says where a message stands
// (SystemBuilder::order); the counters are the same for all.
#pragma once

#include <vector>

#include "schism/system/system.hpp"

namespace schism::byzantine {

class Rounds {
 public:
  void begin(const Setup& setup);
  // A node sent or received a message of that place. Only ever forward.
  void pass(NodeId node, const OrderKey& key);
  // The same for one counter of all, to whom nothing is new: a number begins with its first verb,
  // so that a lie about the number carries nobody along.
  void pass_together(NodeId counter, const OrderKey& key);
  std::int64_t of(NodeId node) const { return nodes_[static_cast<std::size_t>(node)].round; }

 private:
  struct Position {
    std::int64_t round = 0;
    OrderKey at;
  };
  std::vector<Position> nodes_;
  int verbs_ = 1;
};

}  // namespace schism::byzantine
