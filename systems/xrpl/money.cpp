#include "systems/xrpl/money.hpp"

namespace schism::xrpl {

TxId Tx::content_hash() const {
  Hash128 h{0x7472616e73616374ULL, 1};
  h = absorb(h, static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to));
  h = absorb(h, static_cast<std::uint64_t>(sequence) << 32 | static_cast<std::uint32_t>(payment));
  h = absorb(h, static_cast<std::uint64_t>(amount));
  h = absorb(h, static_cast<std::uint64_t>(fee));
  return identity(h);
}

namespace {

Hash128 hash_of_record(std::size_t payment, Recorded r) {
  return absorb(scatter(payment | std::uint64_t{1} << 40), static_cast<std::uint64_t>(r));
}

constexpr Drops kAmountMax = 100'000'000'000 * kXrp;  // all there is

}  // namespace

State::State(std::vector<Account> accounts, std::size_t payments)
    : State(from_parts(std::move(accounts), std::vector<Recorded>(payments, Recorded::nothing))) {}

State State::from_parts(std::vector<Account> accounts, std::vector<Recorded> recorded) {
  State s;
  s.accounts_ = std::move(accounts);
  s.recorded_ = std::move(recorded);
  for (std::size_t i = 0; i < s.accounts_.size(); ++i) s.sum_ += s.hash_of(i);
  for (std::size_t i = 0; i < s.recorded_.size(); ++i) s.sum_ += hash_of_record(i, s.recorded_[i]);
  return s;
}

Hash128 State::hash_of(std::size_t account) const {
  const Account& a = accounts_[account];
  return absorb(absorb(scatter(account), static_cast<std::uint64_t>(a.balance)), a.sequence);
}

void State::change(std::size_t account, Drops by, std::uint32_t sequences) {
  sum_ -= hash_of(account);
  accounts_[account].balance += by;
  accounts_[account].sequence += sequences;
  sum_ += hash_of(account);
}

TxResult State::check(const Tx& tx) const {
  const auto n = static_cast<std::int32_t>(accounts_.size());
  const bool known = tx.from >= 0 && tx.from < n && tx.to >= 0 && tx.to < n && tx.from != tx.to;
  if (!known || tx.amount < 0 || tx.amount > kAmountMax || tx.fee != kFee)
    return TxResult::temMALFORMED;
  if (tx.payment != kNotOfTheCase &&
      (tx.payment < 0 || static_cast<std::size_t>(tx.payment) >= recorded_.size()))
    return TxResult::temMALFORMED;
  const Account& from = accounts_[static_cast<std::size_t>(tx.from)];
  if (tx.sequence < from.sequence) return TxResult::tefPAST_SEQ;
  if (tx.sequence > from.sequence) return TxResult::terPRE_SEQ;
  if (from.balance < tx.fee) return TxResult::terINSUF_FEE;
  return from.balance < tx.amount + tx.fee ? TxResult::tecUNFUNDED_PAYMENT : TxResult::tesSUCCESS;
}

TxResult State::apply(const Tx& tx) {
  const TxResult result = check(tx);
  if (!is_applied(result)) return result;
  const bool funded = result == TxResult::tesSUCCESS;
  change(static_cast<std::size_t>(tx.from), -tx.fee - (funded ? tx.amount : 0), 1);
  if (funded) change(static_cast<std::size_t>(tx.to), tx.amount, 0);
  if (tx.payment >= 0) {
    const auto at = static_cast<std::size_t>(tx.payment);
    sum_ -= hash_of_record(at, recorded_[at]);
    recorded_[at] = funded ? Recorded::success : Recorded::failed;
    sum_ += hash_of_record(at, recorded_[at]);
  }
  return result;
}

Drops State::total() const {
  Drops sum = 0;
  for (const Account& a : accounts_) sum += a.balance;
  return sum;
}

}  // namespace schism::xrpl
