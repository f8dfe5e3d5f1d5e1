#include "schism/learn/policy.hpp"

#include <algorithm>

namespace schism::learn {

std::size_t pick_any(std::span<const Offer> offers, Rng& rng) {
  std::size_t possible = 0;
  for (const Offer& offer : offers) possible += offer.now ? 1 : 0;
  std::size_t left = rng.below(possible);
  for (std::size_t i = 0;; ++i)
    if (offers[i].now && left-- == 0) return i;
}

std::size_t RandomPolicy::pick(const Episode& episode, Rng& rng) {
  return pick_any(episode.offers(episode[episode.steps() - 1]), rng);
}

void TablePolicy::see(const World&, Episode& episode) {
  const Moment& m = episode.now();
  const Key own = home(m);
  const std::uint32_t visits = table_.visits(own);
  // A bit a kind. What is not there has the table's value for strangers, which means nothing here.
  auto kinds = visits == 0 ? 0U : static_cast<unsigned>(table_.value(own));
  for (Offer& offer : episode.offers(m)) {
    const unsigned bit = 1U << static_cast<unsigned>(offer.kind);
    if (offer.now) kinds |= bit;
    offer.ever = (kinds & bit) != 0;
  }
  table_.set(own, static_cast<float>(kinds), visits + 1);
}

float TablePolicy::best(const Episode& episode, const Moment& m, std::size_t waypoint) const {
  bool any = false;
  float most = table_.fallback();
  for (const Offer& offer : episode.offers(m)) {
    if (!offer.ever) continue;
    const float value = table_.value(pair(m, waypoint, offer.key));
    most = any ? std::max(most, value) : value;
    any = true;
  }
  return most;
}

double TablePolicy::worth(const Episode& episode, std::size_t step) {
  constexpr Key kShown = 0x73686f776eULL;
  double most = 0;
  for (const Key key : episode.shown(step)) {
    const Key own = pair_key(key, kShown);
    const std::uint32_t episodes = table_.visits(own) + 1;
    table_.set(own, 0, episodes);
    most = std::max(most, 1.0 / episodes);
  }
  return most;
}

std::size_t TablePolicy::greedy(const Episode& episode, double epsilon, Rng& rng) const {
  const Moment& m = episode[episode.steps() - 1];
  const auto offers = episode.offers(m);
  if (epsilon > 0 && rng.chance(epsilon)) return pick_any(offers, rng);
  std::size_t best = 0, ties = 0;
  float most = 0;
  for (std::size_t i = 0; i < offers.size(); ++i) {
    if (!offers[i].now) continue;
    const float value = table_.value(pair(m, m.waypoint, offers[i].key));
    if (ties > 0 && value < most) continue;
    if (ties == 0 || value > most) most = value, ties = 0;
    if (rng.below(++ties) == 0) best = i;
  }
  return best;
}

}  // namespace schism::learn
