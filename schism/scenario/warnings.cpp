#include "schism/scenario/warnings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace schism::scenario {
namespace {

void of_filters(const Program& program, const Tally& tally, std::vector<std::string>& out) {
  for (std::size_t i = 0; i < program.filters.size(); ++i) {
    const std::string& name = program.filters[i].filter->name;
    if (tally.matches[i] == 0) {
      out.push_back(fmt::format("filter \"{}\" never matched", name));
      continue;
    }
    if (tally.fateless[i] > 0)
      out.push_back(
          fmt::format("filter \"{}\" gave {} of its {} matches no fate: they went on to "
                      "the explorer, and no later filter saw them; say pass if that is "
                      "meant",
                      name, tally.fateless[i], tally.matches[i]));
    if (tally.powerless[i] > 0)
      out.push_back(
          fmt::format("filter \"{}\" decided {} times about something that had happened "
                      "already, such as a message that was received; say sent",
                      name, tally.powerless[i]));
    if (tally.failed[i] > 0)
      out.push_back(
          fmt::format("filter \"{}\" could not do what it says {} times", name, tally.failed[i]));
  }
}

// A goal that is expected not to be reached is no reason to worry.
bool wants_no_goal(const Scenario& s) {
  return std::any_of(s.expectations.begin(), s.expectations.end(),
                     [](const Expectation& e) { return e.kind == Expectation::goal && e.none; });
}

void of_states(const BoundMachine& machine, const std::vector<std::uint64_t>& visited,
               std::string_view what, bool goals_too, std::vector<std::string>& out) {
  for (std::size_t i = 1; i < machine.states.size() && i < visited.size(); ++i)
    if (visited[i] == 0 && static_cast<int>(i) != machine.violation &&
        (goals_too || !machine.goal[i]))
      out.push_back(fmt::format("state {} of the {} was never reached", machine.states[i], what));
}

}  // namespace

std::vector<std::string> warnings_of(const Program& program, const Tally& tally, const Goal* goal) {
  std::vector<std::string> out = program.contradictions;
  of_filters(program, tally, out);
  if (!program.states_of_property) of_states(program.machine, tally.visited, "machine", true, out);
  if (goal)
    of_states(program.property, goal->visited(), "property", !wants_no_goal(program.source), out);
  std::size_t step = 0;
  for (const auto& line : program.script)
    for (const BoundCue& cue : line)
      if (tally.cues[step++] == 0)
        out.push_back(fmt::format("step \"{}\" of the script was never done", cue.text));
  for (std::size_t i = 0; i < program.sets.size(); ++i)
    if (tally.stored[i] > 0 && tally.released[i] == 0)
      out.push_back(fmt::format("set {} was never released: {} things stayed in it",
                                program.sets[i], tally.stored[i]));
  for (const std::string& counter : program.counters)
    if (!tally.counted.contains(counter) && !(goal && goal->counted().contains(counter)))
      out.push_back(fmt::format("counter {} was never incremented: it is 0 in all runs", counter));
  std::set<int> unset = tally.unset;
  if (goal) unset.insert(goal->unset().begin(), goal->unset().end());
  for (const int variable : unset)
    out.push_back(fmt::format("${} was compared before anything had set it",
                              program.variables[static_cast<std::size_t>(variable)]));
  for (const int variable : tally.overwritten)
    out.push_back(fmt::format("${} was recorded again with another value: conditions see the last",
                              program.variables[static_cast<std::size_t>(variable)]));
  return out;
}

}  // namespace schism::scenario
