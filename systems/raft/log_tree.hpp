// All entries that ever were in a log, as a tree: an entry hangs below the one before it. Whether
// one log continues another is asked in logarithmic time (skew-binary jump pointers, Myers 1983).
#pragma once

#include <cstdint>
#include <vector>

#include "schism/base/hash.hpp"
#include "systems/raft/messages.hpp"

namespace schism::raft {

class LogTree {
 public:
  using Item = std::uint32_t;
  static constexpr Item kRoot = 0, kUnknown = ~Item{0};

  void clear();
  Item find(Index index, const Hash128& prefix) const;
  Item add(Item before, Index index, const Hash128& prefix);
  bool continues(Item later, Item earlier) const { return above(later, index(earlier)) == earlier; }
  Item above(Item item, Index index) const;  // the one at that index on the way to the root
  Index index(Item item) const { return items_[item].index; }
  const Hash128& prefix(Item item) const { return items_[item].prefix; }

 private:
  struct Entry {
    Hash128 prefix;
    Index index;
    Item before, jump, sibling;  // sibling: another one at the same index
  };
  std::vector<Entry> items_;
  std::vector<Item> first_;  // by index
};

}  // namespace schism::raft
