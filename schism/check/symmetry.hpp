// States that differ only in which of several interchangeable nodes is which, told by one key.
//
// A system declares groups of interchangeable nodes (SystemBuilder::symmetric). They are split here
// by everything in which nodes differ from the outset: their class, who may crash, clocks, what
// clients ask of them. A key is the digest of the state with its nodes renamed in a way that
// depends on the state alone; since it is always the digest of *some* renaming, two states with one
// key are really alike, whatever the quality of the choice.
//
// A wrong declaration would hide states, and with them bugs. test_symmetry() plays random runs and
// the same runs with nodes renamed beside each other, and compares every state and verdict.
#pragma once

#include <functional>

#include "schism/base/random.hpp"
#include "schism/base/result.hpp"
#include "schism/check/world_model.hpp"

namespace schism::check {

class Symmetry {
 public:
  // An error: the system declares none.
  static Result<Symmetry> of(const Setup& setup, const Bounds& bounds);

  // A number a node; nodes of one group are interchangeable.
  const std::vector<int>& groups() const { return groups_; }
  bool any() const;  // two nodes are in one group

  using Digest = std::function<Hash128(const Renaming&)>;
  Hash128 key(const Digest& digest) const;

  // Clients go where their nodes go.
  Renaming renaming(std::vector<int> nodes) const;
  Renaming random(Rng& rng) const;

 private:
  void sort_out(std::vector<int>& colours, const Digest& digest) const;
  std::vector<std::vector<int>> ties(const std::vector<int>& colours) const;
  bool alike(const std::vector<std::vector<int>>& ties, const Digest& digest) const;
  Hash128 smallest(std::vector<std::vector<int>> ties, std::vector<int> colours,
                   const Digest& digest) const;
  Renaming in_order(const std::vector<int>& colours) const;
  Renaming called(std::vector<int> nodes) const;

  std::vector<int> groups_, first_colours_;
  std::vector<std::vector<int>> clients_;  // of each node alone, oldest first
};

// One sentence with the first difference, or nothing.
Status test_symmetry(const Setup& setup, const Bounds& bounds, std::uint32_t runs,
                     std::uint64_t seed);

}  // namespace schism::check
