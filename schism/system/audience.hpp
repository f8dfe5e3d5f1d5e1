// What a system says about those who hear a lie, beside what it says where it is registered: lists
// of nodes of which one is lied to, and lies that depend on who hears them. Most systems say
// neither: then there is one list, of everybody.
//
//   static const Registration lists =
//       trusts("xrpl", [](const Setup& setup) { return lists_of(setup); });
#pragma once

#include <span>

#include "schism/system/system.hpp"

namespace schism {

// Each list once, in a fixed order: where nodes trust different ones, whom some node trusts.
using TrustLists = std::function<std::vector<std::vector<NodeId>>(const Setup&)>;
Registration trusts(const std::string& system, TrustLists lists);
std::vector<std::vector<NodeId>> trust_lists(const Setup& setup);

// As LieMaker, for changes whose content follows from the state of one who hears it.
struct LieToHearers {
  const TypeInfo* type = nullptr;
  std::string name;
  bool far = false;
  std::function<bool(void* message, Rng&, const World&, std::span<const NodeId> to)> make;
};
Registration lie_to_hearers(const std::string& system, LieToHearers lie);
const std::vector<LieToHearers>& lies_to_hearers(const System& system);

}  // namespace schism
