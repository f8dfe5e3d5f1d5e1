// What is drawn for each registered system: possible, within what it declares, never what was asked
// for, and as often as the distribution says.
#include "schism/explore/draw.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "schism/run/config.hpp"
#include "schism/testing/shipped.hpp"
#include "schism/trace/claim.hpp"

namespace schism {
namespace {

using testing::HasSubstr;
using testing_only::shipped_systems;

RunText asked_of(const std::string& system) {
  RunText text;
  text.system = *parse_spec(system);
  return text;
}

std::string print(const RunText& t) {
  std::string out = print_spec(t.system) + " nodes " + t.nodes + " by " + print_spec(t.explorer);
  for (const auto& [name, value] : t.world) out += " " + name + "=" + value;
  for (const auto& [name, value] : t.faults) out += " " + name + "=" + value;
  return out + " steps " + t.steps + " tail " + t.tail;
}

std::vector<DrawnText> draws_of(const RunText& asked, int count) {
  const Draw draw(asked);
  std::vector<DrawnText> out;
  for (int i = 0; i < count; ++i) {
    Rng random(static_cast<std::uint64_t>(i));
    out.push_back(draw.wild(random, {}));
  }
  return out;
}

TEST(Draw, IsPossibleAndWithinTheClaimForEverySystem) {
  ASSERT_GE(shipped_systems().size(), 13U);
  for (const System* system : shipped_systems()) {
    for (const DrawnText& drawn : draws_of(asked_of(system->name), 400)) {
      const auto config = make_config(drawn.text);
      ASSERT_TRUE(config) << config.error() << "\n" << print(drawn.text);
      const FaultKinds kinds = kinds_of(config->setup.options.faults);
      if (system->survives)
        EXPECT_TRUE(beyond_claim(config->setup, kinds).empty()) << print(drawn.text);
      else EXPECT_TRUE(kinds.empty()) << print(drawn.text);
    }
  }
}

TEST(Draw, LeavesJudgementAndWhatIsSettledAlone) {
  for (const System* system : shipped_systems())
    for (const DrawnText& drawn : draws_of(asked_of(system->name), 200))
      for (const auto& [name, value] : drawn.text.system.values) {
        const Purpose part = system->drawing.purpose(name);
        EXPECT_TRUE(part == Purpose::workload ||
                    (part == Purpose::timing && drawn.text.tail == "0s"))
            << system->name << " " << name << "=" << value;
      }
}

// Declarations name parameters that exist: a misspelt one would be drawn.
TEST(Draw, DeclarationsAreOfParametersThatExist) {
  for (const auto& system : systems().sorted()) {
    const auto names = system->params.names();
    for (const auto& [name, part] : system->drawing.purposes)
      EXPECT_NE(std::find(names.begin(), names.end(), name), names.end())
          << system->name << " has no parameter " << name;
  }
}

TEST(Draw, KeepsWhatWasAskedFor) {
  RunText asked = asked_of("raft:pre-vote=false,requests=7");
  asked.nodes = "5";
  asked.steps = "1000";
  asked.tail = "30s";
  asked.bugs = {"quorum-third"};
  asked.faults = {{"crash", "3"}, {"disk-error", "0"}};
  asked.world = {{"links", "any"}, {"down-max", "2"}};
  asked.mute = {"progress"};
  for (const DrawnText& drawn : draws_of(asked, 300)) {
    const RunText& t = drawn.text;
    EXPECT_EQ(t.nodes, "5");
    EXPECT_EQ(t.steps, "1000");
    EXPECT_EQ(t.tail, "30s");
    EXPECT_EQ(t.bugs, asked.bugs);
    EXPECT_EQ(t.mute, asked.mute);
    EXPECT_EQ(t.faults, asked.faults);
    std::map<std::string, int> seen;
    for (const auto& [name, value] : t.system.values) ++seen[name];
    EXPECT_EQ(seen["pre-vote"], 1);
    EXPECT_EQ(seen["requests"], 1);
    for (const auto& [name, value] : t.world) {
      EXPECT_TRUE(name != "links" || value == "any");
      EXPECT_TRUE(name != "down-max" || value == "2");
    }
    ASSERT_TRUE(make_config(t)) << print(t);
  }
}

// A fault that some schedulers never make leaves those who do.
TEST(Draw, TakesSchedulersThatPlayWhatWasAskedFor) {
  RunText asked = asked_of("raft");
  asked.faults = {{"disk-error", "3"}};
  for (const DrawnText& drawn : draws_of(asked, 200)) {
    EXPECT_TRUE(drawn.text.explorer.name == "random" || drawn.text.explorer.name == "timed" ||
                drawn.text.explorer.name == "slow")
        << print(drawn.text);
    ASSERT_TRUE(make_config(drawn.text)) << print(drawn.text);
  }
}

TEST(Draw, IsDistributedAsTheTrialWas) {
  constexpr int kDraws = 4000;
  std::map<std::string, int> seen;
  int no_faults = 0, three = 0, defaults = 0, tails = 0;
  for (const DrawnText& drawn : draws_of(asked_of("raft"), kDraws)) {
    const RunText& t = drawn.text;
    ++seen[t.explorer.name == "slow" ? t.explorer.children[0].name : t.explorer.name];
    seen["slow places"] += t.explorer.name == "slow" ? 1 : 0;
    no_faults += t.faults.empty() ? 1 : 0;
    three += t.nodes == "3" ? 1 : 0;
    defaults += t.system.values.empty() ? 1 : 0;
    tails += t.tail.empty() ? 1 : 0;
    const auto steps = parse_integer(t.steps, 30, 1000);
    ASSERT_TRUE(steps && *steps >= 100) << t.steps;
    for (const auto& [name, budget] : t.faults)
      ASSERT_TRUE(parse_integer(budget, 1, 32)) << name << "=" << budget;
  }
  const auto near = [&](int count, double share) {
    EXPECT_NEAR(count, share * kDraws, 5 * std::sqrt(kDraws * share * (1 - share)) + 1);
  };
  near(seen["random"], 0.63);
  near(seen["pos"], 0.30);
  near(seen["timed"], 0.04);
  near(seen["stepped"], 0.02);
  near(seen["pctcp"], 0.01);
  near(seen["slow places"], 0.63 * 0.04);
  near(three, 0.75 * 0.625);
  near(tails, 0.1);
  EXPECT_GT(no_faults, kDraws / 4);  // a quarter draws none, and some of the others none by chance
  EXPECT_LT(no_faults, kDraws / 3);
  EXPECT_GT(defaults, kDraws / 3);
}

// Half of the runs among liars have a plan: mostly in a network that is prompt, with no other
// fault, and half of them without a fair tail. Without liars nothing of it.
TEST(Draw, PlansAreHalfOfTheRunsAmongLiars) {
  constexpr int kDraws = 4000;
  int liars = 0, plans = 0, prompt = 0, alone = 0, tails = 0;
  for (const DrawnText& drawn : draws_of(asked_of("tendermint"), kDraws)) {
    const RunText& t = drawn.text;
    liars += drawn.about.find("liars") != std::string::npos ? 1 : 0;
    if (drawn.about.find("intrigue") == std::string::npos) continue;
    ++plans;
    alone += t.faults.empty() ? 1 : 0;
    tails += t.tail.empty() ? 1 : 0;
    const Spec& around = t.explorer;
    ASSERT_EQ(around.name, "intrigue") << print(t);
    if (around.children[0].name != "timed") continue;
    ++prompt;
    for (const auto& [name, value] : around.children[0].values)
      if (name == "max") {
        EXPECT_LE(*parse_duration(value), 50'000) << value;
      }
  }
  const auto near = [](int count, double share, int of) {
    EXPECT_NEAR(count, share * of, 5 * std::sqrt(of * share * (1 - share)) + 1);
  };
  near(liars, 0.7, kDraws);
  near(plans, 0.5, liars);
  near(prompt, 0.8 + 0.2 * 0.04, plans);
  near(tails, 0.5, plans);
  EXPECT_GT(alone, plans * 7 / 10);
  for (const DrawnText& drawn : draws_of(asked_of("raft"), 300))
    EXPECT_EQ(drawn.about.find("intrigue"), std::string::npos);
}

TEST(Draw, IsAFunctionOfItsNumbers) {
  for (const char* system : {"raft", "multipaxos", "two-phase-commit"}) {
    const auto once = draws_of(asked_of(system), 100), again = draws_of(asked_of(system), 100);
    for (std::size_t i = 0; i < once.size(); ++i) {
      EXPECT_EQ(once[i].text, again[i].text);
      EXPECT_EQ(once[i].about, again[i].about);
    }
  }
}

TEST(Draw, WhatIsDampedComesLess) {
  const Draw draw(asked_of("raft"));
  const auto with_crash = [&](const Damping& damping) {
    int count = 0;
    for (std::uint64_t i = 0; i < 2000; ++i) {
      Rng random(i);
      count += draw.wild(random, damping).about.find("fault.crash") != std::string::npos ? 1 : 0;
    }
    return count;
  };
  const int usual = with_crash({}), less = with_crash({{"fault.crash", 0.25}});
  EXPECT_NEAR(usual, 2000 * 0.375, 120);
  EXPECT_NEAR(less, 2000 * 0.375 / 4, 80);
}

TEST(Draw, SaysWhatItDrew) {
  for (const DrawnText& drawn : draws_of(asked_of("raft"), 100)) {
    EXPECT_THAT(drawn.about, HasSubstr("scheduler."));
    EXPECT_THAT(drawn.about, HasSubstr("fault."));
    EXPECT_THAT(drawn.about, HasSubstr("nodes."));
    for (const auto& [name, budget] : drawn.text.faults)
      EXPECT_THAT(drawn.about, HasSubstr("fault." + name));
  }
}

TEST(Draw, PlainOnesHaveAFewFaultsThatAreSurvived) {
  const Draw raft(asked_of("raft"));
  const auto drawn = raft.plain("pos", true);
  EXPECT_EQ(drawn.text.explorer, (Spec{"pos", {}}));
  EXPECT_EQ(drawn.text.faults,
            (Pairs{{"crash", "2"}, {"drop", "5"}, {"duplicate", "2"}, {"partition", "1"}}));
  EXPECT_EQ(raft.plain("random", false).text.tail, "0s");
  const auto small = Draw(asked_of("two-phase-commit")).plain("random", true);
  EXPECT_EQ(small.text.faults, (Pairs{{"crash", "2"}}));
  RunText asked = asked_of("raft");
  asked.faults = {{"pause", "1"}};
  EXPECT_EQ(Draw(asked).plain("random", true).text.faults, asked.faults);
}

}  // namespace
}  // namespace schism
