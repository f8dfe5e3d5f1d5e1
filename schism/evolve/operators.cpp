#include "schism/evolve/operators.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "schism/evolve/draws.hpp"
#include "schism/explore/odds.hpp"

namespace schism::evolve {

double sbx_beta(double eta, Rng& random) {
  const double u = positive_unit(random), share = 1 / (eta + 1);
  return u <= 0.5 ? power(2 * u, share) : 1 / power(2 * (1 - u) + 0x1p-53, share);
}

Children simulated_binary(const Genome& a, const Genome& b, double eta, Rng& random) {
  assert(a.size() == b.size());
  Children out{a, b};
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!random.chance(0.5)) continue;
    const double beta = sbx_beta(eta, random);
    out.first[i] = 0.5 * ((1 + beta) * a[i] + (1 - beta) * b[i]);
    out.second[i] = 0.5 * ((1 - beta) * a[i] + (1 + beta) * b[i]);
  }
  return out;
}

Children laplace_crossover(const Genome& a, const Genome& b, double location, double scale,
                           Rng& random) {
  assert(a.size() == b.size());
  Children out{a, b};
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double move = laplace(random, location, scale) * std::abs(a[i] - b[i]);
    out.first[i] += move;
    out.second[i] += move;
  }
  return out;
}

Genome partially_mapped(const Genome& a, const Genome& b, std::size_t from, std::size_t to) {
  Genome child = b;
  std::vector<std::size_t> place(a.size() + 1, a.size());  // of a value of a, between the cuts
  for (std::size_t i = from; i < to; ++i) {
    child[i] = a[i];
    place[static_cast<std::size_t>(a[i])] = i;
  }
  for (std::size_t i = 0; i < child.size(); ++i) {
    if (i >= from && i < to) continue;
    while (place[static_cast<std::size_t>(child[i])] < a.size())
      child[i] = b[place[static_cast<std::size_t>(child[i])]];
  }
  return child;
}

Children partially_mapped(const Genome& a, const Genome& b, Rng& random) {
  assert(a.size() == b.size() && !a.empty());
  std::uint64_t from = random.below(a.size() + 1), to = random.below(a.size() + 1);
  if (from > to) std::swap(from, to);
  return {partially_mapped(a, b, from, to), partially_mapped(b, a, from, to)};
}

void gaussian_mutation(Genome& genome, double rate, double deviation, Rng& random) {
  for (double& gene : genome)
    if (random.chance(rate)) gene += deviation * standard_normal(random);
}

void mpt_mutation(Genome& genome, double rate, std::int64_t power, const Space& space,
                  Rng& random) {
  const double span = space.high - space.low;
  if (span <= 0) return;
  for (double& gene : genome) {
    if (!random.chance(rate)) continue;
    const double t = std::clamp((gene - space.low) / span, 0.0, 1.0), r = random.unit();
    double moved = t;
    if (r < t) moved = t - t * whole_power((t - r) / t, power);
    else if (r > t) moved = t + (1 - t) * whole_power((r - t) / (1 - t), power);
    gene = space.low + moved * span;
  }
}

void swap_mutation(Genome& genome, double rate, Rng& random) {
  if (genome.size() < 2) return;
  for (std::size_t i = 0; i < genome.size(); ++i) {
    if (!random.chance(rate)) continue;
    const auto other = static_cast<std::size_t>(random.below(genome.size() - 1));
    std::swap(genome[i], genome[other < i ? other : other + 1]);
  }
}

}  // namespace schism::evolve
