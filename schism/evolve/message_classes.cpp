#include "schism/evolve/message_classes.hpp"

#include <map>

namespace schism::evolve {
namespace {

using Known = std::map<std::string, std::vector<MessageClasses>, std::less<>>;  // by system

Known& known() {
  static Known all;
  return all;
}

MessageClasses by_type(const System& system) {
  MessageClasses out{
      "types", "a class a type of message", {}, [](int type, const void*) { return type; }};
  for (int type = 0; type < system.message_count(); ++type)
    out.words.emplace_back(system.message(type).name);
  return out;
}

}  // namespace

Registration message_classes(std::string system, MessageClasses classes) {
  known()[std::move(system)].push_back(std::move(classes));
  return {};
}

Result<MessageClasses> find_message_classes(const System& system, std::string_view name) {
  const auto own = known().find(system.name);
  const std::vector<MessageClasses> none;
  const auto& refined = own == known().end() ? none : own->second;
  if (name == "types" || (name.empty() && refined.empty())) return by_type(system);
  if (name.empty()) return refined.front();
  std::vector<std::string> names = {"types"};
  for (const MessageClasses& classes : refined) {
    if (classes.name == name) return classes;
    names.push_back(classes.name);
  }
  return tl::unexpected(unknown_word("classes of messages", name, names));
}

}  // namespace schism::evolve
