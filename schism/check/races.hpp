// Happens-before of one run, and the races in it: what another run could have done in another
// order. Grows and shrinks with the run; the closure of a step's predecessors is a row of bits.
#pragma once

#include <functional>
#include <vector>

#include "schism/check/model.hpp"

namespace schism::check {

// Parts of the race analysis that can be switched off, to show that the tests would notice.
struct RaceRules {
  bool phantoms = true;       // what was killed races with its killer
  bool born_dead = true;      // also what was created after its killer
  bool whole_suffix = true;   // all that does not happen after the first event goes along
  bool whole_run = true;      // every race of the run is looked at again at each end
  bool gate_enablers = true;  // who opened a gate is an enabler
  bool cut_slots = true;      // at a depth bound events compete for the last slot
  bool cut_room = true;       // and an event that is not in v needs room beside it
};

class Races {
 public:
  explicit Races(RaceRules rules = {}) : rules_(rules) {}

  // The run has these many steps now; rows of the steps before are kept.
  void follow(const Model& model);
  void forget(std::uint32_t depth);

  bool before(std::uint32_t a, std::uint32_t b) const;  // steps; a happens before b

  // For every race of the run: `pre` steps of it, then `v`, is a run of another class. `cut`: the
  // run was ended by a bound, and what is still enabled counts. `fresh`: steps before it were
  // analysed already (only used to show that this shortcut loses classes).
  using Insert = std::function<void(std::uint32_t pre, const std::vector<Process>& v)>;
  void each(const Model& model, bool cut, std::uint32_t fresh, const Insert& insert);
  // The same with v ended by the second event: enough for source sets.
  void each_short(const Model& model, const Insert& insert);

 private:
  struct Row {
    std::vector<std::uint32_t> races;  // steps that this one races with
  };
  std::uint64_t* bits(std::uint32_t step) { return &bits_[std::size_t{step - 1} * words_]; }
  const std::uint64_t* bits(std::uint32_t step) const {
    return &bits_[std::size_t{step - 1} * words_];
  }
  void widen(std::uint32_t steps);
  void fill(const Model& model, const Pend& pend, std::uint32_t step, std::uint64_t* row,
            std::vector<std::uint32_t>& races) const;
  bool enables(const Pend& pend, std::uint32_t step) const;
  bool possible(const Pend& pend) const;
  void without(std::uint32_t event, std::uint32_t last);  // v_ without what happens after it
  void phantom(const Model& model, const Pend& pend, const Insert& insert);
  void at_cut(const Model& model, const Pend& pend, const Insert& insert);
  void causes_only(const Model& model, const Pend& pend);

  RaceRules rules_;
  std::vector<Process> events_;
  std::vector<std::uint64_t> bits_;
  std::vector<Row> rows_;
  std::size_t words_ = 1;
  std::uint32_t depth_ = 0;
  std::vector<Process> v_;
  std::vector<std::uint64_t> row_;
  std::vector<std::uint32_t> races_;
};

}  // namespace schism::check
