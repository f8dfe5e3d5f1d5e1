// Decisions that others forward, and the state that a replica gets when it is far behind.
#include "systems/bft_smart/replica.hpp"

namespace bft_smart {

// So many ACCEPTs say that there is a decision, or will be, on what was not proposed here.
void Replica::ask_decision(Context& c, int cid) {
  if (slots[cid].asked) return;
  slots[cid].asked = true;
  send_others(c, ReqDecision{cid});
}

// Who has waited for long asks, whatever it has seen: an ACCEPT may have been kept from it alone.
void Replica::ask_where_lost(Context& c) {
  if (!c.config().has(&Config::asks_unproposed_only)) send_others(c, ReqDecision{last + 1});
  if (wanted > last) send_others(c, AskState{last});
}

void Replica::on(Context& c, NodeId from, const ReqDecision& m) {
  if (away() || !is_replica(c, from)) return;
  if (m.cid >= 1 && m.cid <= last) tell(c, from, m.cid);
  else if (in_window(m.cid)) slots[m.cid].askers.insert(from);
}

void Replica::tell(Context& c, NodeId to, int cid) {
  const Decision& decision = log[static_cast<std::size_t>(cid - 1)];
  if (!decision.proof.empty()) c.send(to, FwdDecision{decision});
}

void Replica::on(Context& c, NodeId from, const FwdDecision& m) {
  if (away() || !is_replica(c, from) || !in_window(m.decision.cid) || !proves(c, m.decision))
    return;
  slots[m.decision.cid].told = m.decision;
  if (m.decision.cid == last + 1) decide(c, m.decision);
}

// The votes of a quorum for this value, in one epoch of this instance.
bool Replica::proves(Context& c, const Decision& d) const {
  if (d.cid == 0) return true;
  NodeSet who;
  for (const Signed<Vote>& vote : d.proof) {
    if (!is_replica(c, vote.signer) || !c.verified(vote)) continue;
    const bool fits = vote->cid == d.cid && vote->digest == digest_of(d.batch) &&
                      vote->epoch == d.proof[0]->epoch;
    if (fits || c.config().proof_mixes) who.insert(vote.signer);
  }
  return d.cid > 0 && who.size() >= quorum_of(replicas(c));
}

// f + 1 have sent ACCEPTs of instances that are out of reach.
void Replica::notice_lag(Context& c) {
  std::vector<int> highest;
  for (const auto& [who, cid] : ahead) highest.push_back(cid);
  if (highest.size() <= f(c)) return;
  std::sort(highest.rbegin(), highest.rend());
  const int decided = highest[f(c)] - 1;
  if (decided < last + kBehind || wanted > last) return;
  behind = true;
  ask_state(c, decided);
}

void Replica::ask_state(Context& c, int up_to) {
  if (wanted >= up_to && wanted > last) return;
  wanted = up_to;
  states.clear();
  send_others(c, AskState{last});
}

void Replica::on(Context& c, NodeId from, const AskState& m) {
  if (away() || !is_replica(c, from) || m.last < 0 || m.last >= last) return;
  c.send(from, State{regency, {log.begin() + m.last, log.end()}});
}

void Replica::on(Context& c, NodeId from, const State& m) {
  if (away() || !is_replica(c, from) || wanted <= last) return;
  states[from] = m;
  adopt_states(c, m.regency);
}

// What f + 1 have decided is so. With the state of one who is further comes the regency.
void Replica::adopt_states(Context& c, int told_regency) {
  const int before = last;
  for (bool more = true; more;) {
    more = false;
    std::map<int, std::vector<const Decision*>> by_digest;
    for (const auto& [who, state] : states)
      for (const Decision& d : state.log)
        if (d.cid == last + 1) {
          by_digest[digest_of(d.batch)].push_back(&d);
          break;
        }
    for (const auto& [digest, all] : by_digest) {
      if (all.size() <= f(c)) continue;
      Decision next{last + 1, all[0]->batch, {}};
      for (const Decision* d : all)
        if (next.proof.empty() && proves(c, *d)) next.proof = d->proof;
      decide(c, next);
      more = true;
      break;
    }
  }
  if (last == before || last < wanted) return;
  std::vector<int> regencies;
  for (const auto& [who, state] : states) regencies.push_back(state.regency);
  std::sort(regencies.rbegin(), regencies.rend());
  states.clear();
  wanted = 0;
  if (std::exchange(behind, false)) {
    const int told = c.config().transfer_leader ? told_regency
                     : regencies.size() > f(c)  ? regencies[f(c)]
                                                : regency;
    if (told > regency && told > asked_for) jump(c, told);
  }
}

// It goes on in a regency whose change it has missed. Nobody waits for its report there but, maybe,
// itself: then it waits to be asked like the others.
void Replica::jump(Context& c, int to) {
  if (leader_of(c, to) == c.self) return;
  regency = asked_for = to;
  stops.erase(stops.begin(), stops.upper_bound(to));
  c.cancel_timer(Clock::resend);
  resume(c);
}

}  // namespace bft_smart
