// For tests: what there is to find in a reference world, by going through all of it. States by
// their texts, classes of runs by theirs, nothing hashed.
#pragma once

#include <optional>

#include "schism/check/reference_world.hpp"

namespace schism::check {

struct StateGraph {
  std::set<std::string> states;
  std::set<std::string> terminal;
  std::set<std::tuple<std::string, std::string, std::string>> edges;  // from, action, to
  bool clocks = false;                                                // nodes read their clocks
};

// The n-th of equal messages is any of them.
inline std::string action_text(const Action& a) {
  const Name n(a.name.from(), a.name.to(), a.name.type(), a.kind == Do::submit ? a.name.nth() : 0);
  return std::string(action_name(a.kind)) + " " + std::to_string(n.bits()) + " " +
         std::to_string(a.arg());
}

// Nothing: there are more than `most` states.
inline std::optional<StateGraph> reference_states(const Setup& setup, const Bounds& bounds,
                                                  std::size_t most, bool clocks = false) {
  StateGraph out;
  out.clocks = clocks;
  ReferenceWorld world(setup, bounds, true);
  world.play({});
  std::vector<std::pair<std::vector<Action>, std::string>> open = {{{}, world.state(clocks)}};
  out.states.insert(open.front().second);
  while (!open.empty()) {
    const auto [path, from] = std::move(open.back());
    open.pop_back();
    world.play(path);
    const std::vector<Action> enabled = world.enabled();
    if (enabled.empty()) out.terminal.insert(from);
    for (const Action& action : enabled) {
      world.play(path);
      world.apply(action);
      std::string to = world.state(clocks);
      out.edges.emplace(from, action_text(action), to);
      if (!out.states.insert(to).second) continue;
      if (out.states.size() > most) return std::nullopt;
      auto longer = path;
      longer.push_back(action);
      open.emplace_back(std::move(longer), std::move(to));
    }
  }
  if (world.read_clock() && !clocks) return reference_states(setup, bounds, most, true);
  return out;
}

// Of all whole runs; nothing: there are more than `most` classes of their beginnings.
inline std::optional<std::set<std::string>> reference_classes(const Setup& setup,
                                                              const Bounds& bounds,
                                                              std::size_t most) {
  std::set<std::string> out;
  ReferenceWorld world(setup, bounds, false);
  std::map<std::string, std::vector<Action>> level = {{"", {}}};
  std::size_t seen = 0;
  while (!level.empty()) {
    std::map<std::string, std::vector<Action>> next;
    for (const auto& [key, path] : level) {
      if (++seen > most) return std::nullopt;
      world.play(path);
      const std::vector<Action> enabled = world.enabled();
      if (enabled.empty()) out.insert(key);
      for (const Action& action : enabled) {
        world.play(path);
        world.apply(action);
        auto longer = path;
        longer.push_back(action);
        next.emplace(world.run_class(), std::move(longer));
      }
    }
    level = std::move(next);
  }
  return out;
}

}  // namespace schism::check
