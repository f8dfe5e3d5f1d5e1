// A validator of the XRP Ledger, as rippled runs it from 1.7.2 to 2.4.0. A chapter a file:
//
//   round.cpp            how a round begins, on which ledger, and when it closes
//   establish.cpp        positions, disputes and the close time, until there is consensus
//   accept.cpp           the ledger that is built from it, and the next round
//   full_validation.cpp  validations, quorum, the validated ledger
//   fetch.cpp            transaction sets and ledgers that others have
//   transactions.cpp     payments, the open ledger, what becomes of them
//
// What can be understood by itself has a file of its own: positions, disputes, close_time,
// validations, trie, relay, acquisition, ledger, money.
#pragma once

#include "schism/node/node.hpp"
#include "systems/xrpl/acquisition.hpp"
#include "systems/xrpl/close_time.hpp"
#include "systems/xrpl/config.hpp"
#include "systems/xrpl/disputes.hpp"
#include "systems/xrpl/ledger_store.hpp"
#include "systems/xrpl/positions.hpp"
#include "systems/xrpl/relay.hpp"
#include "systems/xrpl/validations.hpp"

namespace schism::xrpl {

SCHISM_ENUM(Timer, heartbeat, accept, set_fetch, ledger_fetch, payment, stop);
SCHISM_ENUM(OperatingMode, CONNECTED, TRACKING, FULL);

// A transaction that was submitted here is tried again for some ledgers.
struct LocalTx {
  Tx tx;
  Seq until = 0;
  FIELDS(tx, until)
};

// A ledger known by name: a quorum has validated it, whether it is at hand or not.
struct NamedLedger {
  LedgerId id = 0;
  Seq seq = 0;
  FIELDS(id, seq)
};

struct Validator : Node<Validator, Transaction, ProposeSet, StatusChange, HaveTransactionSet,
                        Validation, GetLedger, LedgerData> {
  using Config = xrpl::Config;
  using Timers = Timer;

  // Whom it trusts.
  Members trusted = 0;
  int quorum = 1;

  // Where the consensus is.
  Mode mode = Mode::observing;
  Phase phase = Phase::open;
  OperatingMode operating = OperatingMode::FULL;
  std::uint32_t round = 0;
  LedgerId prev_id = 0;  // on which it should work; `prev` may still be another
  LedgerRef prev;
  Micros prev_round_time = kFirstRoundTime;
  int prev_proposers = 0;
  NetTime prev_close_time = 0;
  int resolution = kGenesisResolution;
  Micros opened_at = 0;

  // Of the round.
  Positions positions;
  std::vector<TxSetRef> acquired;
  NetTime own_close = 0;       // raw
  CloseTimeVotes peer_closes;  // raw
  bool closed = false;         // it has a position of its own:
  TxSetRef our_set;
  Proposal ours;
  NetTime ours_at = 0;
  Disputes disputes;
  Micros closed_at = 0, round_time = 0;
  std::int64_t converge_percent = 0;
  bool close_time_agreed = false;
  Consensus outcome = Consensus::No;

  // Ledgers.
  LedgerStore store;
  LedgerRef lcl, validated;
  NamedLedger last_valid;
  Seq building = 0;  // 0: none
  Validations validations;
  Seq largest_issued = 0;  // validated by this node
  Micros issued_at = 0;
  NetTime last_signed = 0;

  // The open ledger.
  State open_state;
  std::vector<Tx> open_txs;
  std::vector<Tx> held;  // sequences to come
  std::vector<LocalTx> local;

  // The others.
  Router router;
  SetStore sets;
  LedgerFetches fetches;
  PeerKnowledge peers;
  NetTime clock_offset = 0;

  // The test case.
  std::vector<bool> ended;
  bool over = false, stopped = false;
  Seq opened_for = 0;  // up to which ledger payments that wait for one to open were submitted
  Seq closed_for = 0;  // and up to which those that wait for one to close

  FIELDS(mode, phase, operating, round, prev_id, prev, lcl, validated, last_valid, building,
         prev_round_time, prev_proposers, prev_close_time, resolution, opened_at, positions,
         acquired, own_close, peer_closes, closed, our_set, ours, ours_at, disputes, closed_at,
         round_time, converge_percent, close_time_agreed, outcome, store, validations,
         largest_issued, issued_at, last_signed, open_state, open_txs, held, local, router, sets,
         fetches, peers, clock_offset, ended, over, stopped, opened_for, closed_for, trusted,
         quorum)

  void start(Context& c);
  void on_timer(Context& c, Timer timer, int key);

  void on(Context& c, NodeId from, const Transaction& m);
  void on(Context& c, NodeId from, const ProposeSet& m);
  void on(Context& c, NodeId from, const StatusChange& m);
  void on(Context& c, NodeId from, const HaveTransactionSet& m);
  void on(Context& c, NodeId from, const Validation& m);
  void on(Context& c, NodeId from, const GetLedger& m);
  void on(Context& c, NodeId from, const LedgerData& m);

  Seq validated_seq() const { return validated.seq(); }

 private:
  // round.cpp
  NetTime net_time(Context& c) const { return kEpoch + c.now() / 1'000'000 + clock_offset; }
  void recover(Context& c);
  void begin_consensus(Context& c, LedgerId network_closed);
  void start_round(Context& c, LedgerId id, LedgerRef ledger, Mode new_mode);
  void change_mode(Context& c, Mode new_mode);
  void on_heartbeat(Context& c);
  void timer_entry(Context& c);
  void check_ledger(Context& c);
  void handle_wrong_ledger(Context& c, LedgerId id);
  void leave_consensus(Context& c);
  void lose_sync();
  void playback(Context& c);
  void phase_open(Context& c);
  bool should_close(Context& c);
  void close_ledger(Context& c);
  void send_status(Context& c, NodeEvent event, const Ledger& ledger);

  // establish.cpp
  bool peer_proposal(Context& c, const Signed<Proposal>& signed_one, NetTime seen);
  void drop_position(Context& c, NodeId peer);
  const TxSetRef* acquired_set(SetId id) const;
  void got_set(Context& c, const TxSetRef& set);
  void create_disputes(Context& c, const TxSet& other);
  void update_disputes(Context& c, NodeId peer, const TxSet& set);
  void propose(Context& c);
  void phase_establish(Context& c);
  void update_our_positions(Context& c);
  void drop_stale_positions(Context& c, CloseTimeVotes& votes);
  TxSetRef set_after_votes(Context& c);
  NetTime agree_on_close_time(Context& c, CloseTimeVotes votes);
  void take_position(Context& c, const TxSetRef& set, NetTime close_time);
  bool should_pause(Context& c);
  bool have_consensus(Context& c);
  Consensus check_consensus(Context& c, int proposers, int agreeing, int finished) const;

  // accept.cpp
  void accept(Context& c);
  void build(Context& c);
  void adjust_clock();
  void end_consensus(Context& c);
  bool switch_last_closed(Context& c, LedgerId& network_closed);
  LedgerId preferred_lcl(Context& c);

  // full_validation.cpp
  void validate(Context& c, const LedgerRef& ledger);
  void handle_validation(Context& c, const Vote& v);
  void check_accept(Context& c, LedgerId id, Seq seq);
  void check_accept(Context& c, const LedgerRef& ledger);
  void consensus_built(Context& c, const LedgerRef& ledger);
  void fully_validate(Context& c, const LedgerRef& ledger);
  int full_validations(Context& c, LedgerId id, Seq seq) const;
  bool is_compatible(const Ledger& ledger) const;
  bool can_be_current(Context& c, const Ledger& ledger);
  void add_ledger(Context& c, const LedgerRef& ledger);

  // fetch.cpp
  void share_set(Context& c, const TxSetRef& set);
  TxSetRef acquire_set(Context& c, SetId id);
  void ask_for_set(Context& c, SetEntry& entry, int more_peers);
  void on_set_timer(Context& c, int key);
  LedgerRef acquire_ledger(Context& c, LedgerId id);
  void ask_for_ledger(Context& c, LedgerFetch& fetch, int more_peers);
  void request_parts(Context& c, const LedgerFetch& fetch, Members whom) const;
  void on_ledger_timer(Context& c, int key);
  void take_set_data(Context& c, const LedgerData& m);
  void take_ledger_data(Context& c, NodeId from, const LedgerData& m);
  bool answer(Context& c, NodeId to, const GetLedger& m);
  void pass_on(Context& c, NodeId from, const GetLedger& m);
  template <class Has>
  std::vector<NodeId> best_peers(Context& c, Members but, int limit, Has has);

  // transactions.cpp
  void submit_payment(Context& c, int index);
  void submit_for(Context& c, Seq ledger);
  void submit_at_close(Context& c, Seq ledger);
  void make_load(Context& c);
  void submit(Context& c, const Tx& tx);
  TxResult apply_to_open(Context& c, const Tx& tx);
  void reopen(Context& c, const std::vector<Tx>& retries);
  void note_ends(Context& c);
  void end_payment(Context& c, std::size_t index, End end);
  void stop_when_over(Context& c);

  template <class M>
  void relay(Context& c, std::uint64_t id, const M& m) {
    Members already = 0;
    if (!router.should_relay(id, c.now(), already)) return;
    for (NodeId to = 0; to < c.nodes(); ++to)
      if (to != c.self && !contains(already, to)) c.send(to, m);
  }
};

// What tells a message from every other, signature included.
std::uint64_t suppression_id(const Proposal& p);
std::uint64_t suppression_id(const Vote& v);

}  // namespace schism::xrpl
