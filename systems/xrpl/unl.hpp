// Whom each node trusts, declared as groups: `0-3:0-4/4-6:2-6` says that nodes 0 to 3 trust 0 to 4
// and nodes 4 to 6 trust 2 to 6. Lists are joined by `+`. A node that is not named trusts
// everybody, and every node trusts itself. Some choices have names: see unl.cpp.
#pragma once

#include <string>
#include <vector>

#include "schism/base/result.hpp"
#include "systems/xrpl/types.hpp"

namespace schism::xrpl {

class TrustGroups {
 public:
  static Result<TrustGroups> parse(std::string_view text);
  Members trusted_by(NodeId id, int nodes) const;

 private:
  struct Group {
    Members who = 0, trusted = 0;
  };
  std::vector<Group> groups_;
};

// How many of a list of trusted validators must have validated a ledger. In percent: of the list
// without the negative one, and of the whole list.
constexpr int quorum_of(int effective, int listed, int percent = 80, int floor_percent = 60) {
  const int a = (effective * percent + 99) / 100, b = (listed * floor_percent + 99) / 100;
  return a > b ? a : b;
}

}  // namespace schism::xrpl
