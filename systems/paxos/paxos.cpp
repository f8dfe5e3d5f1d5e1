// `paxos`: single-decree Paxos (Lamport, Paxos Made Simple; Go-MC's Listings A.6 to A.9). The first
// nodes propose and learn, the others accept; an acceptor that has promised more stays silent.
#include "schism/scenario/vocabulary.hpp"
#include "schism/schism.hpp"

#include <bit>

namespace {
using namespace schism;

struct Prepare {
  int ballot;
  FIELDS(ballot)
};
struct Promise {
  int ballot, voted;  // voted: the ballot of `value`; 0: none
  int value;
  FIELDS(ballot, voted, value)
};
struct Accept {
  int ballot, value;
  FIELDS(ballot, value)
};
struct Accepted {
  int ballot, value;
  FIELDS(ballot, value)
};
using PaxosMessages = Types<Prepare, Promise, Accept, Accepted>;

// Announced, for oracles.
struct Proposed {
  int value;
  FIELDS(value)
};
struct Chosen {
  int value;
  FIELDS(value)
};

SCHISM_ENUM(WhoLearns, own, all);
SCHISM_ENUM(Retry, again);

struct PaxosConfig {
  int proposers = 2, ballots = 1;
  WhoLearns learn = WhoLearns::own;
  bool break_promise = false, own_value = false, small_quorum = false;
};

int quorum_of(const PaxosConfig& config, int nodes) {
  const int acceptors = nodes - config.proposers;
  return config.small_quorum ? acceptors / 2 : acceptors / 2 + 1;
}

struct Proposer : Node<Proposer, PaxosMessages> {
  using Config = PaxosConfig;
  using Timers = Retry;

  int tries = 0, ballot = 0, value = 0, voted = 0;
  std::uint64_t promised = 0;                // a bit an acceptor, in this ballot
  bool proposing = false;                    // its second phase has begun
  std::vector<std::array<int, 2>> accepted;  // (ballot, acceptors of it as bits)
  std::optional<int> chosen;
  FIELDS(tries, ballot, value, voted, promised, proposing, accepted, chosen)

  // Nothing is on a disk: who crashed stays away.
  void start(Context& c) {
    if (c.restarts() == 0) try_ballot(c);
  }

  void on_timer(Context& c, Retry) {
    if (!chosen) try_ballot(c);
  }

  void on(Context& c, NodeId from, const Promise& p) {
    if (p.ballot != ballot || ballot == 0 || proposing) return;
    promised |= std::uint64_t{1} << from;
    if (p.voted > voted && !c.config().own_value) voted = p.voted, value = p.value;
    if (std::popcount(promised) < quorum_of(c.config(), c.nodes())) return;
    proposing = true;
    for (NodeId to = c.config().proposers; to < c.nodes(); ++to) c.send(to, Accept{ballot, value});
  }

  void on(Context& c, NodeId from, const Accepted& a) {
    if (ballot == 0) return;
    int& votes = votes_of(a.ballot);
    votes |= 1 << (from - c.config().proposers);
    if (chosen || std::popcount(static_cast<unsigned>(votes)) < quorum_of(c.config(), c.nodes()))
      return;
    chosen = a.value;
    c.cancel_timer(Retry::again);
    c.announce(Chosen{a.value});
  }
  void on(Context&, NodeId, const Prepare&) {}
  void on(Context&, NodeId, const Accept&) {}

 private:
  void try_ballot(Context& c) {
    const int mine = c.self + 1;
    if (tries == 0) c.announce(Proposed{mine});
    ballot = tries++ * c.config().proposers + mine;
    value = mine, voted = 0, promised = 0, proposing = false;
    if (tries < c.config().ballots) c.set_timer(Retry::again, 100'000);
    for (NodeId to = c.config().proposers; to < c.nodes(); ++to) c.send(to, Prepare{ballot});
  }
  int& votes_of(int in_ballot) {
    for (auto& [b, votes] : accepted)
      if (b == in_ballot) return votes;
    accepted.push_back({in_ballot, 0});
    return accepted.back()[1];
  }
};

struct Acceptor : Node<Acceptor, PaxosMessages> {
  using Config = PaxosConfig;

  int promised = 0, voted = 0, value = 0;
  bool gone = false;
  FIELDS(promised, voted, value, gone)

  void start(Context& c) { gone = c.restarts() > 0; }

  void on(Context& c, NodeId from, const Prepare& p) {
    if (gone || p.ballot <= promised) return;
    promised = p.ballot;
    c.send(from, Promise{p.ballot, voted, value});
  }
  void on(Context& c, NodeId from, const Accept& a) {
    if (gone || (a.ballot < promised && !c.config().break_promise)) return;
    promised = std::max(promised, a.ballot);
    voted = a.ballot, value = a.value;
    for (NodeId to = 0; to < c.config().proposers; ++to)
      if (to == from || c.config().learn == WhoLearns::all) c.send(to, Accepted{a.ballot, a.value});
  }
  void on(Context&, NodeId, const Promise&) {}
  void on(Context&, NodeId, const Accepted&) {}
};

constexpr auto kOnlyInstance = [](const Chosen&) { return 0; };

const Registration registered =
    system<Proposer>("paxos", "single-decree Paxos with silent rejects")
        .nodes(5, 2, 30)
        .survives(kBenignFaults)
        .colour<Proposer>([](const Proposer& node, Paint& paint) {
          paint.role(node.proposing);
          paint.is(node.chosen.has_value());
          paint.is(std::popcount(node.promised));
          paint.is(node.voted > 0);
          paint.rank(node.ballot);
        })
        .colour<Acceptor>([](const Acceptor& node, Paint& paint) {
          paint.role(node.gone);
          paint.is(node.value);
          paint.rank(node.promised);
          paint.rank(node.voted);
        })
        .param<&PaxosConfig::proposers>("proposers", 1, 29,
                                        "nodes that propose and learn; the others accept")
        .param<&PaxosConfig::ballots>("ballots", 1, 16,
                                      "ballots a proposer may try, the later ones by a timer")
        .param<&PaxosConfig::learn>("learn", "who is told that a value was accepted")
        .bug<&PaxosConfig::break_promise>("break-promise",
                                          "an acceptor accepts in a ballot below its promise")
        .bug<&PaxosConfig::own_value>(
            "own-value", "a proposer ignores the values that acceptors have accepted before")
        .bug<&PaxosConfig::small_quorum>("small-quorum", "half of the acceptors are a quorum")
        .also<Acceptor>([](NodeId id, int, const PaxosConfig& c) { return id >= c.proposers; })
        .oracle(agreement<Chosen>(kOnlyInstance, &Chosen::value))
        .oracle(integrity<Chosen>(kOnlyInstance, &Chosen::value))
        .oracle(validity<Chosen, Proposed>(&Chosen::value, &Proposed::value))
        .thread_safe();

const Registration words =
    scenario::vocabulary("paxos")
        .announces<Proposed, Chosen>()
        .word("new-ballot", {"ballot"}, "sent Prepare and .ballot >= $ballot",
              "a proposer begins that ballot or a later one")
        .word("promises", {}, "sent Promise", "an acceptor promises")
        .word("promises-with-vote", {}, "sent Promise and .voted > 0",
              "an acceptor promises and says what it has accepted")
        .word("accepts", {}, "sent Accepted", "an acceptor accepts")
        .word("chooses", {}, "announced Chosen", "a proposer knows what was chosen");

}  // namespace
