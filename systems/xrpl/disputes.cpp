#include "systems/xrpl/disputes.hpp"

#include <algorithm>

#include "systems/xrpl/parameters.hpp"

namespace schism::xrpl {

bool Dispute::update(std::int64_t converge_percent, bool proposing, int stuck_threshold) {
  const int yes = count(yays), no = count(nays);
  if (ours ? no == 0 : yes == 0) return false;
  bool now = false;
  if (proposing) {
    const int weight = (100 * yes + (ours ? 100 : 0)) / (yes + no + 1);
    now = weight > avalanche_threshold(converge_percent, stuck_threshold);
  } else {
    now = yes > no;
  }
  const bool changed = now != ours;
  ours = now;
  return changed;
}

bool Disputes::compare_once(SetId set) {
  if (std::find(compared_.begin(), compared_.end(), set) != compared_.end()) return true;
  compared_.push_back(set);
  return false;
}

Dispute* Disputes::add(const Tx& tx, bool ours) {
  const auto at = std::lower_bound(list_.begin(), list_.end(), tx.id,
                                   [](const Dispute& d, TxId id) { return d.tx.id < id; });
  if (at != list_.end() && at->tx.id == tx.id) return nullptr;
  return &*list_.insert(at, Dispute{tx, ours, 0, 0});
}

void Disputes::vote(NodeId peer, const TxSet& set) {
  for (Dispute& d : list_) d.vote(peer, set.contains(d.tx.id));
}

void Disputes::unvote(NodeId peer) {
  for (Dispute& d : list_) d.unvote(peer);
}

void Disputes::clear() {
  list_.clear();
  compared_.clear();
}

}  // namespace schism::xrpl
