// Fetching what others talk about (the spec's sections 1 and 6): transaction sets, with a timer of
// 250 ms that gives up on its 21st tick without progress (5,250 ms), and ledgers, with one of 3 s
// that gives up on its seventh. What is here only counts and remembers; validator.hpp sends.
#pragma once

#include <vector>

#include "systems/xrpl/messages.hpp"

namespace schism::xrpl {

// A transaction set that is known, or wanted. A failed one stays until rounds have moved on.
struct SetEntry {
  SetId id = 0;
  TxSetRef set;
  std::uint32_t round = 0;  // of the ledger sequence in which it was last asked for
  bool fetching = false, failed = false, progress = false;
  int timeouts = 0;
  int timer = 0;  // the key of its timer
  Members asked = 0;
  FIELDS(id, set, round, fetching, failed, progress, timeouts, timer, asked)
};

class SetStore {
 public:
  SetEntry* find(SetId id);
  SetEntry* by_timer(int timer);
  SetEntry& add(SetId id);
  // Forgets those that nobody asked for in the last rounds. Calls `gone` for each that is fetched.
  template <class Gone>
  void new_round(std::uint32_t round, Gone gone) {
    if (round == round_) return;
    round_ = round;
    const std::uint32_t low = round < kSetKeepRounds ? 0 : round - kSetKeepRounds;
    std::erase_if(entries_, [&](const SetEntry& e) {
      const bool old = e.round < low || e.round > round + kSetKeepRounds;
      if (old && e.fetching) gone(e);
      return old;
    });
  }
  std::uint32_t round() const { return round_; }
  FIELDS(entries_, round_)

 private:
  int free_timer() const;
  std::vector<SetEntry> entries_;
  std::uint32_t round_ = 0;
};

// A ledger that is wanted: its header first, then its state and its transactions.
struct LedgerFetch {
  LedgerId id = 0;
  bool have_header = false, have_state = false, have_txs = false, progress = false, failed = false;
  Micros failed_at = 0;
  int timeouts = 0, timer = 0;
  Members asked = 0;
  LedgerData parts;
  FIELDS(id, have_header, have_state, have_txs, progress, failed, failed_at, timeouts, timer, asked,
         parts)

  // What is missing in this answer's stead. False: it is not about this ledger, or says nothing
  // new.
  bool take(const LedgerData& data);
  LedgerRef complete() const;  // null: something is missing, or does not fit
};

class LedgerFetches {
 public:
  LedgerFetch* find(LedgerId id);
  LedgerFetch* by_timer(int timer);
  // Null where it is being fetched already, or failed not long ago.
  LedgerFetch* begin(LedgerId id, Micros now);
  void remove(LedgerId id);
  FIELDS(list_)

 private:
  std::vector<LedgerFetch> list_;
};

// What a node knows about its peers: what they have.
class PeerKnowledge {
 public:
  void begin(int nodes) { peers_.assign(static_cast<std::size_t>(nodes), {}); }
  void has_set(NodeId peer, SetId set) { note(peers_[at(peer)].sets, set); }
  void has_ledger(NodeId peer, LedgerId id) { note(peers_[at(peer)].ledgers, id); }
  bool knows_set(NodeId peer, SetId set) const { return find(peers_[at(peer)].sets, set); }
  bool knows_ledger(NodeId peer, LedgerId id) const { return find(peers_[at(peer)].ledgers, id); }
  void closed(NodeId peer, LedgerId id, LedgerId parent);
  LedgerId last_closed(NodeId peer) const { return peers_[at(peer)].closed; }
  // A peer that is still at our ledger's parent: we look at what it had before.
  void cycle(NodeId peer);
  FIELDS(peers_)

 private:
  struct Ring {  // the last 128
    std::vector<std::uint64_t> hashes;
    std::size_t next = 0;
    FIELDS(hashes, next)
  };
  struct Peer {
    Ring sets, ledgers;
    LedgerId closed = 0, previous = 0;
    FIELDS(sets, ledgers, closed, previous)
  };
  static void note(Ring& ring, std::uint64_t hash);
  static bool find(const Ring& ring, std::uint64_t hash);
  static std::size_t at(NodeId id) { return static_cast<std::size_t>(id); }
  std::vector<Peer> peers_;
};

}  // namespace schism::xrpl
