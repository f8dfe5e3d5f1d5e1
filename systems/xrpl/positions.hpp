// What the other nodes propose: the newest proposal of each for this round, and the last ten of
// each whatever they were about, because a round may turn to another ledger.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "systems/xrpl/messages.hpp"

namespace schism::xrpl {

struct Position {
  Signed<Proposal> proposal;
  NetTime seen = 0;
  FIELDS(proposal, seen)
};

class Positions {
 public:
  void begin(int nodes);

  // Every proposal is remembered, the oldest forgotten first.
  void remember(const Signed<Proposal>& proposal, NetTime now);
  const std::vector<Position>& recent(NodeId peer) const { return recent_[at(peer)]; }

  const Position* held(NodeId peer) const {
    return contains(who_, peer) ? &held_[at(peer)] : nullptr;
  }
  Members who() const { return who_; }  // has one
  int count() const { return xrpl::count(who_); }
  bool is_dead(NodeId peer) const { return contains(dead_, peer); }
  void hold(const Signed<Proposal>& proposal, NetTime now);
  void drop(NodeId peer) { who_ &= ~bit_of(peer); }
  // It has bowed out of the round.
  void bury(NodeId peer) {
    drop(peer);
    dead_ |= bit_of(peer);
  }
  void clear();  // all but the recent ones
  std::uint32_t epoch() const { return epoch_; }

  // How many hold this very set.
  int agreeing(SetId set) const;

  FIELDS(visible(), dead_, recent_, epoch_)

 private:
  static std::size_t at(NodeId id) { return static_cast<std::size_t>(id); }
  std::vector<Position> visible() const;

  std::vector<Position> held_;  // by node
  Members who_ = 0, dead_ = 0;
  std::vector<std::vector<Position>> recent_;  // by node
  std::uint32_t epoch_ = 0;
};

}  // namespace schism::xrpl
