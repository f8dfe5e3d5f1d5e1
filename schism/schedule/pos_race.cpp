#include "schism/schedule/pos_race.hpp"

#include <algorithm>
#include <bit>

namespace schism {

std::uint64_t greatest_of(std::uint64_t k, Rng& rng) {
  if (k <= 8) {
    std::uint64_t greatest = 0;
    for (; k > 0; --k) greatest = std::max(greatest, rng.next());
    return greatest;
  }
  // Bit by bit from the top, for all at once: those with a 1 stay in, if there are any. Only their
  // number matters.
  std::uint64_t greatest = 0;
  int bit = 63;
  for (; k > 1 && bit >= 0; --bit) {
    std::uint64_t ones = 0;
    for (std::uint64_t left = k; left > 0; left -= std::min<std::uint64_t>(left, 64))
      ones += static_cast<std::uint64_t>(
          std::popcount(left < 64 ? rng.next() >> (64 - left) : rng.next()));
    if (ones == 0) continue;
    k = ones;
    greatest |= std::uint64_t{1} << bit;
  }
  return bit < 0 ? greatest : greatest | rng.next() >> (63 - bit);
}

void Race::reset(std::size_t places) {
  places_.resize(places);
  for (Place& place : places_) {
    place.known.clear();
    place.rest.clear();
    place.bound = kTop;
    place.skipped = 0;
    place.stale = false;
  }
  stale_.clear();
  leaves_ = static_cast<std::uint32_t>(std::bit_ceil(places));
  priority_.assign(leaves_, 0);
  winner_.resize(std::size_t{2} * leaves_);
  for (std::uint32_t i = 2 * leaves_; i-- > 1;)
    winner_[i] = i >= leaves_ ? i - leaves_ : winner_[std::size_t{2} * i];
}

void Race::mark(std::size_t place) {
  if (places_[place].stale) return;
  places_[place].stale = true;
  stale_.push_back(static_cast<std::uint32_t>(place));
}

void Race::add(std::size_t at, const Item& item, Rng& rng) {
  Place& place = places_[at];
  // Below the bound it is one of the rest, and which number it drew need not be known.
  const std::uint64_t drawn = place.bound == kTop ? 0 : rng.next();
  if (drawn < place.bound) {
    place.rest.push_back(item);
    if (place.known.empty()) mark(at);
    return;
  }
  const auto above = std::find_if(place.known.begin(), place.known.end(),
                                  [&](const Known& k) { return k.priority > drawn; });
  if (above == place.known.end()) mark(at);
  place.known.insert(above, {drawn, item});
}

void Race::redraw(std::size_t at) {
  Place& place = places_[at];
  if (place.known.empty() && place.bound == kTop) return;  // nothing was drawn yet
  for (const Known& known : place.known) place.rest.push_back(known.item);
  place.known.clear();
  place.bound = kTop;
  mark(at);
}

void Race::take(const Best& best) {
  Place& place = places_[best.place];
  place.known.erase(place.known.begin() + best.nth);
  mark(best.place);
}

void Race::refresh(std::uint32_t at, Rng& rng) {
  Place& place = places_[at];
  place.stale = false;
  if (place.skipped == place.known.size() && !place.rest.empty()) {
    const std::uint64_t k = place.rest.size();
    // 0 is for nobody.
    const std::uint64_t priority =
        std::max<std::uint64_t>(1, scale_below(greatest_of(k, rng), place.bound));
    Item& chosen = place.rest[k > 1 ? rng.below(k) : 0];
    place.known.insert(place.known.begin(), {priority, chosen});
    place.bound = priority;
    chosen = place.rest.back();
    place.rest.pop_back();
  }
  const bool any = place.skipped < place.known.size();
  update(at, any ? place.known[place.known.size() - 1 - place.skipped].priority : 0);
}

void Race::update(std::uint32_t at, std::uint64_t priority) {
  priority_[at] = priority;
  for (std::uint32_t i = (leaves_ + at) / 2; i > 0; i /= 2) {
    const std::uint32_t left = winner_[std::size_t{2} * i], right = winner_[std::size_t{2} * i + 1];
    winner_[i] = priority_[left] >= priority_[right] ? left : right;
  }
}

void Race::put_back_skipped() {
  for (const std::uint32_t at : skipping_) {
    places_[at].skipped = 0;
    update(at, places_[at].known.back().priority);
  }
  skipping_.clear();
}

}  // namespace schism
