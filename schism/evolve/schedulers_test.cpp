// Whether runs obey their genomes: a message comes when its delay is over, and the one with the
// best priority is next.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "schism/evolve/locality.hpp"
#include "schism/evolve/obedient.hpp"
#include "schism/evolve/trace_graph.hpp"
#include "schism/run/config.hpp"
#include "schism/words/codec.hpp"

namespace schism::evolve {
namespace {

RunConfig config_of(const std::string& explorer, const std::string& system = "toy-consensus",
                    Pairs faults = {}) {
  RunText text;
  text.system = *parse_spec(system);
  text.faults = std::move(faults);
  text.explorer = *parse_spec(explorer);
  auto config = make_config(text);
  EXPECT_TRUE(config) << config.error();
  return *std::move(config);
}

// Plays one genome and shows every event to a function.
struct Stage {
  explicit Stage(const std::string& explorer)
      : config(config_of(explorer)),
        classes(*find_message_classes(*config.setup.system, "")),
        layout(config.setup.nodes, classes.words.size()),
        scheduler(make_scheduler(config)) {}

  void play(const Genome& genome, std::uint64_t seed, const Looker::Look& look) {
    const auto watcher = watch(kEveryEvent, look);
    Runner own(config.setup, config.limits);
    own.attach(*watcher);
    RunPlan plan;
    plan.seed = plan.node_seed = seed;
    plan.gene = pack(genome);
    own.run(*scheduler, plan);
    report = scheduler->report();
  }
  double gene(const Genome& genome, Name name) const {
    return genome[layout.gene(name.from(), name.to(), static_cast<std::size_t>(name.type()))];
  }

  RunConfig config;
  MessageClasses classes;
  Layout layout;
  std::unique_ptr<Scheduler> scheduler;
  std::string report;
};

TEST(Layout, EveryTripleHasAGeneOfItsOwn) {
  const Layout layout(5, 13);
  EXPECT_EQ(layout.genes(), 260U);
  std::vector<bool> seen(260, false);
  for (NodeId from = 0; from < 5; ++from)
    for (NodeId to = 0; to < 5; ++to)
      for (std::size_t type = 0; type < 13; ++type) {
        const std::size_t gene = layout.gene(from, to, type);
        if (from == to) {
          EXPECT_EQ(gene, Layout::kNone);
          continue;
        }
        ASSERT_LT(gene, 260U);
        EXPECT_FALSE(seen[gene]);
        seen[gene] = true;
      }
}

TEST(Delays, AMessageComesWhenItsDelayIsOver) {
  Stage stage("delays(timed:min=0ms,max=0ms)");
  Rng random(4);
  const Genome genome = Space{stage.layout.genes(), 0, 4000, false}.draw(random);
  std::map<std::uint64_t, Micros> sent;
  int delivered = 0;
  stage.play(genome, 1, [&](const World& world, std::span<const Event> events) {
    for (const Event& e : events) {
      if (e.kind == Happened::sent) sent[e.value] = world.clock();
      if (e.kind != Happened::delivered || e.name().from() == e.name().to()) continue;
      ++delivered;
      const auto ms = static_cast<Micros>(stage.gene(genome, e.name()) + 0.5);
      EXPECT_EQ(world.clock() - sent.at(e.value), ms * 1000);
    }
  });
  EXPECT_GT(delivered, 5);
}

// The best of what was in flight when the last message had come is next. With each delivery those
// that wait come nearer to the lowest by `aging`.
void check_order(const std::string& explorer, bool highest, const Space& kind, double aging = 0) {
  Stage stage(explorer);
  Space space = kind;
  space.genes = stage.layout.genes();
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Rng random(seed);
    const Genome genome = space.draw(random);
    std::map<std::uint64_t, double> candidates, fresh, keys;
    int delivered = 0;
    stage.play(genome, seed, [&](const World& world, std::span<const Event> events) {
      for (const Event& e : events) {
        if (e.kind == Happened::sent && e.name().from() != e.name().to())
          fresh[e.value] = keys[e.value] =
              stage.gene(genome, e.name()) + aging * static_cast<double>(world.deliveries());
        if (e.kind != Happened::delivered || e.name().from() == e.name().to()) continue;
        if (delivered++ == 0) candidates.merge(fresh);
        const double own = keys.at(e.value);
        for (const auto& [name, gene] : candidates)
          EXPECT_TRUE(highest ? gene <= own : gene >= own) << explorer << " seed " << seed;
        candidates.erase(e.value);
        fresh.erase(e.value);
      }
      if (std::any_of(events.begin(), events.end(),
                      [](const Event& e) { return e.kind == Happened::delivered; }))
        candidates.merge(fresh);
    });
    EXPECT_GT(delivered, 5);
  }
}

TEST(Inbox, TheHighestRankIsNext) { check_order("inbox", true, {0, 0, 0, true}); }
TEST(Inbox, TheLowestValueIsNextWhereNothingAges) {
  check_order("inbox:order=aged,aging=0", false, {0, 0, 300, true});
}
TEST(Inbox, WhatWaitsComesNearer) {
  check_order("inbox:order=aged,aging=5", false, {0, 0, 300, true}, 5);
}
// Raft cancels most of its timers: a queue of cancelled ones is no end of a run.
TEST(Inbox, GoesOnThoughTimersWereCancelled) {
  const RunConfig config = config_of("inbox", "raft:progress=false");
  const auto scheduler = make_scheduler(config);
  Runner runner(config.setup, config.limits);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    runner.run(*scheduler, {seed, seed});
    EXPECT_GE(runner.world().step(), config.limits.steps);
  }
}

// Equation 3.1 by its definition: the next delivery comes whole periods after this one, and how
// long a period is follows from how many are left. Crashes and partitions take messages away
// meanwhile.
TEST(Inbox, DeliversAtARateThatFollowsHowManyWait) {
  constexpr double kEvents = 200, kTarget = 8;
  const RunConfig config =
      config_of("strikes:horizon=300(inbox:events=200,target=8)", "raft:progress=false",
                {{"crash", "3"}, {"duplicate", "3"}, {"partition", "2"}});
  const auto scheduler = make_scheduler(config);
  int faster = 0, slower = 0, crashes = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    double rate = kEvents / 2;
    Micros last = 0, period = 1;
    std::uint32_t waiting = 0;
    const auto watcher = watch(kEveryEvent, [&](const World& world, std::span<const Event> events) {
      if (world.calm()) return;
      for (const Event& e : events) {
        crashes += e.kind == Happened::crashed ? 1 : 0;
        if (e.kind != Happened::delivered) continue;
        EXPECT_EQ((world.clock() - last) % period, 0) << "seed " << seed;
        const std::uint32_t left = waiting - 1;
        if (left > kTarget * 1.25) ++faster, rate = std::min(rate * 1.1, kEvents);
        if (left < kTarget * 0.75) ++slower, rate = std::max(rate / 1.1, kEvents / 6);
        last = world.clock();
        period = static_cast<Micros>(1e6 / rate);
      }
      waiting = 0;
      world.pending().each([&](Do kind, std::uint32_t) { waiting += kind == Do::deliver ? 1 : 0; });
    });
    Runner runner(config.setup, config.limits);
    runner.attach(*watcher);
    runner.run(*scheduler, {seed, seed});
  }
  EXPECT_GT(faster, 100);
  EXPECT_GT(slower, 100);
  EXPECT_GT(crashes, 10);
}

TEST(Ranks, TheLowestGeneIsNext) { check_order("ranks(random)", false, {0, 0, 300, false}); }

TEST(Obedient, ReportsWhatItsGaugesMeasured) {
  Stage stage("delays:gauges=time/steps/deliveries");
  Rng random(1);
  std::uint64_t steps = 0, deliveries = 0;
  Micros clock = 0;
  stage.play(Space{stage.layout.genes(), 0, 100, false}.draw(random), 3,
             [&](const World& world, auto) {
               if (world.calm()) return;
               steps = world.step(), deliveries = world.deliveries(), clock = world.clock();
             });
  const auto report = decode<Report>(stage.report);
  ASSERT_TRUE(report);
  ASSERT_EQ(report->values.size(), 3U);
  EXPECT_DOUBLE_EQ(report->values[0], static_cast<double>(clock) * 1e-6);
  EXPECT_DOUBLE_EQ(report->values[1], static_cast<double>(steps));
  EXPECT_DOUBLE_EQ(report->values[2], static_cast<double>(deliveries));
}

TEST(Obedient, GaugesOfWaitingAndAnnouncingAreThoseOfTheRun) {
  Stage stage("delays:gauges=backlog/announcements");
  Rng random(2);
  std::uint32_t most = 0, last = 0, announced = 0;
  stage.play(Space{stage.layout.genes(), 0, 100, false}.draw(random), 3,
             [&](const World& world, std::span<const Event> events) {
               if (world.calm()) return;
               for (const Event& e : events) {
                 announced += e.kind == Happened::announced ? 1 : 0;
                 if (e.kind != Happened::delivered) continue;
                 last = world.pending().deliverable.size();
                 most = std::max(most, last);
               }
             });
  const auto report = decode<Report>(stage.report);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->values,
            (std::vector<double>{static_cast<double>(most), static_cast<double>(announced)}));
  EXPECT_LT(last, most);
}

// What a fair tail does is nobody's merit.
TEST(Obedient, GaugesEndWhereTheTailBegins) {
  Stage stage("delays:gauges=deliveries");
  stage.config.limits.steps = 3;
  const Genome genome(stage.layout.genes(), 1);
  stage.play(genome, 3, [](const World&, auto) {});
  const auto with_tail = decode<Report>(stage.report);
  stage.config.limits.tail = 0;
  stage.play(genome, 3, [](const World&, auto) {});
  const auto without = decode<Report>(stage.report);
  ASSERT_TRUE(with_tail && without);
  EXPECT_EQ(with_tail->values, without->values);
  EXPECT_EQ(with_tail->behaviour, without->behaviour);
}

// A vertex each delivery and timer; an edge from what its node did before, and one from where its
// message was sent.
TEST(TraceGraphs, HaveTheOrderOfNodesAndTheCausesOfMessages) {
  const RunConfig config = config_of("random");
  TraceGraph graph(*find_message_classes(*config.setup.system, ""));
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  std::map<NodeId, std::uint32_t> last;
  std::map<std::uint64_t, std::uint32_t> sent_in;
  std::uint32_t vertices = 0;
  const auto slow = watch(kEveryEvent, [&](const World& world, std::span<const Event> events) {
    if (world.calm()) return;
    for (const Event& e : events) {
      const auto node = static_cast<NodeId>(e.node);
      if (e.kind == Happened::sent && last.contains(node)) sent_in[e.value] = last[node];
      if (e.kind != Happened::delivered && e.kind != Happened::timer_fired) continue;
      if (last.contains(node)) edges.emplace(last[node], vertices);
      if (e.kind == Happened::delivered && sent_in.contains(e.value))
        edges.emplace(sent_in[e.value], vertices);
      last[node] = vertices++;
    }
  });
  Runner runner(config.setup, config.limits);
  runner.attach(graph);
  runner.attach(*slow);
  const auto scheduler = make_scheduler(config);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    edges.clear(), last.clear(), sent_in.clear();
    vertices = 0;
    runner.run(*scheduler, {seed, seed});
    const auto& own = graph.graph().edges;
    EXPECT_EQ(graph.graph().size(), vertices);
    EXPECT_EQ(own.size(), edges.size()) << "none twice";
    EXPECT_TRUE(std::all_of(own.begin(), own.end(), [&](const auto& edge) {
      return edges.contains({edge.first, edge.second});
    }));
    EXPECT_GT(edges.size(), vertices) << "causes beside orders";
  }
}

TEST(Evolve, SaysWhatDoesNotFit) {
  const auto refused = [](const std::string& explorer) {
    RunText text;
    text.system = *parse_spec("toy-consensus");
    text.explorer = *parse_spec(explorer);
    const auto config = make_config(text);
    return config ? std::string("accepted") : config.error();
  };
  EXPECT_EQ(refused("evolve"), "accepted");
  EXPECT_NE(refused("evolve:fitness=tim"), "accepted");
  EXPECT_NE(refused("evolve:classes=groot"), "accepted");
  EXPECT_NE(refused("evolve:fitness=xrpl-gap"), "accepted");
  EXPECT_NE(refused("evolve(random)"), "accepted") << "delays want a clock";
  EXPECT_NE(refused("evolve:representation=aged,fitness=time(random)"), "accepted");
}

TEST(Locality, TheSameGenomeAndSeedsAreTheSameRun) {
  const RunConfig config = config_of("delays");
  LocalityOptions options;
  options.genomes = 4, options.neighbours = 3, options.schedules = 5;
  const std::atomic<bool> stop{false};
  const auto measured = measure_locality(config, options, stop);
  ASSERT_TRUE(measured) << measured.error();
  EXPECT_EQ(measured->neighbours.count, 12U);
  EXPECT_EQ(measured->random.count, 6U);
  EXPECT_LE(measured->neighbours.mean(), measured->random.mean());
  // With delays of at most two milliseconds, one more or less makes another run of some.
  options.max_ms = 2;
  const auto near = measure_locality(config, options, stop);
  ASSERT_TRUE(near) << near.error();
  EXPECT_LT(near->same, 12U);
  EXPECT_GT(near->neighbours.mean(), 0);
  double all = 0;
  for (const auto& [word, share] : measured->shares) all += share.mean();
  EXPECT_NEAR(all, 1, 1e-9);
}

}  // namespace
}  // namespace schism::evolve
