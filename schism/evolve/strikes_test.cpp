// Whether runs are struck as their genes say: then, there, for so long, and by nothing else.
#include "schism/evolve/strikes.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "schism/evolve/obedient.hpp"
#include "schism/run/config.hpp"

namespace schism::evolve {
namespace {

RunText text_of(const std::string& explorer, Pairs faults, const std::string& system) {
  RunText text;
  text.system = *parse_spec(system);
  text.explorer = *parse_spec(explorer);
  text.faults = std::move(faults);
  text.nodes = "4";
  text.steps = "300";
  return text;
}

// Plays genomes and keeps what was done.
struct Stage {
  Stage(const std::string& explorer, Pairs faults, const std::string& system = "tokens") {
    auto made = make_config(text_of(explorer, std::move(faults), system));
    if (!made) throw std::invalid_argument(made.error());
    config = *std::move(made);
    config.limits.tail = 0;
    scheduler = make_scheduler(config);
    runner = std::make_unique<Runner>(config.setup, config.limits);
  }
  std::vector<Action> play(const Genome& genome, std::uint64_t seed = 1) {
    RunPlan plan;
    plan.seed = plan.node_seed = seed;
    plan.gene = pack(genome);
    runner->run(*scheduler, plan);
    EXPECT_FALSE(runner->first_refusal());
    std::vector<Action> out;
    for (const Action& a : runner->world().decisions())
      if (a.kind != Do::choose) out.push_back(a);
    return out;
  }
  std::size_t strike_genes() const { return evolve::strike_genes(config.setup.options.faults); }

  RunConfig config;
  std::unique_ptr<Scheduler> scheduler;
  std::unique_ptr<Runner> runner;
};

// Places of a kind among the actions: after how many steps it came.
std::vector<std::size_t> places(const std::vector<Action>& actions, Do kind) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < actions.size(); ++i)
    if (actions[i].kind == kind) out.push_back(i);
  return out;
}

TEST(Strikes, EverySplitHasAnEqualShare) {
  for (int nodes = 2; nodes <= 6; ++nodes) {
    const int splits = (1 << (nodes - 1)) - 1;
    std::map<std::vector<bool>, int> seen;
    for (int i = 0; i < splits * 10; ++i) {
      const auto side = sides_of((i + 0.5) / (splits * 10), nodes);
      EXPECT_FALSE(side[0]);
      EXPECT_EQ(std::set<bool>(side.begin(), side.end()).size(), 2U);
      ++seen[side];
    }
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(splits));
    for (const auto& [side, count] : seen) EXPECT_EQ(count, 10);
  }
  EXPECT_EQ(sides_of(1, 5).size(), 5U) << "the end of the range, too";
  EXPECT_EQ(sides_of(0.5, 60).size(), 60U);
}

TEST(Strikes, AreReadFromSharesOfTheRange) {
  const Faults budgets{.duplicate = 1, .crash = 1, .partition = 1};
  EXPECT_EQ(strike_genes(budgets), 8U);
  const std::vector<double> shares = {0.375, 0.1, 0.999, 0.75, 0.2, 0, 0, 0.3};
  const auto strikes = read_strikes(budgets, shares, 100);
  ASSERT_EQ(strikes.size(), 3U);
  EXPECT_EQ(strikes[0].kind, Fault::crash);
  EXPECT_EQ(strikes[0].step, 50U);
  EXPECT_EQ(strikes[0].lasts, 26U);
  EXPECT_EQ(strikes[1].kind, Fault::partition);
  EXPECT_EQ(strikes[1].step, Strike::kNever) << "the last quarter of the range";
  EXPECT_EQ(strikes[1].lasts, 1U);
  EXPECT_EQ(strikes[2].kind, Fault::duplicate);
  EXPECT_EQ(strikes[2].step, 0U);
  EXPECT_DOUBLE_EQ(strikes[2].whom, 0.3);
}

TEST(Strikes, ACrashComesAtItsStepToItsNodeAndIsUndone) {
  Stage stage("strikes:horizon=100,high=1(random)", {{"crash", "1"}});
  for (int node = 0; node < 4; ++node) {
    const auto actions = stage.play({0.3, (node + 0.1) / 4, 0.5});
    ASSERT_EQ(places(actions, Do::crash), std::vector<std::size_t>{40}) << node;
    EXPECT_EQ(actions[40].name.from(), node);
    ASSERT_EQ(places(actions, Do::restart), std::vector<std::size_t>{40 + 14});
    EXPECT_EQ(actions[54].name.from(), node);
  }
}

TEST(Strikes, APartitionSplitsTheNodesAsItsGeneSays) {
  // Its timers go on whatever is cut off.
  Stage stage("strikes:horizon=100,high=1(random)", {{"partition", "1"}}, "raft:progress=false");
  for (int split = 0; split < 7; ++split) {
    const double share = (split + 0.5) / 7;
    const auto side = sides_of(share, 4);
    const auto actions = stage.play({0.15, share, 0.99});
    ASSERT_EQ(places(actions, Do::begin), std::vector<std::size_t>{20});
    std::set<std::pair<NodeId, NodeId>> cut, healed, due;
    for (const Action& a : actions) {
      if (a.kind == Do::cut) cut.emplace(a.name.from(), a.name.to());
      if (a.kind == Do::heal) healed.emplace(a.name.from(), a.name.to());
    }
    for (NodeId from = 0; from < 4; ++from)
      for (NodeId to = 0; to < 4; ++to)
        if (side[static_cast<std::size_t>(from)] != side[static_cast<std::size_t>(to)])
          due.emplace(from, to);
    EXPECT_EQ(cut, due);
    EXPECT_EQ(healed, due);
    EXPECT_EQ(places(actions, Do::heal).front(), 20U + 26U);
  }
}

TEST(Strikes, ADuplicateCopiesAMessageInFlight) {
  Stage stage("strikes:horizon=100,high=1(random)", {{"duplicate", "2"}});
  const auto actions = stage.play({0.06, 0, 0.3, 0.99});
  EXPECT_EQ(places(actions, Do::duplicate), (std::vector<std::size_t>{8, 40}));
}

// Around every scheduler that makes such faults by itself.
TEST(Strikes, NothingStrikesButGenes) {
  const Pairs all = {{"crash", "2"}, {"partition", "2"}, {"duplicate", "5"}};
  for (const char* inner : {"random:crash=100,partition=100,duplicate=100",
                            "timed:duplication=1,crash-every=1ms,partition-every=1ms", "pos",
                            "pctcp", "delays", "inbox", "ranks(random)"}) {
    Stage stage(std::string("strikes:high=1(") + inner + ")", all);
    const Genome never(stage.strike_genes(), 1);
    for (const Action& a : stage.play(never)) EXPECT_FALSE(fault_of(a)) << inner;
    // And without a genome they are drawn.
    std::size_t struck = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
      for (const Action& a : stage.play({}, seed)) struck += fault_of(a) ? 1 : 0;
    EXPECT_GT(struck, 20U) << inner;
  }
}

// Messages still obey the first genes of the genome.
TEST(Strikes, TheRestOfTheGenomeIsTheMessages) {
  Stage plain("delays(timed:min=0ms,max=0ms)", {}),
      struck("strikes:high=4000(delays(timed:min=0ms,max=0ms))", {{"crash", "1"}});
  const auto classes = find_message_classes(*plain.config.setup.system, "");
  Rng random(3);
  Genome genome = Space{Layout(4, classes->words.size()).genes(), 0, 4000, false}.draw(random);
  const auto without = plain.play(genome);
  genome.insert(genome.end(), {4000, 0, 0});  // never
  EXPECT_EQ(struck.play(genome), without);
  genome[genome.size() - 3] = 40;
  EXPECT_NE(struck.play(genome), without);
}

// When all are down and nothing is left to do, they come back.
TEST(Strikes, ARunDoesNotEndWhileSomethingIsBroken) {
  Stage stage("strikes:horizon=100000,high=1(random)", {{"crash", "4"}}, "toy-consensus");
  Genome genome;
  for (int node = 0; node < 4; ++node) genome.insert(genome.end(), {0, (node + 0.5) / 4, 1});
  const auto actions = stage.play(genome);
  EXPECT_EQ(places(actions, Do::crash).size(), 4U);
  EXPECT_EQ(places(actions, Do::restart).size(), 4U);
}

TEST(Strikes, AreBredInEveryRepresentation) {
  for (const char* explorer :
       {"evolve:strikes=true,horizon=300", "evolve:strikes=true,horizon=300,algorithm=cmaes",
        "evolve:strikes=true,horizon=300,representation=priority",
        "evolve:strikes=true,horizon=300,representation=aged",
        "evolve:strikes=true,horizon=300,representation=priority(random)",
        "evolve:strikes=true,horizon=300,representation=priority,algorithm=sade(random)",
        "evolve:strikes=true,horizon=300,representation=aged,algorithm=elites(random)"}) {
    Stage stage(std::string(explorer), {{"crash", "1"}, {"duplicate", "3"}});
    const auto breeder = make_explorer(stage.config);
    ASSERT_TRUE(breeder->begin(stage.config.setup)) << explorer;
    std::set<std::size_t> crashes;
    for (std::uint64_t first = 1, generation = 0; generation < 5; ++generation) {
      const auto plans = breeder->propose(1, first);
      std::vector<RunResult> results;
      for (const RunPlan& plan : plans) {
        for (const std::size_t at : places(stage.play(unpack(plan.gene), plan.seed), Do::crash))
          crashes.insert(at);
        RunSummary summary;
        results.push_back(stage.runner->result(summary, *stage.scheduler));
      }
      breeder->learn(plans, results);
      first += plans.size();
    }
    EXPECT_GT(crashes.size(), 2U) << explorer;
  }
}

TEST(Strikes, WantSomethingToStrikeWith) {
  const auto begins = [](Pairs faults) {
    const auto config = make_config(text_of("evolve:strikes=true", std::move(faults), "tokens"));
    EXPECT_TRUE(config) << config.error();
    return make_explorer(*config)->begin(config->setup).has_value();
  };
  EXPECT_FALSE(begins({}));
  EXPECT_FALSE(begins({{"drop", "3"}}));
  EXPECT_TRUE(begins({{"duplicate", "3"}}));
}

}  // namespace
}  // namespace schism::evolve
