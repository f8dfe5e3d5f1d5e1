#include "schism/learn/neg_rl.hpp"

#include <algorithm>
#include <cmath>

namespace schism::learn {

// Softmax; relative to the best, so that nothing overflows and something is always left.
std::size_t NegRl::pick(const Episode& episode, Rng& rng) {
  const Moment& m = episode[episode.steps() - 1];
  const auto offers = episode.offers(m);
  weights_.assign(offers.size(), 0);
  double most = -INFINITY, sum = 0;
  for (std::size_t i = 0; i < offers.size(); ++i) {
    if (!offers[i].now) continue;
    weights_[i] = table_.value(pair(m, 0, offers[i].key)) / options_.temperature;
    most = std::max(most, weights_[i]);
  }
  for (std::size_t i = 0; i < offers.size(); ++i) {
    weights_[i] = offers[i].now ? std::exp(weights_[i] - most) : 0;
    sum += weights_[i];
  }
  double left = rng.unit() * sum;
  std::size_t last = 0;
  for (std::size_t i = 0; i < offers.size(); ++i) {
    if (!offers[i].now) continue;
    last = i;
    if (left < weights_[i]) return i;
    left -= weights_[i];
  }
  return last;
}

void NegRl::step(const Episode& episode) {
  const std::size_t step = episode.moments() - 2;
  const Key key = pair(episode[step], 0, episode.action(step));
  const Moment& next = episode[step + 1];
  const double reward = visits_ ? -static_cast<double>(table_.visits(home(next))) : -1;
  const double ahead = options_.ahead == Ahead::zero ? 0 : best(episode, next, 0);
  const double value =
      (1 - options_.alpha) * table_.value(key) + options_.alpha * (reward + options_.gamma * ahead);
  table_.set(key, static_cast<float>(value), table_.visits(key) + 1);
}

}  // namespace schism::learn
