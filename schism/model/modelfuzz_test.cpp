// ModelFuzz piece by piece: inputs and their mutations, how an input is played, and the pool.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "schism/coverage/coverage.hpp"
#include "schism/explore/explorer.hpp"
#include "schism/model/fuzz_input.hpp"
#include "schism/model/retold.hpp"
#include "schism/run/config.hpp"

namespace schism::model {
namespace {

std::vector<std::size_t> places(const Input& input, Deed deed) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < input.size(); ++i)
    if (input[i].deed == deed) out.push_back(i);
  return out;
}

TEST(ModelFuzzInput, ARandomOneHasWhatItsTermsSay) {
  const InputTerms terms;
  std::set<std::uint16_t> counts;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Rng random(seed);
    const Input input = random_input(terms, random);
    EXPECT_EQ(places(input, Deed::message).size(), 100u);
    EXPECT_EQ(places(input, Deed::stop).size(), 10u);
    EXPECT_EQ(places(input, Deed::start).size(), 10u);
    std::size_t asks = 0;
    std::map<std::uint16_t, int> down;  // a process is not started more often than it was stopped
    for (const InputStep& step : input) {
      EXPECT_LT(step.node, 3);
      EXPECT_LE(step.count, 5);
      if (step.deed == Deed::message) counts.insert(step.count);
      asks += step.asks ? 1 : 0;
      if (step.deed == Deed::stop) ++down[step.node];
      if (step.deed == Deed::start) {
        EXPECT_GE(--down[step.node], 0);
      }
    }
    EXPECT_GE(asks, 1u);
    EXPECT_LE(asks, 5u);
    Rng again(seed);
    EXPECT_EQ(input, random_input(terms, again));
  }
  EXPECT_EQ(counts.size(), 6u);  // 0 to 5
}

// Processes move between steps, and numbers of messages between steps that deliver: nothing else.
TEST(ModelFuzzInput, AMutantIsAPermutation) {
  const InputTerms terms;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Rng random(seed);
    const Input input = random_input(terms, random);
    const Input mutant = mutated(input, terms, random);
    ASSERT_EQ(mutant.size(), input.size());
    std::multiset<std::pair<std::uint16_t, std::uint16_t>> nodes, nodes_after;
    std::multiset<std::uint16_t> counts, counts_after;
    std::size_t changed = 0;
    for (std::size_t i = 0; i < input.size(); ++i) {
      EXPECT_EQ(input[i].deed, mutant[i].deed);
      EXPECT_EQ(input[i].asks, mutant[i].asks);
      nodes.emplace(input[i].node, 0), nodes_after.emplace(mutant[i].node, 0);
      counts.insert(input[i].count), counts_after.insert(mutant[i].count);
      if (input[i].deed != Deed::message) {
        EXPECT_EQ(mutant[i].count, input[i].count);
      }
      changed += input[i] == mutant[i] ? 0 : 1;
    }
    EXPECT_EQ(nodes, nodes_after);
    EXPECT_EQ(counts, counts_after);
    EXPECT_GT(changed, 0u);
    EXPECT_LE(changed, 2u * (20 + 20 + 2));
  }
}

// SwapCrashProcesses: with one crash its process is drawn anew, with none nothing changes.
TEST(ModelFuzzInput, OneCrashIsDrawnAnew) {
  InputTerms terms;
  terms.crashes = 1;
  terms.swaps = 0;
  std::set<std::uint16_t> drawn;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Rng random(seed);
    Input input = random_input(terms, random);
    const std::size_t stop = places(input, Deed::stop).at(0);
    Input mutant = mutated(input, terms, random);
    drawn.insert(mutant[stop].node);
    mutant[stop].node = input[stop].node;
    EXPECT_EQ(mutant, input);
  }
  EXPECT_EQ(drawn.size(), 3u);
  terms.crashes = 0;
  Rng random(7);
  const Input input = random_input(terms, random);
  EXPECT_EQ(mutated(input, terms, random), input);
}

RunConfig config_of(const std::string& explorer, const std::string& crashes = "10") {
  RunText text;
  text.system = *parse_spec("raft:progress=false");
  text.nodes = "3";
  text.steps = "2000";
  text.tail = "0s";
  text.explorer = *parse_spec(explorer);
  text.faults = {{"crash", crashes}};
  auto config = make_config(text);
  EXPECT_TRUE(config.has_value()) << config.error();
  return *config;
}

// message(t) delivers the first t messages that were sent to the process, in the order of sending.
TEST(ModelFuzzPlay, AnInboxIsServedInOrder) {
  const RunConfig config = config_of("inputs");
  Runner runner(config.setup, config.limits);
  runner.listen_to(kEveryEvent);
  std::map<NodeId, std::vector<std::uint64_t>> sent, delivered;
  runner.on_step([&](const World& world) {
    for (const Event& e : world.events()) {
      const bool is_send = e.kind == Happened::sent;
      if (!is_send && e.kind != Happened::delivered) continue;
      (is_send ? sent[e.peer] : delivered[static_cast<NodeId>(e.node)]).push_back(e.name().bits());
    }
  });
  InputTerms terms;
  terms.crashes = 0;
  Rng random(3);
  RunPlan plan;
  plan.seed = plan.node_seed = 3;
  plan.gene = to_gene(random_input(terms, random));
  runner.run(*make_scheduler(config), plan);
  std::size_t all = 0;
  for (const auto& [node, names] : delivered) {
    ASSERT_LE(names.size(), sent[node].size());
    sent[node].resize(names.size());
    EXPECT_EQ(names, sent[node]) << "node " << node;
    all += names.size();
  }
  EXPECT_GT(all, 50u);
}

// The same input is the same run, and another one another.
TEST(ModelFuzzPlay, AnInputIsARun) {
  const RunConfig config = config_of("inputs");
  Runner runner(config.setup, config.limits);
  const auto scheduler = make_scheduler(config);
  std::set<Hash128> classes;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng random(seed);
    RunPlan plan;
    plan.gene = to_gene(random_input({}, random));
    const RunSummary first = runner.run(*scheduler, plan);
    EXPECT_EQ(first, runner.run(*scheduler, plan));
    classes.insert(first.run_class);
  }
  EXPECT_GT(classes.size(), 15u);
}

// What a run did says whose turn it is in another: the same turns, if all is told.
TEST(ModelFuzzPlay, ARunRetoldIsThatRun) {
  RunText text;
  text.system = *parse_spec("worker-pool");
  text.nodes = "6";
  text.steps = "2000";
  text.tail = "0s";
  text.explorer = *parse_spec("retold:steps=60");
  const auto config = make_config(text);
  ASSERT_TRUE(config.has_value()) << config.error();
  Runner runner(config->setup, config->limits);
  const auto scheduler = make_scheduler(*config);
  RunPlan plan;
  std::set<Hash128> classes;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    plan.gene = to_gene(Retold{seed, {}});
    const RunSummary first = runner.run(*scheduler, plan);
    const auto told = entries_of(scheduler->report());
    EXPECT_GE(told.size(), 2u * (6 - 1));  // each begins and says something, but the master
    EXPECT_EQ(first, runner.run(*scheduler, plan));
    classes.insert(first.run_class);
    // Entries that nobody can serve stay, and the rest is drawn: any input can be played.
    plan.gene = to_gene(Retold{seed + 100, told});
    const RunSummary again = runner.run(*scheduler, plan);
    EXPECT_EQ(again, runner.run(*scheduler, plan));
    plan.gene = to_gene(Retold{seed, {0, 7, 7, 9}});
    runner.run(*scheduler, plan);
  }
  EXPECT_GT(classes.size(), 10u);
}

// Whoever is named goes first, if it has something to receive.
TEST(ModelFuzzPlay, EntriesDecideTheOrder) {
  RunText text;
  text.system = *parse_spec("worker-pool");
  text.nodes = "5";
  text.steps = "2000";
  text.tail = "0s";
  text.explorer = *parse_spec("retold:steps=5");
  const auto config = make_config(text);
  ASSERT_TRUE(config.has_value()) << config.error();
  Runner runner(config->setup, config->limits);
  runner.listen_to(kEveryEvent);
  std::vector<std::uint16_t> served;
  runner.on_step([&](const World& world) {
    for (const Event& e : world.events())
      if (e.kind == Happened::delivered) served.push_back(static_cast<std::uint16_t>(e.node));
  });
  const auto scheduler = make_scheduler(*config);
  RunPlan plan;
  plan.gene = to_gene(Retold{1, {3, 3, 0, 4, 2, 1}});
  runner.run(*scheduler, plan);
  // 3 has nothing more after its first; the others follow, then the circle begins again.
  EXPECT_EQ(served, (std::vector<std::uint16_t>{3, 0, 4, 2, 1}));
}

TEST(ModelFuzzInput, MutantsOfARetoldRun) {
  const std::vector<std::uint16_t> told = {0, 1, 1, 2, 3, 3, 3};
  InputTerms terms;
  terms.swaps = 1;
  Rng random(5);
  for (const Retold& mutant : mutants(told, 10, terms, random)) {
    int changed = 0;
    for (std::size_t i = 0; i < told.size(); ++i) changed += mutant.entries[i] != told[i] ? 1 : 0;
    EXPECT_EQ(changed, 2);
    EXPECT_TRUE(std::is_permutation(told.begin(), told.end(), mutant.entries.begin(),
                                    mutant.entries.end()));
    EXPECT_EQ(retold_from_gene(to_gene(mutant)), mutant);
  }
  terms.way = Way::coyote;  // one object, which the first uses up
  const auto one = mutants(told, 3, terms, random);
  EXPECT_EQ(one[0].entries.size(), told.size());
  EXPECT_TRUE(one[1].entries.empty() && one[2].entries.empty());
  EXPECT_EQ(mutants({1, 1}, 1, terms, random)[0].entries, (std::vector<std::uint16_t>{1, 1}));
  EXPECT_EQ(retold_from_gene("short"), std::nullopt);
}

// --- The pool ------------------------------------------------------------------------------------

struct Pool {
  explicit Pool(const std::string& explorer, const std::string& crashes = "10")
      : config(config_of(explorer, crashes)), own(make_explorer(config)) {
    EXPECT_TRUE(own->begin(config.setup));
  }
  std::vector<RunPlan> propose() {
    auto out = own->propose(1, runs);
    runs += out.size();
    return out;
  }
  // Each run showed so many new things of that coverage.
  void learn(const std::vector<RunPlan>& plans, const std::string& coverage,
             const std::vector<std::size_t>& news) {
    std::vector<RunResult> results(plans.size());
    for (std::size_t i = 0; i < plans.size(); ++i)
      for (std::size_t k = 0; k < news[i]; ++k)
        results[i].fresh.push_back(tag_of(coverage) | ((++key << 8) & ~Coverage::kTagMask));
    own->learn(plans, results);
  }

  static bool begins(const std::string& explorer) {
    const RunConfig config = config_of(explorer);
    return make_explorer(config)->begin(config.setup).has_value();
  }

  RunConfig config;
  std::unique_ptr<Explorer> own;
  std::uint64_t runs = 0, key = 0;
};

TEST(ModelFuzzPool, FiveMutantsForEachNewState) {
  Pool pool("modelfuzz:batch=1000");
  const auto seeds = pool.propose();
  ASSERT_EQ(seeds.size(), 20u);
  std::vector<std::size_t> news(20, 0);
  news[3] = 2;
  news[7] = 1;
  pool.learn(seeds, "model", news);
  const auto mutants = pool.propose();
  ASSERT_EQ(mutants.size(), 15u);
  const auto deeds = [](const RunPlan& plan) {
    std::string out;
    const auto input = from_gene(plan.gene);
    for (const InputStep& s : *input)
      out += fmt::format("{}{}", static_cast<int>(s.deed), s.asks ? "!" : "");
    return out;
  };
  for (std::size_t i = 0; i < 15; ++i)  // the first in the pool came from the first that was new
    EXPECT_EQ(deeds(mutants[i]), deeds(seeds[i < 10 ? 3 : 7])) << i;
  pool.learn(mutants, "model", std::vector<std::size_t>(15, 0));
  EXPECT_EQ(pool.propose().size(), 20u);  // empty: seeds again
}

// An input asks for no more crashes than the run may have, and for no more than its own terms.
TEST(ModelFuzzPool, CrashesStayWithinTheBudget) {
  const auto crashes = [](const std::string& explorer, std::uint32_t budget) {
    Pool pool(explorer);
    pool.config.setup.options.faults.crash = budget;
    EXPECT_TRUE(pool.own->begin(pool.config.setup));
    std::set<std::size_t> out;
    for (const RunPlan& plan : pool.propose())
      out.insert(places(*from_gene(plan.gene), Deed::stop).size());
    return out;
  };
  EXPECT_EQ(crashes("modelfuzz", 0), std::set<std::size_t>{0});
  EXPECT_EQ(crashes("modelfuzz", 3), std::set<std::size_t>{3});
  EXPECT_EQ(crashes("modelfuzz", 1000), std::set<std::size_t>{10});
  EXPECT_EQ(crashes("modelfuzz:crashes=2", 3), std::set<std::size_t>{2});
}

TEST(ModelFuzzPool, NewThingsOfAnotherCoverageTeachNothing) {
  Pool pool("modelfuzz:batch=1000");
  const auto seeds = pool.propose();
  pool.learn(seeds, "classes", std::vector<std::size_t>(20, 3));
  EXPECT_EQ(pool.propose().size(), 20u);
}

// A run up to order is new or not: five mutants, never more.
TEST(ModelFuzzPool, ATraceIsOneThing) {
  Pool pool("modelfuzz:guidance=trace,batch=1000");
  const auto seeds = pool.propose();
  std::vector<std::size_t> news(20, 0);
  news[0] = 4;
  pool.learn(seeds, "classes", news);
  EXPECT_EQ(pool.propose().size(), 5u);
}

// One that went as another did is nothing new; what was seen is kept.
TEST(ModelFuzzPool, AnOrderIsNewOnce) {
  const std::string word = "modelfuzz:guidance=order,input=events,crashes=0,requests=0,batch=1000";
  Pool pool(word, "0");
  const auto report = [](std::initializer_list<std::uint16_t> nodes) {
    std::string out;
    for (const std::uint16_t node : nodes) out += static_cast<char>(node), out += '\0';
    return out;
  };
  const auto seeds = pool.propose();
  std::vector<RunResult> results(seeds.size());
  for (RunResult& result : results) result.report = report({1, 2, 3});
  results[5].report = report({2, 1, 3});
  pool.own->learn(seeds, results);
  EXPECT_EQ(pool.propose().size(), 10u) << "five mutants for each of two orders";
  Pool other(word, "0");
  ASSERT_TRUE(other.own->load(pool.own->save()));
  pool.own->learn(seeds, results);
  other.own->learn(seeds, results);
  EXPECT_EQ(pool.propose().size(), 20u) << "nothing was new: seeds again";
  EXPECT_EQ(other.propose().size(), 20u);
  EXPECT_FALSE(Pool::begins("modelfuzz:guidance=order")) << "choices have no order of their own";
}

TEST(ModelFuzzPool, AfterAPeriodItIsBegunAnew) {
  Pool pool("modelfuzz:reseed=50,batch=1000");
  const auto seeds = pool.propose();
  pool.learn(seeds, "model", std::vector<std::size_t>(20, 10));
  EXPECT_EQ(pool.propose().size(), 30u);  // what is left of the period
  EXPECT_EQ(pool.propose().size(), 20u);  // new seeds, though mutants were waiting
}

// In the middle of an input's mutants, which are made one by one.
TEST(ModelFuzzPool, WhatIsSavedGoesOn) {
  Pool first("modelfuzz:batch=16"), second("modelfuzz:batch=16");
  const auto seeds = first.propose();
  first.learn(seeds, "model", std::vector<std::size_t>(seeds.size(), 1));
  EXPECT_EQ(second.propose(), seeds);
  ASSERT_TRUE(second.own->load(first.own->save()));
  second.runs = first.runs;
  for (int i = 0; i < 5; ++i) {
    const auto a = first.propose(), b = second.propose();
    ASSERT_EQ(a, b);
    first.learn(a, "model", std::vector<std::size_t>(a.size(), 1));
    second.learn(b, "model", std::vector<std::size_t>(b.size(), 1));
  }
}

}  // namespace
}  // namespace schism::model
