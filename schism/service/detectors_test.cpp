// The detectors say exactly what their specifications allow: the histories of all runs are compared
// with those of a slow definition. Heartbeats, a real detector, say nothing that the abstract one
// could not say.
#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "schism/schism.hpp"
#include "schism/service/eventual_leader.hpp"
#include "schism/service/eventually_perfect.hpp"
#include "schism/service/heartbeats.hpp"
#include "schism/testing/checked.hpp"

namespace schism::service {
namespace {

using namespace testing_tools;
using History = std::vector<int>;
using Histories = std::set<History>;

// ---- systems -----------------------------------------------------------------------------------

struct Fell {
  FIELDS()
};
struct Pulse {
  FIELDS()
};
SCHISM_ENUM(Clock, suspect, restore, settle, trust, tick);
SCHISM_ENUM(Kind, abstract, leader, heartbeats);

struct Watcher : Node<Watcher, Fell, Pulse> {
  struct Config {
    Kind kind = Kind::abstract;
    int wrong = 1, ticks = 0;
  };
  using Timers = Clock;

  EventuallyPerfect<Clock::suspect, Clock::restore, Clock::settle> detector;
  EventualLeader<Clock::trust, Clock::settle> omega;
  Heartbeats<Clock::tick, Pulse> heartbeats;
  History said;       // q + 1: suspects q; -(q + 1): not any more. Of leaders: who
  bool gone = false;  // it crashed and came back: for these detectors that is still crashed
  FIELDS(detector, omega, heartbeats, said, gone)

  auto changed() {
    return [this](NodeId who, bool suspected) { said.push_back(suspected ? who + 1 : -who - 1); };
  }
  void start(Context& c) {
    const Config& k = c.config();
    gone = c.restarts() > 0;
    if (gone) return;
    if (k.kind == Kind::abstract) detector.start(c, {.wrong = k.wrong});
    if (k.kind == Kind::leader) omega.start(c, {.wrong = k.wrong, .first = c.nodes() - 1});
    if (k.kind == Kind::heartbeats) heartbeats.start(c, {.ticks = k.ticks});
  }
  void on_timer(Context& c, Clock timer, int key) {
    if (c.config().kind == Kind::leader)
      omega.on_timer(c, timer, key, [&] { said.push_back(omega.leader); });
    else if (!heartbeats.on_timer(c, timer, key, changed()))
      detector.on_timer(c, timer, key, changed());
  }
  void on(Context& c, NodeId who, const Fell&) {
    if (c.config().kind == Kind::leader)
      omega.on_crash(c, who, [&] { said.push_back(omega.leader); });
    else detector.on_crash(c, who, changed());
  }
  void on(Context&, NodeId from, const Pulse&) { heartbeats.on_beat(from); }
};

// Whoever is up suspects those that are down, and nobody else.
bool accurate(const World& world) {
  std::uint64_t down = 0, suspected = 0;
  for (NodeId id = 0; id < world.setup().nodes; ++id)
    if (!world.up(id) || world.as<Watcher>(id)->gone) down |= std::uint64_t{1} << id;
  for (NodeId id = 0; id < world.setup().nodes; ++id)
    if (const auto* node = world.as<Watcher>(id); node && !node->gone) {
      suspected = node->detector.suspected | node->heartbeats.suspected;
      if (suspected != down) return false;
    }
  return true;
}

const Registration registered = [] {
  auto builder = system<Watcher>("test-detectors", "for tests: failure detectors");
  builder.nodes(3, 1, 8)
      .param<&Watcher::Config::kind>("kind", "which detector")
      .param<&Watcher::Config::wrong>("wrong", 0, 8, "what it may say wrongly")
      .param<&Watcher::Config::ticks>("ticks", 0, 100, "timeouts; 0: for ever")
      .crash_notice<Fell>(nullptr,
                          [](const Watcher::Config& k) { return k.kind != Kind::heartbeats; })
      .oracle([](const Setup& s) -> std::unique_ptr<Oracle> {
        const auto kind = static_cast<const Watcher::Config*>(s.config.get())->kind;
        return std::make_unique<Eventually>(
            "accuracy", [kind](const World& w) { return kind == Kind::leader || accurate(w); });
      })
      .steps(300);
  return Registration(builder);
}();

// ---- slow definitions --------------------------------------------------------------------------

// Of one observer, for a set of nodes that crash, all of them told in the end.
struct Definition {
  int nodes, self;
  std::uint64_t crashing;

  static std::uint64_t mask(int node) { return std::uint64_t{1} << node; }

  // Suspicions without reason: `wrong` of them, taken back before the end.
  void suspicions(std::uint64_t wrongly, std::uint64_t told, int wrong, History& so_far,
                  Histories& out, bool prefixes = false) const {
    if ((told == crashing && wrongly == 0) || prefixes) out.insert(so_far);
    for (int q = 0; q < nodes; ++q) {
      if (q == self) continue;
      const auto go = [&](std::uint64_t w, std::uint64_t t, int left, int word) {
        if (word != 0) so_far.push_back(word);
        suspicions(w, t, left, so_far, out, prefixes);
        if (word != 0) so_far.pop_back();
      };
      const bool is_wrong = (wrongly & mask(q)) != 0, is_told = (told & mask(q)) != 0;
      if (!is_wrong && !is_told && wrong > 0) go(wrongly | mask(q), told, wrong - 1, q + 1);
      if (is_wrong) go(wrongly & ~mask(q), told, wrong, -q - 1);
      if ((crashing & mask(q)) && !is_told)
        go(wrongly & ~mask(q), told | mask(q), wrong, is_wrong ? 0 : q + 1);
    }
  }
  // The last node that is not told to have crashed leads in the end; the next after it is 0.
  int last(std::uint64_t told) const {
    for (int i = 0; i < nodes; ++i)
      if (!(told & mask((nodes - 1 + i) % nodes))) return (nodes - 1 + i) % nodes;
    return nodes - 1;
  }
  void leaders(int leader, std::uint64_t told, int wrong, bool settled, History& so_far,
               Histories& out) const {
    if (told == crashing && settled) out.insert(so_far);
    const auto go = [&](int next, std::uint64_t t, int left, bool s) {
      if (next != leader) so_far.push_back(next);
      leaders(next, t, left, s, so_far, out);
      if (next != leader) so_far.pop_back();
    };
    for (int q = 0; q < nodes; ++q) {
      if (!settled && wrong > 0 && q != leader) go(q, told, wrong - 1, false);
      if (q == self || !(crashing & mask(q)) || (told & mask(q))) continue;
      go(settled ? last(told | mask(q)) : leader, told | mask(q), wrong, settled);
    }
    if (!settled) go(last(told), told, 0, true);
  }
};

struct Seen {
  std::vector<Histories> each;
  std::set<std::vector<History>> together;
  std::uint64_t runs = 0;
};

Seen histories(const std::string& system, int nodes, const std::vector<NodeId>& crashing,
               std::uint32_t events = 0) {
  Seen out;
  out.each.resize(static_cast<std::size_t>(nodes));
  EveryRun every;
  every.crashing = crashing;
  every.events = events;
  every.done = [&](const World& world) {
    std::vector<History> all;
    for (NodeId id = 0; id < nodes; ++id)
      if (const auto* node = world.as<Watcher>(id)) {
        out.each[static_cast<std::size_t>(id)].insert(node->said);
        all.push_back(node->said);
      }
    out.together.insert(all);
  };
  out.runs = for_every_run(config_of(system, {.nodes = nodes}), every);
  return out;
}

std::uint64_t bits_of(const std::vector<NodeId>& nodes) {
  std::uint64_t bits = 0;
  for (const NodeId node : nodes) bits |= Definition::mask(node);
  return bits;
}

// ---- tests -------------------------------------------------------------------------------------

struct Universe {
  int nodes, wrong;
  std::vector<NodeId> crashing;
};
const Universe kUniverses[] = {{2, 0, {}},     {2, 1, {}},     {2, 2, {}},  {2, 3, {}},
                               {2, 0, {0}},    {2, 1, {0}},    {2, 2, {1}}, {2, 3, {1}},
                               {3, 0, {1}},    {3, 0, {0, 2}}, {3, 1, {}},  {3, 1, {2}},
                               {3, 1, {0, 1}}, {2, 4, {0}},    {2, 5, {}},  {3, 2, {}}};

TEST(EventuallyPerfect, SaysExactlyWhatItMay) {
  std::size_t compared = 0;
  for (const auto& [nodes, wrong, crashing] : kUniverses) {
    const Seen seen = histories("test-detectors:wrong=" + std::to_string(wrong), nodes, crashing);
    std::size_t product = 1;
    for (NodeId id = 0; id < nodes; ++id) {
      Histories expected;
      if (!(bits_of(crashing) & Definition::mask(id))) {
        History none;
        const Definition d{nodes, id, bits_of(crashing)};
        d.suspicions(0, 0, wrong, none, expected);
        product *= expected.size();
        compared += expected.size();
      }
      EXPECT_EQ(seen.each[static_cast<std::size_t>(id)], expected)
          << nodes << " nodes, wrong " << wrong << ", node " << id;
    }
    EXPECT_EQ(seen.together.size(), product) << "observers know nothing of each other";
  }
  fmt::print("{} histories\n", compared);
  EXPECT_GT(compared, 70U);
}

TEST(EventualLeader, SaysExactlyWhatItMay) {
  std::size_t compared = 0;
  for (const auto& [nodes, wrong, crashing] : kUniverses) {
    const Seen seen =
        histories("test-detectors:kind=leader,wrong=" + std::to_string(wrong), nodes, crashing);
    for (NodeId id = 0; id < nodes; ++id) {
      Histories expected;
      if (!(bits_of(crashing) & Definition::mask(id))) {
        History none;
        const Definition d{nodes, id, bits_of(crashing)};
        d.leaders(nodes - 1, 0, wrong, wrong == 0, none, expected);
        compared += expected.size();
      }
      EXPECT_EQ(seen.each[static_cast<std::size_t>(id)], expected)
          << nodes << " nodes, wrong " << wrong << ", node " << id;
    }
  }
  fmt::print("{} histories\n", compared);
  EXPECT_GT(compared, 70U);
}

TEST(EventuallyPerfect, IsAccurateInTheEnd) {
  EXPECT_EQ(verdict_of("test-detectors:wrong=2", {.nodes = 2, .faults = {{"crash", "1"}}}),
            "holds");
  EXPECT_EQ(verdict_of("test-detectors:wrong=1", {.by = "dfs"}), "holds");
  EXPECT_FALSE(hunted("test-detectors:wrong=3", {.faults = {{"crash", "1"}}}, 500));
}

// Timeouts race with messages: whatever heartbeats say, the abstract detector could have said.
TEST(Heartbeats, SayNothingThatTheAbstractDetectorCouldNot) {
  std::size_t different = 0;
  for (const std::vector<NodeId>& crashing : {std::vector<NodeId>{}, {0}, {1}}) {
    const Seen seen = histories("test-detectors:kind=heartbeats,ticks=3", 2, crashing);
    for (NodeId id = 0; id < 2; ++id) {
      Histories allowed;
      History none;
      // A crash that no timeout has noticed yet need not have been told.
      const Definition d{2, id, bits_of(crashing)};
      d.suspicions(0, 0, 3, none, allowed, true);
      for (const History& said : seen.each[static_cast<std::size_t>(id)])
        EXPECT_TRUE(allowed.contains(said)) << id << ": " << ::testing::PrintToString(said);
      different += seen.each[static_cast<std::size_t>(id)].size();
    }
  }
  EXPECT_GE(different, 12U);
}

TEST(Heartbeats, WaitLongerAfterEveryMistake) {
  const RunConfig config =
      config_of("test-detectors:kind=heartbeats", {.nodes = 2, .explorer = "timed:max=300ms"});
  Runner runner(config.setup, config.limits);
  const auto scheduler = make_scheduler(config);
  std::ptrdiff_t mistakes = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    runner.run(*scheduler, {seed, seed});
    for (NodeId id = 0; id < 2; ++id) {
      const auto* node = runner.world().as<Watcher>(id);
      const auto own = std::count_if(node->said.begin(), node->said.end(),
                                     [](int who) { return who < 0; });  // taken back
      EXPECT_EQ(node->heartbeats.timeout, 100'000 * (1 + own));
      mistakes += own;
    }
  }
  EXPECT_GT(mistakes, 10);
}

// In a network with bounded delays the timeout grows until it is right.
TEST(Heartbeats, AreAccurateInTheEndWhereDelaysAreBounded) {
  const Asked asked{.faults = {{"crash", "1"}}, .explorer = "timed:max=300ms"};
  EXPECT_FALSE(hunted("test-detectors:kind=heartbeats", asked, 200));
}

}  // namespace
}  // namespace schism::service
