// Which messages share a gene. Of every system those of one type do (`types`); a system may tell
// them apart more finely, by their content, under a name of its own:
//
//   static const Registration refined = message_classes("xrpl", {"discotest", "13 classes", {...},
//       [](int type, const void* content) { return ...; }});
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "schism/base/registry.hpp"
#include "schism/system/system.hpp"

namespace schism::evolve {

struct MessageClasses {
  std::string name, description;
  std::vector<std::string> words;  // a word a class
  // The class of a message by the number of its type and its content; within `words`.
  std::function<int(int type, const void* content)> of;
};

Registration message_classes(std::string system, MessageClasses classes);

// By name; "": the first that the system has registered, else `types`. Or one sentence.
Result<MessageClasses> find_message_classes(const System& system, std::string_view name);

}  // namespace schism::evolve
