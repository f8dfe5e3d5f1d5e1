// POS: the lazy draws against the definition, and what makes it better than a random walk.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "schism/run/runner.hpp"
#include "schism/schedule/pos_race.hpp"
#include "schism/schedule/registry.hpp"
#include "schism/schism.hpp"
#include "schism/system/systems.hpp"

namespace schism {
namespace {

using Fit = Race::Fit;

constexpr auto any = [](const Race::Item&) { return Fit::now; };

// Within five standard deviations of what is expected.
void expect_rate(int observed, int runs, double p) {
  EXPECT_NEAR(observed, runs * p, 5 * std::sqrt(runs * p * (1 - p))) << "of " << runs;
}

TEST(Pos, TheGreatestOfManyIsDrawnAsSuch) {
  Rng rng(1);
  constexpr int kRuns = 40'000;
  for (const int k : {1, 5, 9, 64, 65, 1000})
    for (const double quantile : {0.1, 0.5, 0.9}) {
      const double below = std::pow(quantile, 1.0 / k);
      int count = 0;
      for (int i = 0; i < kRuns; ++i)
        count += to_unit(greatest_of(static_cast<std::uint64_t>(k), rng)) < below;
      expect_rate(count, kRuns, quantile);
    }
}

// A script of three nodes: what waits at the start, and that each of the first four events adds
// another one to the next node.
constexpr std::uint32_t kStart[] = {0, 0, 0, 1, 1, 2};

template <class Take, class Add>
std::string scripted(Take&& take, Add&& add) {
  std::string order;
  std::uint32_t next = 0;
  for (const std::uint32_t node : kStart) add(node, next++);
  for (int step = 0; step < 5; ++step) {
    const auto [node, slot] = take();
    order += static_cast<char>('a' + slot);
    if (step < 4) add((node + 1) % 3, next++);
  }
  return order;
}

std::string lazily(Rng& rng) {
  Race race;
  race.reset(3);
  return scripted(
      [&] {
        const auto best = race.best(any, rng);
        race.take(*best);
        race.redraw(best->place);
        return std::pair(best->place, best->item.slot);
      },
      [&](std::uint32_t node, std::uint32_t slot) { race.add(node, {.slot = slot}, rng); });
}

std::string by_definition(Rng& rng) {
  struct Event {
    std::uint32_t node, slot;
    std::uint64_t priority;
  };
  std::vector<Event> events;
  return scripted(
      [&] {
        const auto best = std::max_element(
            events.begin(), events.end(),
            [](const Event& a, const Event& b) { return a.priority < b.priority; });
        const Event event = *best;
        events.erase(best);
        for (Event& other : events)
          if (other.node == event.node) other.priority = rng.next();
        return std::pair(event.node, event.slot);
      },
      [&](std::uint32_t node, std::uint32_t slot) {
        events.push_back({node, slot, rng.next()});
      });
}

TEST(Pos, LazyDrawsAreDistributedAsByTheDefinition) {
  constexpr int kRuns = 300'000;
  std::map<std::string, std::pair<int, int>> orders;
  Rng lazy(2), plain(3);
  for (int run = 0; run < kRuns; ++run) {
    ++orders[lazily(lazy)].first;
    ++orders[by_definition(plain)].second;
  }
  // Chi-squared over orders that are frequent enough; its variance is twice its degrees of freedom.
  double squares = 0;
  int cells = 0;
  for (const auto& [order, count] : orders) {
    const double total = count.first + count.second;
    if (total < 40) continue;
    const double difference = count.first - count.second;
    squares += difference * difference / total;
    ++cells;
  }
  EXPECT_GT(cells, 1000);
  EXPECT_NEAR(squares, cells, 5 * std::sqrt(2.0 * cells));
}

TEST(Pos, OnlyWhatRacesDrawsAnew) {
  Rng rng(4);
  int changed = 0;
  for (int run = 0; run < 1000; ++run) {
    Race race;
    race.reset(2);
    for (std::uint32_t i = 0; i < 6; ++i) race.add(i % 2, {.slot = i}, rng);
    const auto only = [&](std::uint32_t node) {
      return race.best(
          [=](const Race::Item& i) { return i.slot % 2 == node ? Fit::now : Fit::later; }, rng);
    };
    const auto here = *only(0), there = *only(1);
    race.take(here);
    race.redraw(0);
    const auto there_after = *only(1);
    ASSERT_EQ(there_after.priority, there.priority);
    ASSERT_EQ(there_after.item.slot, there.item.slot);
    changed += only(0)->priority > here.priority;
  }
  EXPECT_GT(changed, 200) << "priorities at the same node must be able to rise";
}

TEST(Pos, WhatIsBlockedKeepsItsPriorityAndWhatIsGoneGoes) {
  Rng rng(5);
  Race race;
  race.reset(3);
  for (std::uint32_t i = 0; i < 30; ++i) race.add(i % 3, {.slot = i}, rng);
  const auto first = *race.best(any, rng);
  // The rest in the order of priorities, by calling the better ones blocked.
  std::vector<std::uint32_t> order;
  std::uint64_t last = UINT64_MAX;
  const auto seen = [&](const Race::Item& item) {
    return std::find(order.begin(), order.end(), item.slot) != order.end();
  };
  while (const auto best =
             race.best([&](const Race::Item& i) { return seen(i) ? Fit::later : Fit::now; }, rng)) {
    EXPECT_LE(best->priority, last);
    last = best->priority;
    order.push_back(best->item.slot);
  }
  EXPECT_EQ(order.size(), 30U);
  EXPECT_EQ(race.best(any, rng)->priority, first.priority);
  for (std::size_t i = 0; i < 29; ++i) {
    const auto best = race.best(
        [&](const Race::Item& item) { return item.slot == order[i] ? Fit::never : Fit::now; }, rng);
    ASSERT_EQ(best->item.slot, order[i + 1]);
  }
}

// ---- through the scheduler -------------------------------------------------------------------

struct Direct {
  int from;
  FIELDS(from)
};
struct Relayed {
  int hops;
  FIELDS(hops)
};
struct Arrived {
  bool relayed;
  FIELDS(relayed)
};

// Node 1 writes to node 0 directly, and by way of all others. Or: all write to node 0.
struct Relay : Node<Relay, Direct, Relayed> {
  struct Config {
    bool star = false;
  };
  int heard = 0;
  FIELDS(heard)

  void start(Context& c) {
    if (c.self != 0 && (c.self == 1 || c.config().star)) c.send(0, Direct{c.self});
    if (c.self == 1 && !c.config().star) pass_on(c, 1);
  }
  void on(Context& c, NodeId, const Direct&) {
    ++heard;
    c.announce(Arrived{false});
  }
  void on(Context& c, NodeId, const Relayed& r) {
    ++heard;
    if (c.self != 0) pass_on(c, r.hops + 1);
  }
  void pass_on(Context& c, int hops) { c.send((c.self + 1) % c.nodes(), Relayed{hops}); }
};
const Registration registered =
    system<Relay>("test-pos-relay", "for tests: a direct message and a relayed one")
        .nodes(6, 2, 64)
        .param<&Relay::Config::star>("star", "all write to node 0 instead")
        .thread_safe();

struct Course {
  Course(const char* spec, int nodes, bool star) {
    scheduler = std::move(*schedulers().make(*parse_spec(spec), "scheduler"));
    Setup setup;
    setup.system = systems().find("test-pos-relay");
    const auto config = setup.system->fresh_config();
    static_cast<Relay::Config*>(config.get())->star = star;
    setup.config = config;
    setup.nodes = nodes;
    runner.emplace(setup, RunLimits{});
  }
  RunSummary run(std::uint64_t seed) { return runner->run(*scheduler, {seed, 0}); }
  // Whether the relayed message overtakes the direct one.
  bool relayed_first(std::uint64_t seed) {
    run(seed);
    return runner->world().decisions().back().name.from() == 1;
  }
  std::unique_ptr<Scheduler> scheduler;
  std::optional<Runner> runner;
};

// A random walk must be lucky at each of the n-1 hops. With POS the direct message has one priority
// for all of them: 1/n instead of 2^-(n-1).
TEST(Pos, IsLessBiasedThanARandomWalk) {
  constexpr int kNodes = 7, kRuns = 20'000;
  for (const auto& [spec, p] : {std::pair("pos", 1.0 / kNodes), {"random", 1.0 / 64}}) {
    Course course(spec, kNodes, false);
    int first = 0;
    for (std::uint64_t seed = 0; seed < kRuns; ++seed) first += course.relayed_first(seed);
    expect_rate(first, kRuns, p);
  }
}

TEST(Pos, ReachesAllOrdersOfMessagesToOneNodeEquallyOften) {
  constexpr int kRuns = 24'000;
  Course course("pos", 5, true);
  std::map<std::string, int> classes;
  for (std::uint64_t seed = 0; seed < kRuns; ++seed) ++classes[to_hex(course.run(seed).run_class)];
  EXPECT_EQ(classes.size(), 24U);
  for (const auto& [name, count] : classes) expect_rate(count, kRuns, 1.0 / 24);
}

TEST(Pos, ReachesEveryClassThatARandomWalkReaches) {
  schism::Setup setup;
  setup.system = systems().find("toy-consensus");
  const auto config = setup.system->fresh_config();
  ASSERT_TRUE(setup.system->params.set(config.get(), "rounds", "1", "system"));
  setup.config = config;
  setup.nodes = 3;
  Runner runner(setup, {});
  std::map<std::string, std::pair<int, int>> classes;
  for (const char* spec : {"random", "pos"}) {
    const auto scheduler = std::move(*schedulers().make(*parse_spec(spec), "scheduler"));
    for (std::uint64_t seed = 0; seed < 60'000; ++seed) {
      auto& [random, pos] = classes[to_hex(runner.run(*scheduler, {seed, 0}).run_class)];
      ++(*spec == 'r' ? random : pos);
    }
  }
  EXPECT_GT(classes.size(), 100U);
  int random_only = 0;
  for (const auto& [name, counts] : classes) random_only += counts.second == 0;
  EXPECT_EQ(random_only, 0) << "of " << classes.size();
}

}  // namespace
}  // namespace schism
