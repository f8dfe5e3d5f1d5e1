// What is bred: a number for each (sender, receiver, class of messages). DiscoTest has two kinds,
// delays and a ranking; Groot has a third, priorities that age (docs/evolution.md).
#pragma once

#include <string>
#include <vector>

#include "schism/base/params.hpp"
#include "schism/base/random.hpp"
#include "schism/base/result.hpp"

namespace schism::evolve {

using Genome = std::vector<double>;

// delay: milliseconds that a message waits before it leaves. priority: a permutation of 1 to n, the
// highest first. aged: lower ones first, and all that wait are lowered at every delivery.
SCHISM_ENUM(Representation, delay, priority, aged);

// Which values a genome may have.
struct Space {
  std::size_t genes = 0;
  double low = 0, high = 1;
  bool permutation = false;  // of 1 to `genes`

  Genome draw(Rng& random) const;
  // Values outside go to the nearest end.
  void clamp(Genome& genome) const;
};

// The genome as a plan carries it. What does not decode is none: a plan may be anybody's.
std::string pack(const Genome& genome);
Genome unpack(std::string_view gene);

}  // namespace schism::evolve
