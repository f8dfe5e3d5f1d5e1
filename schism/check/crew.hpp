// Several workers on one plan. Each part goes to one of them as a whole, and comes to the same
// there as it would alone. A search without races is divided further (division.hpp) and done in
// rounds of many small tasks, whose results are taken in their order: what is found, and in which
// order, does not depend on the number of workers.
#pragma once

#include "schism/check/plan.hpp"
#include "schism/check/pool.hpp"

namespace schism::check {

class Crew {
 public:
  Crew(const Plan& plan, const Search& search, int jobs);

  // Told after each round, and asked now and then: true: stop.
  using Stop = std::function<bool(const SearchTotals&)>;
  // One outcome a part, in order; behind one that decides the verdict none is missed. A part that
  // cannot be divided stops after so many `runs` (0: no limit). An error: no process to work with.
  Result<std::vector<Outcome>> explore(const std::vector<std::size_t>& parts, std::uint32_t depth,
                                       std::uint64_t runs, const Stop& stop);

 private:
  Result<std::vector<Outcome>> whole(const std::vector<std::size_t>& parts, std::uint32_t depth,
                                     std::uint64_t runs, const Stop& stop);
  Result<std::vector<Outcome>> divided(const std::vector<std::size_t>& parts, std::uint32_t depth,
                                       const Stop& stop);

  DporOptions options_;
  bool divisible_;
  std::uint32_t from_, delays_, most_;
  Pool pool_;
};

}  // namespace schism::check
