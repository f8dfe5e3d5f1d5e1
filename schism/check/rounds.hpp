// Runs that go round for ever through states that a search has met. They have no end at which
// anything could be judged, and no path through new states shows them.
//
//   Rounds rounds;
//   rounds.step(from, to, happening, renewed);       // every step of the search
//   if (rounds.fair() > 0) ...                       // some fair run never ends
//
// Fair is what happens to everything that waits: a message, a request, a timer or disk operation
// that stays possible all the way round, and is the same one, happens some time. So a set of states
// each of which leads to each other one is gone round by a fair run unless something is possible in
// all of them, never happens between them, and is not taken back and set again either. That is
// exact: if the whole set can be gone round fairly a run that takes all its steps is one that does.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace schism::check {

// What a step does, the same for alike steps of different states.
struct Happening {
  std::uint64_t what = 0;  // 0: nobody waits for it, as for a fault
  std::uint64_t own = 0;   // a bit: of this node, which may take it back; 0: nobody can
};

class Rounds {
 public:
  // Between two states, numbered from 0. `renewed`: the nodes, a bit each, that took something back
  // in it.
  void step(std::uint32_t from, std::uint32_t to, const Happening& happening,
            std::uint64_t renewed);
  // Sets of states that a fair run can go round for ever, none of which is a part of another.
  std::uint64_t fair() const;

 private:
  struct Step {
    std::uint32_t from, to;
    Happening happening;
    std::uint64_t renewed;
  };

  std::uint32_t states_ = 0;
  std::vector<Step> steps_;
};

// Whether any of so many states leads back to itself.
bool has_circle(std::uint32_t states,
                const std::vector<std::pair<std::uint32_t, std::uint32_t>>& steps);

}  // namespace schism::check
