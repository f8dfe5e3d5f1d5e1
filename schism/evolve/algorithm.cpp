#include "schism/evolve/algorithm.hpp"

#include <algorithm>
#include <numeric>

#include "schism/evolve/operators.hpp"
#include "schism/words/codec.hpp"

namespace schism::evolve {

Status Breeding::check() const {
  const bool of_permutations = crossover == Crossover::pmx || mutation == Mutation::swap;
  const bool of_reals = crossover == Crossover::sbx || crossover == Crossover::laplace ||
                        mutation == Mutation::gaussian || mutation == Mutation::mptm;
  if (of_permutations && !space.permutation)
    return error("pmx and swap are for permutations: representation=priority");
  if (of_reals && space.permutation)
    return error("{} and {} would break a permutation: pmx and swap are for those",
                 enum_name(crossover), enum_name(mutation));
  return {};
}

std::pair<Genome, Genome> Breeding::breed(const Genome& a, const Genome& b, Rng& random) const {
  std::pair<Genome, Genome> out{a, b};
  const Crossover how = crossover != Crossover::own ? crossover
                        : space.permutation         ? Crossover::pmx
                                                    : Crossover::sbx;
  switch (how) {
    case Crossover::sbx: out = simulated_binary(a, b, eta, random); break;
    case Crossover::laplace: out = laplace_crossover(a, b, location, scale, random); break;
    case Crossover::pmx: out = partially_mapped(a, b, random); break;
    case Crossover::own:
    case Crossover::none: break;
  }
  mutate(out.first, random);
  mutate(out.second, random);
  return out;
}

void Breeding::mutate(Genome& genome, Rng& random) const {
  const double rate = mutation_rate > 0
                          ? mutation_rate
                          : 1 / static_cast<double>(std::max<std::size_t>(1, space.genes));
  const Mutation how = mutation != Mutation::own ? mutation
                       : space.permutation       ? Mutation::swap
                                                 : Mutation::gaussian;
  switch (how) {
    case Mutation::gaussian:
      gaussian_mutation(genome, rate, deviation > 0 ? deviation : (space.high - space.low) / 100,
                        random);
      break;
    case Mutation::mptm: mpt_mutation(genome, rate, power, space, random); break;
    case Mutation::swap: swap_mutation(genome, rate, random); break;
    case Mutation::own:
    case Mutation::none: break;
  }
  if (!space.permutation) space.clamp(genome);
}

namespace {

// Equal ones stay in their order, so that nothing depends on how a library sorts.
void best_first(std::vector<Individual>& all) {
  std::stable_sort(all.begin(), all.end(),
                   [](const Individual& a, const Individual& b) { return a.fitness > b.fitness; });
}

// DiscoTest's Algorithm 4.
class MuPlusLambda final : public Algorithm {
 public:
  explicit MuPlusLambda(const AlgorithmOptions& options) : options_(options) {}

  std::vector<Genome> ask(Rng& random) override {
    std::vector<Genome> out;
    const Breeding& breeding = options_.breeding;
    while (out.size() < options_.children) {
      if (parents_.empty()) {
        out.push_back(breeding.space.draw(random));
        continue;
      }
      const auto& a = parents_[random.below(parents_.size())];
      const auto& b = parents_[random.below(parents_.size())];
      auto [first, second] = breeding.breed(a.genes, b.genes, random);
      out.push_back(std::move(first));
      if (out.size() < options_.children) out.push_back(std::move(second));
    }
    return out;
  }

  // Children stand first, so that among equals the younger survive and the search drifts.
  void tell(std::vector<Individual> generation) override {
    for (Individual& parent : parents_) generation.push_back(std::move(parent));
    best_first(generation);
    if (generation.size() > options_.parents) generation.resize(options_.parents);
    parents_ = std::move(generation);
  }

  std::string save() const override { return encode(parents_); }
  Status load(std::string_view state) override {
    auto saved = decode<std::vector<Individual>>(state);
    if (!saved) return tl::unexpected(saved.error());
    parents_ = *std::move(saved);
    return {};
  }

 private:
  AlgorithmOptions options_;
  std::vector<Individual> parents_;
};

// Groot's: a mating pool by tournaments, every one of it mates once.
class Generational final : public Algorithm {
 public:
  explicit Generational(const AlgorithmOptions& options) : options_(options) {}

  std::vector<Genome> ask(Rng& random) override {
    const Breeding& breeding = options_.breeding;
    std::vector<Genome> out;
    if (population_.empty()) {
      while (out.size() < options_.children) out.push_back(breeding.space.draw(random));
      return out;
    }
    for (std::size_t i = 0; i < std::min(options_.elites, population_.size()); ++i)
      out.push_back(population_[i].genes);
    std::vector<const Genome*> pool;
    while (pool.size() < options_.children + options_.children % 2)
      pool.push_back(&winner(random).genes);
    for (std::size_t i = pool.size(); i > 1; --i)
      std::swap(pool[i - 1], pool[static_cast<std::size_t>(random.below(i))]);
    for (std::size_t i = 0; i + 1 < pool.size() && out.size() < options_.children; i += 2) {
      auto [first, second] = breeding.breed(*pool[i], *pool[i + 1], random);
      out.push_back(std::move(first));
      if (out.size() < options_.children) out.push_back(std::move(second));
    }
    return out;
  }

  void tell(std::vector<Individual> generation) override {
    best_first(generation);
    population_ = std::move(generation);
  }

  std::string save() const override { return encode(population_); }
  Status load(std::string_view state) override {
    auto saved = decode<std::vector<Individual>>(state);
    if (!saved) return tl::unexpected(saved.error());
    population_ = *std::move(saved);
    return {};
  }

 private:
  // The population is sorted: the first of those drawn wins.
  const Individual& winner(Rng& random) const {
    std::uint64_t best = population_.size() - 1;
    for (std::size_t i = 0; i < std::max<std::size_t>(1, options_.tournament); ++i) {
      const std::uint64_t drawn = random.below(population_.size());
      best = i == 0 ? drawn : std::min(best, drawn);
    }
    return population_[best];
  }

  AlgorithmOptions options_;
  std::vector<Individual> population_;  // best first
};

class RandomSearch final : public Algorithm {
 public:
  explicit RandomSearch(const AlgorithmOptions& options) : options_(options) {}
  std::vector<Genome> ask(Rng& random) override {
    std::vector<Genome> out;
    while (out.size() < options_.children) out.push_back(options_.breeding.space.draw(random));
    return out;
  }
  void tell(std::vector<Individual>) override {}
  std::string save() const override { return {}; }
  Status load(std::string_view) override { return {}; }

 private:
  AlgorithmOptions options_;
};

}  // namespace

Result<std::unique_ptr<Algorithm>> make_algorithm(const AlgorithmOptions& options) {
  if (auto fit = options.breeding.check(); !fit) return tl::unexpected(fit.error());
  switch (options.optimizer) {
    case Optimizer::plus: return std::make_unique<MuPlusLambda>(options);
    case Optimizer::generational: return std::make_unique<Generational>(options);
    case Optimizer::random: return std::make_unique<RandomSearch>(options);
    case Optimizer::elites: return make_map_elites(options);
    case Optimizer::cmaes:
    case Optimizer::nsga2:
    case Optimizer::sade: break;
  }
  if (options.breeding.space.permutation)
    return error("{} is for real genes; representation=aged has such, and any of them rank",
                 enum_name(options.optimizer));
  return make_pagmo_algorithm(options);
}

}  // namespace schism::evolve
