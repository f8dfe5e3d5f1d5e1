// A ledger: a header, the state after it, the transactions that it applied, and the hashes of its
// last 256 ancestors. Immutable and shared. Its identity is a hash of its content, so that what
// comes from another node can be checked.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "systems/xrpl/parameters.hpp"
#include "systems/xrpl/tx_set.hpp"

namespace schism::xrpl {

struct Header {
  LedgerId id = 0;
  Seq seq = 0;
  LedgerId parent = 0;
  NetTime close_time = 0, parent_close_time = 0;
  bool close_agree = true;
  int resolution = kGenesisResolution;
  std::uint64_t state = 0, applied = 0;  // hashes
  FIELDS(id, seq, parent, close_time, parent_close_time, close_agree, resolution, state, applied)

  LedgerId content_hash() const;
};

class Ledger {
 public:
  const Header& header() const { return header_; }
  LedgerId id() const { return header_.id; }
  Seq seq() const { return header_.seq; }
  const State& state() const { return state_; }
  const std::vector<TxId>& applied() const { return applied_; }

  // The hash of the ancestor with that sequence, or its own; 0: not known.
  LedgerId ancestor(Seq seq) const {
    if (seq == header_.seq) return header_.id;
    if (seq > header_.seq || header_.seq - seq > kAncestorsKnown) return 0;
    return ring_[seq % kAncestorsKnown];
  }
  // Oldest first, the parent last; unknown ones are 0.
  std::vector<LedgerId> ancestors() const;

  static std::shared_ptr<const Ledger> genesis(State state);
  // The next ledger: the set applied to the parent in canonical order, in up to three passes. What
  // could not be applied but might later is appended to `retries`.
  static std::shared_ptr<const Ledger> next(const Ledger& parent, const TxSet& set,
                                            NetTime close_time, bool close_agree, int resolution,
                                            std::vector<Tx>& retries);
  // From its parts; null where they do not fit the identity.
  static std::shared_ptr<const Ledger> from_parts(const Header& header, State state,
                                                  std::vector<TxId> applied,
                                                  const std::vector<LedgerId>& ancestors);

 private:
  void seal();

  Header header_;
  State state_;
  std::vector<TxId> applied_;
  std::array<LedgerId, kAncestorsKnown> ring_{};  // by sequence
};

// Null: none.
struct LedgerRef {
  std::shared_ptr<const Ledger> ledger;

  LedgerId id() const { return ledger ? ledger->id() : 0; }
  Seq seq() const { return ledger ? ledger->seq() : 0; }
  explicit operator bool() const { return ledger != nullptr; }
  const Ledger& operator*() const { return *ledger; }
  const Ledger* operator->() const { return ledger.get(); }
  FIELDS(id())
};

std::uint64_t hash_of_ids(const std::vector<TxId>& ids);
// By account, salted with the set's hash so that nobody can buy a place; then by sequence, by id.
void sort_canonically(std::vector<Tx>& txs, SetId salt);

}  // namespace schism::xrpl
