#include "schism/system/audience.hpp"

#include <map>

namespace schism {
namespace {

std::map<std::string, TrustLists>& known_lists() {
  static std::map<std::string, TrustLists> all;
  return all;
}
std::map<std::string, std::vector<LieToHearers>>& known_lies() {
  static std::map<std::string, std::vector<LieToHearers>> all;
  return all;
}

}  // namespace

Registration trusts(const std::string& system, TrustLists lists) {
  known_lists()[system] = std::move(lists);
  return {};
}

std::vector<std::vector<NodeId>> trust_lists(const Setup& setup) {
  const auto own = known_lists().find(setup.system->name);
  if (own != known_lists().end()) return own->second(setup);
  std::vector<NodeId> all;
  for (NodeId id = 0; id < setup.nodes; ++id) all.push_back(id);
  return {all};
}

Registration lie_to_hearers(const std::string& system, LieToHearers lie) {
  known_lies()[system].push_back(std::move(lie));
  return {};
}

const std::vector<LieToHearers>& lies_to_hearers(const System& system) {
  static const std::vector<LieToHearers> none;
  const auto own = known_lies().find(system.name);
  return own == known_lies().end() ? none : own->second;
}

}  // namespace schism
