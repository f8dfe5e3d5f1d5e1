// The establish phase: what the others propose, what is disputed, on which close time to agree, and
// whether there is consensus (the spec's section 3).
#include <algorithm>

#include "systems/xrpl/validator.hpp"

namespace schism::xrpl {

std::uint64_t suppression_id(const Proposal& p) {
  Hash128 h{0x70726f706f73616cULL, static_cast<std::uint64_t>(p.node)};
  h = absorb(absorb(h, p.prev_ledger), p.set);
  return absorb(h, static_cast<std::uint64_t>(p.close_time) << 32 | p.seq).lo ^ h.hi;
}

// ---- what the others propose ---------------------------------------------------------------

void Validator::on(Context& c, NodeId from, const ProposeSet& m) {
  const Proposal& p = *m.proposal;
  if (!c.verified(m.proposal) || m.proposal.signer != p.node) return;
  const std::uint64_t id = suppression_id(p);
  if (!router.add(id, from, c.now())) return;
  const bool sane =
      p.node >= 0 && p.node < c.nodes() && p.close_time >= 0 && p.close_time < NetTime{1} << 40;
  if (!sane || !contains(trusted, p.node)) return;
  // What comes back in its own name, because it lies, it passes on without counting it.
  if (p.node == c.self) {
    if (p.prev_ledger == prev_id && phase != Phase::accepted) relay(c, id, m);
    return;
  }
  const NetTime now = net_time(c);
  positions.remember(m.proposal, now);
  if (peer_proposal(c, m.proposal, now)) relay(c, id, m);
}

// True: it was news.
bool Validator::peer_proposal(Context& c, const Signed<Proposal>& signed_one, NetTime seen) {
  const Proposal& p = *signed_one;
  if (phase == Phase::accepted || p.prev_ledger != prev_id || positions.is_dead(p.node))
    return false;
  if (const Position* held_now = positions.held(p.node);
      held_now && p.seq <= held_now->proposal->seq && !c.config().stale_proposal)
    return false;
  if (p.seq == kSeqLeave) {
    drop_position(c, p.node);
    positions.bury(p.node);
    return true;
  }
  positions.hold(signed_one, seen);
  c.announce(Held{positions.epoch(), p.node, p.seq});
  if (p.seq == kSeqJoin) peer_closes.add(p.close_time);
  if (const TxSetRef* known = acquired_set(p.set)) {
    if (closed) update_disputes(c, p.node, **known);
  } else if (const TxSetRef set = acquire_set(c, p.set)) {
    got_set(c, set);
  }
  return true;
}

void Validator::drop_position(Context& c, NodeId peer) {
  disputes.unvote(peer);
  if (positions.held(peer)) c.announce(Held{positions.epoch(), peer, -1});
  positions.drop(peer);
}

const TxSetRef* Validator::acquired_set(SetId id) const {
  for (const TxSetRef& set : acquired)
    if (set.id() == id) return &set;
  return nullptr;
}

void Validator::got_set(Context& c, const TxSetRef& set) {
  if (phase == Phase::accepted || acquired_set(set.id())) return;
  acquired.push_back(set);
  if (!closed) return;
  for (Members left = positions.who(); left != 0; left &= left - 1) {
    const NodeId peer = std::countr_zero(left);
    if (positions.held(peer)->proposal->set == set.id()) update_disputes(c, peer, *set);
  }
}

// ---- disputes ------------------------------------------------------------------------------

void Validator::create_disputes(Context& c, const TxSet& other) {
  if (disputes.compare_once(other.id()) || other.id() == our_set.id()) return;
  const auto dispute = [&](const Tx& tx, bool in_ours) {
    Dispute* d = disputes.add(tx, in_ours);
    if (!d) return;
    for (Members left = positions.who(); left != 0; left &= left - 1) {
      const NodeId peer = std::countr_zero(left);
      if (const TxSetRef* set = acquired_set(positions.held(peer)->proposal->set))
        d->vote(peer, (*set)->contains(tx.id));
    }
    c.announce(Disputed{prev_id, tx.id, in_ours});
    relay(c, tx.id, Transaction{tx});
  };
  for (const Tx& tx : our_set->txs())
    if (!other.contains(tx.id)) dispute(tx, true);
  for (const Tx& tx : other.txs())
    if (!our_set->contains(tx.id)) dispute(tx, false);
}

void Validator::update_disputes(Context& c, NodeId peer, const TxSet& set) {
  create_disputes(c, set);
  if (!disputes.empty()) disputes.vote(peer, set);
}

// ---- our own position ----------------------------------------------------------------------

void Validator::propose(Context& c) {
  router.add(suppression_id(ours), -1, c.now());
  c.broadcast(ProposeSet{c.sign(ours)});
}

void Validator::phase_establish(Context& c) {
  round_time = c.now() - closed_at;
  converge_percent = round_time * 100 / std::max(prev_round_time, kMinConsensusTime);
  if (round_time < kLedgerMinConsensus) return;
  update_our_positions(c);
  if (should_pause(c) || !have_consensus(c) || !close_time_agreed) return;
  accept(c);
}

void Validator::update_our_positions(Context& c) {
  CloseTimeVotes votes;
  drop_stale_positions(c, votes);
  const TxSetRef changed = set_after_votes(c);
  const NetTime close_time = agree_on_close_time(c, std::move(votes));
  const bool stale = ours_at <= net_time(c) - kProposeInterval;
  if (changed || close_time != round_close_time(ours.close_time, resolution) || stale)
    take_position(c, changed ? changed : our_set, close_time);
}

void Validator::drop_stale_positions(Context& c, CloseTimeVotes& votes) {
  const NetTime cutoff = net_time(c) - kProposeFreshness;
  for (Members left = positions.who(); left != 0; left &= left - 1) {
    const NodeId peer = std::countr_zero(left);
    const Position& position = *positions.held(peer);
    if (position.seen <= cutoff) drop_position(c, peer);
    else votes.add(round_close_time(position.proposal->close_time, resolution));
  }
}

// Null: no vote of ours has changed.
TxSetRef Validator::set_after_votes(Context& c) {
  bool changed = false;
  for (Dispute& d : disputes.list())
    changed |= d.update(converge_percent, mode == Mode::proposing, c.config().stuck_threshold());
  if (!changed) return {};
  std::vector<Tx> txs;
  for (const Tx& tx : our_set->txs())
    if (std::none_of(disputes.list().begin(), disputes.list().end(),
                     [&](const Dispute& d) { return d.tx.id == tx.id; }))
      txs.push_back(tx);
  for (const Dispute& d : disputes.list())
    if (d.ours) txs.push_back(d.tx);
  return make_set(std::move(txs));
}

NetTime Validator::agree_on_close_time(Context& c, CloseTimeVotes votes) {
  const NetTime own = round_close_time(ours.close_time, resolution);
  if (positions.who() == 0) {
    close_time_agreed = true;
    return own;
  }
  int participants = positions.count();
  if (mode == Mode::proposing) {
    votes.add(own);
    ++participants;
  }
  const CloseTimeChoice choice = choose_close_time(
      votes, participants, avalanche_threshold(converge_percent, c.config().stuck_threshold()));
  close_time_agreed = choice.consensus;
  return choice.time;
}

void Validator::take_position(Context& c, const TxSetRef& set, NetTime close_time) {
  our_set = set;
  ours.set = set.id();
  ours.close_time = close_time;
  ours_at = net_time(c);
  if (ours.seq != kSeqLeave) ++ours.seq;
  const bool proposes = mode == Mode::proposing && ours.seq != kSeqLeave;
  c.announce(Positioned{round, ours.prev_ledger, prev.seq() + 1, ours.seq, our_set, proposes});
  if (!acquired_set(set.id())) {
    acquired.push_back(set);
    if (ours.seq != kSeqLeave) share_set(c, set);
    for (Members left = positions.who(); left != 0; left &= left - 1) {
      const NodeId peer = std::countr_zero(left);
      if (positions.held(peer)->proposal->set == set.id()) update_disputes(c, peer, *set);
    }
  }
  if (proposes) propose(c);
}

// ---- is it enough? -------------------------------------------------------------------------

// A validator that is ahead of what is validated waits for those that lag, the longer the further
// it is ahead.
bool Validator::should_pause(Context& c) {
  const Seq ahead = prev.seq() - std::min(validated_seq(), prev.seq());
  if (ahead == 0 || round_time > ledger_max_consensus(c.config().rules)) return false;
  const auto [laggards, offline] = validations.lag(prev.seq(), trusted, c.now());
  if (laggards == 0) return false;
  constexpr int kLastPhase = 4;
  const int total = count(trusted);
  const int pause_phase = static_cast<int>((ahead - 1) % (kLastPhase + 1));
  if (pause_phase == 0) return laggards + offline > total - quorum;
  if (pause_phase == kLastPhase) return true;
  const double share = static_cast<double>(total - laggards - offline) / total;
  const double needed = static_cast<double>(quorum) / total;
  return share < needed + (1 - needed) * pause_phase / kLastPhase;
}

bool Validator::have_consensus(Context& c) {
  const int proposers = positions.count();
  const int finished = prev.id() == prev_id ? validations.after(*prev) : 0;
  outcome = check_consensus(c, proposers, positions.agreeing(our_set.id()), finished);
  return outcome != Consensus::No;
}

namespace {

bool reached(int agreeing, int total) {
  return total > 0 && agreeing * 100 / total >= kMinConsensusPct;
}

}  // namespace

Consensus Validator::check_consensus(Context& c, int proposers, int agreeing, int finished) const {
  const Config& config = c.config();
  if (round_time <= kLedgerMinConsensus) return Consensus::No;
  if (proposers < prev_proposers * 3 / 4 && round_time < prev_round_time + kLedgerMinConsensus)
    return Consensus::No;
  // Alone: it agrees with itself, by newer rules only after a while.
  if (proposers == 0)
    return !alone_waits(config.rules) || round_time > ledger_max_consensus(config.rules)
               ? Consensus::Yes
               : Consensus::No;
  const int self = mode == Mode::proposing ? 1 : 0;
  if (reached(agreeing + self, proposers + (config.self_counted_once ? 0 : self)))
    return Consensus::Yes;
  return reached(finished, proposers) ? Consensus::MovedOn : Consensus::No;
}

}  // namespace schism::xrpl
