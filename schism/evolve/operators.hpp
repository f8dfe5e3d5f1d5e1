// How children are made of parents. Those of real genes and those of permutations; each says what
// it is distributed like, and operators_test.cpp holds it to that.
#pragma once

#include <utility>

#include "schism/evolve/genome.hpp"

namespace schism::evolve {

using Children = std::pair<Genome, Genome>;

// Simulated binary crossover (Deb and Agrawal 1995): children are symmetric around the parents'
// mean, beta times as far apart as they, where beta has the density
// (eta+1)/2 beta^eta up to 1 and (eta+1)/2 beta^-(eta+2) above. A gene is recombined with
// probability 1/2. (DiscoTest's two equations are the same one: the second lost its sign.)
Children simulated_binary(const Genome& a, const Genome& b, double eta, Rng& random);
double sbx_beta(double eta, Rng& random);

// Laplace crossover (Deep and Thakur 2007): both children are moved by the same Laplace-distributed
// share of the parents' distance, a number a gene.
Children laplace_crossover(const Genome& a, const Genome& b, double location, double scale,
                           Rng& random);

// Partially mapped crossover (Goldberg and Lingle 1985): a child has its first parent's genes
// between two cuts, both drawn uniformly, and its second parent's elsewhere, where a value that is
// there already is replaced by what stands at its place in the second parent, and so on.
Children partially_mapped(const Genome& a, const Genome& b, Rng& random);
Genome partially_mapped(const Genome& a, const Genome& b, std::size_t from, std::size_t to);

// Each gene with probability `rate` becomes normal around itself. The caller clamps.
void gaussian_mutation(Genome& genome, double rate, double deviation, Rng& random);

// Makinen, Periaux and Toivanen (1999): each gene with probability `rate`, by a power law around
// itself that reaches exactly to the ends of the range; a higher power stays nearer.
void mpt_mutation(Genome& genome, double rate, std::int64_t power, const Space& space, Rng& random);

// Each gene with probability `rate` changes places with another, drawn uniformly.
void swap_mutation(Genome& genome, double rate, Rng& random);

}  // namespace schism::evolve
