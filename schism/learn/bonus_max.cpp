#include "schism/learn/bonus_max.hpp"

#include <algorithm>

namespace schism::learn {

void BonusMax::update(const Episode& episode, std::size_t step, bool look_ahead) {
  const Key key = pair(episode[step], 0, episode.action(step));
  const std::uint32_t visits = table_.visits(key) + 1;
  double promise = options_.coverage.empty() ? 1.0 / visits : worth(episode, step);
  if (look_ahead) promise = std::max(promise, options_.gamma * best(episode, episode[step + 1], 0));
  const double value = (1 - options_.alpha) * table_.value(key) + options_.alpha * promise;
  table_.set(key, static_cast<float>(value), visits);
}

void BonusMax::step(const Episode& episode) {
  if (options_.update == Update::online) update(episode, episode.moments() - 2, true);
}

void BonusMax::teach(const Episode& episode) {
  if (options_.update == Update::online) return;
  for (std::size_t i = episode.steps(); i-- > 0;) update(episode, i, i + 1 < episode.steps());
}

}  // namespace schism::learn
