// `ben-or`: randomized consensus on a bit among nodes of which a minority may crash for good
// (Ben-Or, Another Advantage of Free Choice, PODC 1983). A round has two exchanges. First all
// report their value, and whoever hears one value from a majority of all proposes it. Then whoever
// hears more than f proposals of a value decides, whoever hears one takes it over, and all others
// toss a coin: `random_below`, which a run's seed decides and a trace repeats.
//
//   ben_or hunt ben-or                                 nothing is found
//   ben_or hunt ben-or --bug majority-of-heard         two nodes decide differently
//   ben_or check ben-or --nodes 3 --max-steps 12       all schedules, all coins, so far
#include "schism/schism.hpp"

#include <map>
#include <optional>

namespace {
using namespace schism;

constexpr int kNoValue = 2;
constexpr int kRounds = 20;  // then it gives up: the coins were against it

struct Report {
  int round, value;
  FIELDS(round, value)
};
struct Proposal {
  int round, value;  // kNoValue: heard no majority
  FIELDS(round, value)
};
struct Decision {  // whoever decides tells, and stops
  int value;
  FIELDS(value)
};
// Announced, for oracles.
struct Begins {
  int value;
  FIELDS(value)
};
struct Decided {
  int value;
  FIELDS(value)
};

// Who said what, a value each.
struct Heard {
  NodeSet said[3];
  FIELDS(said[0], said[1], said[2])

  void hear(NodeId from, int value) {
    if (value >= 0 && value <= kNoValue) said[value].insert(from);
  }
  int count(int value) const { return static_cast<int>(said[value].size()); }
  int all() const { return count(0) + count(1) + count(kNoValue); }
};

struct BenOr : Node<BenOr, Report, Proposal, Decision> {
  struct Config {
    int ones = 1;
    bool majority_of_heard = false, decide_by_one = false;
  };

  int round = 0, value = 0;
  bool proposed = false;  // in this round: it waits for proposals
  std::map<int, Heard> reports, proposals;
  std::optional<int> decided;
  bool gone = false;  // it crashed and came back: nothing is on a disk, so it stays away
  FIELDS(round, value, proposed, reports, proposals, decided, gone)

  static int faulty(const Context& c) { return (c.nodes() - 1) / 2; }

  void start(Context& c) {
    gone = c.restarts() > 0;
    if (gone) return;
    value = c.self < c.config().ones ? 1 : 0;
    c.announce(Begins{value});
    report(c);
  }

  void on(Context& c, NodeId from, const Report& m) {
    if (gone || decided) return;
    reports[m.round].hear(from, m.value);
    go_on(c);
  }
  void on(Context& c, NodeId from, const Proposal& m) {
    if (gone || decided) return;
    proposals[m.round].hear(from, m.value);
    go_on(c);
  }
  void on(Context& c, NodeId, const Decision& m) {
    if (!gone) decide(c, m.value);
  }

 private:
  void report(Context& c) {
    proposed = false;
    reports[round].hear(c.self, value);
    c.broadcast(Report{round, value});
  }

  // As far as what was heard allows: messages may have come before their round.
  void go_on(Context& c) {
    const int enough = c.nodes() - faulty(c);
    while (!decided && round < kRounds) {
      if (!proposed) {
        if (reports[round].all() < enough) return;
        propose(c, reports[round]);
      } else {
        if (proposals[round].all() < enough) return;
        end_round(c, proposals[round]);
      }
    }
  }

  void propose(Context& c, const Heard& heard) {
    const int of = c.config().majority_of_heard ? heard.all() : c.nodes();
    int offer = kNoValue;
    for (int v = 0; v < kNoValue; ++v)
      if (2 * heard.count(v) > of) offer = v;
    proposed = true;
    proposals[round].hear(c.self, offer);
    c.broadcast(Proposal{round, offer});
  }

  void end_round(Context& c, const Heard& heard) {
    const int needed = c.config().decide_by_one ? 1 : faulty(c) + 1;
    const int offer = heard.count(1) > heard.count(0) ? 1 : 0;
    if (heard.count(offer) >= needed) return decide(c, offer);
    value = heard.count(offer) > 0 ? offer : static_cast<int>(c.random_below(2));
    reports.erase(round);
    proposals.erase(round);
    ++round;
    report(c);
  }

  void decide(Context& c, int what) {
    if (decided) return;
    decided = what;
    c.announce(Decided{what});
    c.broadcast(Decision{what});
  }
};

// While no more than f are gone, all others decide, unless they gave up.
bool all_decide(const World& w) {
  int gone = 0, waiting = 0;
  for (NodeId id = 0; id < w.setup().nodes; ++id) {
    const BenOr* node = w.as<BenOr>(id);
    gone += !node || node->gone ? 1 : 0;
    waiting += node && !node->gone && !node->decided && node->round < kRounds ? 1 : 0;
  }
  return gone > (w.setup().nodes - 1) / 2 || waiting == 0;
}

const auto only_one = [](const Decided&) { return 0; };

const Registration ben_or =
    system<BenOr>("ben-or", "randomized consensus on a bit (Ben-Or)")
        .nodes(3, 2, 9)
        .param<&BenOr::Config::ones>("ones", 0, 9, "how many nodes begin with 1")
        .bug<&BenOr::Config::majority_of_heard>(
            "majority-of-heard", "proposes the majority of the reports that it heard, not of all")
        .bug<&BenOr::Config::decide_by_one>("decide-by-one",
                                            "decides as soon as it hears a single proposal")
        .survives({Fault::crash, Fault::duplicate})
        .thread_safe()
        .oracle(agreement<Decided>(only_one, &Decided::value))
        .oracle(integrity<Decided>(only_one, &Decided::value))
        .oracle(validity<Decided, Begins>(&Decided::value, &Begins::value))
        .oracle(Eventually("all decide", all_decide));

}  // namespace
