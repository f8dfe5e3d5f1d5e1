// Disputes: the transactions that are in one node's set and not in another's, and how the votes on
// them move (the spec's section 3). The threshold rises with the time that the round has taken, so
// that in the end a transaction with less than nearly all votes is put off.
#pragma once

#include <vector>

#include "systems/xrpl/tx_set.hpp"

namespace schism::xrpl {

struct Dispute {
  Tx tx;
  bool ours = false;  // our vote
  Members yays = 0, nays = 0;
  FIELDS(tx, ours, yays, nays)

  void vote(NodeId peer, bool yes) {
    (yes ? yays : nays) |= bit_of(peer);
    (yes ? nays : yays) &= ~bit_of(peer);
  }
  void unvote(NodeId peer) {
    yays &= ~bit_of(peer);
    nays &= ~bit_of(peer);
  }
  // True: our vote has changed.
  bool update(std::int64_t converge_percent, bool proposing, int stuck_threshold);
};

class Disputes {
 public:
  const std::vector<Dispute>& list() const { return list_; }  // by transaction
  std::vector<Dispute>& list() { return list_; }
  bool empty() const { return list_.empty(); }
  // Whether this set has been compared with ours; from now on it has.
  bool compare_once(SetId set);
  // Null where it was there already.
  Dispute* add(const Tx& tx, bool ours);
  // A node's set says how it votes on everything.
  void vote(NodeId peer, const TxSet& set);
  void unvote(NodeId peer);
  void clear();
  FIELDS(list_, compared_)

 private:
  std::vector<Dispute> list_;
  std::vector<SetId> compared_;
};

}  // namespace schism::xrpl
