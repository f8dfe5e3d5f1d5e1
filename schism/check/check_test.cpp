// Verdicts: each of the four, what they rest on, and counterexamples that replay.
#include "schism/check/check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "schism/check/testing/reference.hpp"

namespace schism::check {
namespace {

const std::atomic<bool> kGoOn{false};

RunConfig config_of(const std::string& system, int nodes, Pairs faults = {},
                    std::vector<std::string> bugs = {}, Pairs world = {}) {
  RunText text;
  text.system = *parse_spec(system);
  text.nodes = std::to_string(nodes);
  text.faults = std::move(faults);
  text.bugs = std::move(bugs);
  text.world = std::move(world);
  auto config = make_config(text);
  EXPECT_TRUE(config) << (config ? "" : config.error());
  return *config;
}

CheckOptions with(const std::string& search) {
  CheckOptions o;
  o.search = *parse_spec(search);
  o.probes = 20;
  return o;
}

CheckResult checked(const RunConfig& config, const CheckOptions& options) {
  auto result = check(config, options, {}, kGoOn);
  EXPECT_TRUE(result) << (result ? "" : result.error());
  return *result;
}

const char* const kSearches[] = {"dpor", "dpor:mode=source", "dpor:mode=sleep", "prefix", "dfs",
                                 "bfs",  "dfs:bits=128"};

TEST(Check, AllSearchesSayThatCorrectSystemsHold) {
  for (const char* search : kSearches) {
    SCOPED_TRACE(search);
    const CheckResult hc =
        checked(config_of("hierarchical-consensus", 3, {{"crash", "1"}}), with(search));
    EXPECT_EQ(hc.verdict, Verdict::holds) << hc.reason;
    EXPECT_EQ(hc.parts.size(), 4U) << "nobody, and each of three";
    const CheckResult rb =
        checked(config_of("reliable-broadcast:piecewise=true", 3, {{"crash", "1"}}), with(search));
    EXPECT_EQ(rb.verdict, Verdict::holds) << rb.reason;
    const CheckResult tpc = checked(config_of("two-phase-commit", 3), with(search));
    EXPECT_EQ(tpc.verdict, Verdict::holds) << tpc.reason;
  }
}

TEST(Check, AllSearchesFindTheSeededBugs) {
  struct Planted {
    std::string system, bug;
    int nodes;
    Pairs faults;
  };
  const Pairs crash = {{"crash", "1"}};
  const Planted planted[] = {
      {"hierarchical-consensus", "advance-once", 3, crash},
      {"hierarchical-consensus", "keep-own", 3, {}},
      {"hierarchical-consensus", "decide-at-once", 4, crash},
      {"reliable-broadcast:piecewise=true", "no-relay", 3, crash},
      {"reliable-broadcast", "deliver-twice", 3, {}},
      {"reliable-broadcast:piecewise=true,broadcasts=2", "relay-first-only", 3, crash},
      {"two-phase-commit", "commit-early", 3, {}},
      {"two-phase-commit", "change-mind", 3, {}},
      {"two-phase-commit", "forget-outcome", 3, {}},
  };
  for (const Planted& p : planted)
    for (const char* search : {"dpor", "dpor:mode=source", "dfs", "bfs"}) {
      SCOPED_TRACE(p.system + " " + p.bug + " " + search);
      const CheckResult r = checked(config_of(p.system, p.nodes, p.faults, {p.bug}), with(search));
      ASSERT_EQ(r.verdict, Verdict::violated) << r.reason;
      const ReplayReport again = replay(*r.counterexample);
      EXPECT_FALSE(again.difference);
      ASSERT_TRUE(again.now.violation);
      EXPECT_EQ(again.now.violation->property, r.counterexample->violation->property);
    }
}

TEST(Check, PaxosBugsAreFound) {
  for (const char* bug : {"break-promise", "own-value", "small-quorum"}) {
    const CheckResult r = checked(config_of("paxos", 5, {}, {bug}), with("dpor"));
    EXPECT_EQ(r.verdict, Verdict::violated) << bug << r.reason;
  }
}

TEST(Check, BreadthFirstCounterexamplesAreShortest) {
  const RunConfig config = config_of("two-phase-commit", 3, {}, {"commit-early"});
  const auto length = [&](const char* search) {
    return checked(config, with(search)).counterexample->violation->step;
  };
  EXPECT_LE(length("bfs"), length("dfs"));
  EXPECT_LE(length("bfs"), length("dpor"));
}

// Terminal states by brute force, and those that the caching searches reach.
TEST(Check, CachingReachesExactlyTheTerminalStatesOfBruteForce) {
  const std::tuple<std::string, int, std::vector<NodeId>> cases[] = {
      {"hierarchical-consensus", 3, {1}},
      {"hierarchical-consensus", 3, {0}},
      {"reliable-broadcast", 3, {0}},
      {"two-phase-commit", 3, {}},
      {"paxos:proposers=2", 4, {}}};
  for (const auto& [system, nodes, crashing] : cases) {
    const RunConfig config = config_of(system, nodes);
    Bounds bounds;
    bounds.may_crash = crashing;
    WorldModel model(config.setup, bounds, false);
    model.keep_digest();
    std::set<Hash128> terminal;
    DporOptions all;
    all.mode = Reduction::none;
    if (system.starts_with("paxos")) all.mode = Reduction::sleep;  // too many for brute force
    Dpor brute(model, all);
    EXPECT_EQ(brute.run({[&](const Model&, const DporTotals&, bool asleep) {
      if (!asleep) terminal.insert(*model.digest());
      return true;
    }}),
              Finished::all);
    for (const char* search : {"dfs", "bfs"}) {
      WorldModel again(config.setup, bounds, false);
      SearchTotals totals;
      Search::Limits limits;
      limits.most = 1000;
      auto made = searches().make(*parse_spec(search), "explorer");
      EXPECT_EQ((*made)->run(again, limits, totals), Finished::all);
      EXPECT_EQ(totals.executions, terminal.size()) << system << " " << search;
    }
  }
}

TEST(Check, ABoundThatCutsHoldsOnlySoFar) {
  const RunConfig config = config_of("paxos:proposers=1", 4);
  for (const char* search : {"dpor", "prefix", "dfs", "bfs"}) {
    CheckOptions options = with(search);
    options.depth = 4;
    EXPECT_EQ(checked(config, options).verdict, Verdict::holds_to_depth) << search;
    options.depth = 40;
    EXPECT_EQ(checked(config, options).verdict, Verdict::holds) << search;
    options.depth = 0;
    options.events = 2;
    EXPECT_EQ(checked(config, options).verdict, Verdict::holds_to_depth) << search;
  }
}

TEST(Check, DeepeningEndsWhenNothingIsCut) {
  CheckOptions options = with("dpor");
  options.deepen = true;
  const CheckResult r = checked(config_of("paxos:proposers=1", 4), options);
  EXPECT_EQ(r.verdict, Verdict::holds) << r.reason;
  EXPECT_EQ(r.depth, 16U) << "1, 2, 4, 8, 16";
}

TEST(Check, WhatCouldNotBeJudgedIsInconclusive) {
  CheckOptions options = with("dpor");
  options.depth = 2;  // `eventually` is about ends
  const CheckResult r = checked(config_of("hierarchical-consensus", 3), options);
  EXPECT_EQ(r.verdict, Verdict::inconclusive);
  EXPECT_THAT(r.unjudged, ::testing::UnorderedElementsAre("termination", "agreement"));
  // Nor is a run that only the bound of its nodes' steps ended.
  options.depth = 0, options.events = 1;
  for (const char* search : {"dpor", "dfs", "bfs", "prefix"}) {
    options.search = *parse_spec(search);
    const CheckResult bounded = checked(config_of("hierarchical-consensus", 3), options);
    EXPECT_EQ(bounded.verdict, Verdict::inconclusive) << search;
    EXPECT_THAT(bounded.unjudged, ::testing::UnorderedElementsAre("termination", "agreement"));
  }
}

TEST(Check, RunsThatDoNotEndAndLimitsAreInconclusive) {
  const CheckResult endless = checked(config_of("tokens", 3), with("dpor"));
  EXPECT_EQ(endless.verdict, Verdict::inconclusive);
  EXPECT_THAT(endless.reason, ::testing::HasSubstr("--depth"));
  CheckOptions few = with("prefix");
  few.runs = 100;
  const CheckResult limited = checked(config_of("paxos", 5), few);
  EXPECT_EQ(limited.verdict, Verdict::inconclusive);
  // Choices are explored: one of them makes its validity false.
  CheckOptions chooses = with("dpor");
  chooses.depth = 4;
  EXPECT_EQ(checked(config_of("test-kitchen", 2), chooses).verdict, Verdict::violated);
}

TEST(Check, BadInputIsAnError) {
  const auto refused = [](const RunConfig& config, const CheckOptions& options) {
    return !check(config, options, {}, kGoOn);
  };
  EXPECT_TRUE(refused(config_of("paxos", 5), with("nonsense")));
  EXPECT_TRUE(refused(config_of("paxos", 5), with("dfs:bits=99")));
  EXPECT_TRUE(refused(config_of("paxos", 5, {{"cut", "1"}}), with("dpor")));
  CheckOptions asleep = with("dpor:mode=sleep");
  asleep.depth = 3;
  EXPECT_TRUE(refused(config_of("paxos", 5), asleep));
  CheckOptions back = with("dpor");
  back.restarts = 1;
  EXPECT_TRUE(refused(config_of("paxos", 5, {{"crash", "1"}}), back));
}

// A loss at a node that is down exists for the search only: the trace must do without it.
TEST(Check, CounterexamplesWithLossesAndCrashesReplay) {
  for (const char* down : {"lost", "waits", "empty"}) {
    CheckOptions options = with("dpor:order=newest");
    const CheckResult r = checked(
        config_of("reliable-broadcast", 3, {{"crash", "1"}, {"drop", "1"}}, {}, {{"down", down}}),
        options);
    ASSERT_EQ(r.verdict, Verdict::violated) << down << r.reason;
    const ReplayReport again = replay(*r.counterexample);
    EXPECT_FALSE(again.difference) << down;
    EXPECT_FALSE(again.refused) << down;
  }
}

}  // namespace
}  // namespace schism::check
