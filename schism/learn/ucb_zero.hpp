// UCBZero (Zhang, Ma, Singla 2020): optimism for exploration without rewards, with its proof's
// bonus. `table=step` is the theory, a table a step of the episode and always the best action;
// `table=one` what was published beside BonusMaxRL.
#pragma once

#include "schism/learn/options.hpp"
#include "schism/learn/policy.hpp"

namespace schism::learn {

SCHISM_ENUM(Tables, step, one);

struct UcbZeroOptions : AgentOptions {
  double c = 0.5, epsilon = 0;
  std::int64_t states = 10'000, actions = 100, episodes = 10'000;
  Tables table = Tables::step;
};

class UcbZero final : public TablePolicy {
 public:
  UcbZero(const UcbZeroOptions& options, std::int64_t horizon);

  void see(const World& world, Episode& episode) override;
  std::size_t pick(const Episode& episode, Rng& rng) override {
    return greedy(episode, options_.epsilon, rng);
  }
  void step(const Episode& episode) override;

 private:
  UcbZeroOptions options_;
  double horizon_, iota_;
};

}  // namespace schism::learn
