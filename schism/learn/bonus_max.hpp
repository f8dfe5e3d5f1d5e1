// BonusMaxRL: exploration for its own sake (Algorithm 2 of the BonusMaxRL thesis). A value is the
// promise of the least visited pair that can be reached: the largest of the bonus 1/visits and what
// comes after, not their sum.
#pragma once

#include "schism/learn/options.hpp"
#include "schism/learn/policy.hpp"

namespace schism::learn {

// `online`: after every step, and with what comes after the last one, as the program behind the
// published numbers does; the text goes through an episode backwards when it is over.
SCHISM_ENUM(Update, backward, online);

struct BonusMaxOptions : AgentOptions {
  double alpha = 0.2, gamma = 0.95, epsilon = 0.05;
  Update update = Update::backward;
};

class BonusMax final : public TablePolicy {
 public:
  explicit BonusMax(const BonusMaxOptions& options) : TablePolicy(1), options_(options) {}

  std::size_t pick(const Episode& episode, Rng& rng) override {
    return greedy(episode, options_.epsilon, rng);
  }
  void step(const Episode& episode) override;

 protected:
  void teach(const Episode& episode) override;

 private:
  void update(const Episode& episode, std::size_t step, bool look_ahead);

  BonusMaxOptions options_;
};

}  // namespace schism::learn
