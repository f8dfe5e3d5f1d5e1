// A set of transactions, as proposals name it by its hash. Immutable and shared: positions, caches
// and messages hold references.
#pragma once

#include <memory>
#include <vector>

#include "systems/xrpl/money.hpp"

namespace schism::xrpl {

class TxSet {
 public:
  explicit TxSet(std::vector<Tx> txs);  // in any order; the same one twice counts once

  SetId id() const { return id_; }
  const std::vector<Tx>& txs() const { return txs_; }  // by id
  bool contains(TxId id) const;
  std::size_t size() const { return txs_.size(); }

 private:
  SetId id_;
  std::vector<Tx> txs_;
};

// Null: none.
struct TxSetRef {
  std::shared_ptr<const TxSet> set;

  SetId id() const { return set ? set->id() : 0; }
  explicit operator bool() const { return set != nullptr; }
  const TxSet& operator*() const { return *set; }
  const TxSet* operator->() const { return set.get(); }
  FIELDS(id())
};

inline TxSetRef make_set(std::vector<Tx> txs) {
  return {std::make_shared<const TxSet>(std::move(txs))};
}

}  // namespace schism::xrpl
