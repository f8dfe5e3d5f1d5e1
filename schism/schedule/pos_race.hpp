// The priorities of POS, apart from any world. Every event has a uniformly random priority; those
// of one place (a node) are all drawn anew when an event happens there. To do so for each of k
// events would cost k draws a step. But only the highest is ever looked at, and the highest of k
// independent draws can be drawn as such: the rest is then independent and uniform below it, and
// stays undrawn. So a step costs O(log k), and choosing a place O(log places), whatever waits.
//
//   race.add(node, {slot, generation, kind}, rng);
//   if (auto first = race.best(fit, rng)) { race.take(*first); race.redraw(first->place); }
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "schism/base/random.hpp"
#include "schism/words/action.hpp"

namespace schism {

// The greatest of k independent uniform numbers, k > 0.
std::uint64_t greatest_of(std::uint64_t k, Rng& rng);

class Race {
 public:
  struct Item {
    std::uint32_t slot = 0, generation = 0;
    Do kind = Do::deliver;
  };
  enum class Fit { now, later, never };  // as it is, blocked, gone
  struct Best {
    std::uint64_t priority;
    std::uint32_t place;
    std::uint32_t nth;  // in `known`
    Item item;
  };

  void reset(std::size_t places);
  void add(std::size_t place, const Item& item, Rng& rng);
  // The highest of those that fit.
  template <class Judge>
  std::optional<Best> best(Judge&& fit, Rng& rng);
  void take(const Best& best);
  // All that waits at that place draws anew.
  void redraw(std::size_t place);

 private:
  struct Known {
    std::uint64_t priority;
    Item item;
  };
  struct Place {
    std::vector<Known> known;  // ascending; all above `bound`
    std::vector<Item> rest;    // independent and uniform below `bound`
    std::uint64_t bound = kTop;
    std::uint32_t skipped = 0;  // of the known, from the top: blocked in the current choice
    bool stale = false;         // the tree does not know its best
  };
  static constexpr std::uint64_t kTop = UINT64_MAX;

  void mark(std::size_t place);
  // Draws until there is a candidate, and tells the tree.
  void refresh(std::uint32_t place, Rng& rng);
  void update(std::uint32_t place, std::uint64_t priority);
  void put_back_skipped();

  std::vector<Place> places_;
  std::vector<std::uint32_t> stale_, skipping_;
  // A tournament: the winner of inner node i is the better of those of 2i and 2i + 1.
  std::vector<std::uint32_t> winner_;
  std::vector<std::uint64_t> priority_;  // a place; 0: nobody
  std::uint32_t leaves_ = 0;
};

template <class Judge>
std::optional<Race::Best> Race::best(Judge&& fit, Rng& rng) {
  for (const std::uint32_t place : stale_) refresh(place, rng);
  stale_.clear();
  std::optional<Best> found;
  while (!found) {
    const std::uint32_t number = winner_[1];
    if (priority_[number] == 0) break;
    Place& place = places_[number];
    const auto nth = static_cast<std::uint32_t>(place.known.size() - 1 - place.skipped);
    const Known& candidate = place.known[nth];
    const Fit fits = fit(candidate.item);
    if (fits == Fit::now) {
      found = Best{candidate.priority, number, nth, candidate.item};
      break;
    }
    if (fits == Fit::never) place.known.erase(place.known.begin() + nth);
    else if (place.skipped++ == 0) skipping_.push_back(number);
    refresh(number, rng);
  }
  put_back_skipped();
  return found;
}

}  // namespace schism
