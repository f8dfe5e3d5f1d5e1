// States that differ only by a renaming of model values are one. The renamings form a group: what
// the configuration gives is closed first, because a set taken literally would give wrong counts.
#pragma once

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

 private:
  using Renaming = absl::flat_hash_map<std::uint64_t, Value>;
  std::uint64_t renamed_hash(Value v, std::size_t p);
  Value renamed(Value v, std::size_t p);
  Value atom(Value v, std::size_t p) const;

  Store& store_;
  std::vector<Renaming> group_;  // the identity is not among them
  std::vector<absl::flat_hash_map<const ValueNode*, std::uint64_t>> hashes_;
  std::vector<absl::flat_hash_map<const ValueNode*, Value>> values_;
};

}  // namespace schism::tla
