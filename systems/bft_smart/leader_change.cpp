// Leader changes: STOP, STOPDATA and SYNC, after Sousa and Bessani, "From Byzantine consensus to
// BFT state machine replication" (2012).
#include "systems/bft_smart/replica.hpp"

namespace bft_smart {

Predicates Replica::predicates(Context& c) const {
  const Config& config = c.config();
  return {replicas(c), config.has(&Config::epoch_zero_unbound),
          config.has(&Config::later_collects_empty), config.has(&Config::entries_certify)};
}

void Replica::ask_for_change(Context& c) {
  if (asked_for != regency) return;
  asked_for = regency + 1;
  disarm(c);
  say_stop(c, asked_for);
  stops[asked_for][c.self] = {asked_for, {}};
  count_stops(c);
}

void Replica::say_stop(Context& c, int to) {
  Stop stop{to, {}};
  for (const auto& [client, w] : waiting) stop.ops.push_back(w.op);
  send_others(c, stop);
  c.set_timer(Clock::resend, kTimeout);
}

void Replica::on(Context& c, NodeId from, const Stop& m) {
  if (away() || !is_replica(c, from) || m.regency <= regency || m.regency > regency + kWindow)
    return;
  stops[m.regency].insert_or_assign(from, m);
  count_stops(c);
}

// More than f want it: one of them is correct, so join. More than 2f: it is so.
void Replica::count_stops(Context& c) {
  for (;;) {
    const int to = regency + 1;
    auto& all = stops[to];
    if (asked_for == regency && all.size() > f(c)) {
      for (const auto& [who, stop] : all)
        for (const Signed<Op>& op : stop.ops)
          if (is_known(c, op)) wait_for(c, op);
      asked_for = to;
      disarm(c);
      say_stop(c, to);
      all[c.self] = {to, {}};
    }
    if (asked_for <= regency || all.size() <= 2 * f(c)) return;
    install(c, to);
  }
}

void Replica::install(Context& c, int to) {
  regency = to;
  stopped = true;
  synced = false;
  unfinished.reset();
  stops.erase(stops.begin(), stops.upper_bound(to));
  reports.erase(reports.begin(), reports.lower_bound(to));
  syncs.erase(syncs.begin(), syncs.lower_bound(to));
  arm(c);
  const StopData mine = report(c);
  if (leads(c)) {
    reports[to].push_back({c.self, mine});
    return consider_reports(c);
  }
  c.send(leader_of(c, to), mine);
  if (const auto early = syncs.find(to); early != syncs.end()) consider(c, Sync(early->second));
}

// Of the last decision, and of what may come of the running instance, which it leaves hereby.
StopData Replica::report(Context& c) {
  Slot& slot = slots[last + 1];
  slot.ets = regency;
  c.announce(Left{last + 1, regency, slot.quorum_epoch, slot.quorum_digest});
  Collect collect{last + 1, regency, slot.quorum_epoch, slot.quorum_digest, slot.written};
  if (c.config().has(&Config::epoch_zero_unbound))
    collect.quorum_epoch = std::max(collect.quorum_epoch, 0);
  StopData out{regency, {}, c.sign(collect)};
  if (last > 0 && !log.back().proof.empty()) out.last = log.back();
  return out;
}

void Replica::on(Context& c, NodeId from, const StopData& m) {
  if (away() || !is_replica(c, from) || m.regency < regency || m.regency > regency + kWindow)
    return;
  if (leader_of(c, m.regency) != c.self) return;
  auto& all = reports[m.regency];
  if (!c.config().has(&Config::collects_not_distinct))
    for (const Report& report : all)
      if (report.from == from) return;
  all.push_back({from, m});
  consider_reports(c);
}

bool Replica::is_sound(Context& c, const StopData& m, NodeId from) const {
  return m.collect.signer == from && c.verified(m.collect) && m.collect->regency == m.regency &&
         (proves(c, m.last) || c.config().has(&Config::highest_cid_unproved));
}

// As leader of a regency that is to begin: with what enough report it can go on.
void Replica::consider_reports(Context& c) {
  if (!stopped || !leads(c) || synced) return;
  Sync sync{regency, {}, {}, {}};
  for (const auto& [from, report] : reports[regency]) {
    if (!is_sound(c, report, from)) continue;
    sync.collects.push_back(report.collect);
    if (report.last.cid > sync.last.cid) sync.last = report.last;
  }
  if (sync.collects.size() < quorum_of(replicas(c))) return;
  const Predicates say = predicates(c);
  if (!say.sound(say.of_instance(sync.collects, sync.last.cid + 1))) return;
  // What is decided is executed first, or the batch would have some of it once more.
  if (!c.config().has(&Config::sync_batch_early)) {
    if (sync.last.cid > last + 1) return ask_state(c, sync.last.cid);
    if (sync.last.cid == last + 1) return decide(c, sync.last);  // and comes back here
  }
  sync.batch = fresh_batch(c);
  synced = true;
  c.broadcast(sync);  // clients do not listen
  finalise(c, sync);
}

void Replica::on(Context& c, NodeId from, const Sync& m) {
  if (away() || !is_replica(c, from) || from == c.self || from != leader_of(c, m.regency)) return;
  if (m.regency == regency && stopped) consider(c, m);
  else if (m.regency > regency && m.regency <= regency + kWindow) syncs.try_emplace(m.regency, m);
}

void Replica::consider(Context& c, const Sync& m) {
  NodeSet who;
  for (const Signed<Collect>& collect : m.collects) {
    const bool twice = who.contains(collect.signer);
    if (!is_replica(c, collect.signer) || !c.verified(collect)) return;
    if (twice && !c.config().has(&Config::collects_not_distinct)) return;
    if (collect->regency != m.regency && !c.config().old_collects) return;
    who.insert(collect.signer);
  }
  const Predicates say = predicates(c);
  if (!proves(c, m.last) || !say.sound(say.of_instance(m.collects, m.last.cid + 1))) return;
  finalise(c, m);
}

// The instance after the last decision goes on, in the epoch of the regency, with what is bound or
// else with what the leader proposes.
void Replica::finalise(Context& c, const Sync& m) {
  const int running = m.last.cid + 1;
  if (m.last.cid > last + 1) {
    unfinished = m;
    return ask_state(c, m.last.cid);
  }
  if (m.last.cid == last + 1) decide(c, m.last);
  if (last >= running) {  // it is decided here, and others may not get there without this replica
    for (NodeId to = 0; to < replicas(c); ++to)
      if (to != c.self) tell(c, to, running);
    return resume(c);
  }
  const Predicates say = predicates(c);
  const Batch value = say.bound(say.of_instance(m.collects, running)).value_or(m.batch);
  const bool unchecked =
      c.config().has(&Config::sync_unchecked) || c.config().has(&Config::sync_batch_early);
  if (!unchecked && !is_valid(c, value)) return ask_for_change(c);
  const int digest = digest_of(value);
  Slot& slot = slots[running];
  slot.ets = regency;
  Epoch& epoch = slot.epochs[regency];
  epoch.proposal = value;
  epoch.digest = digest;
  epoch.writes[c.self] = digest;
  std::erase_if(slot.written, [&](const Written& w) { return digest_of(w.batch) == digest; });
  slot.written.push_back({regency, value});
  for (const Signed<Op>& op : value.ops)
    if (is_known(c, op)) wait_for(c, op);
  const int at = regency;
  resume(c);
  if (last >= running || regency != at || stopped) return;
  c.announce(Voted{Verb::write, running, at, digest});
  send_others(c, Write{running, at, digest});
}

// While the leader changes, what was missing for it may have come.
void Replica::after_decision(Context& c) {
  if (!stopped) return;
  if (unfinished && unfinished->last.cid <= last + 1)
    return finalise(c, *std::exchange(unfinished, std::nullopt));
  consider_reports(c);
}

// The normal case goes on, with what has come meanwhile.
void Replica::resume(Context& c) {
  stopped = false;
  c.announce(NewEpoch{regency, leader_of(c, regency)});
  if (asked_for == regency) c.cancel_timer(Clock::resend);
  arm(c);
  for (const Held& m : std::exchange(held, {})) {
    if (stopped) {  // once more
      held.push_back(m);
      continue;
    }
    if (m.propose) take(c, m.from, *m.propose);
    if (m.write) take(c, m.from, *m.write);
    if (m.accept) take(c, m.from, *m.accept);
  }
  progress(c);
  lead(c);
}

}  // namespace bft_smart
