// How a representation behaves (DiscoTest, 4.1): whether neighbouring genomes give neighbouring
// runs, told apart from what the nodes' own random numbers change and from any two genomes; how
// many neighbours give the same run; which messages the runs are made of.
#pragma once

#include <atomic>

#include "schism/evolve/genome.hpp"
#include "schism/run/config.hpp"

namespace schism::evolve {

struct LocalityOptions {
  Representation representation = Representation::delay;
  std::string classes;
  std::int64_t genomes = 10, neighbours = 10, schedules = 500;
  double max_ms = 4000, high = 300;
  std::uint64_t seed = 1;
};

struct Spread {
  std::uint64_t count = 0;
  double sum = 0, squares = 0;

  void add(double value) {
    ++count;
    sum += value;
    squares += value * value;
  }
  void add(const Spread& other) {
    count += other.count;
    sum += other.sum;
    squares += other.squares;
  }
  double mean() const { return count == 0 ? 0 : sum / static_cast<double>(count); }
  double deviation() const;
};

struct Locality {
  // Distances of runs, as shares of the largest possible one.
  Spread noise;             // the same genome, another seed of nodes and network
  Spread neighbours;        // a neighbour, the same seeds
  Spread noisy_neighbours;  // a neighbour, other seeds: what a tool sees that controls no node
  Spread random;            // another genome, the same seeds
  std::uint64_t same = 0;   // neighbours that gave the very same class of runs
  std::vector<std::pair<std::string, Spread>> shares;  // of messages, by class
};

// `config`: of a system, whose explorer is ignored. Empty when it was stopped.
Result<Locality> measure_locality(const RunConfig& config, const LocalityOptions& options,
                                  const std::atomic<bool>& stop);

}  // namespace schism::evolve
