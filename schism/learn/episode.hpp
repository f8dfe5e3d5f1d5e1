// An episode as a learner sees it: the states that it met, what was offered in each, and what was
// taken. States and actions are hashes of colours, never of node numbers.
#pragma once

#include <span>
#include <vector>

#include "schism/base/enum.hpp"
#include "schism/learn/table.hpp"

namespace schism::learn {

SCHISM_ENUM(Kind, stay, change, crash, start, request);

// A macro step that could be taken in a state.
struct Offer {
  Key key = 0;
  Kind kind = Kind::stay;
  bool now = true;          // it can be taken now
  bool ever = true;         // now, or when the state was met before
  std::uint32_t which = 0;  // the split, the node, the request
};

struct Moment {
  Key state = 0;                    // blocks of colours, and counters
  Key colours = 0;                  // all nodes' together, whoever is with whom
  std::size_t first = 0, last = 0;  // its offers
  std::size_t taken = 0;            // one of them
  std::size_t shown = 0;            // how many keys of a coverage the episode had shown
  std::size_t waypoint = 0;         // the table that it is in (waypoint.cpp); else 0
};

class Episode {
 public:
  void clear() {
    moments_.clear();
    offers_.clear();
    shown_.clear();
    over_ = false;
  }
  Moment& add(Key state, Key colours) {
    moments_.push_back({state, colours, offers_.size(), offers_.size(), 0, shown_.size()});
    return moments_.back();
  }
  // Keys of the coverage that rewards, each once an episode, as they are seen.
  void show(std::span<const Key> keys) { shown_.insert(shown_.end(), keys.begin(), keys.end()); }
  void offer(const Offer& offer) {
    offers_.push_back(offer);
    moments_.back().last = offers_.size();
  }
  // The last state was met after the last step: nothing is taken there.
  void finish() { over_ = true; }

  // Steps that were taken. A run that ended within its last step never showed where that led.
  std::size_t steps() const { return moments_.size() - (over_ ? 1 : 0); }
  std::size_t moments() const { return moments_.size(); }
  bool empty() const { return moments_.empty(); }

  Moment& now() { return moments_.back(); }
  const Moment& operator[](std::size_t step) const { return moments_[step]; }
  std::span<Offer> offers(const Moment& m) {
    return std::span(offers_).subspan(m.first, m.last - m.first);
  }
  std::span<const Offer> offers(const Moment& m) const {
    return std::span(offers_).subspan(m.first, m.last - m.first);
  }
  Key action(std::size_t step) const { return offers_[moments_[step].taken].key; }
  // What a step was the first of its episode to show.
  std::span<const Key> shown(std::size_t step) const {
    const std::size_t from = moments_[step].shown;
    const std::size_t to = step + 1 < moments_.size() ? moments_[step + 1].shown : shown_.size();
    return std::span(shown_).subspan(from, to - from);
  }

 private:
  std::vector<Moment> moments_;
  std::vector<Offer> offers_;
  std::vector<Key> shown_;
  bool over_ = false;
};

}  // namespace schism::learn
