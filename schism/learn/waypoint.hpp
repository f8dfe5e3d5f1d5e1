// WaypointRL: exploration beyond a target (Algorithms 3 and 4 of the BonusMaxRL thesis). A sequence
// of predicates, the first of them true, the last the target; a table each, of which the one of the
// highest predicate that holds is in use. Leaving it upwards is rewarded, more so if the target is
// reached later; once reached, exploration goes on there until the episode ends.
#pragma once

#include "schism/learn/options.hpp"
#include "schism/learn/policy.hpp"
#include "schism/learn/predicate.hpp"

namespace schism::learn {

// Which moves between tables share in reaching the target: the text's pseudocode has both.
SCHISM_ENUM(Final, up, both);
// Whether a target that is reached by the very last step was reached.
SCHISM_ENUM(Late, reached, missed);

struct WaypointOptions : AgentOptions {
  double alpha = 0.2, gamma = 0.95, epsilon = 0.05;
  Final final = Final::up;
  Late late = Late::reached;
};

class Waypoint final : public TablePolicy {
 public:
  explicit Waypoint(const WaypointOptions& options) : TablePolicy(1), options_(options) {}

  // The predicates after `true`; they outlive it.
  void follow(const Sequence* sequence) { sequence_ = sequence; }

  void start() override;
  void see(const World& world, Episode& episode) override;
  std::size_t pick(const Episode& episode, Rng& rng) override {
    return greedy(episode, options_.epsilon, rng);
  }

 protected:
  void teach(const Episode& episode) override;

 private:
  WaypointOptions options_;
  const Sequence* sequence_ = nullptr;
  bool reached_ = false;
};

}  // namespace schism::learn
