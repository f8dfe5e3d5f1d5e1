// `hierarchical-consensus`: regular consensus over a perfect failure detector (Cachin, Guerraoui
// and Rodrigues, Algorithm 5.2), as Go-MC's Listing A.1 has it. Node 0 ranks first. In round r the
// node of that rank imposes its value on the higher ones; the others wait for it, or for its crash.
#include "schism/scenario/vocabulary.hpp"
#include "schism/schism.hpp"

namespace {
using namespace schism;

struct Decided {
  int value;
  FIELDS(value)
};
struct Crashed {  // from the failure detector, in the name of the node that crashed
  FIELDS()
};
struct Propose {
  int value;
  FIELDS(value)
};
// Announced, for oracles.
struct Proposed {
  int value;
  FIELDS(value)
};
struct Chose {
  int value;
  FIELDS(value)
};

struct Consensus : Node<Consensus, Decided, Crashed> {
  struct Config {
    int proposals = 0;
    bool own_notice = false;
    bool advance_once = false, keep_own = false, decide_at_once = false;
  };
  using Requests = Types<Propose>;

  int round = 0, proposer = -1;
  std::optional<int> proposal, chosen;
  std::uint64_t crashed = 0, delivered = 0;  // a bit a rank
  bool gone = false;  // it crashed and came back: for this protocol that is still crashed
  FIELDS(round, proposer, proposal, chosen, crashed, delivered, gone)

  void start(Context& c) { gone = c.restarts() > 0; }

  void on_request(Context& c, RequestId, const Propose& p) {
    if (gone) return;
    c.announce(Proposed{p.value});
    if (!proposal) proposal = p.value;
    decide(c);
  }

  void on(Context& c, NodeId from, const Decided& d) {
    if (gone) return;
    if (from < c.self && from > proposer && !(c.config().keep_own && proposal)) {
      proposal = d.value;
      proposer = from;
      if (c.config().decide_at_once) round = c.self;
      decide(c);
    }
    delivered |= bit(from);
    while (over(round)) advance(c);
  }

  void on(Context& c, NodeId from, const Crashed&) {
    if (gone) return;
    crashed |= bit(from);
    if (c.config().advance_once) {
      if (over(round)) advance(c);
    } else {
      while (over(round)) advance(c);
    }
  }

 private:
  static std::uint64_t bit(int rank) { return std::uint64_t{1} << rank; }
  bool over(int r) const { return r < 64 && ((crashed | delivered) & bit(r)) != 0; }
  void advance(Context& c) {
    ++round;
    decide(c);
  }
  void decide(Context& c) {
    if (round != c.self || chosen || !proposal) return;
    chosen = proposal;
    for (NodeId to = c.self + 1; to < c.nodes(); ++to) c.send(to, Decided{*proposal});
    c.announce(Chose{*chosen});
  }
};

// What is asked of correct nodes only can be judged only when it is known who is correct.
std::vector<const Consensus*> correct(const World& world) {
  std::vector<const Consensus*> out;
  for (NodeId id = 0; id < world.setup().nodes; ++id)
    if (const auto* node = world.as<Consensus>(id); node && !node->gone) out.push_back(node);
  return out;
}

bool terminated(const World& world) {
  bool all_proposed = true, all_chose = true;
  for (const Consensus* node : correct(world)) {
    all_proposed = all_proposed && node->proposal;
    all_chose = all_chose && node->chosen;
  }
  return all_chose || !all_proposed;  // it is promised only if every correct node proposes
}

bool agreed(const World& world) {
  std::optional<int> first;
  for (const Consensus* node : correct(world)) {
    if (!node->chosen) continue;
    if (first && *first != *node->chosen) return false;
    first = node->chosen;
  }
  return true;
}

constexpr auto kOnlyInstance = [](const Chose&) { return 0; };

const Registration registered =
    system<Consensus>("hierarchical-consensus",
                      "regular consensus by rank over a perfect failure detector")
        .nodes(3, 1, 64)
        // Over perfect links: nothing is sent again that was lost.
        .survives({Fault::duplicate, Fault::crash, Fault::pause})
        .colour<Consensus>([](const Consensus& node, Paint& paint) {
          paint.role(node.chosen ? 1 + *node.chosen : 0);
          paint.is(node.gone);
          paint.is(node.proposal ? 1 + *node.proposal : 0);
          paint.is(node.crashed);
          paint.is(node.delivered);
          paint.rank(node.round);
        })
        .param<&Consensus::Config::proposals>("proposals", 0, 64,
                                              "nodes that propose, the first ones; 0: all")
        .param<&Consensus::Config::own_notice>(
            "own-notice", "the failure detector tells the crashed node as well, as in Go-MC")
        .settled({"own-notice"})  // a detector that breaks its promise
        .bug<&Consensus::Config::advance_once>(
            "advance-once",
            "Go-MC, Listing 6.1: after a crash the round advances only once, so that a node can "
            "wait for ever in the round of a node that decided or crashed before")
        .bug<&Consensus::Config::keep_own>(
            "keep-own", "a node that has a proposal of its own does not adopt what is imposed")
        .bug<&Consensus::Config::decide_at_once>(
            "decide-at-once",
            "a node decides on the first value imposed on it, without waiting for its own round")
        .crash_notice<Crashed>([](const Consensus::Config& c) { return c.own_notice; })
        .workload([](Workload& w) {
          const int wanted = w.config<Consensus>().proposals;
          for (NodeId id = 0; id < w.nodes && (wanted == 0 || id < wanted); ++id)
            w.request<Consensus>(id, id, Propose{id + 1});
        })
        .oracle(eventually("termination", terminated))
        .oracle(eventually("agreement", agreed))
        .oracle(integrity<Chose>(kOnlyInstance, &Chose::value))
        .oracle(validity<Chose, Proposed>(&Chose::value, &Proposed::value))
        .thread_safe();

const Registration words =
    scenario::vocabulary("hierarchical-consensus")
        .announces<Proposed, Chose>()
        .word("proposes", {}, "announced Proposed", "a node takes a client's value")
        .word("decides", {}, "announced Chose", "a node decides")
        .word("tells-decision", {}, "sent Decided", "the leader of a round tells what it decided")
        .word("suspects", {}, "received Crashed", "the failure detector tells a node of a crash");

}  // namespace
