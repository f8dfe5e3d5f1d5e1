// Equal digests promise equal futures. A node with a member that decides and is not declared breaks
// that, and a search by states then leaves out what it should have looked at. So on a share of the
// states that are met again the same random continuation is played from both ways to them.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <string>
#include <vector>

#include "schism/check/world_model.hpp"

namespace schism::check {

// Plays both ways, and then the same steps after each. Empty: they do not differ. Else a sentence.
// `clocks`: they are a part of states.
std::string compare_futures(const Setup& setup, const Bounds& bounds, const Choices& start,
                            bool clocks, const std::vector<Action>& one,
                            const std::vector<Action>& other, std::uint64_t seed);

// Looks for a member that decides and is not declared, in a system whose states hardly ever repeat
// by themselves: after a random beginning two steps of one node are taken in both orders, and where
// that leads to one state the futures are compared.
struct Undeclared {
  std::uint64_t pairs = 0;  // compared
  std::string what;         // the first difference; empty: none
  FIELDS(pairs, what)
};
Undeclared find_undeclared(const Setup& setup, std::uint32_t trials, std::uint64_t seed);

// Ways to some of the states that a search has met, and comparisons with later ways to them: all at
// first, then few, so that it costs little.
class Futures {
 public:
  // The model stands in a state that is new to the search.
  void remember(WorldModel& model);
  // The search has met it before: false, and the model gives up, where the future differs.
  bool trust(WorldModel& model);

 private:
  absl::flat_hash_map<Hash128, std::vector<Action>> ways_;
  std::uint64_t met_ = 0;
};

}  // namespace schism::check
