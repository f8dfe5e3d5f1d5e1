// The script of a scenario as it is played: which line it stands at, what of it was done, and what
// of it can be done now. Roles are given to nodes here.
#pragma once

#include <functional>
#include <optional>

#include "schism/base/random.hpp"
#include "schism/scenario/program.hpp"

namespace schism::scenario {

// Pending things of that kind, by name, which could be served now if the scenario did not hold
// them; the oldest first.
std::vector<Kept> servable_now(World& world, Do kind, const std::function<bool(Name)>& fits);

class Cues {
 public:
  struct Found {
    const BoundCue* cue = nullptr;
    Kept what;                  // what is pending, if it is about such a thing
    NodeId from = -1, to = -1;  // nodes that it is about
    std::size_t number = 0;     // of the cue, in all lines
  };

  void begin(const Program& program);
  // What can be done now; it counts as done. `asks`: the client of a submit has that request ready.
  using Asks = std::function<bool(const BoundCue&)>;
  std::optional<Found> next(World& world, State& state, Rng& rng, const Asks& asks);
  bool over() const { return line_ >= program_->script.size(); }
  std::size_t line() const { return line_; }

 private:
  std::vector<Found> options(World& world, State& state, const BoundCue& cue);
  void pending_options(World& world, State& state, const BoundCue& cue, std::vector<Found>& out);
  void node_options(World& world, State& state, const BoundCue& cue, std::vector<Found>& out);
  bool fits(const State& state, const BoundCue& cue, NodeId from, NodeId to) const;
  bool fits(const State& state, const BoundTerm& term, NodeId node) const;
  void settle_line(const State& state);

  const Program* program_ = nullptr;
  std::size_t line_ = 0, first_ = 0;  // which line; the number of its first cue
  std::vector<std::int64_t> left_;    // to be done, of each cue of the line
  std::vector<bool> begun_;
};

}  // namespace schism::scenario
