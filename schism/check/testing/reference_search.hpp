// For tests: what there is to find in a reference world, by going through all of it. States by
// their texts, classes of runs by theirs, nothing hashed.
#pragma once

#include <optional>

#include "schism/check/testing/reference_world.hpp"

namespace schism::check {

struct StateGraph {
  std::set<std::string> states;
  std::set<std::string> terminal;
  std::set<std::tuple<std::string, std::string, std::string>> edges;  // from, action, to
  bool clocks = false;                                                // nodes read their clocks
};

// The n-th of equal messages is any of them.
inline std::string action_text(const ReferenceWorld::Step& step) {
  std::string out;
  for (const Action& a : step) {
    const bool nth = a.kind == Do::submit || a.kind == Do::choose;
    const Name n = nth ? a.name : Name(a.name.from(), a.name.to(), a.name.type(), 0);
    out += std::string(action_name(a.kind)) + " " + std::to_string(n.bits()) + " " +
           std::to_string(a.arg()) + ";";
  }
  return out;
}

// Everything that can happen after a beginning: `use` sees the world after each.
template <class Use>
bool each_step(ReferenceWorld& world, const std::vector<ReferenceWorld::Step>& path, Use use) {
  world.play(path);
  std::vector<ReferenceWorld::Step> todo;
  for (const Action& action : world.enabled()) todo.push_back({action});
  const bool any = !todo.empty();
  for (std::size_t i = 0; i < todo.size(); ++i) {
    const ReferenceWorld::Step step = todo[i];
    world.play(path);
    world.apply(step);
    for (ReferenceWorld::Step& other : world.otherwise(step)) todo.push_back(std::move(other));
    if (!use(step)) break;
  }
  return any;
}

// Nothing: there are more than `most` states.
inline std::optional<StateGraph> reference_states(const Setup& setup, const Bounds& bounds,
                                                  std::size_t most, bool clocks = false) {
  StateGraph out;
  out.clocks = clocks;
  ReferenceWorld world(setup, bounds, true);
  world.play({});
  using Path = std::vector<ReferenceWorld::Step>;
  std::vector<std::pair<Path, std::string>> open = {{{}, world.state(clocks)}};
  out.states.insert(open.front().second);
  while (!open.empty() && out.states.size() <= most) {
    const auto [path, from] = std::move(open.back());
    open.pop_back();
    const bool any = each_step(world, path, [&, p = &path, f = &from](const auto& step) {
      std::string to = world.state(clocks);
      out.edges.emplace(*f, action_text(step), to);
      if (!out.states.insert(to).second) return true;
      Path longer = *p;
      longer.push_back(step);
      open.emplace_back(std::move(longer), std::move(to));
      return out.states.size() <= most;
    });
    if (!any) out.terminal.insert(from);
  }
  if (out.states.size() > most) return std::nullopt;
  if (world.read_clock() && !clocks) return reference_states(setup, bounds, most, true);
  return out;
}

// Of all whole runs; nothing: there are more than `most` classes of their beginnings.
inline std::optional<std::set<std::string>> reference_classes(const Setup& setup,
                                                              const Bounds& bounds,
                                                              std::size_t most) {
  std::set<std::string> out;
  ReferenceWorld world(setup, bounds, false);
  using Path = std::vector<ReferenceWorld::Step>;
  std::map<std::string, Path> level = {{"", {}}};
  std::size_t seen = 0;
  while (!level.empty()) {
    std::map<std::string, Path> next;
    for (const auto& [key, path] : level) {
      if (++seen > most) return std::nullopt;
      const bool any = each_step(world, path, [&, p = &path](const auto& step) {
        Path longer = *p;
        longer.push_back(step);
        next.emplace(world.run_class(), std::move(longer));
        return true;
      });
      if (!any) out.insert(key);
    }
    level = std::move(next);
  }
  return out;
}

}  // namespace schism::check
