// Who decides in the environment: which of the macro steps that are offered. A policy learns from
// what it chose, and from nothing else: rewards are its own.
#pragma once

#include <memory>
#include <string>

#include "schism/base/random.hpp"
#include "schism/learn/episode.hpp"
#include "schism/world/world.hpp"

namespace schism::learn {

class Policy {
 public:
  virtual ~Policy() = default;

  // What it needs to know of the system; one sentence if it cannot work with it.
  virtual Status begin(const Setup&) { return {}; }
  // A new episode. What the last one taught and nobody kept is forgotten.
  virtual void start() {}
  // The last moment of the episode has just been met.
  virtual void see(const World&, Episode&) {}
  // A place among the offers of the last moment, one that can be taken now.
  virtual std::size_t pick(const Episode& episode, Rng& rng) = 0;
  // The step before the last moment is over: for those who learn at once.
  virtual void step(const Episode&) {}
  // The episode is over and counts.
  virtual void learn(const Episode&) {}

  virtual std::string save() const { return {}; }
  virtual Status load(std::string_view) { return {}; }
  virtual const Table* table() const { return nullptr; }
  // What the environment's report says of this episode.
  virtual std::string report() const { return {}; }
};

// Any of what is offered now.
std::size_t pick_any(std::span<const Offer> offers, Rng& rng);

class RandomPolicy final : public Policy {
 public:
  std::size_t pick(const Episode& episode, Rng& rng) override;
};

// Policies with a table. The value of a state is the best of what was ever offered there: what is
// offered is no function of its key, which does not know how many crashes are left. A state's own
// record in the table says that, and how often it was met.
class TablePolicy : public Policy {
 public:
  explicit TablePolicy(float fallback) : table_(fallback) {}

  void start() override { table_.take_back(); }
  void see(const World&, Episode& episode) override;
  void learn(const Episode& episode) override {
    teach(episode);
    table_.keep();
  }
  std::string save() const override { return table_.save(); }
  Status load(std::string_view bytes) override { return table_.load(bytes); }
  const Table* table() const override { return &table_; }

  // Which table of several a moment's pairs are in: a part of their keys.
  static Key pair(const Moment& m, std::size_t waypoint, Key action) {
    return pair_key(m.state + waypoint * 0x9e3779b97f4a7c15ULL, action);
  }
  static Key home(const Moment& m) { return pair_key(m.state, 0x686f6d65ULL); }

 protected:
  virtual void teach(const Episode&) {}
  // The best value of what was ever offered at m.
  float best(const Episode& episode, const Moment& m, std::size_t waypoint) const;
  // What a step was worth by the coverage that rewards: 1/n, if what it showed had been shown in
  // n-1 episodes before, the rarest of it; 0 if it showed nothing. It counts from now on.
  double worth(const Episode& episode, std::size_t step);
  // The best of what is offered now, ties drawn; with that chance any.
  std::size_t greedy(const Episode& episode, double epsilon, Rng& rng) const;

  Table table_;
};

}  // namespace schism::learn
