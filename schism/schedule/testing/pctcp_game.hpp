// PCTCP on a given partial order instead of a system, for tests: an event arrives when all below
// it were executed. Chains, lines and labels are those of the scheduler; where its luck comes from
// is a parameter.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "schism/base/random.hpp"
#include "schism/schedule/chains.hpp"
#include "schism/schedule/priority_lines.hpp"

namespace schism::pctcp {

struct Poset {
  std::vector<std::uint32_t> below;  // a bit for each event that is below, transitively

  int size() const { return static_cast<int>(below.size()); }
  bool less(int a, int b) const { return (below[static_cast<std::size_t>(b)] >> a & 1) != 0; }
};

inline Poset random_poset(int size, double density, Rng& rng) {
  Poset poset;
  for (int b = 0; b < size; ++b) {
    std::uint32_t below = 0;
    for (int a = 0; a < b; ++a)
      if (rng.chance(density)) below |= 1U << a | poset.below[static_cast<std::size_t>(a)];
    poset.below.push_back(below);
  }
  return poset;
}

// Dilworth: events less a maximum matching of a to b wherever a < b.
inline int width(const Poset& poset) {
  const int n = poset.size();
  std::vector<int> matched(static_cast<std::size_t>(n), -1);
  const auto augment = [&](auto& self, int a, std::vector<bool>& tried) -> bool {
    for (int b = 0; b < n; ++b) {
      const auto i = static_cast<std::size_t>(b);
      if (!poset.less(a, b) || tried[i]) continue;
      tried[i] = true;
      if (matched[i] >= 0 && !self(self, matched[i], tried)) continue;
      matched[i] = a;
      return true;
    }
    return false;
  };
  int chains = n;
  for (int a = 0; a < n; ++a) {
    std::vector<bool> tried(static_cast<std::size_t>(n));
    chains -= augment(augment, a, tried);
  }
  return chains;
}

// What a sender knows, with a node of its own for each event.
inline std::vector<std::uint32_t> knowledge(const Poset& poset, int event) {
  std::vector<std::uint32_t> knows;
  for (int a = 0; a < poset.size(); ++a) knows.push_back(poset.less(a, event));
  return knows;
}

struct Played {
  std::vector<int> position;            // when each event was executed
  std::vector<std::uint32_t> chain_of;  // in which chain each is
  std::uint32_t chains = 0;
};

// Luck has below(k), rank(lines) for a new line, and demoted(lines) after a demotion.
template <class Luck>
Played play(const Poset& poset, const std::vector<std::uint64_t>& points, Luck& luck) {
  const auto n = static_cast<std::size_t>(poset.size());
  Played played{std::vector<int>(n, -1), std::vector<std::uint32_t>(n), 0};
  ChainPartition chains;
  PriorityLines lines;
  lines.clear();
  std::uint32_t done = 0, seen = 0;
  std::uint64_t arrived = 0;
  const auto arrive = [&](std::size_t event) {
    seen |= 1U << event;
    ++arrived;
    bool opened = false;
    const auto knows = knowledge(poset, static_cast<int>(event));
    const auto chain = chains.add(knows, opened, [&](std::uint64_t k) { return luck.below(k); });
    if (opened) lines.open(luck.rank(lines));
    const auto at = std::find(points.begin(), points.end(), arrived);
    const auto label = at == points.end() ? PriorityLines::kUnlabelled
                                          : static_cast<std::uint32_t>(at - points.begin());
    lines.enqueue(chain, {static_cast<std::uint32_t>(event), 0, Do::deliver, label, chain});
    played.chain_of[event] = chain;
  };
  for (int step = 0;; ++step) {
    for (std::size_t event = 0; event < n; ++event)
      if (!(seen >> event & 1) && !(poset.below[event] & ~done)) arrive(event);
    const auto served = lines.pick([](const auto&) { return PriorityLines::Fit::now; });
    if (!served) break;
    if (lines.demoted_since_redraw()) luck.demoted(lines);
    played.position[served->slot] = step;
    done |= 1U << served->slot;
    chains.delivered(served->chain, static_cast<int>(served->slot), 1);
  }
  played.chains = chains.size();
  return played;
}

// As the scheduler draws.
struct Drawn {
  Rng rng;
  std::uint64_t below(std::uint64_t k) { return rng.below(k); }
  std::uint64_t rank(const PriorityLines&) { return rng.next(); }
  void demoted(PriorityLines& lines) {
    lines.redraw([&] { return rng.next(); });
  }
};

// Every way that the draws can fall, one after the other: a choice of k has k outcomes of equal
// chance, and a new line one of the k+1 places among the k that were not demoted.
class Enumerated {
 public:
  std::uint64_t below(std::uint64_t k) {
    if (next_ == choices_.size()) choices_.push_back({0, k});
    return choices_[next_++].outcome;
  }
  std::uint64_t rank(const PriorityLines& lines) {
    const auto ranks = lines.ranks();
    const std::size_t place = below(ranks.size() + 1);
    const std::uint64_t low = place > 0 ? ranks[place - 1] : 0;
    const std::uint64_t high = place < ranks.size() ? ranks[place] : std::uint64_t{1} << 62;
    return low + (high - low) / 2;
  }
  void demoted(PriorityLines&) {}

  // One over the chance of what was just played.
  std::uint64_t rarity() const {
    std::uint64_t product = 1;
    for (const Choice& choice : choices_) product *= choice.of;
    return product;
  }
  // On to the next way; false after the last.
  bool advance() {
    next_ = 0;
    while (!choices_.empty() && ++choices_.back().outcome == choices_.back().of)
      choices_.pop_back();
    return !choices_.empty();
  }

 private:
  struct Choice {
    std::uint64_t outcome, of;
  };
  std::vector<Choice> choices_;
  std::size_t next_ = 0;
};

// All sequences of d different numbers from `first` to `last`.
template <class T>
std::vector<std::vector<T>> sequences(std::size_t d, T first, T last) {
  std::vector<std::vector<T>> all{{}};
  for (std::size_t i = 0; i < d; ++i) {
    std::vector<std::vector<T>> longer;
    for (const auto& sequence : all)
      for (T x = first; x <= last; ++x) {
        if (std::find(sequence.begin(), sequence.end(), x) != sequence.end()) continue;
        longer.push_back(sequence);
        longer.back().push_back(x);
      }
    all = std::move(longer);
  }
  return all;
}

// Those that some order of execution has in this order.
inline std::vector<std::vector<int>> admissible_tuples(const Poset& poset, std::size_t d) {
  auto tuples = sequences<int>(d, 0, poset.size() - 1);
  std::erase_if(tuples, [&](const std::vector<int>& tuple) {
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = i + 1; j < d; ++j)
        if (poset.less(tuple[j], tuple[i])) return true;
    return false;
  });
  return tuples;
}

inline bool hits(const Played& played, const std::vector<int>& tuple) {
  for (std::size_t i = 1; i < tuple.size(); ++i)
    if (played.position[static_cast<std::size_t>(tuple[i - 1])] >
        played.position[static_cast<std::size_t>(tuple[i])])
      return false;
  return true;
}

}  // namespace schism::pctcp
