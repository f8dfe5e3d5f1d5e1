#include "systems/xrpl/unl.hpp"

#include <array>
#include <utility>

#include "schism/base/params.hpp"

namespace schism::xrpl {
namespace {

// `all`; Groot's seven nodes; the two lists of ByzzFuzz and ISOLATION, whose overlap is too small.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kNamed = {{
    {"all", ""},
    {"groot", "0-2:0-5/3-4:0-4+6/5-6:0-4"},
    {"byzzfuzz", "0-3:0-4/4-6:2-6"},
}};

std::vector<std::string_view> split(std::string_view text, char by) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(by);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

// "0-4+6"
Result<Members> parse_members(std::string_view text) {
  Members members = 0;
  for (const std::string_view part : split(text, '+')) {
    const std::size_t dash = part.find('-');
    const auto first = parse_integer(part.substr(0, dash), 0, kValidatorsMax - 1);
    const auto last = dash == std::string_view::npos
                          ? first
                          : parse_integer(part.substr(dash + 1), 0, kValidatorsMax - 1);
    if (!first || !last || *first > *last)
      return error(
          "is a name or groups such as 0-3:0-4/4-6:2-6; \"{}\" is no node or range of them", part);
    for (std::int64_t id = *first; id <= *last; ++id) members |= bit_of(static_cast<NodeId>(id));
  }
  return members;
}

}  // namespace

Result<TrustGroups> TrustGroups::parse(std::string_view text) {
  for (const auto& [name, groups] : kNamed)
    if (text == name) text = groups;
  TrustGroups out;
  if (text.empty()) return out;
  for (const std::string_view part : split(text, '/')) {
    const std::size_t arrow = part.find(':');
    if (arrow == std::string_view::npos)
      return error(
          "is all, groot, byzzfuzz or groups such as 0-3:0-4/4-6:2-6 (who:trusts whom), not \"{}\"",
          part);
    const auto who = parse_members(part.substr(0, arrow));
    if (!who) return tl::unexpected(who.error());
    const auto trusted = parse_members(part.substr(arrow + 1));
    if (!trusted) return tl::unexpected(trusted.error());
    out.groups_.push_back({*who, *trusted});
  }
  return out;
}

Members TrustGroups::trusted_by(NodeId id, int nodes) const {
  Members trusted = 0;
  bool named = false;
  for (const Group& group : groups_)
    if (contains(group.who, id)) {
      named = true;
      trusted |= group.trusted;
    }
  return ((named ? trusted : first_nodes(nodes)) | bit_of(id)) & first_nodes(nodes);
}

}  // namespace schism::xrpl
