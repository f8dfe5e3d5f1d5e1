// Which faults a run had, as facts that other runs may share: what was lied about, how, and in
// which round of its sender (byzantine/rounds.hpp); what was kept back or lost. Found from the
// events of the run, so that it does not matter which strategy made the faults, or whether the run
// is a recorded one: "a lie about PrePrepare: op.add - 1 in round 5", "Commit lost in round 3".
#pragma once

#include <absl/container/flat_hash_map.h>

#include <set>
#include <string>
#include <vector>

#include "schism/byzantine/rounds.hpp"

namespace schism::isolate {

class FaultFacts {
 public:
  static EventMask wants();
  void begin(const Setup& setup);
  // The events of the last step.
  void look(const World& world);
  // Sorted; a fact with more conditions stands beside those that it implies.
  std::vector<std::string> take();

 private:
  struct Sent {
    OrderKey key;
    std::int64_t round = 0;
  };
  void sent(const Event& event);
  void note(const std::string& what, const Event& event);
  void lie(const World& world, const Event& event);

  const System* system_ = nullptr;
  byzantine::Rounds rounds_;
  absl::flat_hash_map<std::uint64_t, Sent> in_flight_;  // messages that have a place in the order
  std::set<std::string> facts_;
};

// How many conditions a fact has: what holds in the same runs is told by the one with the fewest.
int conditions_of(const std::string& fact);

}  // namespace schism::isolate
