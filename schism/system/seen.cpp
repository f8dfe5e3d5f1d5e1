#include "schism/system/seen.hpp"

#include <map>

namespace schism {
namespace {

std::map<std::string, Seen>& known() {  // by system/bug
  static std::map<std::string, Seen> all;
  return all;
}

std::string joined(const Pairs& pairs) {
  std::string out;
  for (const auto& [name, value] : pairs) out += (out.empty() ? "" : ",") + name + "=" + value;
  return out;
}

}  // namespace

std::string Seen::text() const {
  std::string out = joined(parameters);
  if (!world.empty()) out += (out.empty() ? "--world " : " --world ") + joined(world);
  return out;
}

Registration seen_with(const std::string& system, const std::string& bug, Seen seen) {
  known()[system + "/" + bug] = std::move(seen);
  return {};
}

const Seen& seen(const System& system, const Bug& bug) {
  static const Seen plainly;
  const auto own = known().find(system.name + "/" + bug.name);
  return own == known().end() ? plainly : own->second;
}

}  // namespace schism
