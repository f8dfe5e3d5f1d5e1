// The states that a search has found, by number in the order of discovery. What tells two states
// apart may be less than the whole of them: a VIEW, or the least of all renamings under SYMMETRY.
// A Packer works out what stands for a state; each worker has its own, and any number of them may
// look for states while nobody adds one.
#pragma once

#include <optional>

#include "schism/tla/spec.hpp"
#include "schism/tla/state_table.hpp"
#include "schism/tla/symmetry.hpp"

namespace schism::tla {

// A state as the table keeps it.
struct Packed {
  std::vector<std::uint32_t> key;
  std::uint64_t hash = 0;
};

class Packer {
 public:
  Packer(Spec& spec, Evaluator& eval, const Symmetry* symmetry);
  const Packed& pack(std::span<const Value> s);

 private:
  Spec& spec_;
  Evaluator& eval_;
  std::unique_ptr<Symmetry> symmetry_;
  std::vector<Value> scratch_;
  Packed packed_;
};

class KnownStates {
 public:
  explicit KnownStates(Spec& spec);

  std::size_t size() const { return table_.size(); }
  std::size_t bytes() const { return table_.bytes() + rows_.capacity() * 4; }
  std::size_t width() const { return width_; }
  std::size_t key_width() const { return key_width_; }
  // Whether a state is more than its key.
  bool keeps_rows() const { return keeps_rows_; }

  State state(std::uint32_t i) const;
  std::optional<std::uint32_t> find(std::span<const std::uint32_t> key, std::uint64_t hash) const {
    return table_.find(key, hash);
  }
  // The row only where rows are kept.
  std::pair<std::uint32_t, bool> insert(std::span<const std::uint32_t> key, std::uint64_t hash,
                                        std::span<const std::uint32_t> row);

 private:
  Spec& spec_;
  std::size_t width_, key_width_;
  bool keeps_rows_;
  StateTable table_;
  std::vector<std::uint32_t> rows_;
};

}  // namespace schism::tla
