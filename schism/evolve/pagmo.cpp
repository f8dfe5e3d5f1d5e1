// Optimizers of pagmo behind our interface: CMA-ES, NSGA-II (fitness against the sum of all genes)
// and self-adaptive differential evolution. pagmo wants to call the fitness itself; we have to be
// asked for whole generations. So a generation is played twice: first with the answers that are
// known, to hear which points it asks for; then, when they have been evaluated, again from the same
// state. Points that depend on others of their generation are asked for in the next round.
// pagmo draws by the standard library's distributions: these hunts repeat with the same libraries,
// their finds, which are traces, everywhere.
#include <algorithm>
#include <numeric>
#include <pagmo/algorithm.hpp>
#include <pagmo/algorithms/cmaes.hpp>
#include <pagmo/algorithms/nsga2.hpp>
#include <pagmo/algorithms/sade.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>

#include "schism/evolve/algorithm.hpp"
#include "schism/words/codec.hpp"

namespace schism::evolve {
namespace {

using Vector = std::vector<double>;

// What a generation asked for so far, and the answers that are known, in the order of asking.
struct Script {
  std::vector<std::pair<Vector, Vector>> known;
  std::size_t asked = 0;
  std::vector<Vector> unknown;
};

// The problem as pagmo sees it: genes between 0 and 1, everything to be minimised.
struct Scripted {
  std::shared_ptr<Script> script;
  std::size_t genes = 1, objectives = 1;

  Vector fitness(const Vector& x) const {
    const std::size_t i = script->asked++;
    if (script->unknown.empty() && i < script->known.size() && script->known[i].first == x)
      return script->known[i].second;
    script->unknown.push_back(x);
    return Vector(objectives, 0.0);  // thrown away: it is played again
  }
  std::pair<Vector, Vector> get_bounds() const { return {Vector(genes, 0.0), Vector(genes, 1.0)}; }
  std::size_t get_nobj() const { return objectives; }
};

pagmo::algorithm optimizer(const AlgorithmOptions& options) {
  const auto seed = static_cast<unsigned>(mix64(options.seed));
  switch (options.optimizer) {
    case Optimizer::cmaes:
      return pagmo::algorithm{pagmo::cmaes(1, -1, -1, -1, -1, 0.5, 0, 0, true, true, seed)};
    case Optimizer::nsga2: return pagmo::algorithm{pagmo::nsga2(1, 0.95, 10, 0.01, 50, seed)};
    default: return pagmo::algorithm{pagmo::sade(1, 2, 1, 0, 0, true, seed)};
  }
}

class Pagmo final : public Algorithm {
 public:
  explicit Pagmo(const AlgorithmOptions& options)
      : options_(options), algorithm_(optimizer(options)), script_(std::make_shared<Script>()) {
    // The least that each of them takes, and a multiple of four for NSGA-II.
    size_ = (std::max<std::size_t>(options.children, 8) + 3) / 4 * 4;
  }

  std::vector<Genome> ask(Rng& random) override {
    std::vector<Vector> points;
    if (population_.size() == size_) points = play(false);
    if (points.empty()) {  // the beginning, or it has come to its end: from new points
      population_.clear();
      for (std::size_t i = 0; i < size_; ++i) {
        Vector& point = points.emplace_back(options_.breeding.space.genes);
        for (double& gene : point) gene = random.unit();
      }
    }
    asked_ = points;
    std::vector<Genome> out;
    for (const Vector& point : points) {
      Genome& genome = out.emplace_back(point);
      for (double& gene : genome) gene = space().low + gene * (space().high - space().low);
    }
    return out;
  }

  void tell(std::vector<Individual> generation) override {
    if (generation.size() != asked_.size()) return;
    Round round;
    if (population_.size() < size_) round.points = asked_;
    for (std::size_t i = 0; i < generation.size(); ++i) {
      Vector& values = round.values.emplace_back(Vector{-generation[i].fitness});
      if (objectives() == 2)
        values.push_back(std::accumulate(asked_[i].begin(), asked_[i].end(), 0.0));
    }
    take(round.values);
    history_.push_back(std::move(round));
  }

  // What it was told, from which everything else follows: pagmo's own archive of CMA-ES has bytes
  // in it that nobody has set.
  std::string save() const override { return encode(history_); }
  Status load(std::string_view state) override {
    auto saved = decode<std::vector<Round>>(state);
    if (!saved) return tl::unexpected(saved.error());
    for (Round& round : *saved) {
      if (round.points.empty()) asked_ = play(false);
      else population_.clear(), asked_ = round.points;
      if (asked_.size() != round.values.size()) return error("another population than its own");
      take(round.values);
      history_.push_back(std::move(round));
    }
    return {};
  }

 private:
  // Points that were drawn here; empty: those that the optimizer asks for by itself.
  struct Round {
    std::vector<Vector> points, values;
    FIELDS(points, values)
  };

  void take(const std::vector<Vector>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      auto& into = population_.size() < size_ ? population_ : script_->known;
      into.emplace_back(asked_[i], values[i]);
    }
    asked_.clear();
    if (!script_->known.empty()) play(true);
  }

  const Space& space() const { return options_.breeding.space; }
  std::size_t objectives() const { return options_.optimizer == Optimizer::nsga2 ? 2 : 1; }

  // One generation with the answers that are known. Comes back with the points that it asked for
  // and did not know; if there are none and it is wanted, the generation has happened.
  std::vector<Vector> play(bool take) {
    script_->asked = 0;
    script_->unknown.clear();
    pagmo::algorithm trial = algorithm_;
    pagmo::population population(pagmo::problem{Scripted{script_, space().genes, objectives()}}, 0,
                                 1U);
    for (const auto& [x, f] : population_) population.push_back(x, f);
    population = trial.evolve(population);
    if (take && script_->unknown.empty()) {
      algorithm_ = std::move(trial);
      for (std::size_t i = 0; i < population_.size(); ++i)
        population_[i] = {population.get_x()[i], population.get_f()[i]};
      script_->known.clear();
    }
    return script_->unknown;
  }

  AlgorithmOptions options_;
  std::size_t size_;
  pagmo::algorithm algorithm_;
  std::shared_ptr<Script> script_;
  std::vector<std::pair<Vector, Vector>> population_;  // points and what they are worth
  std::vector<Vector> asked_;
  std::vector<Round> history_;
};

}  // namespace

std::unique_ptr<Algorithm> make_pagmo_algorithm(const AlgorithmOptions& options) {
  return std::make_unique<Pagmo>(options);
}

}  // namespace schism::evolve
