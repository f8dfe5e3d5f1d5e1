// MAP-Elites (Mouret and Clune 2015): of every kind of behaviour the best that was seen is kept,
// and children are bred of any two of them, so that the search goes wide before it goes high. A
// kind is the run's marks, each to a half power of two.
#include <map>

#include "schism/evolve/algorithm.hpp"
#include "schism/evolve/draws.hpp"
#include "schism/words/codec.hpp"

#include <fmt/format.h>

namespace schism::evolve {
namespace {

using Cell = std::vector<std::int64_t>;

Cell cell_of(const std::vector<double>& marks) {
  Cell out;
  for (const double mark : marks) {
    const double size = natural_log(1 + (mark < 0 ? -mark : mark)) / 0.69314718055994531;
    out.push_back(static_cast<std::int64_t>(2 * size) * (mark < 0 ? -1 : 1));
  }
  return out;
}

class MapElites final : public Algorithm {
 public:
  explicit MapElites(const AlgorithmOptions& options) : options_(options) {}

  std::vector<Genome> ask(Rng& random) override {
    const Breeding& breeding = options_.breeding;
    std::vector<const Individual*> all;
    for (const auto& [cell, elite] : elites_) all.push_back(&elite);
    std::vector<Genome> out;
    while (out.size() < options_.children) {
      if (told_ < options_.parents) {
        out.push_back(breeding.space.draw(random));
        continue;
      }
      auto [first, second] = breeding.breed(all[random.below(all.size())]->genes,
                                            all[random.below(all.size())]->genes, random);
      out.push_back(std::move(first));
      if (out.size() < options_.children) out.push_back(std::move(second));
    }
    return out;
  }

  void tell(std::vector<Individual> generation) override {
    for (Individual& one : generation) {
      ++told_;
      Cell cell = cell_of(one.marks);
      const auto at = elites_.find(cell);
      if (at == elites_.end()) elites_.emplace(std::move(cell), std::move(one));
      else if (one.fitness >= at->second.fitness) at->second = std::move(one);
    }
  }

  std::string save() const override { return encode(std::pair(told_, elites_)); }
  Status load(std::string_view state) override {
    auto saved = decode<std::pair<std::uint64_t, std::map<Cell, Individual>>>(state);
    if (!saved) return tl::unexpected(saved.error());
    told_ = saved->first;
    elites_ = std::move(saved->second);
    if (told_ > 0 && elites_.empty()) return error("an archive without elites");
    return {};
  }
  std::string account() const override {
    return fmt::format("{} kinds of behaviour have an elite", elites_.size());
  }

 private:
  AlgorithmOptions options_;
  std::uint64_t told_ = 0;
  std::map<Cell, Individual> elites_;
};

}  // namespace

std::unique_ptr<Algorithm> make_map_elites(const AlgorithmOptions& options) {
  return std::make_unique<MapElites>(options);
}

}  // namespace schism::evolve
