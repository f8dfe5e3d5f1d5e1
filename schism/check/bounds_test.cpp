// Bounds on depth and delays: what each allows, and that a state which is met again with more left
// is expanded again.
#include <gtest/gtest.h>

#include <algorithm>

#include "schism/check/check.hpp"
#include "schism/check/known_states.hpp"
#include "schism/schism.hpp"

namespace schism::check {
namespace {

const std::atomic<bool> kGoOn{false};

// ---- a counter that takes long and short strides -----------------------------------------------

struct Unused {
  FIELDS()
};
SCHISM_ENUM(Stride, first, second);

// It fails where it arrives at the goal. The shortest way there is by long strides only; `flip`
// makes the other timer the long one, so that a search meets the slow way first in one of the two.
struct Walker : Node<Walker, Unused> {
  struct Config {
    int goal = 8;
    bool flip = false;
  };
  using Timers = Stride;
  int at = 0;
  FIELDS(at)

  void start(Context& c) { arm(c); }
  void on_timer(Context& c, Stride s) {
    at += (s == Stride::second) != c.config().flip ? 2 : 1;
    if (at == c.config().goal) c.fail("it has arrived");
    if (at < c.config().goal) arm(c);
  }
  void on(Context&, NodeId, const Unused&) {}

 private:
  static void arm(Context& c) {
    c.set_timer(Stride::first, 10);
    c.set_timer(Stride::second, 10);
  }
};

const Registration walker =
    system<Walker>("test-walker", "long and short strides to a goal")
        .nodes(1, 1, 4)
        .param<&Walker::Config::goal>("goal", 1, 100, "where it fails")
        .param<&Walker::Config::flip>("flip", "which timer is the long one");

RunConfig config_of(const std::string& system, int nodes, std::vector<std::string> bugs = {}) {
  RunText text;
  text.system = *parse_spec(system);
  text.nodes = std::to_string(nodes);
  text.bugs = std::move(bugs);
  auto config = make_config(text);
  EXPECT_TRUE(config) << (config ? "" : config.error());
  return *config;
}

CheckOptions with(const std::string& search, std::uint32_t depth, std::uint32_t delays) {
  CheckOptions o;
  o.search = *parse_spec(search);
  o.probes = 0;
  o.depth = depth, o.delays = delays;
  return o;
}

Verdict verdict_of(const RunConfig& config, const CheckOptions& options) {
  const auto result = check(config, options, {}, kGoOn);
  EXPECT_TRUE(result) << (result ? "" : result.error());
  return result->verdict;
}

TEST(KnownStates, AreExpandedAgainWithMoreLeft) {
  for (const bool wide : {false, true}) {
    KnownStates known(wide);
    const Hash128 a = scatter(1), b = scatter(2);
    EXPECT_TRUE(known.add(a, {3, 1}));
    EXPECT_FALSE(known.add(a, {3, 1}));
    EXPECT_FALSE(known.add(a, {2, 1}));
    EXPECT_TRUE(known.add(b, {2, 1}));
    EXPECT_TRUE(known.add(a, {1, 2})) << "neither covers the other";
    EXPECT_FALSE(known.add(a, {1, 2}));
    EXPECT_FALSE(known.add(a, {3, 0}));
    EXPECT_TRUE(known.add(a, {4, 2})) << "more of both";
    EXPECT_FALSE(known.add(a, {4, 2}));
    EXPECT_FALSE(known.add(a, {1, 2}));
    EXPECT_EQ(known.size(), 2U);
  }
}

TEST(Bounds, AShorterWayToAKnownStateIsFollowed) {
  for (const char* flip : {"false", "true"}) {
    const RunConfig config = config_of(std::string("test-walker:goal=8,flip=") + flip, 1);
    for (const char* search : {"dfs", "bfs", "prefix", "dpor"}) {
      EXPECT_EQ(verdict_of(config, with(search, 3, kNever)), Verdict::holds_to_depth) << search;
      EXPECT_EQ(verdict_of(config, with(search, 4, kNever)), Verdict::violated)
          << search << " flip " << flip;
    }
  }
}

// The default fires the first timer; flipped, that is a long stride.
TEST(Bounds, DelaysAllowSoManyDeviations) {
  const RunConfig slow = config_of("test-walker:goal=8", 1);
  const RunConfig fast = config_of("test-walker:goal=8,flip=true", 1);
  for (const char* search : {"dfs", "bfs", "prefix"}) {
    EXPECT_EQ(verdict_of(fast, with(search, 4, 0)), Verdict::violated) << search;
    EXPECT_EQ(verdict_of(slow, with(search, 4, 3)), Verdict::holds_to_depth) << search;
    EXPECT_EQ(verdict_of(slow, with(search, 4, 4)), Verdict::violated) << search;
    EXPECT_EQ(verdict_of(slow, with(search, 6, 1)), Verdict::holds_to_depth) << search;
    EXPECT_EQ(verdict_of(slow, with(search, 6, 2)), Verdict::violated) << search;
    EXPECT_EQ(verdict_of(slow, with(search, 7, 1)), Verdict::violated) << search;
  }
}

// Deviations of a run, counted by hand.
std::uint64_t runs_within(const RunConfig& config, std::uint32_t delays) {
  WorldModel model(config.setup, {}, true);
  model.judge_nothing();
  std::uint64_t out = 0;
  DporOptions all;
  all.mode = Reduction::none;
  Dpor search(model, all);
  WorldModel again(config.setup, {}, true);
  again.judge_nothing();
  search.run({[&](const Model& m, const DporTotals&, bool) {
    again.rewind(0);
    std::uint32_t used = 0;
    for (const std::uint32_t i : m.run()) {
      used += again.default_choice() != i ? 1 : 0;
      again.execute(i);
    }
    out += used <= delays ? 1 : 0;
    return true;
  }});
  return out;
}

TEST(Bounds, PrefixRunsExactlyThoseWithFewDelays) {
  for (const RunConfig& config :
       {config_of("hierarchical-consensus", 3), config_of("two-phase-commit", 3)})
    for (const std::uint32_t delays : {0U, 1U, 2U, 4U}) {
      const auto r = check(config, with("prefix", 0, delays), {}, kGoOn);
      ASSERT_TRUE(r);
      EXPECT_EQ(r->totals.executions, runs_within(config, delays)) << delays;
      if (delays == 0) {
        EXPECT_EQ(r->totals.executions, 1U);
      }
    }
}

TEST(Bounds, AllSearchesAgreeWithinDelays) {
  const std::pair<std::string, std::string> planted[] = {
      {"two-phase-commit", "commit-early"},    {"two-phase-commit", "change-mind"},
      {"two-phase-commit", "forget-outcome"},  {"hierarchical-consensus", "keep-own"},
      {"reliable-broadcast", "deliver-twice"}, {"hierarchical-consensus", "decide-at-once"}};
  std::size_t found = 0, held = 0;
  for (const auto& [system, bug] : planted)
    for (const std::uint32_t delays : {0U, 1U, 2U, 3U}) {
      const RunConfig config = config_of(system, 3, {bug});
      const Verdict expected = verdict_of(config, with("prefix", 0, delays));
      EXPECT_EQ(verdict_of(config, with("dfs", 0, delays)), expected) << bug << delays;
      EXPECT_EQ(verdict_of(config, with("bfs", 0, delays)), expected) << bug << delays;
      (expected == Verdict::violated ? found : held) += 1;
    }
  EXPECT_GE(found, 3U);
  EXPECT_GE(held, 3U);
}

TEST(Bounds, DelaysThatForbidNothingProveAll) {
  const RunConfig config = config_of("hierarchical-consensus", 3);
  EXPECT_EQ(verdict_of(config, with("dfs", 0, 1000)), Verdict::holds);
  EXPECT_EQ(verdict_of(config, with("dfs", 0, 1)), Verdict::holds_to_depth);
}

TEST(Bounds, DelaysAreRefusedWhereTheyMeanNothing) {
  for (const char* search : {"dpor", "dpor:mode=sleep", "random", "dfs:symmetry=true"}) {
    const auto r = check(config_of("two-phase-commit", 3), with(search, 0, 1), {}, kGoOn);
    EXPECT_FALSE(r) << search;
  }
  EXPECT_TRUE(check(config_of("two-phase-commit", 3), with("dpor:mode=none", 0, 1), {}, kGoOn));
}

}  // namespace
}  // namespace schism::check
