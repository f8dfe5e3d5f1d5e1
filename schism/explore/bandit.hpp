// Which of several arms to play next, when each pays differently and ever less: the one with the
// best recent gain for what it cost, plus what it might gain if it has not been played for long
// (discounted upper confidence bounds: Garivier and Moulines, ALT 2011). Additions, products and
// square roots only, so that it decides the same on every machine.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "schism/base/fields.hpp"

namespace schism {

class Bandit {
 public:
  explicit Bandit(std::size_t arms) : arms_(arms) {}

  // The best of those that may be played; at least one may. It counts as played at once.
  std::size_t pick(const std::vector<bool>& may) {
    double best_rate = 0;
    for (const Arm& arm : arms_) best_rate = std::max(best_rate, rate(arm));
    std::size_t best = arms_.size();
    double best_score = 0;
    for (std::size_t i = 0; i < arms_.size(); ++i) {
      if (!may[i]) continue;
      const double score = arms_[i].played == 0 ? kUntried
                                                : (best_rate > 0 ? rate(arms_[i]) / best_rate : 0) +
                                                      std::sqrt(kCuriosity / arms_[i].played);
      if (best == arms_.size() || score > best_score) best = i, best_score = score;
    }
    for (Arm& arm : arms_) arm.played *= kMemory;
    arms_[best].played += 1;
    return best;
  }

  void learn(std::size_t i, double gain, double cost) {
    for (Arm& arm : arms_) arm.gain *= kMemory, arm.cost *= kMemory;
    arms_[i].gain += gain;
    arms_[i].cost += cost;
  }

  FIELDS(arms_)

 private:
  static constexpr double kMemory = 0.97;  // of a batch ago
  static constexpr double kCuriosity = 1;
  static constexpr double kUntried = 1e9;

  struct Arm {
    double gain = 0, cost = 0, played = 0;
    FIELDS(gain, cost, played)
  };
  static double rate(const Arm& arm) { return arm.cost > 0 ? arm.gain / arm.cost : 0; }

  std::vector<Arm> arms_;
};

}  // namespace schism
