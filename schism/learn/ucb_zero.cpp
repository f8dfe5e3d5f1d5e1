#include "schism/learn/ucb_zero.hpp"

#include <algorithm>
#include <cmath>

namespace schism::learn {

UcbZero::UcbZero(const UcbZeroOptions& options, std::int64_t horizon)
    : TablePolicy(static_cast<float>(horizon)),
      options_(options),
      horizon_(static_cast<double>(horizon)),
      iota_(std::log(static_cast<double>(options.states) * static_cast<double>(options.actions) *
                     static_cast<double>(options.episodes) * static_cast<double>(horizon))) {}

void UcbZero::see(const World& world, Episode& episode) {
  TablePolicy::see(world, episode);
  if (options_.table == Tables::step) episode.now().waypoint = episode.moments() - 1;
}

void UcbZero::step(const Episode& episode) {
  const std::size_t step = episode.moments() - 2;
  const Moment &from = episode[step], &to = episode[step + 1];
  const Key key = pair(from, from.waypoint, episode.action(step));
  const std::uint32_t visits = table_.visits(key) + 1;
  const double cube = horizon_ * horizon_ * horizon_;
  const double bonus = options_.table == Tables::step
                           ? options_.c * std::sqrt(cube * iota_ / visits)
                           : options_.c * std::sqrt((cube + iota_) / visits);
  const double size = (horizon_ + 1) / (horizon_ + visits);
  const double ahead = std::min<double>(horizon_, best(episode, to, to.waypoint));
  const double value = (1 - size) * table_.value(key) + size * (ahead + 2 * bonus);
  table_.set(key, static_cast<float>(value), visits);
}

}  // namespace schism::learn
