// Worlds as models: counts that two other programs found, sets of classes compared with a slow
// definition, and what each kind of event enables and kills.
#include "schism/check/world_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "schism/check/testing/random_model.hpp"
#include "schism/check/testing/reference.hpp"
#include "schism/run/config.hpp"
#include "schism/schism.hpp"

namespace schism::check {
namespace {

struct Case {
  std::string system;
  int nodes;
  Bounds bounds;
  Pairs world;
};

Setup setup_of(const Case& c) {
  RunText text;
  text.system = *parse_spec(c.system);
  text.nodes = std::to_string(c.nodes);
  text.world = c.world;
  const auto config = make_config(text);
  EXPECT_TRUE(config) << (config ? "" : config.error());
  return config->setup;
}

std::unique_ptr<WorldModel> model_of(const Case& c) {
  auto model = std::make_unique<WorldModel>(setup_of(c), c.bounds, true);
  model->judge_nothing();
  return model;
}

Bounds crash(std::vector<NodeId> who) {
  Bounds b;
  b.may_crash = std::move(who);
  return b;
}
Bounds any_crash(int nodes, std::uint32_t crashes = 1) {
  Bounds b;
  for (NodeId id = 0; id < nodes; ++id) b.may_crash.push_back(id);
  b.crashes = crashes;
  return b;
}
Bounds losses(std::uint32_t drops, std::uint32_t duplicates, Bounds b = {}) {
  b.drops = drops, b.duplicates = duplicates;
  return b;
}

DporTotals explore(const Case& c, Reduction mode, Order order = Order::hashed) {
  const auto model = model_of(c);
  DporOptions options;
  options.mode = mode;
  options.order = order;
  Dpor dpor(*model, options);
  EXPECT_EQ(dpor.run({}), Finished::all) << model->problem();
  EXPECT_EQ(dpor.totals().unrunnable, 0U);
  return dpor.totals();
}

const Pairs kEmptyEvents = {{"down", "empty"}}, kWaits = {{"down", "waits"}};
const Pairs kFifo = {{"links", "fifo"}};

// ---- known counts ----------------------------------------------------------------------------

TEST(WorldModel, HierarchicalConsensusHasTheKnownNumbersOfRuns) {
  const Case one = {"hierarchical-consensus:proposals=1", 3, {}, {}};
  EXPECT_EQ(explore(one, Reduction::none).executions, 3U);
  EXPECT_EQ(explore(one, Reduction::optimal).executions, 2U);
  const Case lost = {"hierarchical-consensus", 3, crash({1}), {}};
  EXPECT_EQ(explore(lost, Reduction::none).executions, 2'280U);
  EXPECT_EQ(explore(lost, Reduction::optimal).executions, 96U);
  // Go-MC's semantics, and the number of runs and events that it was measured to take.
  const Case gomc = {"hierarchical-consensus:own-notice=true", 3, crash({1}), kEmptyEvents};
  const DporTotals all = explore(gomc, Reduction::none);
  EXPECT_EQ(all.executions, 46'548U);
  EXPECT_EQ(all.steps, 437'832U);
  EXPECT_EQ(explore(gomc, Reduction::optimal).executions, 192U);
  const Case quiet = {"hierarchical-consensus", 3, crash({1}), kEmptyEvents};
  EXPECT_EQ(explore(quiet, Reduction::none).executions, 7'376U);
  EXPECT_EQ(explore(quiet, Reduction::optimal).executions, 108U);
}

TEST(WorldModel, SystemsHaveTheKnownNumbersOfClasses) {
  const std::tuple<Case, std::uint64_t> known[] = {
      {{"hierarchical-consensus", 4, any_crash(4), {}}, 33'864},
      {{"hierarchical-consensus", 4, crash({0}), {}}, 17'568},
      {{"hierarchical-consensus", 4, crash({1}), {}}, 9'216},
      {{"hierarchical-consensus", 4, crash({2}), {}}, 4'104},
      {{"hierarchical-consensus", 4, crash({3}), {}}, 2'976},
      {{"reliable-broadcast", 4, any_crash(4), {}}, 7'827},
      {{"reliable-broadcast:self-delivery=also", 4, crash({0}), {}}, 224'641},
      {{"paxos", 5, {}, {}}, 226'080},
      {{"reliable-broadcast", 3, losses(1, 0), {}}, 65},
      {{"reliable-broadcast", 3, losses(1, 0, any_crash(3)), {}}, 196},
      {{"reliable-broadcast:broadcasts=2", 3, losses(1, 0), {}}, 149'161},
      {{"reliable-broadcast", 3, losses(0, 1, crash({0})), {}}, 96'388},
      {{"reliable-broadcast:broadcasts=2", 2, losses(1, 1, any_crash(2)), {}}, 4'128},
      {{"paxos", 5, {}, kFifo}, 42'048},
      {{"reliable-broadcast:broadcasts=2", 3, any_crash(3), kFifo}, 4'885},
      {{"reliable-broadcast:broadcasts=2", 3, losses(1, 0), kFifo}, 25'801},
  };
  for (const auto& [c, classes] : known) {
    const DporTotals t = explore(c, Reduction::optimal);
    EXPECT_EQ(t.executions, classes) << c.system;
    EXPECT_EQ(t.blocked, 0U) << c.system;
  }
}

// ---- a system with timers, restarts and a disk -------------------------------------------------

struct Nudge {
  int hops;
  FIELDS(hops)
};
SCHISM_ENUM(Bell, ring, late);

// Re-arms and cancels; what it knows after a restart is on its disk.
struct Alarms : Node<Alarms, Nudge> {
  struct Config {
    int arms = 2;
    bool disk = false;
  };
  using Timers = Bell;

  int rung = 0, nudged = 0;
  FIELDS(rung, nudged)

  void start(Context& c) {
    if (c.restarts() > 0) rung = static_cast<int>(c.disk().length(0));
    c.set_timer(Bell::ring, 10);
    c.set_timer(Bell::late, 20);
    if (c.self == 0 && c.restarts() == 0) c.broadcast(Nudge{1});
  }
  void on_timer(Context& c, Bell bell) {
    if (bell == Bell::late) return c.cancel_timer(Bell::ring);
    if (c.config().disk) c.disk().append(0, Nudge{rung}), c.disk().sync(1);
    if (++rung < c.config().arms) c.set_timer(Bell::ring, 10);
    c.send((c.self + 1) % c.nodes(), Nudge{0});
  }
  void on(Context& c, NodeId, const Nudge& n) {
    ++nudged;
    c.cancel_timer(Bell::late);
    if (n.hops > 0 && rung < c.config().arms) c.set_timer(Bell::ring, 10);
  }
  void on_disk(Context&, const DiskDone&) { ++nudged; }
};

const Registration alarms = system<Alarms>("test-alarms", "timers that are cancelled and set again")
                                .nodes(2, 2, 8)
                                .param<&Alarms::Config::arms>("arms", 1, 9, "how often it rings")
                                .param<&Alarms::Config::disk>("disk", "rings are written down");

// ---- sets, in every order --------------------------------------------------------------------

Bounds restarts(std::uint32_t times, Bounds b) {
  b.restarts = times;
  return b;
}
Bounds events(std::uint32_t most, Bounds b = {}) {
  b.events = most;
  return b;
}

std::vector<Case> small_cases() {
  return {
      {"hierarchical-consensus", 3, crash({1}), {}},
      {"hierarchical-consensus", 3, any_crash(3), {}},
      {"hierarchical-consensus", 3, any_crash(3, 2), {}},
      {"hierarchical-consensus:own-notice=true", 3, crash({1}), kEmptyEvents},
      {"hierarchical-consensus", 3, crash({0, 1}), {}},
      {"hierarchical-consensus", 3, restarts(1, crash({0})), kWaits},
      {"hierarchical-consensus", 3, restarts(1, crash({0})), kEmptyEvents},
      {"hierarchical-consensus", 4, events(3, crash({1})), {}},
      {"reliable-broadcast", 3, losses(1, 0, any_crash(3)), {}},
      {"reliable-broadcast", 3, losses(1, 0, restarts(1, crash({1}))), kWaits},
      {"reliable-broadcast", 3, losses(2, 0), {}},
      {"reliable-broadcast", 2, losses(1, 1, crash({0})), {}},
      {"reliable-broadcast", 2, losses(1, 2), {}},
      {"reliable-broadcast", 3, any_crash(3), kFifo},
      {"reliable-broadcast:broadcasts=2", 2, losses(1, 0, crash({1})), kFifo},
      {"reliable-broadcast:broadcasts=2", 2, any_crash(2), kFifo},
      {"reliable-broadcast:piecewise=true", 3, crash({0}), {}},
      {"paxos:proposers=1", 4, any_crash(4), {}},
      {"paxos:proposers=2", 4, {}, {}},
      {"paxos:proposers=1,ballots=2", 3, {}, {}},
      {"two-phase-commit", 3, any_crash(3), {}},
      {"two-phase-commit", 4, {}, {}},
      {"test-alarms:arms=1", 2, {}, {}},
      {"test-alarms", 2, events(4), {}},
      {"test-alarms:arms=1", 2, crash({0}), {}},
      {"test-alarms:arms=1", 2, restarts(1, crash({0})), kWaits},
      {"test-alarms:arms=1", 2, events(4, restarts(1, any_crash(2, 2))), kWaits},
      {"test-alarms:arms=1", 2, events(4, restarts(2, crash({1}))), kEmptyEvents},
      {"test-alarms:arms=1,disk=true", 2, events(5, restarts(1, crash({0}))), kWaits},
      {"test-alarms", 3, events(2), {}},
      {"toy-consensus:rounds=1", 3, {}, {}},
      {"test-relay:requests=1", 2, {}, {}},
      {"test-relay:requests=1", 2, crash({1}), {}},
      {"test-relay:requests=2", 2, events(3, crash({0})), {}},
  };
}

TEST(WorldModel, EveryReductionIsExactInEveryOrder) {
  std::size_t cases = 0, classes = 0;
  for (const Case& c : small_cases()) {
    ASSERT_TRUE(WorldModel::check(setup_of(c), c.bounds));
    const auto model = model_of(c);
    const Counted there = count_classes(*model, 25'000);
    ASSERT_TRUE(there.complete) << c.system << ": " << there.classes.size();
    EXPECT_EQ(model->problem(), "");
    ++cases;
    classes += there.classes.size();
    for (const Reduction mode : {Reduction::optimal, Reduction::source, Reduction::sleep})
      for (const DporOptions& options : six_orders(mode)) {
        model->rewind(0);
        const Compared compared = compare(*model, options, there.classes);
        EXPECT_TRUE(compared.exact())
            << c.system << ", mode " << static_cast<int>(mode) << ", order " << options.order_seed
            << ": of " << there.classes.size() << " missed " << compared.missed << ", twice "
            << compared.twice << ", foreign " << compared.foreign << ", not runnable "
            << compared.unrunnable << " " << model->problem();
        if (mode == Reduction::optimal) {
          EXPECT_EQ(compared.blocked, 0U) << c.system;
        }
      }
  }
  fmt::print("{} worlds, {} classes\n", cases, classes);
  EXPECT_GE(cases, 25U);
  EXPECT_GE(classes, 5'000U);
}

TEST(WorldModel, IsExactUpToADepth) {
  std::size_t classes = 0;
  for (const Case& c : small_cases())
    for (const std::uint32_t depth : {4U, 6U}) {
      const auto model = model_of(c);
      const Counted there = count_classes(*model, 30'000, depth);
      ASSERT_TRUE(there.complete) << c.system;
      classes += there.classes.size();
      for (DporOptions options : six_orders(Reduction::optimal)) {
        options.depth = depth;
        model->rewind(0);
        EXPECT_TRUE(compare(*model, options, there.classes).exact()) << c.system << " " << depth;
      }
    }
  EXPECT_GE(classes, 5'000U);
}

// Races whose second event was there already in the run before must be looked at again.
TEST(WorldModel, LookingOnlyAtNewRacesLosesClasses) {
  std::uint64_t lost = 0;
  const auto model = model_of({"hierarchical-consensus", 4, any_crash(4), {}});
  for (DporOptions options : six_orders(Reduction::optimal)) {
    options.rules.whole_run = false;
    model->rewind(0);
    Dpor dpor(*model, options);
    EXPECT_EQ(dpor.run({}), Finished::all);
    lost += 33'864 - dpor.totals().executions;
  }
  EXPECT_GT(lost, 0U);
}

// A message that waits for a restart must be an event of each life of its node.
TEST(WorldModel, OneEventForAllLivesOfANodeLosesClasses) {
  std::size_t wrong = 0;
  for (Case c : {Case{"hierarchical-consensus", 3, restarts(1, crash({0})), kWaits},
                 Case{"reliable-broadcast", 3, losses(1, 0, restarts(1, crash({1}))), kWaits},
                 Case{"test-alarms:arms=1", 2, restarts(1, crash({0})), kWaits}}) {
    c.bounds.incarnations = false;
    const auto model = model_of(c);
    const Counted there = count_classes(*model, 25'000);
    ASSERT_TRUE(there.complete);
    for (const DporOptions& options : six_orders(Reduction::optimal)) {
      model->rewind(0);
      wrong += compare(*model, options, there.classes).exact() ? 0 : 1;
    }
  }
  EXPECT_GT(wrong, 0U);
}

// ---- what it refuses -------------------------------------------------------------------------

TEST(WorldModel, RefusesWhatItCannotExplore) {
  const auto refused = [](const Case& c, const Faults& faults = {}) {
    schism::Setup setup = setup_of(c);
    setup.options.faults = faults;
    return !WorldModel::check(setup, c.bounds);
  };
  EXPECT_TRUE(refused({"paxos", 5, restarts(1, crash({0})), {}})) << "lost with restarts";
  EXPECT_TRUE(refused({"paxos", 5, losses(0, 1), kFifo}));
  EXPECT_TRUE(refused({"paxos", 5, {}, {{"down-max", "1"}}}));
  Faults cuts;
  cuts.cut = 1;
  EXPECT_TRUE(refused({"paxos", 5, {}, {}}, cuts));
  EXPECT_FALSE(refused({"paxos", 5, restarts(1, crash({0})), kWaits}));
}

}  // namespace
}  // namespace schism::check
