// A behaviour without end that satisfies a temporal formula and is fair, found in a finite graph of
// states: the graph is walked together with the tableau of the formula, and its strongly connected
// parts are judged. A part is no use if it puts some <>P off for ever, or if a weakly fair action
// is enabled in all of its states and never taken; if a strongly fair action is enabled in some of
// its states and never taken, those states are left out and what remains is judged again.
//
// Any behaviour may stutter: every state leads to itself, too.
#pragma once

#include <optional>
#include <span>

#include "schism/tla/tableau.hpp"

namespace schism::tla {

// The graph and what holds in it.
class BehaviourGraph {
 public:
  virtual ~BehaviourGraph() = default;
  virtual bool of_state(std::uint32_t atom) const = 0;  // or of steps
  virtual bool in_state(std::uint32_t atom, std::uint32_t s) = 0;
  // The step by edge number `edge`; never asked for a stuttering one.
  virtual bool in_step(std::uint32_t atom, std::uint32_t from, std::size_t edge) = 0;
  // What the atom is of a step that changes nothing.
  virtual bool when_stuttering(std::uint32_t atom) const = 0;

  std::size_t states() const { return begin.size() - 1; }
  // Edges of state s are targets[begin[s]] to targets[begin[s + 1]], without those to s itself.
  std::vector<std::size_t> begin = {0};
  std::vector<std::uint32_t> targets;
  std::vector<std::uint32_t> initial;
};

struct Fairness {
  bool strong = false;
  std::uint32_t enabled = 0;  // an atom of states
  std::uint32_t taken = 0;    // an atom of steps
};

// States one after the other; after the last comes states[back_to] again. Where back_to is the last
// one, nothing happens any more.
struct Lasso {
  std::vector<std::uint32_t> states;
  std::size_t back_to = 0;
};

std::optional<Lasso> fair_lasso(BehaviourGraph& graph, const Formulas& formulas, Formula what,
                                std::span<const Fairness> fairness);

}  // namespace schism::tla
