#include "schism/oracle/property.hpp"

#include <algorithm>

namespace schism {

std::size_t Property::number_of(std::string_view state) {
  const auto found = std::find(states_.begin(), states_.end(), state);
  if (found != states_.end()) return static_cast<std::size_t>(found - states_.begin());
  states_.emplace_back(state);
  return states_.size() - 1;
}

Property& Property::on(std::string from, Condition condition, std::string_view to) {
  mask_ |= condition.mask;
  const std::size_t a = number_of(from), b = number_of(to);
  transitions_.push_back({a, std::move(condition), b});
  return *this;
}

std::optional<Observer> Property::observes() const {
  Observer observer{mask_, {}};
  const bool exact = std::all_of(transitions_.begin(), transitions_.end(),
                                 [](const Transition& t) { return t.condition.type != nullptr; });
  if (exact)
    for (const Transition& t : transitions_) observer.types.push_back(t.condition.type);
  return observer;
}

std::vector<bool> Property::reachable() const {
  std::vector<bool> out(states_.size(), false);
  out[0] = true;
  for (bool more = true; more;) {
    more = false;
    for (const Transition& t : transitions_)
      if (out[t.from] && !out[t.to]) out[t.to] = more = true;
  }
  return out;
}

std::string Property::blind_to(std::span<const NodeClass* const>) const {
  const std::vector<bool> led_to = reachable();
  for (const Transition& t : transitions_)
    if (!led_to[t.from])
      return fmt::format("nothing leads from \"start\" to its state \"{}\"", states_[t.from]);
  if (goal_.empty())
    return led_to[1] ? "" : fmt::format("nothing leads to \"{}\", and it has no goal", failing);
  const auto goal = std::find(states_.begin(), states_.end(), goal_);
  if (goal == states_.end() || !led_to[static_cast<std::size_t>(goal - states_.begin())])
    return fmt::format("nothing leads to its goal \"{}\"", goal_);
  return {};
}

void Property::begin(const World&) {
  absolve();
  state_ = 0;
  judged_ = false;
  path_.clear();
}

void Property::look(const World& world, std::span<const Event> events) {
  for (const Event& event : events) {
    for (const Transition& t : transitions_) {
      if (t.from != state_ || !t.condition(world, event)) continue;
      state_ = t.to;
      path_.push_back({world.step(), "to " + states_[state_]});
      break;
    }
    if (states_[state_] == failing) {
      violate(world, "its state machine reached a failing state", path_);
      return;
    }
  }
}

void Property::finish(const World& world, const Ending& ending) {
  judged_ = ending.fair;
  if (!goal_.empty() && judged_ && states_[state_] != goal_)
    violate(world,
            "its state machine ended in \"" + states_[state_] + "\", not in \"" + goal_ + "\"",
            path_);
}

}  // namespace schism
