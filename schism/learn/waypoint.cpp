#include "schism/learn/waypoint.hpp"

#include <algorithm>
#include <cmath>

namespace schism::learn {

void Waypoint::start() {
  TablePolicy::start();
  reached_ = false;
}

// Tables are numbered as predicates are: 0 is `true`.
void Waypoint::see(const World& world, Episode& episode) {
  TablePolicy::see(world, episode);
  const auto& predicates = sequence_->predicates;
  std::size_t highest = predicates.size();
  if (!reached_)
    while (highest > 0 && !predicates[highest - 1].holds(world)) --highest;
  reached_ = reached_ || highest == predicates.size();
  episode.now().waypoint = highest;
}

void Waypoint::teach(const Episode& episode) {
  const std::size_t steps = episode.steps(), n = sequence_->predicates.size();
  // The table after step i. A run that broke off within its last step stayed where it was.
  const auto after = [&](std::size_t i) {
    return episode[std::min(i + 1, episode.moments() - 1)].waypoint;
  };
  std::size_t reached = 0;  // the first step in the target's table
  while (reached < steps && episode[reached].waypoint != n) ++reached;
  bool ever = reached < steps;
  if (!ever && steps > 0 && options_.late == Late::reached) ever = after(steps - 1) == n;
  for (std::size_t i = steps; i-- > 0;) {
    const std::size_t from = episode[i].waypoint, to = after(i);
    const Key key = pair(episode[i], from, episode.action(i));
    const std::uint32_t visits = table_.visits(key) + 1;
    double promise = options_.coverage.empty() ? 1.0 / visits : worth(episode, i);
    if (from == to || from == n) {
      if (i + 1 < steps)
        promise = std::max(promise, options_.gamma * best(episode, episode[i + 1], from));
    } else {
      const double progress = to > from ? 2 : 0;
      const bool shares = ever && i < reached && (to > from || options_.final == Final::both);
      const double final =
          shares ? 2 * std::pow(options_.gamma, static_cast<double>(reached - i - 1)) : 0;
      promise = std::max(promise, options_.gamma * (progress + final));
    }
    const double value = (1 - options_.alpha) * table_.value(key) + options_.alpha * promise;
    table_.set(key, static_cast<float>(value), visits);
  }
}

}  // namespace schism::learn
