// States that differ only by a renaming of model values are one. The renamings form a group: what
// the configuration gives is closed first, because a set taken literally would give wrong counts.
#pragma once

#include <set>
#include <vector>

#include "schism/tla/evaluator.hpp"

namespace schism::tla {

class Symmetry {
 public:
  // Permutations as functions of model values.
  Symmetry(Store& store, std::span<const Value> permutations);
  std::size_t size() const { return group_.size(); }
  // The least among the renamed states: the same for all that differ by a renaming.
  void canonical(std::span<const Value> state, std::vector<Value>& out);
  // The same in the order of values, variable by variable, as TLC has it; slower.
  void least(std::span<const Value> state, std::vector<Value>& out);

 private:
  using Table = std::vector<std::uint16_t>;  // where each of the moved values goes
  static void close_under(const std::vector<Table>& generators, std::set<Table>& all);
  using Renaming = absl::flat_hash_map<std::uint64_t, Value>;
  struct Least {
    std::uint64_t hash = 0;
    std::vector<std::uint16_t> by;  // empty: all renamings
  };
  const Least& least_of(Value v);
  std::uint64_t renamed_hash(Value v, std::size_t p);
  Value renamed(Value v, std::size_t p);
  Value atom(Value v, std::size_t p) const;

  Store& store_;
  std::vector<Renaming> group_;  // the identity is not among them
  std::vector<absl::flat_hash_map<const ValueNode*, std::uint64_t>> hashes_;
  std::vector<absl::flat_hash_map<const ValueNode*, Value>> values_;
  absl::flat_hash_map<std::uint64_t, Least> least_of_;
  std::vector<std::uint16_t> by_;
};

}  // namespace schism::tla
