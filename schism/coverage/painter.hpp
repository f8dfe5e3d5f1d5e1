// Paints nodes as their system declares it (Paint), and those of classes for which it declares
// nothing by their schema: words and flags as they are, and the order among nodes of the first four
// counters.
#pragma once

#include <vector>

#include "schism/system/system.hpp"

namespace schism {

class Painter {
 public:
  void begin(const Setup& setup) { system_ = setup.system; }
  // A node that is down has the colour of nothing at all.
  Paint paint(const World& world, NodeId id) const;
  // From close by, as far as the system declares that.
  Paint portray(const World& world, NodeId id, bool raw_ids) const;

 private:
  const System* system_ = nullptr;
};

// The colour of all nodes together, whoever is which: `paints` is a node each. Ranks are taken
// among nodes of the same class, `types` says of which.
class Palette {
 public:
  std::uint64_t colour(std::span<const Paint> paints, std::span<const std::uint64_t> types);
  // The same for each node alone; alive until the next call.
  std::span<const std::uint64_t> hues(std::span<const Paint> paints,
                                      std::span<const std::uint64_t> types);

 private:
  void rank(std::span<const Paint> paints, std::span<const std::uint64_t> types, std::size_t which);

  std::vector<std::uint64_t> hues_;                             // by node
  std::vector<std::pair<std::uint64_t, std::int64_t>> values_;  // of a counter, sorted
};

}  // namespace schism
