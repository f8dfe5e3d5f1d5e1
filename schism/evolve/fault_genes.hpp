// Faults as genes, beside those of the messages: three each. When it begins (as a share of a
// horizon), how long it lasts (of a third of it), and where: which nodes are on the other side of a
// partition, which one crashes, on which link every message comes twice.
#pragma once

#include <cstdint>
#include <span>

#include "schism/schedule/faults.hpp"

namespace schism::evolve {

struct FaultCounts {
  std::int64_t partitions = 0, crashes = 0, duplicates = 0;
  std::size_t genes() const {
    return static_cast<std::size_t>(3 * (partitions + crashes + duplicates));
  }
};

class FaultGenes {
 public:
  // Genes between 0 and 1.
  void begin(const FaultCounts& counts, std::span<const double> genes, int nodes, Micros horizon);
  // What is due by now; nothing: go on. Only what the budgets of faults still allow happens.
  Action next(World& world);
  // A message became pending: it may have to come twice.
  void sent(const World& world, std::uint32_t flight);

 private:
  enum class Kind : std::uint8_t { split, heal, crash, restart };
  struct Planned {
    Micros due;
    Kind kind;
    std::uint64_t where;  // sides by bits, or a node
  };
  struct Doubled {
    Micros from, to;
    NodeId sender, receiver;
  };
  void take(World& world, const Planned& turn);

  int nodes_ = 0;
  std::vector<Planned> agenda_;  // the next one last
  std::vector<Doubled> doubled_;
  Script script_;
};

}  // namespace schism::evolve
