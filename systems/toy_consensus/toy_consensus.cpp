// `toy-consensus`: the fictitious algorithm of DiscoTest (Algorithm 1), three nodes, k rounds. In
// each round a node broadcasts its value; whoever sees a majority for a value stores it and
// broadcasts a commit. As printed, a node that receives a commit before it has seen that majority
// itself goes on without a value: the rounds of two nodes end differently.
#include "schism/scenario/vocabulary.hpp"
#include "schism/schism.hpp"

namespace {
using namespace schism;

struct Proposal {
  int value, round;
  FIELDS(value, round)
};
struct Commit {
  int value, round;
  FIELDS(value, round)
};
// Announced, for oracles.
struct Proposed {
  int value, round;
  FIELDS(value, round)
};
struct Decided {
  int value, round;
  FIELDS(value, round)
};

constexpr int kNoValue = -1;  // the node went on without storing one

struct Toy : Node<Toy, Proposal, Commit> {
  struct Config {
    int rounds = 3;
    bool distrust_commits = false;
  };

  int value = 0, round = 0;
  std::vector<int> votes;  // for 0 and for 1, a pair a round
  FIELDS(value, round, votes)

  void start(Context& c) {
    value = c.self % 3 == 2 ? 0 : 1;  // two of three want 1, as in the paper's figure
    votes.assign(2 * static_cast<std::size_t>(c.config().rounds), 0);
    propose(c);
  }

  void on(Context& c, NodeId, const Proposal& p) {
    if (!sensible(c, p.value, p.round)) return;
    ++count(p.round, p.value);
    settle(c);
  }

  void on(Context& c, NodeId, const Commit& m) {
    if (m.round != round || !sensible(c, m.value, m.round)) return;
    const bool believed = !c.config().distrust_commits || count(round, m.value) >= c.majority();
    decide(c, believed ? m.value : kNoValue);
    settle(c);
  }

 private:
  bool done(Context& c) const { return round >= c.config().rounds; }
  // A mutated message may say anything.
  static bool sensible(Context& c, int value, int round) {
    return (value == 0 || value == 1) && round >= 0 && round < c.config().rounds;
  }
  int& count(int in_round, int for_value) {
    return votes[2 * static_cast<std::size_t>(in_round) + static_cast<std::size_t>(for_value)];
  }

  void propose(Context& c) {
    ++count(round, value);
    c.announce(Proposed{value, round});
    c.broadcast(Proposal{value, round});
  }

  // Votes of later rounds may have arrived already, so one message can settle several rounds.
  void settle(Context& c) {
    while (!done(c)) {
      const int winner = count(round, 0) >= c.majority() ? 0 : 1;
      if (count(round, winner) < c.majority()) return;
      c.broadcast(Commit{winner, round});
      decide(c, winner);
    }
  }

  void decide(Context& c, int chosen) {
    c.announce(Decided{chosen, round});
    ++round;
    if (!done(c)) propose(c);
  }
};

const Registration registered =
    system<Toy>("toy-consensus", "the fictitious consensus of DiscoTest, Algorithm 1")
        .nodes(3, 2, 64)  // alone, a node hears of no vote and decides nothing
        // As printed: perfect links, and nobody fails.
        .survives({Fault::pause})
        .colour<Toy>([](const Toy& node, Paint& paint) {
          paint.role(node.value);
          paint.rank(node.round);
          for (const int votes : node.votes) paint.is(votes);
        })
        .param<&Toy::Config::rounds>("rounds", 1, 64, "rounds to decide")
        .bug<&Toy::Config::distrust_commits>(
            "distrust-commits",
            "as printed: a commit decides its value only on top of a majority of one's own, else "
            "the node goes on without a value")
        .oracle(agreement<Decided>(&Decided::round, &Decided::value))
        .oracle(integrity<Decided>(&Decided::round, &Decided::value))
        .oracle(validity<Decided, Proposed>(&Decided::value, &Proposed::value, kNoValue))
        .oracle(termination<Decided>(
            &Decided::round,
            [](const Setup& s) { return static_cast<const Toy::Config*>(s.config.get())->rounds; }))
        .thread_safe();

const Registration words =
    scenario::vocabulary("toy-consensus")
        .announces<Proposed, Decided>()
        .word("round-reached", {"round"}, "announced Proposed and .round >= $round",
              "a node is in that round or a later one")
        .word("decides", {}, "announced Decided", "a node decides a round")
        .word("decides-nothing", {}, "announced Decided and .value = -1",
              "a node goes on without a value");

}  // namespace
