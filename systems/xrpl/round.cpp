// A round: on which ledger it works, how it notices that the others work on another one, and when
// its open ledger closes (the spec's section 3).
#include <algorithm>

#include "systems/xrpl/validator.hpp"

namespace schism::xrpl {

namespace {

constexpr int kLedgerFile = 0, kSequenceFile = 1;

State first_state(const Config& config, int nodes) {
  std::vector<Account> accounts = config.test_case->accounts;
  // One a node for the load: so much that it never ends.
  for (int i = 0; i < nodes; ++i) accounts.push_back({1'000'000'000 * kXrp, 1});
  return {std::move(accounts), config.test_case->payments.size()};
}

}  // namespace

void Validator::start(Context& c) {
  const Config& config = c.config();
  trusted = config.trust.trusted_by(c.self, c.nodes());
  quorum = config.quorum_for(count(trusted));
  positions.begin(c.nodes());
  validations.begin(c.nodes());
  peers.begin(c.nodes());
  lcl = validated = {Ledger::genesis(first_state(config, c.nodes()))};
  ended.assign(config.test_case->payments.size(), false);
  if (c.restarts() > 0) recover(c);
  last_valid = {validated.id(), validated.seq()};
  store.add(lcl);
  open_state = lcl->state();
  prev = lcl;
  prev_close_time = lcl->header().close_time;
  for (std::size_t i = 0; i < config.test_case->payments.size(); ++i) {
    const Payment& p = config.test_case->payments[i];
    if (p.node % c.nodes() == c.self && c.restarts() == 0 && p.at >= 0)
      c.set_timer(Timer::payment, p.at, static_cast<int>(i));
  }
  if (config.duration > 0) c.set_timer(Timer::stop, config.duration);
  const auto spread = static_cast<std::uint64_t>(config.stagger);
  const auto phase_shift = static_cast<Micros>(spread > 0 ? c.random_below(spread) : 0);
  c.set_timer(Timer::heartbeat, kLedgerGranularity + phase_shift);
  begin_consensus(c, lcl.id());
}

// What rippled has in its database after a restart: the last validated ledger, and below which
// sequence it must not validate again.
void Validator::recover(Context& c) {
  operating = OperatingMode::CONNECTED;
  for (const auto& saved : c.disk().load<SavedLedger>(kLedgerFile)) {
    const SavedLedger& s = saved.value;
    const LedgerRef ledger{Ledger::from_parts(s.header, State::from_parts(s.accounts, s.recorded),
                                              s.applied, s.ancestors)};
    if (!saved.torn && ledger) lcl = validated = ledger;
  }
  for (const auto& saved : c.disk().load<SavedSequence>(kSequenceFile))
    if (!saved.torn) largest_issued = saved.value.seq;
  issued_at = c.now();
  note_ends(c);
}

void Validator::on_timer(Context& c, Timer timer, int key) {
  switch (timer) {
    case Timer::heartbeat: return on_heartbeat(c);
    case Timer::accept: return build(c);
    case Timer::set_fetch: return on_set_timer(c, key);
    case Timer::ledger_fetch: return on_ledger_timer(c, key);
    case Timer::payment: return submit_payment(c, key);
    case Timer::stop:
      stopped = true;
      c.cancel_timer(Timer::heartbeat);
      c.announce(Stopped{validated_seq()});
      return;
  }
}

void Validator::on_heartbeat(Context& c) {
  c.set_timer(Timer::heartbeat, kLedgerGranularity);
  timer_entry(c);
}

void Validator::timer_entry(Context& c) {
  if (phase == Phase::accepted || stopped) return;
  check_ledger(c);
  if (phase == Phase::open) phase_open(c);
  else if (phase == Phase::establish) phase_establish(c);
}

// ---- which ledger --------------------------------------------------------------------------

void Validator::begin_consensus(Context& c, LedgerId network_closed) {
  if (round > 0) prev_close_time = own_close;
  const bool proposing = operating == OperatingMode::FULL;
  Mode new_mode = proposing ? Mode::proposing : Mode::observing;
  LedgerRef ledger = lcl;
  if (ledger.id() != network_closed) {
    if (const LedgerRef other = acquire_ledger(c, network_closed)) ledger = other;
    else new_mode = Mode::wrongLedger;
  }
  if (!stopped && c.config().load > 0) make_load(c);
  submit_for(c, ledger.seq() + 1);
  start_round(c, network_closed, ledger, new_mode);
}

void Validator::change_mode(Context& c, Mode new_mode) {
  if (new_mode != mode) c.announce(ModeChanged{mode, new_mode});
  mode = new_mode;
}

void Validator::start_round(Context& c, LedgerId id, LedgerRef ledger, Mode new_mode) {
  ++round;
  phase = Phase::open;
  change_mode(c, new_mode);
  prev_id = id;
  prev = std::move(ledger);
  closed = false;
  our_set = {};
  disputes.clear();
  outcome = Consensus::No;
  converge_percent = 0;
  close_time_agreed = false;
  opened_at = c.now();
  positions.clear();
  acquired.clear();
  peer_closes.clear();
  own_close = 0;
  resolution =
      next_resolution(prev->header().resolution, prev->header().close_agree, prev.seq() + 1);
  sets.new_round(prev.seq() + 1,
                 [&](const SetEntry& e) { c.cancel_timer(Timer::set_fetch, e.timer); });
  c.announce(RoundStarted{round, prev_id, prev.seq() + 1, mode});
  playback(c);
  // It may be falling behind: no need to wait for the heartbeat.
  if (positions.count() > prev_proposers / 2) timer_entry(c);
}

// Proposals that came before it was known that they would matter.
void Validator::playback(Context& c) {
  for (NodeId peer = 0; peer < c.nodes(); ++peer)
    for (std::size_t i = 0; i < positions.recent(peer).size(); ++i) {
      const Position recent = positions.recent(peer)[i];
      if (recent.proposal->prev_ledger != prev_id) continue;
      if (peer_proposal(c, recent.proposal, recent.seen))
        relay(c, suppression_id(*recent.proposal), ProposeSet{recent.proposal});
    }
}

void Validator::check_ledger(Context& c) {
  validations.expire(net_time(c), c.now());
  const auto choice = validations.preferred(*prev, largest_issued);
  // Nothing that precedes the validated ledger.
  const LedgerId net = choice && choice->seq >= validated_seq() ? choice->id : prev.id();
  if (net != prev_id && mode != Mode::wrongLedger) lose_sync();
  if (net != prev_id || prev.id() != prev_id) handle_wrong_ledger(c, net);
}

void Validator::lose_sync() { operating = OperatingMode::CONNECTED; }

void Validator::handle_wrong_ledger(Context& c, LedgerId id) {
  leave_consensus(c);
  if (prev_id != id) {
    prev_id = id;
    disputes.clear();
    positions.clear();
    peer_closes.clear();
    playback(c);
  }
  if (prev.id() == prev_id) return;
  if (const LedgerRef ledger = acquire_ledger(c, prev_id)) {
    c.announce(Switched{prev.id(), ledger.id(), ledger.seq()});
    start_round(c, id, ledger, Mode::switchedLedger);
  } else {
    change_mode(c, Mode::wrongLedger);
  }
}

void Validator::leave_consensus(Context& c) {
  if (mode != Mode::proposing) return;
  if (closed && ours.seq != kSeqLeave) {
    ours.seq = kSeqLeave;
    ours_at = net_time(c);
    c.announce(BowedOut{ours.prev_ledger});
    propose(c);
  }
  change_mode(c, Mode::observing);
}

// ---- the open ledger -----------------------------------------------------------------------

void Validator::phase_open(Context& c) {
  if (should_close(c)) close_ledger(c);
}

bool Validator::should_close(Context& c) {
  const Header& h = prev->header();
  const bool correct =
      mode != Mode::wrongLedger && h.close_agree && h.close_time != h.parent_close_time + 1;
  const NetTime last_close = correct ? h.close_time : prev_close_time;
  const Micros since_close = (net_time(c) - last_close) * 1'000'000;
  const Micros open_time = c.now() - opened_at;
  const Micros idle = std::max<Micros>(kLedgerIdleInterval, 2'000'000 * Micros{h.resolution});
  if (prev_round_time < -1_s || prev_round_time > kRoundTimeMax || since_close > kRoundTimeMax)
    return true;
  if (positions.count() + validations.full_for(prev_id) > prev_proposers / 2) return true;
  if (open_txs.empty()) return since_close >= idle;
  return open_time >= kLedgerMinClose && open_time >= prev_round_time / 2;
}

void Validator::close_ledger(Context& c) {
  phase = Phase::establish;
  const NetTime now = net_time(c);
  own_close = now;
  building = prev.seq() + 1;
  send_status(c, NodeEvent::CLOSING_LEDGER, *prev);
  closed = true;
  our_set = make_set(open_txs);
  ours = {c.self, prev_id, kSeqJoin, our_set.id(), now};
  ours_at = now;
  closed_at = c.now();
  round_time = 0;
  if (!acquired_set(our_set.id())) {
    acquired.push_back(our_set);
    share_set(c, our_set);
  }
  c.announce(
      Positioned{round, prev_id, prev.seq() + 1, ours.seq, our_set, mode == Mode::proposing});
  if (mode == Mode::proposing) propose(c);
  for (Members left = positions.who(); left != 0; left &= left - 1)
    if (const TxSetRef* set = acquired_set(positions.held(std::countr_zero(left))->proposal->set))
      create_disputes(c, **set);
  submit_at_close(c, prev.seq() + 1);
}

void Validator::send_status(Context& c, NodeEvent event, const Ledger& ledger) {
  c.broadcast(StatusChange{event, ledger.seq(), ledger.id(), ledger.header().parent});
}

void Validator::on(Context& c, NodeId from, const StatusChange& m) {
  if (m.event == NodeEvent::CLOSING_LEDGER) submit_at_close(c, m.seq + 1);
  const bool lost = m.event == NodeEvent::LOST_SYNC;
  peers.closed(from, lost ? 0 : m.ledger, lost ? 0 : m.parent);
}

void Validator::on(Context&, NodeId from, const HaveTransactionSet& m) {
  peers.has_set(from, m.set);
}

}  // namespace schism::xrpl
