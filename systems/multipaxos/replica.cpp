#include "systems/multipaxos/replica.hpp"

#include <algorithm>
#include <bit>

namespace schism::multipaxos {

// ---- who leads ---------------------------------------------------------------------------------

void Replica::start(Context& c) {
  gone = c.restarts() > 0;
  if (gone) return;
  const Config& k = c.config();
  const bool misled = k.misled == 0 || c.self >= c.nodes() - k.misled;
  if (k.leader_by == LeaderBy::service) omega.start(c, {.wrong = misled ? k.wrong_leaders : 0});
  else heartbeats.start(c, {.ticks = k.ticks});
  if (c.self == leader) lead(c);
}

void Replica::on_timer(Context& c, Timer timer, int key) {
  if (omega.on_timer(c, timer, key, [&] { follow(c, omega.leader); })) return;
  NodeId first = leader;
  heartbeats.on_timer(c, timer, key, [&](NodeId, bool) {
    for (first = 0; first != c.self && heartbeats.suspects(first);) ++first;
  });
  follow(c, first);
}

void Replica::on(Context& c, NodeId who, const Crashed&) {
  if (!gone) omega.on_crash(c, who, [&] { follow(c, omega.leader); });
}

void Replica::on(Context&, NodeId from, const Beat&) { heartbeats.on_beat(from); }

void Replica::follow(Context& c, NodeId node) {
  if (node == leader) return;
  leader = node;
  prepared = false;
  if (leader == c.self) lead(c);
  for (const int value : std::vector<int>(own)) offer(c, value);
}

// ---- the proposer ------------------------------------------------------------------------------

void Replica::on_request(Context& c, RequestId, const Propose& p) {
  if (gone) return;
  c.announce(Proposed{p.value});
  own.push_back(p.value);
  offer(c, p.value);
}

void Replica::offer(Context& c, int value) { tell(c, leader, Forward{value}); }

void Replica::on(Context& c, NodeId, const Forward& f) {
  if (gone || knows(f.value)) return;
  asked.push_back(f.value);  // kept, for a later ballot may have to propose it again
  if (prepared) propose(c, next_slot++, f.value);
}

bool Replica::knows(int value) const {
  const auto is = [value](const auto& entry) { return entry.second == value; };
  return std::find(asked.begin(), asked.end(), value) != asked.end() ||
         std::any_of(learned.begin(), learned.end(), is);
}

// Phase one, for all slots that it has not applied yet.
void Replica::lead(Context& c) {
  const bool first_of_all = ballots == 0 && c.self == 0 && c.config().head_start;
  exhausted = ballots == c.config().ballots;
  if (exhausted) return;
  ballot = ballots++ * c.nodes() + c.self + 1;
  if (!c.config().stale_promises) promises.clear();
  next_slot = static_cast<int>(applied.size()) + 1;
  // No ballot is below the first one: nothing can have been accepted.
  if (first_of_all || c.config().no_phase_one) {
    promises.clear();
    begin_phase_two(c);
  } else {
    tell_all(c, Prepare{ballot, next_slot});
  }
}

void Replica::on(Context& c, NodeId from, const Promise& p) {
  if (gone || p.ballot != ballot || prepared || leader != c.self) return;
  promises.try_emplace(from, p.votes);
  if (static_cast<int>(promises.size()) >= c.majority()) begin_phase_two(c);
}

// The newest vote that the promises report of each slot.
std::map<int, Vote> Replica::reported(Context& c) const {
  std::map<int, Vote> best;
  for (const auto& [from, report] : promises)
    for (const Vote& vote : report) {
      const auto [it, is_new] = best.try_emplace(vote.slot, vote);
      if (is_new && c.config().first_report_lost) it->second = {vote.slot, 0, kNoOp};
      else if (vote.ballot > it->second.ballot) it->second = vote;
    }
  return best;
}

void Replica::begin_phase_two(Context& c) {
  prepared = true;
  const auto best = reported(c);
  const int last = best.empty() ? next_slot - 1 : best.rbegin()->first;
  const int shift = c.config().slot_shift ? 1 : 0;
  while (next_slot <= last) {
    const auto it = best.find(next_slot - shift);
    const int value = it == best.end() ? kNoOp : it->second.value;
    propose(c, next_slot++, value);
  }
  promises.clear();
  for (const int value : std::vector<int>(asked)) {
    const auto has = [&](const auto& entry) { return entry.second.value == value; };
    if (std::none_of(best.begin(), best.end(), has)) propose(c, next_slot++, value);
  }
}

void Replica::propose(Context& c, int slot, int value) {
  tell_all(c, Accept{{slot, ballot, value}});
}

// ---- the acceptor ------------------------------------------------------------------------------

void Replica::on(Context& c, NodeId from, const Prepare& p) {
  if (gone || p.ballot <= promised) return;
  promised = p.ballot;
  Promise promise{p.ballot, {}};
  for (const auto& [slot, vote] : votes)
    if (slot >= p.from_slot) promise.votes.push_back(vote);
  tell(c, from, std::move(promise));
}

void Replica::on(Context& c, NodeId from, const Accept& a) {
  if (gone || (a.vote.ballot < promised && !c.config().break_promise)) return;
  promised = std::max(promised, a.vote.ballot);
  votes[a.vote.slot] = a.vote;
  if (c.config().learn == WhoLearns::all) tell_all(c, Learn{a.vote});
  else tell(c, from, Learn{a.vote});
}

// ---- the learner -------------------------------------------------------------------------------

void Replica::on(Context& c, NodeId from, const Learn& l) {
  if (gone || learned.contains(l.vote.slot)) return;
  Count& count = counts[l.vote.slot];
  if (l.vote.ballot < count.ballot) return;
  if (l.vote.ballot > count.ballot && !c.config().mixed_ballots) count = {};
  count.ballot = l.vote.ballot;
  count.value = l.vote.value;
  count.voters |= std::uint64_t{1} << from;
  if (std::popcount(count.voters) < c.majority()) return;
  const Vote vote{l.vote.slot, 0, count.value};
  counts.erase(vote.slot);
  learned[vote.slot] = vote.value;
  std::erase(own, vote.value);
  std::erase(asked, vote.value);
  c.announce(Learned{vote.slot, vote.value});
  apply(c, vote.slot);
}

void Replica::apply(Context& c, int slot) {
  if (c.config().apply_at_once) {
    applied.push_back(learned[slot]);
    return;
  }
  for (auto it = learned.find(static_cast<int>(applied.size()) + 1); it != learned.end();
       it = learned.find(static_cast<int>(applied.size()) + 1))
    applied.push_back(it->second);
}

// ---- to others and to itself -------------------------------------------------------------------

template <class M>
void Replica::tell(Context& c, NodeId to, M message) {
  if (to != c.self || c.config().self_delivery == SelfDelivery::only)
    c.send(to, std::move(message));
  else on(c, c.self, message);
}

// Itself last: what it answers to itself may change what it would tell the others.
template <class M>
void Replica::tell_all(Context& c, const M& message) {
  c.broadcast(message);
  tell(c, c.self, message);
}

}  // namespace schism::multipaxos
