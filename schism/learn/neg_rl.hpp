// NegRL: whatever is done costs something, so that what was not done yet looks best. `visits`: it
// costs as much as the state was met that it led to.
#pragma once

#include "schism/learn/options.hpp"
#include "schism/learn/policy.hpp"

namespace schism::learn {

// Of the value that lies ahead: the real one, or 0, because the published program's maximum begins
// there and no value is above it.
SCHISM_ENUM(Ahead, best, zero);

struct NegRlOptions : AgentOptions {
  double alpha = 0.3, gamma = 0.7, temperature = 1;
  Ahead ahead = Ahead::best;
};

class NegRl final : public TablePolicy {
 public:
  NegRl(const NegRlOptions& options, bool visits)
      : TablePolicy(0), options_(options), visits_(visits) {}

  std::size_t pick(const Episode& episode, Rng& rng) override;
  void step(const Episode& episode) override;

 private:
  NegRlOptions options_;
  bool visits_;
  std::vector<double> weights_;
};

}  // namespace schism::learn
