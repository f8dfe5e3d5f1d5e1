// Transaction sets and ledgers that others have: whom to ask, how often, and what is answered (the
// spec's section 6).
#include <algorithm>

#include "systems/xrpl/validator.hpp"

namespace schism::xrpl {

// The best first: those that are known to have it, by chance among equals.
template <class Has>
std::vector<NodeId> Validator::best_peers(Context& c, Members but, int limit, Has has) {
  std::vector<std::pair<std::uint64_t, NodeId>> scored;
  for (NodeId peer = 0; peer < c.nodes(); ++peer)
    if (peer != c.self && !contains(but, peer))
      scored.emplace_back((has(peer) ? 10'000 : 0) + c.random_below(10'000), peer);
  std::sort(scored.begin(), scored.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<NodeId> out;
  for (const auto& [score, peer] : scored)
    if (static_cast<int>(out.size()) < limit) out.push_back(peer);
  return out;
}

// ---- transaction sets ----------------------------------------------------------------------

// One that was made here: the others may ask for it.
void Validator::share_set(Context& c, const TxSetRef& set) {
  SetEntry* entry = sets.find(set.id());
  if (entry && entry->set) {
    entry->round = sets.round();
    return;
  }
  if (!entry) entry = &sets.add(set.id());
  if (entry->fetching) c.cancel_timer(Timer::set_fetch, entry->timer);
  entry->set = set;
  entry->fetching = entry->failed = false;
  entry->round = sets.round();
  if (!c.config().send_sets) {
    c.broadcast(HaveTransactionSet{set.id()});
    return;
  }
  LedgerData whole;
  whole.item = Item::liTS_CANDIDATE;
  whole.hash = set.id();
  whole.requester = -1;
  whole.txs = set->txs();
  c.broadcast(whole);
}

// Null: it is not here, and somebody is being asked.
TxSetRef Validator::acquire_set(Context& c, SetId id) {
  SetEntry* entry = sets.find(id);
  if (entry) {
    entry->round = sets.round();
    if (entry->set) return entry->set;
    entry->timeouts = std::min(entry->timeouts, kSetNormTimeouts);
    if (!entry->failed || c.config().dead_acquisition) return {};
    entry->failed = false;
  } else {
    entry = &sets.add(id);
    ask_for_set(c, *entry, kSetStartPeers);
  }
  entry->fetching = true;
  c.set_timer(Timer::set_fetch, kSetTimer, entry->timer);
  return {};
}

void Validator::ask_for_set(Context& c, SetEntry& entry, int more_peers) {
  const GetLedger request{Item::liTS_CANDIDATE, entry.id, entry.timeouts > 0, -1};
  const auto chosen = best_peers(c, entry.asked, more_peers,
                                 [&](NodeId peer) { return peers.knows_set(peer, entry.id); });
  for (const NodeId peer : chosen) {
    entry.asked |= bit_of(peer);
    c.send(peer, request);
  }
}

void Validator::on_set_timer(Context& c, int key) {
  SetEntry* entry = sets.by_timer(key);
  if (!entry) return;
  if (entry->progress) entry->progress = false;
  else ++entry->timeouts;
  if (entry->timeouts > kSetMaxTimeouts) {
    entry->failed = true;
    entry->fetching = false;
    c.announce(AcquireFailed{Item::liTS_CANDIDATE, entry->id});
    return;
  }
  if (entry->timeouts >= kSetNormTimeouts)
    for (Members left = entry->asked; left != 0; left &= left - 1)
      c.send(std::countr_zero(left),
             GetLedger{Item::liTS_CANDIDATE, entry->id, entry->timeouts > 0, -1});
  ask_for_set(c, *entry, 1);
  c.set_timer(Timer::set_fetch, kSetTimer, key);
}

void Validator::take_set_data(Context& c, const LedgerData& m) {
  SetEntry* entry = sets.find(m.hash);
  const bool unasked = !entry && c.config().send_sets;
  if (!unasked && (!entry || !entry->fetching)) return;  // nobody asked, or it is dead
  std::vector<Tx> txs;
  for (const Tx& tx : m.txs) txs.push_back(identified(tx));
  const TxSetRef set = make_set(std::move(txs));
  if (set.id() != m.hash) return;
  if (unasked) entry = &sets.add(m.hash);
  else c.cancel_timer(Timer::set_fetch, entry->timer);
  entry->set = set;
  entry->fetching = false;
  c.broadcast(HaveTransactionSet{set.id()});
  got_set(c, set);
}

// ---- ledgers -------------------------------------------------------------------------------

// Null: it is not here, and somebody is being asked unless that failed not long ago.
LedgerRef Validator::acquire_ledger(Context& c, LedgerId id) {
  LedgerRef here = store.find(id);
  if (here || id == 0) return here;
  if (LedgerFetch* fetch = fetches.begin(id, c.now())) {
    ask_for_ledger(c, *fetch, kLedgerStartPeers);
    c.set_timer(Timer::ledger_fetch, kLedgerTimer, fetch->timer);
  }
  return {};
}

void Validator::request_parts(Context& c, const LedgerFetch& fetch, Members whom) const {
  for (Members left = whom; left != 0; left &= left - 1) {
    const NodeId peer = std::countr_zero(left);
    const bool indirect = fetch.timeouts > 0;
    if (!fetch.have_header) c.send(peer, GetLedger{Item::liBASE, fetch.id, indirect, -1});
    else if (!fetch.have_state) c.send(peer, GetLedger{Item::liAS_NODE, fetch.id, indirect, -1});
    if (fetch.have_header && !fetch.have_txs)
      c.send(peer, GetLedger{Item::liTX_NODE, fetch.id, indirect, -1});
  }
}

void Validator::ask_for_ledger(Context& c, LedgerFetch& fetch, int more_peers) {
  const auto chosen = best_peers(c, fetch.asked, more_peers,
                                 [&](NodeId peer) { return peers.knows_ledger(peer, fetch.id); });
  Members added = 0;
  for (const NodeId peer : chosen) added |= bit_of(peer);
  fetch.asked |= added;
  request_parts(c, fetch, added);
}

void Validator::on_ledger_timer(Context& c, int key) {
  LedgerFetch* fetch = fetches.by_timer(key);
  if (!fetch) return;
  if (fetch->progress) {
    fetch->progress = false;
  } else {
    if (++fetch->timeouts > kLedgerMaxTimeouts) {
      fetch->failed = true;
      fetch->failed_at = c.now();
      c.announce(AcquireFailed{Item::liBASE, fetch->id});
      return;
    }
    request_parts(c, *fetch, fetch->asked);
    ask_for_ledger(c, *fetch, kLedgerMorePeers);
  }
  c.set_timer(Timer::ledger_fetch, kLedgerTimer, key);
}

// Whoever has the header is asked for the rest: the first to answer counts.
void Validator::take_ledger_data(Context& c, NodeId from, const LedgerData& m) {
  LedgerFetch* fetch = fetches.find(m.hash);
  if (!fetch || fetch->failed) return;
  if (fetch->take(m)) fetch->progress = true;
  if (const LedgerRef ledger = fetch->complete()) {
    add_ledger(c, ledger);
    check_accept(c, ledger);
  } else if (m.item == Item::liBASE && fetch->have_header && m.header.id == fetch->id) {
    request_parts(c, *fetch, bit_of(from));
  }
}

// ---- answers -------------------------------------------------------------------------------

void Validator::on(Context& c, NodeId from, const GetLedger& m) {
  if (m.requester >= c.nodes()) return;
  if (!answer(c, from, m) && m.indirect && m.requester < 0) pass_on(c, from, m);
}

// False: it is not here. Then nobody is told.
bool Validator::answer(Context& c, NodeId to, const GetLedger& m) {
  LedgerData data;
  data.item = m.item;
  data.hash = m.hash;
  data.requester = m.requester;
  if (m.item == Item::liTS_CANDIDATE) {
    const SetEntry* entry = sets.find(m.hash);
    if (!entry || !entry->set) return false;
    data.txs = entry->set->txs();
    c.send(to, std::move(data));
    return true;
  }
  const LedgerRef ledger = store.find(m.hash);
  if (!ledger) return false;
  if (m.item == Item::liBASE) data.header = ledger->header();
  if (m.item == Item::liTX_NODE) data.applied = ledger->applied();
  if (m.item == Item::liAS_NODE) {
    data.accounts = ledger->state().accounts();
    data.recorded = ledger->state().all_recorded();
    data.ancestors = ledger->ancestors();
  }
  c.send(to, std::move(data));
  return true;
}

// To one that is known to have it; the answer comes back this way.
void Validator::pass_on(Context& c, NodeId from, const GetLedger& m) {
  const auto has = [&](NodeId peer) {
    return m.item == Item::liTS_CANDIDATE ? peers.knows_set(peer, m.hash)
                                          : peers.knows_ledger(peer, m.hash);
  };
  for (const NodeId peer : best_peers(c, bit_of(from), 1, has))
    if (has(peer)) c.send(peer, GetLedger{m.item, m.hash, false, from});
}

void Validator::on(Context& c, NodeId from, const LedgerData& m) {
  if (m.requester >= 0) {
    LedgerData data = m;
    data.requester = -1;
    if (m.requester < c.nodes() && m.requester != c.self) c.send(m.requester, std::move(data));
    return;
  }
  if (m.item == Item::liTS_CANDIDATE) take_set_data(c, m);
  else take_ledger_data(c, from, m);
}

}  // namespace schism::xrpl
