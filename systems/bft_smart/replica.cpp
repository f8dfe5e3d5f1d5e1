// Requests, their timer, and consensus instances: PROPOSE, WRITE, ACCEPT, decision, execution.
#include "systems/bft_smart/replica.hpp"

namespace bft_smart {

bool Replica::is_known(Context& c, const Signed<Op>& op) {
  return c.verified(op) && op.signer == op->client && op.signer >= replicas(c) && op->stamp > 0;
}

// What may be decided in the next instance: operations that clients asked for, none of them twice.
bool Replica::is_valid(Context& c, const Batch& batch) const {
  NodeSet clients;
  for (const Signed<Op>& op : batch.ops) {
    if (!is_known(c, op) || clients.contains(op.signer)) return false;
    clients.insert(op.signer);
    const auto before = done.find(op.signer);
    if (before != done.end() && op->stamp <= before->second.stamp && !c.config().leader_replay)
      return false;
  }
  return true;
}

void Replica::on(Context& c, NodeId from, const Request& m) {
  if (away() || !is_known(c, m.op)) return;
  const auto before = done.find(m.op.signer);
  if (before != done.end() && m.op->stamp == before->second.stamp && from == m.op.signer)
    c.send(from, Reply{before->second.cid, before->second.stamp, before->second.result});
  wait_for(c, m.op);
  lead(c);
}

void Replica::wait_for(Context& c, const Signed<Op>& op) {
  const auto before = done.find(op.signer);
  if (before != done.end() && op->stamp <= before->second.stamp) return;
  const auto known = waiting.find(op.signer);
  if (known != waiting.end() && known->second.op->stamp >= op->stamp) return;
  waiting[op.signer] = {op, c.now(), false, false};
  arm(c);
}

void Replica::arm(Context& c) {
  if (armed || waiting.empty() || asked_for != regency) return;
  armed = true;
  c.set_timer(Clock::requests, kTimeout);
}

void Replica::disarm(Context& c) {
  armed = false;
  c.cancel_timer(Clock::requests);
}

void Replica::on_timer(Context& c, Clock timer) {
  if (away()) return;
  if (timer == Clock::requests) return on_expiry(c);
  if (asked_for == regency && !stopped) return;
  say_stop(c, asked_for);
  ask_where_lost(c);
}

// A request that has waited for long is passed to the leader; one that still waits after that
// is a reason to change it.
void Replica::on_expiry(Context& c) {
  armed = false;
  const Micros now = c.now();
  bool expired = false, in_vain = false;
  for (auto& [client, w] : waiting) {
    if (now - w.since < kTimeout) continue;
    expired = true;
    if (w.forwarded) {
      in_vain = true;
      continue;
    }
    w.forwarded = true;
    if (!leads(c)) c.send(leader_of(c, regency), Request{w.op});
  }
  if (!expired && c.config().timer_dies) return;
  if (expired) ask_where_lost(c);
  if (in_vain) ask_for_change(c);
  else arm(c);
}

// In the order of clients. What was put into a batch once is not put into another by this replica,
// as the library has it: it waits for other leaders.
Batch Replica::fresh_batch(Context& c) {
  Batch batch{regency, {}};
  for (auto& [client, w] : waiting) {
    if (w.proposed && c.config().has(&Config::proposed_for_good)) continue;
    w.proposed = true;
    batch.ops.push_back(w.op);
  }
  return batch;
}

bool Replica::votes_suffice(Context& c, std::size_t count) {
  const auto n = static_cast<std::size_t>(replicas(c));
  if (c.config().quorum_ceil) return count > (n + f(c) + 1) / 2;
  return count >= quorum_of(replicas(c));
}

void Replica::lead(Context& c) {
  if (stopped || !leads(c) || proposed > last || slots[last + 1].ets > 0) return;
  const Batch batch = fresh_batch(c);
  if (batch.ops.empty()) return;
  proposed = last + 1;
  c.send(c.self, Propose{proposed, 0, batch});
  c.broadcast(Propose{proposed, 0, batch});  // clients do not listen
}

void Replica::on(Context& c, NodeId from, const Propose& m) {
  if (away() || !is_replica(c, from)) return;
  if (stopped) held.push_back({from, m, {}, {}});
  else take(c, from, m);
}

void Replica::on(Context& c, NodeId from, const Write& m) {
  if (away() || !is_replica(c, from)) return;
  if (stopped) held.push_back({from, {}, m, {}});
  else take(c, from, m);
}

void Replica::on(Context& c, NodeId from, const Accept& m) {
  if (away() || !is_replica(c, from) || m.vote.signer != from || !c.verified(m.vote)) return;
  int& most = ahead[from];
  most = std::max(most, m.vote->cid);
  if (stopped) held.push_back({from, {}, {}, m});
  else take(c, from, m);
  notice_lag(c);
}

void Replica::take(Context& c, NodeId from, const Propose& m) {
  if (!in_window(m.cid) || m.epoch != 0) return;
  slots[m.cid].offers.try_emplace(from, m.batch);
  progress(c);
}

void Replica::take(Context& c, NodeId from, const Write& m) {
  if (!in_window(m.cid) || m.epoch < 0) return;
  slots[m.cid].epochs[m.epoch].writes.try_emplace(from, m.digest);
  progress(c);
}

void Replica::take(Context& c, NodeId from, const Accept& m) {
  if (!in_window(m.vote->cid) || m.vote->epoch < 0) return;
  Epoch& epoch = slots[m.vote->cid].epochs[m.vote->epoch];
  epoch.accepts.try_emplace(from, m.vote);
  if (c.config().accept_before_propose && !epoch.proposal && votes_suffice(c, epoch.accepts.size()))
    dead = true;
  else progress(c);
}

// All that follows for the running instance from what is known of it.
void Replica::progress(Context& c) {
  const int running = last + 1;
  if (const auto& told = slots[running].told) return decide(c, *told);
  if (stopped) return;
  consider_offer(c);
  if (stopped) return;
  std::vector<int> epochs;
  for (const auto& [number, epoch] : slots[running].epochs) epochs.push_back(number);
  for (const int epoch : epochs) {
    say_accept(c, epoch);
    if (try_decide(c, epoch)) return;
  }
}

// A PROPOSE counts if it comes from the leader, for an instance that is in epoch 0.
void Replica::consider_offer(Context& c) {
  Slot& slot = slots[last + 1];
  const auto offer = slot.offers.find(leader_of(c, regency));
  if (slot.ets != 0 || offer == slot.offers.end()) return;
  Epoch& epoch = slot.epochs[0];
  if (epoch.proposal) return;
  epoch.proposal = offer->second;
  epoch.digest = digest_of(*epoch.proposal);
  if (epoch.proposal->ops.empty() || !is_valid(c, *epoch.proposal)) {
    epoch.refused = true;
    return ask_for_change(c);
  }
  slot.written.push_back({0, *epoch.proposal});
  epoch.writes[c.self] = epoch.digest;
  for (const Signed<Op>& op : epoch.proposal->ops) wait_for(c, op);
  c.announce(Voted{Verb::write, last + 1, 0, epoch.digest});
  send_others(c, Write{last + 1, 0, epoch.digest});
}

// A quorum of WRITEs for what was proposed: what is reported of the instance from now on, and an
// ACCEPT. The library does both, too, in epochs that it has reported as left.
void Replica::say_accept(Context& c, int number) {
  const Config& config = c.config();
  Slot& slot = slots[last + 1];
  Epoch& epoch = slot.epochs[number];
  if (!epoch.proposal || epoch.refused || epoch.accepted) return;
  const bool may_vote = number == slot.ets || config.has(&Config::left_epoch_votes);
  const bool presently = config.has(&Config::present_epoch_claimed);
  if (!may_vote && !presently) return;
  std::size_t same = 0;
  for (const auto& [who, digest] : epoch.writes) same += digest == epoch.digest ? 1 : 0;
  if (!votes_suffice(c, same)) return;
  epoch.accepted = true;
  const int seen = presently ? slot.ets : number;
  if (seen >= slot.quorum_epoch) {
    slot.quorum_epoch = seen;
    slot.quorum_digest = epoch.digest;
  }
  if (!may_vote) return;
  c.announce(Voted{Verb::accept, last + 1, number, epoch.digest});
  const auto vote = c.sign(Vote{last + 1, number, epoch.digest});
  for (NodeId to = 0; to < replicas(c); ++to) c.send(to, Accept{vote});
}

// Also in an epoch that was left: what is decided is decided.
bool Replica::try_decide(Context& c, int number) {
  Slot& slot = slots[last + 1];
  Epoch& epoch = slot.epochs[number];
  std::map<int, std::vector<Signed<Vote>>> by_digest;
  for (const auto& [who, vote] : epoch.accepts) by_digest[vote->digest].push_back(vote);
  const bool any = c.config().decide_own_proposal;
  for (const auto& [digest, votes] : by_digest) {
    const bool mine = epoch.proposal && (epoch.digest == digest || any);
    if (mine && votes_suffice(c, votes.size())) {
      decide(c, {last + 1, *epoch.proposal, votes});
      return true;
    }
    if (!mine && votes.size() > f(c)) ask_decision(c, last + 1);
  }
  return false;
}

void Replica::decide(Context& c, Decision decision) {
  ++last;
  const int epoch = decision.proof.empty() ? -1 : decision.proof[0]->epoch;
  c.announce(Decided{last, epoch, digest_of(decision.batch)});
  const NodeSet askers = slots[last].askers;
  log.push_back(std::move(decision));
  slots.erase(slots.begin(), slots.upper_bound(last));
  for (const NodeId asker : askers) tell(c, asker, last);
  execute(c, Batch(log.back().batch));
  progress(c);
  lead(c);
  after_decision(c);
}

void Replica::execute(Context& c, const Batch& batch) {
  const int cid = last;
  for (const Signed<Op>& op : batch.ops) {
    sum += op->add;
    c.announce(Executed{++executed, digest_of(*op), once_of(*op)});
    c.announce(Computed{once_of(*op), sum});
    done[op->client] = {op->stamp, sum, cid};
    const auto known = waiting.find(op->client);
    if (known != waiting.end() && known->second.op->stamp <= op->stamp) waiting.erase(known);
    if (op->client >= replicas(c) && op->client < c.nodes())
      c.send(op->client, Reply{cid, op->stamp, sum});
  }
  if (waiting.empty()) disarm(c);
}

}  // namespace bft_smart
