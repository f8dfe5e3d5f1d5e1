#include "systems/xrpl/acquisition.hpp"

#include <algorithm>

namespace schism::xrpl {

// ---- sets ----------------------------------------------------------------------------------

SetEntry* SetStore::find(SetId id) {
  for (std::size_t i = entries_.size(); i-- > 0;)
    if (entries_[i].id == id) return &entries_[i];
  return nullptr;
}

SetEntry* SetStore::by_timer(int timer) {
  for (SetEntry& e : entries_)
    if (e.fetching && e.timer == timer) return &e;
  return nullptr;
}

int SetStore::free_timer() const {
  for (int key = 0;; ++key)
    if (std::none_of(entries_.begin(), entries_.end(),
                     [&](const SetEntry& e) { return !e.set && e.timer == key; }))
      return key;
}

SetEntry& SetStore::add(SetId id) {
  SetEntry entry;
  entry.id = id;
  entry.round = round_;
  entry.timer = free_timer();
  return entries_.emplace_back(std::move(entry));
}

// ---- ledgers -------------------------------------------------------------------------------

bool LedgerFetch::take(const LedgerData& data) {
  switch (data.item) {
    case Item::liTS_CANDIDATE: return false;
    case Item::liBASE:
      if (have_header || data.header.id != id || data.header.content_hash() != id) return false;
      parts.header = data.header;
      return have_header = true;
    case Item::liAS_NODE:
      if (have_state || !have_header ||
          identity(State::from_parts(data.accounts, data.recorded).digest()) != parts.header.state)
        return false;
      parts.accounts = data.accounts;
      parts.recorded = data.recorded;
      parts.ancestors = data.ancestors;
      return have_state = true;
    case Item::liTX_NODE:
      if (have_txs || !have_header || hash_of_ids(data.applied) != parts.header.applied)
        return false;
      parts.applied = data.applied;
      return have_txs = true;
  }
  return false;
}

LedgerRef LedgerFetch::complete() const {
  if (!have_header || !have_state || !have_txs) return {};
  return {Ledger::from_parts(parts.header, State::from_parts(parts.accounts, parts.recorded),
                             parts.applied, parts.ancestors)};
}

LedgerFetch* LedgerFetches::find(LedgerId id) {
  const auto at =
      std::find_if(list_.begin(), list_.end(), [&](const LedgerFetch& f) { return f.id == id; });
  return at == list_.end() ? nullptr : &*at;
}

LedgerFetch* LedgerFetches::by_timer(int timer) {
  for (LedgerFetch& f : list_)
    if (!f.failed && f.timer == timer) return &f;
  return nullptr;
}

LedgerFetch* LedgerFetches::begin(LedgerId id, Micros now) {
  std::erase_if(list_, [&](const LedgerFetch& f) {
    return f.failed && now >= f.failed_at + kLedgerFailureKept;
  });
  if (find(id)) return nullptr;
  int key = 0;
  while (std::any_of(list_.begin(), list_.end(),
                     [&](const LedgerFetch& f) { return !f.failed && f.timer == key; }))
    ++key;
  LedgerFetch fetch;
  fetch.id = id;
  fetch.timer = key;
  return &list_.emplace_back(std::move(fetch));
}

void LedgerFetches::remove(LedgerId id) {
  std::erase_if(list_, [&](const LedgerFetch& f) { return f.id == id; });
}

// ---- peers ---------------------------------------------------------------------------------

void PeerKnowledge::note(Ring& ring, std::uint64_t hash) {
  if (hash == 0) return;
  if (!ring.hashes.empty()) {  // said twice in a row, as status changes do
    const std::size_t last = (ring.next + ring.hashes.size() - 1) % ring.hashes.size();
    if (ring.hashes[last] == hash) return;
  }
  if (ring.hashes.size() < kHashesAPeer) {
    ring.hashes.push_back(hash);
    return;
  }
  ring.hashes[ring.next] = hash;
  ring.next = (ring.next + 1) % kHashesAPeer;
}

bool PeerKnowledge::find(const Ring& ring, std::uint64_t hash) {
  return std::find(ring.hashes.begin(), ring.hashes.end(), hash) != ring.hashes.end();
}

void PeerKnowledge::closed(NodeId peer, LedgerId id, LedgerId parent) {
  peers_[at(peer)].closed = id;
  peers_[at(peer)].previous = parent;
  has_ledger(peer, parent);
  has_ledger(peer, id);
}

void PeerKnowledge::cycle(NodeId peer) {
  peers_[at(peer)].previous = peers_[at(peer)].closed;
  peers_[at(peer)].closed = 0;
}

}  // namespace schism::xrpl
