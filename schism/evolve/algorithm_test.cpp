// Optimizers on functions whose best point is known, and after they were saved and loaded.
#include "schism/evolve/algorithm.hpp"
#include "schism/words/codec.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace schism::evolve {
namespace {

AlgorithmOptions options_for(Optimizer optimizer, std::size_t genes = 6) {
  AlgorithmOptions out;
  out.optimizer = optimizer;
  out.parents = 4;
  out.children = 12;
  out.elites = 1;
  out.breeding.space = {genes, 0, 100, false};
  out.breeding.mutation_rate = 0.3;
  out.breeding.deviation = 5;
  return out;
}

// Highest, 0, where every gene is 70.
double hill(const Genome& genome) {
  double sum = 0;
  for (const double gene : genome) sum -= (gene - 70) * (gene - 70);
  return sum;
}

std::vector<Individual> evaluated(const std::vector<Genome>& genomes) {
  std::vector<Individual> out;
  for (const Genome& genome : genomes) {
    const double sum = hill(genome);
    out.push_back({genome, sum, {genome[0], genome[1]}});
  }
  return out;
}

double best_after(Algorithm& algorithm, int generations, std::uint64_t seed = 1) {
  double best = -1e300;
  for (int i = 0; i < generations; ++i) {
    Rng random(keyed(seed, static_cast<std::uint64_t>(i)));
    auto generation = evaluated(algorithm.ask(random));
    EXPECT_FALSE(generation.empty());
    for (const Individual& one : generation) {
      best = std::max(best, one.fitness);
      for (const double gene : one.genes) EXPECT_TRUE(gene >= 0 && gene <= 100) << gene;
    }
    algorithm.tell(std::move(generation));
  }
  return best;
}

class Optimizers : public testing::TestWithParam<Optimizer> {};

TEST_P(Optimizers, ClimbHigherThanRandomSearchDoes) {
  auto algorithm = make_algorithm(options_for(GetParam()));
  auto random = make_algorithm(options_for(Optimizer::random));
  ASSERT_TRUE(algorithm && random);
  const double found = best_after(**algorithm, 60), luck = best_after(**random, 60);
  // NSGA-II has another aim beside the hill: it climbs more slowly.
  EXPECT_GT(found, GetParam() == Optimizer::nsga2 ? luck : luck / 2);
}

TEST_P(Optimizers, GoOnAsIfTheyHadNeverBeenSaved) {
  auto straight = make_algorithm(options_for(GetParam())),
       other = make_algorithm(options_for(GetParam()));
  ASSERT_TRUE(straight && other);
  for (int i = 0; i < 12; ++i) {
    Rng a(keyed(9, static_cast<std::uint64_t>(i))), b = a;
    const auto asked = (*straight)->ask(a);
    ASSERT_EQ(asked, (*other)->ask(b)) << i;
    (*straight)->tell(evaluated(asked));
    (*other)->tell(evaluated(asked));
    auto fresh = make_algorithm(options_for(GetParam()));
    ASSERT_TRUE((*fresh)->load((*other)->save()));
    *other = *std::move(fresh);
  }
  EXPECT_EQ((*straight)->save(), (*other)->save());
}

INSTANTIATE_TEST_SUITE_P(All, Optimizers,
                         testing::Values(Optimizer::plus, Optimizer::generational,
                                         Optimizer::elites, Optimizer::cmaes, Optimizer::nsga2,
                                         Optimizer::sade),
                         [](const auto& one) { return std::string(enum_name(one.param)); });

TEST(MuPlusLambda, KeepsTheBestOfParentsAndChildren) {
  auto algorithm = make_algorithm(options_for(Optimizer::plus));
  double best = -1e300;
  Rng random(1);
  for (int i = 0; i < 30; ++i) {
    auto generation = evaluated((*algorithm)->ask(random));
    for (const Individual& one : generation) best = std::max(best, one.fitness);
    (*algorithm)->tell(std::move(generation));
  }
  const auto parents = decode<std::vector<Individual>>((*algorithm)->save());
  ASSERT_TRUE(parents);
  EXPECT_EQ(parents->front().fitness, best) << "however long ago that was";
  auto worse = evaluated((*algorithm)->ask(random));
  for (Individual& one : worse) one.fitness = best - 1;
  (*algorithm)->tell(std::move(worse));
  EXPECT_EQ(decode<std::vector<Individual>>((*algorithm)->save())->front().fitness, best);
}

TEST(Algorithms, RefuseOperatorsThatDoNotGoWithTheGenes) {
  AlgorithmOptions options = options_for(Optimizer::plus);
  options.breeding.crossover = Crossover::pmx;
  EXPECT_FALSE(make_algorithm(options));
  options.breeding.space.permutation = true;
  EXPECT_TRUE(make_algorithm(options));
  options.breeding.mutation = Mutation::gaussian;
  EXPECT_FALSE(make_algorithm(options));
  options = options_for(Optimizer::cmaes);
  options.breeding.space.permutation = true;
  EXPECT_FALSE(make_algorithm(options));
}

}  // namespace
}  // namespace schism::evolve
