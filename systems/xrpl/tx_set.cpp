#include "systems/xrpl/tx_set.hpp"

#include <algorithm>

namespace schism::xrpl {

TxSet::TxSet(std::vector<Tx> txs) : txs_(std::move(txs)) {
  const auto by_id = [](const Tx& a, const Tx& b) { return a.id < b.id; };
  if (!std::is_sorted(txs_.begin(), txs_.end(), by_id)) std::sort(txs_.begin(), txs_.end(), by_id);
  txs_.erase(std::unique(txs_.begin(), txs_.end()), txs_.end());
  Hash128 h{0x7365742d6f662d74ULL, 2};
  for (const Tx& tx : txs_) h = absorb(h, tx.id);
  id_ = identity(h);
}

bool TxSet::contains(TxId id) const {
  const auto at = std::lower_bound(txs_.begin(), txs_.end(), id,
                                   [](const Tx& tx, TxId wanted) { return tx.id < wanted; });
  return at != txs_.end() && at->id == id;
}

}  // namespace schism::xrpl
