// Every scheduler that is registered, as a word that can be made: those that are built around
// others get some.
#pragma once

#include "schism/schedule/registry.hpp"

namespace schism::testing_tools {

inline Spec word_for(const Entry<Scheduler>& entry) {
  Spec out{entry.name, {}};
  for (std::size_t i = 0; i < entry.children.least; ++i) out.children.push_back({"random", {}});
  return out;
}

// Those that are refused where nobody lies; systems that survive liars try them.
inline bool needs_liars(std::string_view name) {
  return name == "liar" || name == "byzzfuzz" || name == "twins" || name == "intrigue";
}

inline std::vector<std::string> every_scheduler() {
  std::vector<std::string> out;
  for (const auto& entry : schedulers().sorted())
    if (!needs_liars(entry.name)) out.push_back(print_spec(word_for(entry)));
  return out;
}

inline std::unique_ptr<Scheduler> made(const Entry<Scheduler>& entry) {
  return std::move(*schedulers().make(word_for(entry), "scheduler"));
}

}  // namespace schism::testing_tools
