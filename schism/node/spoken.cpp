#include "schism/node/spoken.hpp"

#include <map>
#include <utility>

namespace schism {
namespace {

// Function-local: notes are made while the program's static objects are built.
auto& notes() {
  static std::map<std::pair<const TypeInfo*, std::string_view>, const TypeInfo*> table;
  return table;
}

}  // namespace

bool note_spoken(const TypeInfo& node, const TypeInfo& type) {
  return notes().emplace(std::pair(&node, type.name), &type).second;
}

const TypeInfo* spoken_by(const TypeInfo& node, std::string_view name) {
  const auto at = notes().find({&node, name});
  return at == notes().end() ? nullptr : at->second;
}

}  // namespace schism
