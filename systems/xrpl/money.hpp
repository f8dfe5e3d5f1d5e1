// Money: accounts with a balance and a sequence, payments, and what becomes of them. A payment
// takes effect, or fails but is charged its fee (it is in the ledger as failed), or is not applied
// at all: now (retry) or never (past).
#pragma once

#include <memory>
#include <vector>

#include "systems/xrpl/types.hpp"

namespace schism::xrpl {

inline constexpr std::int32_t kNotOfTheCase = -1;

struct Tx {
  TxId id = 0;  // a hash of the rest
  std::int32_t from = 0, to = 0;
  std::uint32_t sequence = 0;
  Drops amount = 0, fee = kFee;
  std::int32_t payment = kNotOfTheCase;  // its number in the test case
  FIELDS(id, from, to, sequence, amount, fee, payment)

  TxId content_hash() const;
  friend bool operator==(const Tx& a, const Tx& b) { return a.id == b.id; }
};
// The same with its identity worked out: what comes from outside is never believed.
inline Tx identified(Tx tx) {
  tx.id = tx.content_hash();
  return tx;
}

struct Account {
  Drops balance = 0;
  std::uint32_t sequence = 1;  // that its next payment must have
  FIELDS(balance, sequence)
};

SCHISM_ENUM(TxResult, tesSUCCESS, tecUNFUNDED_PAYMENT, terPRE_SEQ, terINSUF_FEE, tefPAST_SEQ,
            temMALFORMED);
constexpr bool is_applied(TxResult r) { return r <= TxResult::tecUNFUNDED_PAYMENT; }
constexpr bool is_retry(TxResult r) {
  return r == TxResult::terPRE_SEQ || r == TxResult::terINSUF_FEE;
}

// What a ledger says about a payment of the test case.
SCHISM_ENUM(Recorded, nothing, success, failed);

// What a ledger holds. Whether a payment of the test case is in it or in one of its ancestors is
// kept with the state, so that no history has to be searched.
class State {
 public:
  State() = default;
  State(std::vector<Account> accounts, std::size_t payments);

  TxResult check(const Tx& tx) const;  // nothing changes
  TxResult apply(const Tx& tx);
  const std::vector<Account>& accounts() const { return accounts_; }
  Recorded recorded(std::size_t payment) const { return recorded_[payment]; }
  const std::vector<Recorded>& all_recorded() const { return recorded_; }
  Hash128 digest() const { return sum_; }
  Drops total() const;

  // How it comes back from a message or a file.
  static State from_parts(std::vector<Account> accounts, std::vector<Recorded> recorded);

  FIELDS(accounts_, recorded_)

 private:
  Hash128 hash_of(std::size_t account) const;
  void change(std::size_t account, Drops by, std::uint32_t sequences);

  std::vector<Account> accounts_;
  std::vector<Recorded> recorded_;
  Hash128 sum_;  // over accounts and records: kept up to date, so that it costs what changed
};

}  // namespace schism::xrpl
