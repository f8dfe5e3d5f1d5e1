// The ledgers that a node has: the ones it built and the ones it fetched, the newest 256.
#pragma once

#include <vector>

#include "systems/xrpl/ledger.hpp"

namespace schism::xrpl {

class LedgerStore {
 public:
  LedgerRef find(LedgerId id) const {
    for (std::size_t i = ids_.size(); i-- > 0;)
      if (ids_[i] == id) return ledgers_[i];
    return {};
  }
  // False: it was there.
  bool add(const LedgerRef& ledger) {
    for (std::size_t i = ids_.size(); i-- > 0;)
      if (ids_[i] == ledger.id()) return false;
    if (ids_.size() < kKept) {
      ids_.push_back(ledger.id());
      ledgers_.push_back(ledger);
    } else {
      ids_[oldest_] = ledger.id();
      ledgers_[oldest_] = ledger;
      oldest_ = (oldest_ + 1) % kKept;
    }
    return true;
  }
  std::size_t size() const { return ids_.size(); }
  FIELDS(ids_, oldest_)

 private:
  static constexpr std::size_t kKept = 256;
  std::vector<LedgerId> ids_;  // apart from the rest: a search reads nothing else
  std::vector<LedgerRef> ledgers_;
  std::size_t oldest_ = 0;
};

}  // namespace schism::xrpl
