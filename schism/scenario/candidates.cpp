// What scenarios that the tool writes are made of, and how often they reproduce.
#include <algorithm>

#include "schism/run/runner.hpp"
#include "schism/scenario/from_trace.hpp"
#include "schism/scenario/staged.hpp"
#include "schism/scenario/test.hpp"

namespace schism::scenario {

Judged judge(const Scenario& scenario, const std::string& property, std::uint64_t runs,
             std::uint64_t least) {
  Judged out;
  const auto config = configure(scenario);
  if (!config) return out;
  Runner runner(config->setup, config->limits);
  runner.skip_what_is_fine();
  const auto scheduler = make_scheduler(*config);
  while (out.runs < runs && out.violated + (runs - out.runs) >= least) {
    const RunSummary summary = runner.run(*scheduler, plan_of(scenario, out.runs));
    ++out.runs;
    out.steps += summary.steps;
    out.violated += summary.violated && runner.violation()->property == property ? 1 : 0;
  }
  return out;
}

Scenario under(Scenario scenario, const std::string& explorer) {
  if (auto spec = parse_spec(explorer)) scenario.run.explorer = *std::move(spec);
  return scenario;
}

std::optional<Scenario> with_more_nodes(Scenario scenario, int more) {
  const auto config = configure(scenario);
  if (!config) return std::nullopt;
  const int nodes = config->setup.nodes + more;
  if (nodes > config->setup.system->node_range.high) return std::nullopt;
  scenario.run.nodes = std::to_string(nodes);
  if (!configure(scenario)) return std::nullopt;
  return scenario;
}

std::size_t size_of(const Scenario& scenario) {
  std::size_t out = scenario.filters.size();
  for (const Line& line : scenario.script) out += line.cues.size();
  return out;
}

Class class_of(const Cue& cue) {
  switch (cue.kind) {
    case Cue::fire: return {Class::timer, cue.type};
    case Cue::complete:
    case Cue::fail: return {Class::disk, {}};
    case Cue::submit: return {Class::request, {}};
    default: return {Class::message, cue.type};
  }
}

std::vector<Class> classes_of(const System& system) {
  std::vector<Class> out;
  for (int i = 0; i < system.message_count(); ++i)
    out.push_back({Class::message, std::string(system.message(i).name)});
  for (const std::string& timer : system.timer_names()) out.push_back({Class::timer, timer});
  out.push_back({Class::disk, {}});
  if (system.request_class()) out.push_back({Class::request, {}});
  return out;
}

// "sent A | B or armed election or queued": types are named where not all of them are meant.
Filter holding(const std::vector<Class>& held, const System& system) {
  const std::vector<Class> every = classes_of(system);
  Cond any;
  any.kind = Cond::any;
  static constexpr std::pair<Class::Kind, std::string_view> words[] = {{Class::message, "sent"},
                                                                       {Class::timer, "armed"},
                                                                       {Class::disk, "queued"},
                                                                       {Class::request, "asked"}};
  for (const auto& [kind, word] : words) {
    const auto is = [kind = kind](const Class& c) { return c.kind == kind; };
    Cond event;
    event.kind = Cond::event, event.name = std::string(word);
    for (const Class& c : held)
      if (is(c)) event.types.push_back(c.name);
    if (event.types.empty()) continue;
    const auto all = static_cast<std::size_t>(std::count_if(every.begin(), every.end(), is));
    if (event.types.size() == all) event.types.clear();
    any.parts.push_back(std::move(event));
  }
  Filter out;
  const bool everything = held.size() == every.size();
  out.name = everything ? "nothing else happens" : "these wait for the script";
  out.condition = any.parts.size() == 1 ? any.parts[0] : any;
  Act hold;
  hold.kind = Act::hold;
  out.actions = {hold};
  return out;
}

}  // namespace schism::scenario
