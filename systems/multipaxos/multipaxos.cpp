// `multipaxos`: a sequence of values by Paxos with a stable leader (Lamport, Paxos Made Simple,
// section 3; Go-MC's Listings A.10 to A.14). Phase one is run once a leader, for all slots; who
// leads is said by an eventual leader service, or worked out by heartbeats. Three of the seeded
// bugs are in the listings themselves.
#include <algorithm>
#include <bit>

#include "systems/multipaxos/replica.hpp"

namespace schism::multipaxos {
namespace {

// The log is what was learned, slot by slot, without gaps.
bool in_order(const Replica& node) {
  int slot = 0;
  for (const int value : node.applied) {
    const auto it = node.learned.find(++slot);
    if (it == node.learned.end() || it->second != value) return false;
  }
  return true;
}

// What a correct node's client proposed is learned in the end by whom they all trust, if it is
// correct. Not promised without a majority, before the service has settled, or where the ballots of
// former leaders, or too few of its own, stand in its way.
bool values_are_learned(const World& world) {
  std::vector<const Replica*> correct;
  std::vector<int> wanted;
  std::uint64_t trusted = 0;
  for (NodeId id = 0; id < world.setup().nodes; ++id)
    if (const auto* node = world.as<Replica>(id); node && !node->gone) {
      correct.push_back(node);
      trusted |= std::uint64_t{1} << node->leader;
      wanted.insert(wanted.end(), node->own.begin(), node->own.end());
    }
  if (static_cast<int>(correct.size()) <= world.setup().nodes / 2 || std::popcount(trusted) != 1)
    return true;
  const auto* leader = world.as<Replica>(std::countr_zero(trusted));
  if (!leader || leader->gone || leader->exhausted) return true;
  for (const Replica* node : correct)
    if (node->promised > leader->ballot) return true;
  return std::all_of(wanted.begin(), wanted.end(), [&](int value) {
    return std::any_of(leader->learned.begin(), leader->learned.end(),
                       [&](const auto& entry) { return entry.second == value; });
  });
}

const Registration registered =
    system<Replica>("multipaxos", "a sequence of values by Paxos with a stable leader")
        .nodes(3, 1, 32)
        // Over perfect links: nothing is sent again that was lost.
        .survives({Fault::duplicate, Fault::crash, Fault::pause})
        .colour<Replica>([](const Replica& node, Paint& paint) {
          paint.role(node.prepared);
          paint.is(node.gone);
          paint.is(node.leader);
          paint.size(node.promises.size(), 4);
          paint.size(node.votes.size(), 4);
          paint.size(node.learned.size(), 4);
          paint.size(node.applied.size(), 4);
          paint.rank(node.ballot);
          paint.rank(node.promised);
        })
        .param<&Config::proposals>("proposals", 0, 32, "nodes that propose a value, the last ones")
        .param<&Config::ballots>("ballots", 1, 16, "ballots a node may begin")
        .param<&Config::leader_by>("leader-by", "who says who leads")
        .param<&Config::wrong_leaders>(
            "wrong-leaders", 0, 8, "leaders that the service may name to each node before the last")
        .param<&Config::misled>("misled", 0, 32,
                                "nodes that it may mislead so, the last ones; 0: all")
        .param<&Config::ticks>("ticks", 0, 1000, "timeouts of the heartbeats; 0: for ever")
        .param<&Config::learn>("learn", "who is told that a value was accepted")
        .param<&Config::self_delivery>("self-delivery",
                                       "only: a node sends to itself as to the others")
        .param<&Config::head_start>("head-start", "the very first ballot needs no phase one")
        .param<&Config::own_notice>(
            "own-notice", "the failure detector tells the crashed node as well, as in Go-MC")
        .settled({"own-notice"})  // a detector that breaks its promise
        .bug<&Config::first_report_lost>("first-report-lost",
                                         "Go-MC, Listing A.11, line 190: of the votes for a slot "
                                         "that a new leader hears of, the "
                                         "first is forgotten")
        .bug<&Config::slot_shift>(
            "slot-shift",
            "Go-MC, Listing A.11, line 207: a new leader proposes again what it heard of in the "
            "slot before")
        .bug<&Config::stale_promises>(
            "stale-promises",
            "Go-MC, Listing A.11: promises to an earlier ballot of the same leader count "
            "(head-start=false,wrong-leaders=1,proposals=2)")
        .bug<&Config::break_promise>("break-promise",
                                     "an acceptor accepts in a ballot below its promise "
                                     "(proposals=2,wrong-leaders=1)")
        .bug<&Config::no_phase_one>("no-phase-one",
                                    "a new leader asks nobody what was accepted "
                                    "(proposals=2)")
        .bug<&Config::mixed_ballots>("mixed-ballots",
                                     "a learner counts votes of different ballots together "
                                     "(proposals=2,wrong-leaders=1,learn=all)")
        .bug<&Config::apply_at_once>("apply-at-once",
                                     "a value is applied when it is learned, not in the order of "
                                     "slots (proposals=2)")
        .crash_notice<Crashed>([](const Config& k) { return k.own_notice; },
                               [](const Config& k) { return k.leader_by == LeaderBy::service; })
        .workload([](Workload& w) {
          for (NodeId id = w.nodes; id-- > 0 && w.nodes - id <= w.config<Replica>().proposals;)
            w.request<Replica>(id, id, Propose{id + 1});
        })
        .oracle(agreement<Learned>(&Learned::slot, &Learned::value))
        .oracle(integrity<Learned>(&Learned::slot, &Learned::value))
        .oracle(validity<Learned, Proposed>(&Learned::value, &Proposed::value, kNoOp))
        .oracle(invariant<Replica>("order", in_order))
        .oracle(eventually("termination", values_are_learned))
        .thread_safe();

}  // namespace
}  // namespace schism::multipaxos
