// Validations, and when a ledger is fully validated (the spec's section 4).
#include "systems/xrpl/validator.hpp"

namespace schism::xrpl {

namespace {

constexpr int kLedgerFile = 0, kSequenceFile = 1;

}  // namespace

std::uint64_t suppression_id(const Vote& v) {
  Hash128 h{0x76616c6964617465ULL, static_cast<std::uint64_t>(v.node)};
  h = absorb(absorb(h, v.ledger), std::uint64_t{v.seq} << 1 | std::uint64_t{v.full});
  h = absorb(absorb(h, v.set), v.validated);
  return absorb(h, static_cast<std::uint64_t>(v.sign_time)).lo ^ h.hi;
}

void Validator::validate(Context& c, const LedgerRef& ledger) {
  last_signed = std::max(net_time(c), last_signed + 1);
  largest_issued = ledger.seq();
  issued_at = c.now();
  c.disk().write_now(kSequenceFile, SavedSequence{largest_issued});
  const Vote v{c.self,       ledger.id(),   ledger.seq(), last_signed, mode == Mode::proposing,
               our_set.id(), validated.id()};
  c.announce(Validated{v.ledger, v.seq, v.full});
  handle_validation(c, v);
  router.add(suppression_id(v), -1, c.now());
  c.broadcast(Validation{c.sign(v)});
}

void Validator::on(Context& c, NodeId from, const Validation& m) {
  const Vote& v = *m.vote;
  if (!c.verified(m.vote) || m.vote.signer != v.node) return;
  const std::uint64_t id = suppression_id(v);
  if (!router.add(id, from, c.now())) return;
  if (v.node < 0 || v.node >= c.nodes()) return;
  // What comes back in its own name, because it lies, it passes on without counting it.
  if (v.node != c.self && contains(trusted, v.node)) handle_validation(c, v);
  relay(c, id, m);  // of an untrusted one too
}

void Validator::handle_validation(Context& c, const Vote& v) {
  if (validations.add(v, net_time(c), c.now()) != ValStatus::current) return;
  validations.support(v, acquire_ledger(c, v.ledger));
  check_accept(c, v.ledger, v.seq);
}

int Validator::full_validations(Context& c, LedgerId id, Seq seq) const {
  return c.config().validation_by_hash ? validations.full_for(id) : validations.full_for(id, seq);
}

void Validator::check_accept(Context& c, LedgerId id, Seq seq) {
  if (seq < validated_seq()) return;
  if (seq > last_valid.seq && full_validations(c, id, seq) >= quorum) {
    last_valid = {id, seq};
    c.announce(TakenForValid{id, seq});
  }
  if (seq == validated_seq() || seq == building) return;
  if (const LedgerRef ledger = acquire_ledger(c, id)) check_accept(c, ledger);
}

void Validator::check_accept(Context& c, const LedgerRef& ledger) {
  if (ledger.seq() <= validated_seq() || !can_be_current(c, *ledger)) return;
  if (full_validations(c, ledger.id(), ledger.seq()) >= quorum) fully_validate(c, ledger);
}

// The ledger that it has just built, or another one for which validations have come meanwhile.
void Validator::consensus_built(Context& c, const LedgerRef& ledger) {
  building = 0;
  check_accept(c, ledger);
  if (ledger.seq() <= validated_seq()) return;
  const Vote* best = validations.latest_of_more_than(quorum);
  if (!best || best->seq <= validated_seq()) return;
  const Vote known = *best;
  check_accept(c, known.ledger, known.seq);
}

void Validator::fully_validate(Context& c, const LedgerRef& ledger) {
  validated = ledger;
  c.announce(FullyValidated{ledger.id(), ledger.seq()});
  c.disk().write_now(kLedgerFile, SavedLedger{ledger->header(), ledger->state().accounts(),
                                              ledger->state().all_recorded(), ledger->ancestors(),
                                              ledger->applied()});
  note_ends(c);
  stop_when_over(c);
}

bool Validator::is_compatible(const Ledger& ledger) const {
  const Ledger& v = *validated;
  const LedgerId common =
      ledger.seq() >= v.seq() ? ledger.ancestor(v.seq()) : v.ancestor(ledger.seq());
  if (common != 0 && common != (ledger.seq() >= v.seq() ? v.id() : ledger.id())) return false;
  if (ledger.seq() < last_valid.seq) return true;
  const LedgerId there = ledger.ancestor(last_valid.seq);
  return there == 0 || there == last_valid.id;
}

bool Validator::can_be_current(Context& c, const Ledger& ledger) {
  if (ledger.seq() < validated_seq()) return false;
  const NetTime now = net_time(c), closed_then = ledger.header().parent_close_time;
  if (closed_then > now + kValidationCurrentWall || closed_then < now - kValidationCurrentWall)
    return false;
  const NetTime elapsed = std::max<NetTime>(0, now - validated->header().parent_close_time);
  return ledger.seq() <= validated_seq() + 10 + elapsed / 2;
}

void Validator::add_ledger(Context& c, const LedgerRef& ledger) {
  if (!store.add(ledger)) return;
  if (const LedgerFetch* fetch = fetches.find(ledger.id())) {
    c.cancel_timer(Timer::ledger_fetch, fetch->timer);
    fetches.remove(ledger.id());
  }
  validations.arrived(ledger);
}

}  // namespace schism::xrpl
