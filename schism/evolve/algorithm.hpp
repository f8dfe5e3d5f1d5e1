// An optimizer that is asked for a generation of genomes and told what became of them: nothing else
// passes between it and the hunt, so that its generations may be played anywhere. Higher fitness is
// better.
#pragma once

#include <memory>
#include <optional>

#include "schism/base/fields.hpp"
#include "schism/evolve/genome.hpp"

namespace schism::evolve {

struct Individual {
  Genome genes;
  double fitness = 0;
  std::vector<double> marks;  // by which behaviours are told apart
  FIELDS(genes, fitness, marks)
};

// plus: (mu+lambda). generational: tournament, crossover, mutation, some elites. random: every
// generation anew. elites: MAP-Elites. The rest are pagmo's.
SCHISM_ENUM(Optimizer, plus, generational, random, elites, cmaes, nsga2, sade);
// own: sbx and gaussian for real genes, pmx and swap for permutations.
SCHISM_ENUM(Crossover, own, sbx, laplace, pmx, none);
SCHISM_ENUM(Mutation, own, gaussian, mptm, swap, none);

struct Breeding {
  Space space;
  Crossover crossover = Crossover::own;
  Mutation mutation = Mutation::own;
  double mutation_rate = 0;          // of a gene; 0: one gene a genome, on average
  double eta = 3;                    // of sbx
  double deviation = 0;              // of gaussian; 0: a hundredth of the range
  double location = 0, scale = 0.5;  // of laplace
  std::int64_t power = 9;            // of mptm

  // One sentence if the operators do not go with the space.
  Status check() const;
  // Two children, within the space.
  std::pair<Genome, Genome> breed(const Genome& a, const Genome& b, Rng& random) const;
  void mutate(Genome& genome, Rng& random) const;
};

struct AlgorithmOptions {
  Optimizer optimizer = Optimizer::plus;
  std::size_t parents = 4, children = 4;  // mu and lambda; a population is as large as `children`
  std::size_t tournament = 3, elites = 0;
  std::uint64_t seed = 1;  // of pagmo's own random numbers
  Breeding breeding;
};

class Algorithm {
 public:
  virtual ~Algorithm() = default;
  // The next generation. Random numbers are drawn from nowhere else.
  virtual std::vector<Genome> ask(Rng& random) = 0;
  // The same, evaluated, in the same order.
  virtual void tell(std::vector<Individual> generation) = 0;
  virtual std::string save() const = 0;
  virtual Status load(std::string_view state) = 0;
  // A sentence for people, or nothing.
  virtual std::string account() const { return {}; }
};

Result<std::unique_ptr<Algorithm>> make_algorithm(const AlgorithmOptions& options);
// One of pagmo's (pagmo.cpp, the only file that knows it).
std::unique_ptr<Algorithm> make_pagmo_algorithm(const AlgorithmOptions& options);
std::unique_ptr<Algorithm> make_map_elites(const AlgorithmOptions& options);

}  // namespace schism::evolve
