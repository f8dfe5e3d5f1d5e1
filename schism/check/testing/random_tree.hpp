// For tests: a random tree of runs with a known number of leaves, made as it is walked. A node with
// so many leaves below it divides them among a few children, evenly or so that nearly all are below
// one of them; deep and narrow or flat and broad. All steps depend on each other, so that a leaf is
// a class.
#pragma once

#include <cmath>

#include "schism/base/random.hpp"
#include "schism/check/model.hpp"

namespace schism::check {

class RandomTree final : public Model {
 public:
  // `skew` 0: even; 3: very uneven. `chain`: how often a step is the only one.
  RandomTree(std::uint64_t seed, std::uint64_t leaves, double skew, double chain)
      : seed_(seed), leaves_(leaves), skew_(skew), chain_(chain) {
    bear(leaves_, mix64(seed_), 0);
  }

  void rewind(std::uint32_t depth) override {
    if (depth == run_.size()) return;
    run_.resize(depth);
    while (pends_.back().enablers[0] > depth) pends_.pop_back(), below_.pop_back();
    for (Pend& p : pends_) {
      if (p.executed > depth) p.executed = 0;
      if (p.killers[0] > depth) p.killers[0] = 0;
    }
  }
  bool play(std::uint32_t index) override {
    run_.push_back(index);
    pends_[index].executed = depth();
    for (Pend& p : pends_)
      if (p.executed == 0 && p.killers[0] == 0) p.killers[0] = depth();
    const auto [leaves, name] = below_[index];
    if (leaves > 1) bear(leaves, name, depth());
    return true;
  }
  bool finish(bool) override { return true; }
  std::uint32_t default_choice() override {
    for (std::uint32_t i = 0; i < pends_.size(); ++i)
      if (pends_[i].enabled()) return i;
    return kNever;
  }

 private:
  void bear(std::uint64_t leaves, std::uint64_t name, std::uint32_t step) {
    Rng rng(name);
    const bool alone = rng.chance(chain_);
    std::uint64_t left = leaves;
    for (std::uint64_t child = 0; left > 0; ++child) {
      std::uint64_t part = left;
      if (!alone && left > 1 && child < 4)
        part = 1 + static_cast<std::uint64_t>(static_cast<double>(left - 1) *
                                              std::pow(rng.unit(), 1 + skew_));
      if (alone && leaves == 1) break;
      Pend& p = pends_.emplace_back();
      p.id = scatter(mix64(name + child));
      p.objects.bits = 1;
      p.enablers[0] = step;
      below_.emplace_back(part, mix64(name * 31 + child));
      left -= part;
    }
  }

  std::uint64_t seed_, leaves_;
  double skew_, chain_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> below_;  // leaves of each, and its name
};

}  // namespace schism::check
