// Payments: how they come in, the open ledger, and what becomes of those of the test case (the
// spec's sections 6 and 8).
#include <algorithm>

#include "systems/xrpl/validator.hpp"

namespace schism::xrpl {

namespace {

constexpr std::size_t kHeldMax = 256;

}  // namespace

Config::Config() : test_case(std::make_shared<TestCase>(*find_test_case("discotest"))) {}

// ---- coming in -----------------------------------------------------------------------------

void Validator::on(Context& c, NodeId from, const Transaction& m) {
  const Tx tx = identified(m.tx);
  if (!router.should_process(tx.id, from, c.now())) return;
  if (net_time(c) - validated->header().close_time > kValidatedAgeMax) return;
  if (is_applied(apply_to_open(c, tx))) relay(c, tx.id, Transaction{tx});
}

void Validator::submit_payment(Context& c, int index) {
  const Payment& p = c.config().test_case->payments[static_cast<std::size_t>(index)];
  const TxResult preliminary = validated->state().check(p.tx);
  c.announce(Submitted{index, preliminary});
  if (is_applied(preliminary) || is_retry(preliminary)) submit(c, p.tx);
  else if (!ended[static_cast<std::size_t>(index)])
    end_payment(c, static_cast<std::size_t>(index), End::cancelled);
  stop_when_over(c);
}

// Payments that are submitted when that ledger opens; once, whatever becomes of it.
void Validator::submit_for(Context& c, Seq ledger) {
  const auto& payments = c.config().test_case->payments;
  if (ledger <= opened_for || c.restarts() > 0) return;
  for (std::size_t i = 0; i < payments.size(); ++i)
    if (payments[i].node % c.nodes() == c.self && payments[i].ledger > opened_for &&
        payments[i].ledger <= ledger)
      submit_payment(c, static_cast<int>(i));
  opened_for = ledger;
}

// The same for those that wait until somebody has closed it.
void Validator::submit_at_close(Context& c, Seq ledger) {
  const auto& payments = c.config().test_case->payments;
  const Seq before = closed_for;
  for (std::size_t i = 0; i < payments.size(); ++i) {
    const Payment& p = payments[i];
    if (p.node % c.nodes() != c.self || p.closing <= before || p.closing > ledger) continue;
    closed_for = ledger;
    if (c.restarts() == 0) submit_payment(c, static_cast<int>(i));
  }
}

// Each node pays the next one from an account that nobody else uses.
void Validator::make_load(Context& c) {
  const auto first = static_cast<std::int32_t>(c.config().test_case->accounts.size());
  for (int i = 0; i < c.config().load; ++i) {
    Tx tx;
    tx.from = first + c.self;
    tx.to = c.nodes() > 1 ? first + (c.self + 1) % c.nodes() : first == 0 ? -1 : 0;
    tx.sequence = open_state.accounts()[static_cast<std::size_t>(tx.from)].sequence;
    tx.amount = kXrp;
    submit(c, identified(tx));
  }
}

void Validator::submit(Context& c, const Tx& tx) {
  router.should_process(tx.id, -1, c.now());
  local.push_back({tx, lcl.seq() + kLocalLedgers});
  if (is_applied(apply_to_open(c, tx))) relay(c, tx.id, Transaction{tx});
}

// ---- the open ledger -----------------------------------------------------------------------

TxResult Validator::apply_to_open(Context& c, const Tx& tx) {
  const TxResult result = open_state.apply(tx);
  if (result == TxResult::terPRE_SEQ && held.size() < kHeldMax &&
      std::find(held.begin(), held.end(), tx) == held.end())
    held.push_back(tx);
  if (!is_applied(result)) return result;
  open_txs.push_back(tx);
  // One that waited for this sequence.
  const auto next = std::find_if(held.begin(), held.end(), [&](const Tx& other) {
    return other.from == tx.from && other.sequence == tx.sequence + 1;
  });
  if (next == held.end()) return result;
  const Tx waiting = *next;
  held.erase(next);
  if (is_applied(apply_to_open(c, waiting))) relay(c, waiting.id, Transaction{waiting});
  return result;
}

// On top of the last closed ledger: what was put off, what was open, what was submitted here and
// what waits for its sequence.
void Validator::reopen(Context& c, const std::vector<Tx>& retries) {
  std::vector<Tx> before;
  before.swap(open_txs);
  open_state = lcl->state();
  const auto was_open = [&](const Tx& tx) {
    return std::find(before.begin(), before.end(), tx) != before.end();
  };
  const auto retry = [&](const Tx& tx) {
    if (is_applied(apply_to_open(c, tx)) && !was_open(tx)) relay(c, tx.id, Transaction{tx});
  };
  for (const Tx& tx : retries) retry(tx);
  for (const Tx& tx : before) retry(tx);
  std::erase_if(local, [&](const LocalTx& l) {
    return lcl.seq() > l.until || lcl->state().check(l.tx) == TxResult::tefPAST_SEQ;
  });
  for (std::size_t i = 0; i < local.size(); ++i) retry(Tx(local[i].tx));
  if (held.empty()) return;
  std::vector<Tx> waiting;
  waiting.swap(held);
  sort_canonically(waiting, 0);
  for (const Tx& tx : waiting) retry(tx);
}

// ---- the test case -------------------------------------------------------------------------

void Validator::end_payment(Context& c, std::size_t index, End end) {
  ended[index] = true;
  c.announce(PaymentEnded{static_cast<std::int32_t>(index), end, validated_seq()});
}

// What the validated ledger says for good.
void Validator::note_ends(Context& c) {
  const State& state = validated->state();
  for (std::size_t i = 0; i < ended.size(); ++i) {
    if (ended[i]) continue;
    const Tx& tx = c.config().test_case->payments[i].tx;
    if (state.recorded(i) == Recorded::success) end_payment(c, i, End::validated);
    else if (state.recorded(i) == Recorded::failed) end_payment(c, i, End::failed);
    else if (state.accounts()[static_cast<std::size_t>(tx.from)].sequence > tx.sequence)
      end_payment(c, i, End::cancelled);
  }
}

void Validator::stop_when_over(Context& c) {
  if (over) return;
  const Config& config = c.config();
  const bool paid =
      !ended.empty() && std::all_of(ended.begin(), ended.end(), [](bool e) { return e; });
  over = config.ledgers > 0 ? validated_seq() > static_cast<Seq>(config.ledgers)
                            : paid && config.heal == 0;  // those ledgers are still to come
  if (over) c.set_timer(Timer::stop, config.linger);
}

}  // namespace schism::xrpl
