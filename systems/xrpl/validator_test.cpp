// Whole networks in virtual time: that they agree without faults, what they do when messages are
// late, and each seeded bug beside the correct code in the same runs.
#include <gtest/gtest.h>

#include <stdexcept>

#include "schism/run/config.hpp"
#include "schism/schedule/timed_queue.hpp"
#include "systems/xrpl/collector.hpp"
#include "systems/xrpl/oracles.hpp"

namespace schism::xrpl {
namespace {

// A system of its own, so that it can be counted.
class Network {
 public:
  Network(const std::string& system, int nodes, const std::string& scheduler, int steps,
          std::vector<std::string> bugs = {}, Pairs world = {}) {
    RunText text;
    text.system = *parse_spec(system);
    text.nodes = std::to_string(nodes);
    text.explorer = *parse_spec(scheduler);
    text.steps = std::to_string(steps);
    text.bugs = std::move(bugs);
    text.world = std::move(world);
    auto config = make_config(text);
    if (!config) throw std::invalid_argument(config.error());
    config_ = *std::move(config);
    system_ = *config_.setup.system;
    system_.oracles.push_back(
        [this](const Setup&) { return std::make_unique<Collector>(counts_); });
    config_.setup.system = &system_;
    runner_ = std::make_unique<Runner>(config_.setup, config_.limits);
    scheduler_ = make_scheduler(config_);
  }

  // What was violated; empty: nothing.
  std::string run(std::uint64_t seed) { return run(seed, *scheduler_); }
  std::string run(std::uint64_t seed, Scheduler& scheduler) {
    const RunSummary s = runner_->run(scheduler, {seed, seed});
    return s.violated ? runner_->violation()->property : "";
  }
  int runs_with(const std::string& property, int runs) {
    int n = 0;
    for (int seed = 1; seed <= runs; ++seed) n += run(static_cast<std::uint64_t>(seed)) == property;
    return n;
  }
  const Counts& counts() const { return counts_; }
  const Validator& node(NodeId id) { return *runner_->world().as<Validator>(id); }
  const World& world() { return runner_->world(); }

 private:
  RunConfig config_;
  System system_;
  Counts counts_;
  std::unique_ptr<Runner> runner_;
  std::unique_ptr<Scheduler> scheduler_;
};

// A sequence is used once, and again only by who has validated nothing for ten minutes.
TEST(XrplOracles, ASequenceMayBeUsedAgainAfterTenMinutes) {
  Network early("xrpl", 4, "timed:max=100ms", 2'000),
      late("xrpl:ledgers=0,linger=3600s", 4, "timed:max=100ms", 120'000);
  early.run(1);
  late.run(1);
  ASSERT_GT(late.world().clock(), early.world().clock() + kValidationSetExpires);
  const Validated validated{LedgerId{}, 7, true};
  const auto by = [&](NodeId node) {
    Event event;
    event.kind = Happened::announced;
    event.node = static_cast<std::uint16_t>(node);
    event.body = &validated;
    event.type = &type_info<Validated>();
    return event;
  };
  ValidatesOnce oracle;
  const auto judged = [&](const World& world, NodeId node) {
    const Event events[] = {by(node)};
    oracle.look(world, events);
    return oracle.violation().has_value();
  };
  oracle.begin(early.world());
  EXPECT_FALSE(judged(early.world(), 2));
  EXPECT_FALSE(judged(late.world(), 2));
  EXPECT_FALSE(judged(late.world(), 3)) << "another node";
  EXPECT_TRUE(judged(late.world(), 2)) << "at once";
}

// The long form, 24 simulated hours and ten seeds, is a command in docs/xrpl.md.
TEST(XrplNetwork, WithoutFaultsALedgerIsValidatedEveryThreeToFiveSeconds) {
  const struct { int nodes, steps; } sizes[] = {{5, 120'000}, {7, 250'000}, {10, 600'000}};
  for (const auto& size : sizes)
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      Network network("xrpl:case=none,load=1", size.nodes, "timed:min=1ms,max=500ms", size.steps);
      ASSERT_EQ(network.run(seed), "");
      const Counts& c = network.counts();
      ASSERT_GT(c.ledgers, 100U);
      // The first and the last come up to half a second after they were sent.
      const auto between = static_cast<double>(c.ledgers - 1);
      const double seconds = static_cast<double>(c.last_at - c.first_at) / 1e6;
      EXPECT_GE((seconds + 0.5) / between, 3.0) << size.nodes;
      EXPECT_LE((seconds - 0.5) / between, 5.0) << size.nodes;
    }
}

// Without transactions a ledger closes after the larger of 15 s and twice the resolution, 10 s at
// its finest, unless more than half of the others have closed, or validated the ledger before it:
// which is so in every round but the first.
TEST(XrplNetwork, AnIdleLedgerWaitsTwentySecondsUnlessTheOthersValidated) {
  Network network("xrpl:case=none,stagger=0s", 5, "timed:min=1ms,max=100ms", 20'000);
  ASSERT_EQ(network.run(1), "");
  EXPECT_GE(network.counts().first_at, 22_s);  // 20 s open, 2 s of consensus
  EXPECT_LE(network.counts().first_at, 24_s);
  EXPECT_GE(network.counts().shortest_gap, 2_s);
  EXPECT_LE(network.counts().longest_gap, 4_s);
}

TEST(XrplNetwork, MemoryOfNodesStaysFlat) {
  const auto sizes = [](int steps) {
    Network network("xrpl:case=none,load=1", 5, "timed:min=1ms,max=500ms", steps);
    EXPECT_EQ(network.run(1), "");
    const Validator& v = network.node(0);
    return std::tuple(v.router.size() < 4000, v.store.size() <= 256, v.open_txs.size() < 50,
                      v.local.size() < 50, v.held.empty());
  };
  EXPECT_EQ(sizes(200'000), std::tuple(true, true, true, true, true));
  EXPECT_EQ(sizes(800'000), std::tuple(true, true, true, true, true));
}

// Uniform delays of 0 to J, heartbeats in step, as the trial on rippled's own code had them.
TEST(XrplNetwork, LateMessagesSplitWhatIsAcceptedButNotWhatIsValidated) {
  const std::string system = "xrpl:case=none,load=1,stagger=0s,judge-progress=false";
  const auto splits = [&](const char* scheduler) {
    return Network(system + ",judge-ledgers=true", 5, scheduler, 24'000)
        .runs_with("same-accepted", 40);
  };
  EXPECT_EQ(splits("timed:min=0ms,max=1s"), 0);
  EXPECT_GE(splits("timed:min=0ms,max=2s"), 10);  // a quarter of the runs
  EXPECT_GE(splits("timed:min=0ms,max=4s"), 20);
  for (const char* scheduler :
       {"timed:min=0ms,max=1s", "timed:min=0ms,max=2s", "timed:min=0ms,max=4s"}) {
    Network network(system, 5, scheduler, 24'000);
    for (std::uint64_t seed = 1; seed <= 40; ++seed) EXPECT_EQ(network.run(seed), "");
  }
}

// That trial was in rippled's own simulation, which sends transaction sets whole. Then ours splits
// as often as it did: nothing at 1 s, and nine of ten runs at 4 s.
TEST(XrplNetwork, WhereSetsAreSentWholeItSplitsAsRippledsSimulationDoes) {
  const auto splits = [&](const char* scheduler) {
    return Network(
               "xrpl:case=none,load=1,stagger=0s,judge-progress=false,rules=1.7,send-sets=true,"
               "judge-ledgers=true,duration=120s",
               5, scheduler, 200'000)
        .runs_with("same-accepted", 50);
  };
  EXPECT_EQ(splits("timed:min=0ms,max=1s"), 0);
  EXPECT_GE(splits("timed:min=0ms,max=4s"), 40);
}

// ---- test cases ------------------------------------------------------------------------------

TEST(XrplPayments, OfFourDoubleSpendsOneIsPaid) {
  for (const char* rules : {"1.7", "2.4"}) {
    Network network(std::string("xrpl:rules=") + rules, 5, "timed:min=1ms,max=300ms", 20'000);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      ASSERT_EQ(network.run(seed), "");
      const State& state = network.node(0).validated->state();
      EXPECT_EQ(state.accounts()[0].sequence, 2U);  // one payment, whose is a matter of luck
      EXPECT_TRUE(network.node(0).stopped);
    }
  }
}

TEST(XrplPayments, WithConsecutiveSequencesAllAreInTheLedger) {
  Network network("xrpl:case=discotest-consecutive", 5, "timed:min=1ms,max=300ms", 20'000);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    ASSERT_EQ(network.run(seed), "");
    EXPECT_TRUE(network.node(0).stopped);
    EXPECT_EQ(network.node(0).validated->state().accounts()[0].sequence, 5U);
    EXPECT_EQ(network.node(0).validated->state().accounts()[0].balance, 0);
  }
}

// Groot's lists tie three against three for nodes 3, 4 and 6, so that a fork may last longer than
// 65 s; it heals in the fair end.
TEST(XrplPayments, GrootsNetworkHeals) {
  Network network("xrpl:case=groot,unl=groot,heal=4,judge-progress=false", 7,
                  "timed:min=1ms,max=1s", 10'000);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) EXPECT_EQ(network.run(seed), "");
}

// ---- bugs, each beside the correct code --------------------------------------------------------

TEST(XrplBugs, B1AnOlderProposalReplacesANewerOne) {
  const auto found = [](std::vector<std::string> bugs) {
    return Network("xrpl:judge-progress=false", 5, "timed:min=0ms,max=4s", 20'000, std::move(bugs))
        .runs_with("held-sequence", 100);
  };
  EXPECT_EQ(found({}), 0);
  EXPECT_GT(found({"stale-proposal"}), 10);
}

TEST(XrplBugs, B2TwoQuorumsValidateDifferentLedgers) {
  const auto found = [](std::vector<std::string> bugs) {
    return Network("xrpl:judge-progress=false", 5, "timed:min=0ms,max=8s", 20'000, std::move(bugs))
        .runs_with("same-validated", 100);
  };
  EXPECT_EQ(found({}), 0);
  EXPECT_GT(found({"quorum-40"}), 3);
}

// Groot's lists differ. Nodes 2, 3, 4 and 6 validate a ledger, a quorum for all of them but 2; 2
// changes its branch, and with 0, 1 and 5 it validates a later ledger there.
TEST(XrplBugs, SixtyPercentAreTwoQuorumsAtTwoSequencesWhereListsDiffer) {
  const auto found = [](std::vector<std::string> bugs) {
    return Network("xrpl:case=groot,unl=groot,heal=4,judge-progress=false", 7,
                   "inbox:order=aged,cap=1s,classes=groot", 6'000, std::move(bugs))
        .run(1527);
  };
  EXPECT_EQ(found({}), "");
  EXPECT_EQ(found({"quorum-60"}), "healed");
}

// A delay a message type, as a gene of DiscoTest's gives it; slow ones for a while only.
class ByType final : public Scheduler {
 public:
  TimeUse time_use() const override { return TimeUse::timed; }
  bool plays(Do) const override { return false; }
  bool sees_pending() const override { return true; }
  void begin(const Setup&, std::uint64_t seed) override {
    queue_.clear();
    seed_ = seed;
  }
  Action next(World& world) override {
    queue_.refresh(world);
    return queue_.empty() ? Action{} : queue_.pop(world);
  }
  void on_pending(World& world, Do kind, std::uint32_t slot) override {
    const Slot& event = world.pending().slot(kind, slot);
    Micros due = event.due;
    if (kind == Do::deliver) {
      const int type = event.name.type();
      const bool fetch = type == Validator::Messages::index<GetLedger>() ||
                         type == Validator::Messages::index<LedgerData>();
      const bool slow = fetch && world.clock() < 30_s;
      due = world.clock() +
            (slow ? 4_s : 50_ms + static_cast<Micros>(keyed(seed_, event.name.bits()) % 200'000));
    }
    queue_.push(due, kind, slot, event.generation);
  }

 private:
  std::uint64_t seed_ = 0;
  TimedQueue queue_;
};

// The story of DiscoTest's Figure 4.4: conflicting payments, transaction sets that take 8 s to
// fetch, an acquisition that is given up after 5,250 ms.
TEST(XrplBugs, B3ADeadAcquisitionStopsTheLedger) {
  ByType scheduler;
  Network correct("xrpl", 5, "timed", 100'000),
      broken("xrpl", 5, "timed", 100'000, {"dead-acquisition"});
  int stopped = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    EXPECT_EQ(correct.run(seed, scheduler), "");
    EXPECT_GT(correct.counts().failed_fetches, 0U);
    stopped += broken.run(seed, scheduler) == "termination";
  }
  EXPECT_GT(stopped, 5);
}

// Delays that stay keep correct code from validating anything for more than 65 s. It promises
// nothing there; when messages come in time again it goes on.
TEST(XrplNetwork, DelaysAloneAreNotHeldAgainstCorrectCode) {
  Network network("xrpl:rules=1.7", 5, "delays:max=8s", 20'000);
  std::uint64_t long_gaps = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    EXPECT_EQ(network.run(seed), "") << seed;
    long_gaps += std::max(network.counts().longest_gap, network.counts().first_at) > 65_s;
  }
  EXPECT_GT(long_gaps, 10U);
}

// Four validators have gone back to a branch on which they may not validate yet: they have sent
// validations with those sequences on another one. An idle ledger takes 20 s, so that the fair end
// of this run has none validated for more than 65 s; ledgers are built all the time.
TEST(XrplNetwork, LedgersBuiltInVainAreNoStop) {
  Network network("xrpl:rules=1.7", 5, "delays:max=8s", 20'000);
  EXPECT_EQ(network.run(2505), "");
  EXPECT_TRUE(network.world().calm());
  EXPECT_EQ(network.counts().ledgers, 0U);
  EXPECT_GT(network.counts().accepted, 100U);
}

// Nodes that came apart before the fair end, of three kinds. Two branches, one a ledger ahead: its
// builder waits for support that has not come so far, the others prefer their own by its name; at
// one pace that does not end. Three branches, one of whose builders sits in a round as long as the
// one before the fair end: they come together, but not in 65 s. And three nodes that follow the
// other two, four ledgers behind.
TEST(XrplNetwork, NodesThatGoOnApartAreNotJudged) {
  const auto go_on_apart = [](const char* system, int nodes, Pairs world, const char* explorer,
                              int steps, std::uint64_t seed) {
    Network network(system, nodes, explorer, steps, {}, std::move(world));
    EXPECT_EQ(network.run(seed), "") << explorer;
    EXPECT_TRUE(network.world().calm());
    EXPECT_GT(network.world().clock() - network.counts().last_at, Termination::kBound);
    EXPECT_NE(network.node(1).prev.id(), network.node(2).prev.id());
  };
  go_on_apart(
      "xrpl", 3, {{"links", "fifo"}},
      "timed:max=1174ms,shape=pareto,slow-links=0.37,loss=0.01,duplication=0.018,disk=9111us,"
      "think=8ms,crash-every=200ms,down-for=115ms,pause-every=376ms,pause-for=41ms,"
      "partition-every=375ms,partition-for=10ms",
      5086, 687);
  go_on_apart(
      "xrpl", 3, {{"links", "fifo"}},
      "timed:max=4423ms,shape=exponential,slow-links=0.243,loss=0.006,duplication=0.173,"
      "disk=496us,think=6ms,crash-every=106ms,down-for=14ms,pause-every=929ms,pause-for=935ms,"
      "partition-every=80ms,partition-for=13ms",
      2557, 16124);
  go_on_apart(
      "xrpl:load=24", 5, {{"links", "fifo"}, {"disk", "sync"}},
      "timed:max=600ms,shape=pareto,slow-links=0.491,loss=0.162,duplication=0.027,disk=48788us,"
      "think=30ms,crash-every=34ms,down-for=883ms,pause-every=497ms,pause-for=268ms,"
      "partition-every=748ms,partition-for=27ms",
      9775, 16794);
}

TEST(XrplBugs, B3IsSeenWhenMessagesComeInTimeAgain) {
  const auto found = [](std::vector<std::string> bugs) {
    return Network("xrpl:rules=1.7", 5, "delays:max=8s", 20'000, std::move(bugs))
        .runs_with("termination", 60);
  };
  EXPECT_EQ(found({}), 0);
  EXPECT_GT(found({"dead-acquisition"}), 0);
}

TEST(XrplBugs, EveryOneIsRegistered) {
  EXPECT_EQ(
      systems().find("xrpl")->bug_names(),
      (std::vector<std::string>{"stale-proposal", "quorum-40", "quorum-60", "dead-acquisition",
                                "validation-by-hash", "stuck-threshold-40", "self-counted-once"}));
}

// ---- the same again ----------------------------------------------------------------------------

TEST(XrplNetwork, IsDeterministic) {
  Network a("xrpl:load=1", 5, "timed:max=2s", 5'000), b("xrpl:load=1", 5, "timed:max=2s", 5'000);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    a.run(seed), b.run(seed);
    EXPECT_EQ(a.world().digest_from_scratch(), b.world().digest_from_scratch());
  }
}

}  // namespace
}  // namespace schism::xrpl
