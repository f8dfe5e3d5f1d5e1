#include "schism/evolve/genome.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "schism/words/codec.hpp"

namespace schism::evolve {

Genome Space::draw(Rng& random) const {
  Genome out(genes);
  if (permutation) {
    std::iota(out.begin(), out.end(), 1.0);
    for (std::size_t i = genes; i > 1; --i)
      std::swap(out[i - 1], out[static_cast<std::size_t>(random.below(i))]);
    return out;
  }
  for (double& gene : out) gene = low + (high - low) * random.unit();
  return out;
}

void Space::clamp(Genome& genome) const {
  for (double& gene : genome) gene = std::clamp(gene, low, high);
}

std::string pack(const Genome& genome) { return encode(genome); }

Genome unpack(std::string_view gene) {
  if (gene.empty()) return {};
  auto genome = decode<Genome>(gene);
  if (!genome) return {};
  const bool sound = std::all_of(genome->begin(), genome->end(),
                                 [](double value) { return std::isfinite(value); });
  return sound ? *std::move(genome) : Genome{};
}

}  // namespace schism::evolve
