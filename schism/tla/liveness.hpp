// Temporal properties, judged on the graph of all states once the search is over: is there a fair
// behaviour that breaks one of them?
#pragma once

#include "schism/tla/known_states.hpp"

namespace schism::tla {

// Steps between states as the search finds them, state by state.
class StateGraph : public BehaviourGraph {
 public:
  StateGraph(Spec& spec, const KnownStates& known);

  void step(std::uint32_t to) { targets.push_back(to); }
  // All steps of the next state were told.
  void close_state();
  std::size_t bytes() const;

  bool of_state(std::uint32_t atom) const override;
  bool in_state(std::uint32_t atom, std::uint32_t s) override;
  bool in_step(std::uint32_t atom, std::uint32_t from, std::size_t edge) override;
  bool when_stuttering(std::uint32_t atom) const override;

 private:
  enum : std::uint8_t { kUnknown, kNo, kYes };
  Spec& spec_;
  const KnownStates& known_;
  std::vector<std::vector<std::uint8_t>> answers_;  // by atom; what was evaluated once
};

struct LivenessVerdict {
  std::string violated;  // a property, or nothing
  Lasso lasso;
  std::vector<std::string> unchecked;  // with the reasons
};

LivenessVerdict check_liveness(Spec& spec, StateGraph& graph);

}  // namespace schism::tla
