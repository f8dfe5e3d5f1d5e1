// How a temporal formula is met step by step. A set of obligations is what must hold from a state
// on; an option is one way to meet it there: what the next step must be like, what must hold from
// the next state on, and which <>P were put off. A behaviour meets the formula if it takes options
// one after the other and puts no <>P off for ever.
#pragma once

#include <map>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "schism/tla/formulas.hpp"

namespace schism::tla {

struct Option {
  std::vector<std::pair<std::uint32_t, bool>> step;  // atoms of the step, and what they must be
  std::uint32_t next = 0;                            // a set of obligations
  std::vector<Formula> put_off;
  friend auto operator<=>(const Option&, const Option&) = default;
};

class Tableau {
 public:
  // Atoms of states are told by bits, see options(); all others are of steps.
  Tableau(const Formulas& formulas, absl::flat_hash_map<std::uint32_t, unsigned> bits);

  std::uint32_t set_of(std::vector<Formula> obligations);
  // The options of a set in a state, whose atoms are bits.
  const std::vector<std::uint32_t>& options(std::uint32_t set, std::uint64_t atoms);
  const Option& option(std::uint32_t i) const { return options_[i]; }
  // Every <>P inside of a formula.
  std::vector<Formula> eventualities(Formula f) const;

 private:
  struct Work {
    std::vector<Formula> todo, next, put_off, done;
    std::vector<std::pair<std::uint32_t, bool>> step;
  };
  void split(Work w, std::uint64_t atoms, std::vector<std::uint32_t>& out);

  const Formulas& formulas_;
  absl::flat_hash_map<std::uint32_t, unsigned> bits_;
  std::vector<std::vector<Formula>> sets_;
  std::map<std::vector<Formula>, std::uint32_t> set_index_;
  std::vector<Option> options_;
  std::map<Option, std::uint32_t> option_index_;
  absl::flat_hash_map<std::pair<std::uint32_t, std::uint64_t>, std::vector<std::uint32_t>> known_;
};

}  // namespace schism::tla
