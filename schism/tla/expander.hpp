// One worker of the search: finds and judges the successors of a stretch of the queue. It only
// reads what is known; what it finds is taken up by the Checker in the order of the queue. So
// counts, verdict and counterexample are those of one worker, however many there are.
#pragma once

#include "schism/tla/known_states.hpp"

namespace schism::tla {

// What one worker found in one stretch.
struct Findings {
  static constexpr std::uint32_t kNobody = UINT32_MAX;       // no action
  static constexpr std::uint32_t kNew = UINT32_MAX - 1;      // not known: the next of `keys`
  static constexpr std::uint32_t kOutside = UINT32_MAX - 2;  // outside of the constraints
  static constexpr std::uint32_t kBroken = UINT32_MAX - 3;   // could not be judged
  struct Step {
    std::uint32_t action, to;
  };
  // What ends a search: with this step of this state.
  struct Event {
    std::uint32_t step = 0;
    const Check* check = nullptr;  // none: an expression could not be evaluated
    std::string text;
    bool asserted = false;
    State last;
  };
  struct OfState {
    std::uint32_t steps = 0;
    std::uint64_t between = 0;  // states inside of \cdot
    std::optional<Event> event;
    std::vector<std::string> warnings;
  };

  std::vector<OfState> states;
  std::vector<Step> steps;
  std::vector<std::uint32_t> keys, rows;
  std::vector<std::uint64_t> hashes;
  void clear();
};

class Expander {
 public:
  Expander(Spec& spec, Evaluator& eval, const KnownStates& known, const Symmetry* symmetry);

  void expand(std::uint32_t from, std::uint32_t to, Findings& out);
  bool in_model(std::span<const Value> s);
  Packer& packer() { return packer_; }

 private:
  void step(const State& s, std::span<const Value> t, Findings& out, Findings::OfState& of);
  void judge(const std::vector<Check>& checks, const State& s, std::span<const Value> t,
             Findings::OfState& of);

  Spec& spec_;
  Evaluator& eval_;
  const KnownStates& known_;
  Packer packer_;
};

}  // namespace schism::tla
