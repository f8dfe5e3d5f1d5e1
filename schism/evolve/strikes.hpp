// Faults as genes: for every unit of a run's budgets for crashes, partitions and duplicates a
// *strike*, which says when it comes, whom it hits and how long it lasts. They follow the genes of
// the messages in a genome, whatever those mean, and are read as shares of the genes' range, so
// that every representation and every operator goes with them.
#pragma once

#include <span>
#include <vector>

#include "schism/schedule/faults.hpp"
#include "schism/system/faults.hpp"

namespace schism::evolve {

// When, whom; and how long, but for a duplicate, which nothing undoes.
constexpr std::size_t strike_genes(Fault kind) { return kind == Fault::duplicate ? 2 : 3; }
inline constexpr std::uint32_t kStrikesMax = 64;  // of a kind; the rest of a budget is not used

// The kinds of all strikes of a run in the order of their genes, and how many genes they have.
std::vector<Fault> strikes_within(const Faults& budgets);
std::size_t strike_genes(const Faults& budgets);

// One strike, read from its genes: shares from 0 to 1.
struct Strike {
  Fault kind = Fault::crash;
  std::uint64_t step = 0;   // after so many; kNever: not in this run
  double whom = 0;          // a node, a split of the nodes or a message, as a share of all of them
  std::uint64_t lasts = 0;  // steps

  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
};
// The last quarter of `when` is never; the others are as many steps as `horizon`. It lasts for a
// quarter of the horizon at most.
std::vector<Strike> read_strikes(const Faults& budgets, std::span<const double> shares,
                                 std::uint64_t horizon);

// The two sides of a split: every one of the 2^(n-1) - 1 has an equal share. Two nodes or more.
std::vector<bool> sides_of(double share, int nodes);

}  // namespace schism::evolve
