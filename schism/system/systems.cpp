#include "schism/system/systems.hpp"

namespace schism {

// Function-local, so that it exists before the first static object that registers.
Systems& systems() {
  static Systems table;
  return table;
}

void Systems::add(std::shared_ptr<const System> system) {
  if (system->name.empty() || system->description.empty())
    registration_error("a system has no name or no description");
  const NodeClass* taker = system->request_class();
  for (const NodeClass* c : system->classes)
    if (c->request_count > 0 && c->requests != taker->requests)
      registration_error("classes of \"" + system->name +
                         "\" number their requests each for itself: see share_requests");
  auto at = systems_.begin();
  while (at != systems_.end() && (*at)->name < system->name) ++at;
  if (at != systems_.end() && (*at)->name == system->name)
    registration_error("the system \"" + system->name + "\" is registered twice");
  systems_.insert(at, std::move(system));
}

const System* Systems::find(std::string_view name) const {
  for (const auto& system : systems_)
    if (system->name == name) return system.get();
  return nullptr;
}

std::vector<std::string> Systems::names() const {
  std::vector<std::string> out;
  for (const auto& system : systems_) out.push_back(system->name);
  return out;
}

Registration register_system(std::shared_ptr<const System> system) {
  // Sets of oracles travel as the bits of a word, and two belong to every system.
  constexpr std::size_t most = 62;
  if (system->oracles.size() > most)
    registration_error("the system \"" + system->name + "\" has more than " + std::to_string(most) +
                       " oracles");
  systems().add(std::move(system));
  return {};
}

}  // namespace schism
