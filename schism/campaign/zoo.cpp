#include "schism/campaign/zoo.hpp"

namespace schism {
namespace {

// What somebody tries who knows nothing of the bug.
constexpr std::pair<Fault, const char*> kFewFaults[] = {
    {Fault::crash, "2"}, {Fault::drop, "5"}, {Fault::duplicate, "2"}, {Fault::partition, "1"}};

}  // namespace

std::vector<Exhibit> zoo() {
  std::vector<Exhibit> out;
  for (const auto& system : systems().sorted())
    for (const Bug& bug : system->bugs) out.push_back({system.get(), &bug});
  return out;
}

Result<Exhibit> find_exhibit(std::string_view name) {
  std::vector<std::string> names;
  std::vector<Exhibit> bugs;  // of that name, in whatever system
  for (const Exhibit& exhibit : zoo()) {
    if (exhibit.name() == name) return exhibit;
    if (exhibit.bug->name == name) bugs.push_back(exhibit);
    names.push_back(exhibit.name());
  }
  if (bugs.size() == 1) return bugs[0];
  if (bugs.empty()) return tl::unexpected(unknown_word("bug", name, names));
  std::string all;
  for (const Exhibit& exhibit : bugs) all += (all.empty() ? "" : " or ") + exhibit.name();
  return error("which \"{}\"? {}", name, all);
}

Result<RunConfig> exhibit_config(const Exhibit& exhibit, const Spec& explorer) {
  RunText text;
  text.system = {exhibit.system->name, exhibit.seen().parameters};
  text.world = exhibit.seen().world;
  text.bugs = {exhibit.bug->name};
  text.explorer = explorer;
  auto config = make_config(text);
  if (!config || config->asked || !exhibit.system->survives) return config;
  const FaultKinds may = exhibit.system->survives(config->setup);
  for (const auto& [kind, budget] : kFewFaults) {
    if (!may.has(kind)) continue;
    text.faults.emplace_back(fault_name(kind), budget);
    // A strategy that never makes that fault does without it.
    if (auto more = make_config(text)) config = std::move(more);
    else text.faults.pop_back();
  }
  return config;
}

}  // namespace schism
