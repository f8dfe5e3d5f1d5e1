#include "schism/base/registry.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

namespace schism {

void registration_error(const std::string& what) {
  std::fprintf(stderr, "schism: registration: %s\n", what.c_str());
  std::exit(70);
}

std::string ChildRule::how_many() const {
  if (none()) return "none";
  if (least == most) return fmt::format("{} {}{}", least, what, least == 1 ? "" : "s");
  if (least == 0) return fmt::format("at most {} {}{}", most, what, most == 1 ? "" : "s");
  return fmt::format("{} to {} {}s", least, most, what);
}

Status ChildRule::check(const Spec& parent) const {
  const std::size_t n = parent.children.size();
  if (n >= least && n <= most) return {};
  if (none())
    return error("{} takes nothing in parentheses, not ({})", parent.name,
                 print_spec(parent.children[0]));
  return error("{} takes {} in parentheses, as in {}({}), not {}", parent.name, how_many(),
               parent.name, least > 1 ? "A;B" : "A", n);
}

tl::unexpected<std::string> child_error(const Spec& parent, const std::string& what) {
  return error("in {}(...): {}", parent.name, what);
}

}  // namespace schism
