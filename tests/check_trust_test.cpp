// `schism check` never says that something holds which does not: systems that throw, die, draw,
// choose, hide what decides.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.hpp"
#include "tests/places/places.hpp"

namespace schism::e2e {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Words operator+(Words a, const Words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Outcome check(const Folder& folder, Words words) {
  words.insert(words.begin(), "check");
  words.emplace_back("--quiet");
  return folder.run_odd(words);
}

class EveryDeath : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(EveryDeath, IsACounterexampleThatReplays) {
  const auto [way, how] = GetParam();
  for (const char* jobs : {"1", "2"}) {
    const Folder folder;
    const Outcome o = check(folder, {std::string("brittle:way=") + way, "--nodes", "2", "--jobs",
                                     jobs, "--world", "hang=100ms"});
    EXPECT_EQ(o.code, 1) << o;
    EXPECT_THAT(o.out, StartsWith("crash is violated at step ")) << o;
    EXPECT_THAT(o.out, HasSubstr(how)) << o;
    const Outcome again = folder.shell(after(o.out, "reproduce:"), places::kOddProgram);
    EXPECT_EQ(again.code, 1) << again;
    EXPECT_THAT(again.out, StartsWith("reproduced: crash is violated")) << again;
  }
}

INSTANTIATE_TEST_SUITE_P(Check, EveryDeath,
                         testing::Values(std::pair{"throws", "std::"},
                                         std::pair{"segfault", "SIGSEGV"},
                                         std::pair{"aborts", "SIGABRT"},
                                         std::pair{"exits", "exit("}, std::pair{"hangs", "hang"},
                                         std::pair{"sleeps", "hang"},
                                         std::pair{"destructor", "SIGABRT after step"}),
                         [](const auto& test) { return test.param.first; });

TEST(CheckTrust, AHarmlessOneHolds) {
  const Folder folder;
  const Outcome o = check(folder, {"brittle", "--nodes", "2"});
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_THAT(o.out, HasSubstr("holds: all runs were explored")) << o;
}

TEST(CheckTrust, SmallDrawsAreAllExplored) {
  for (const char* explorer :
       {"dpor", "dpor:mode=source", "dpor:mode=sleep", "prefix", "dfs", "bfs"}) {
    const Folder folder;
    const Outcome o = check(folder, {"drawing:outcomes=16,wrong=15", "--explorer", explorer});
    EXPECT_EQ(o.code, 1) << explorer << o;
    const Outcome again = folder.shell(after(o.out, "reproduce:"), places::kOddProgram);
    EXPECT_EQ(again.code, 1) << again;
    const Outcome fine = check(folder, {"drawing:outcomes=16,wrong=-1", "--explorer", explorer});
    EXPECT_EQ(fine.code, 0) << fine;
    EXPECT_THAT(fine.out, HasSubstr("holds: all runs were explored")) << fine;
  }
}

TEST(CheckTrust, LargeDrawsHoldForOneNodeSeedOnly) {
  const Folder folder;
  const Outcome o = check(folder, {"drawing"});
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_THAT(o.out, HasSubstr("holds for node seed 0")) << o;
  EXPECT_THAT(o.out, Not(HasSubstr("holds: "))) << o;
  const Outcome json = check(folder, {"drawing", "--json"});
  EXPECT_THAT(json.out, HasSubstr("\"verdict\":\"holds_for_seed\"")) << json;
  const Outcome states = check(folder, {"drawing", "--explorer", "dfs"});
  EXPECT_EQ(states.code, 3) << states;
}

TEST(CheckTrust, ARandomWorkloadHoldsForOneNodeSeedOnly) {
  const Folder folder;
  for (const char* explorer : {"dpor", "dfs"}) {
    const Outcome o = check(folder, {"asked", "--explorer", explorer, "--seed", "7"});
    EXPECT_EQ(o.code, 0) << o;
    EXPECT_THAT(o.out, HasSubstr("holds for node seed 7")) << o;
  }
}

TEST(CheckTrust, EveryVectorOfChoicesIsExplored) {
  for (const char* system : {"choosing", "choosing:at-start=true"})
    for (const char* explorer :
         {"dpor", "dpor:mode=source", "dpor:mode=sleep", "prefix", "dfs", "bfs"})
      for (const char* jobs : {"1", "2"}) {
        const Folder folder;
        const Outcome o = check(folder, {system, "--explorer", explorer, "--jobs", jobs});
        EXPECT_EQ(o.code, 1) << system << " " << explorer << o;
        const Outcome again = folder.shell(after(o.out, "reproduce:"), places::kOddProgram);
        EXPECT_EQ(again.code, 1) << again;
      }
}

TEST(CheckTrust, WhatADiskKeepsIsExplored) {
  for (const char* explorer : {"dpor", "dfs", "bfs"}) {
    const Folder folder;
    const Outcome o = check(folder, {"half-saved", "--explorer", explorer, "--faults", "crash=1",
                                     "--restarts", "1", "--world", "down=waits"});
    EXPECT_EQ(o.code, 1) << explorer << o;
    const Outcome again = folder.shell(after(o.out, "reproduce:"), places::kOddProgram);
    EXPECT_EQ(again.code, 1) << again;
  }
}

// Only one crash, or a crash and a restart, shows it: with all that may happen it is gone.
TEST(CheckTrust, EndsAreJudgedForEveryNumberOfCrashesAndRestarts) {
  for (const char* explorer : {"dpor", "dfs", "bfs"})
    for (const char* crashing : {"each", "any"}) {
      const Folder folder;
      Words back = {"--explorer", explorer,     "--crashing", crashing,  "--faults",
                    "crash=1",    "--restarts", "1",          "--world", "down=waits,may-crash=0"};
      const Outcome o = check(folder, Words{"forgetful"} + back);
      EXPECT_EQ(o.code, 1) << explorer << crashing << o;
      const Outcome again = folder.shell(after(o.out, "reproduce:"), places::kOddProgram);
      EXPECT_EQ(again.code, 1) << again;
      const Outcome fine = check(folder, Words{"forgetful:asks=true"} + back);
      EXPECT_EQ(fine.code, 0) << explorer << crashing << fine;
      const Outcome one = check(folder, {"missing", "--explorer", explorer, "--crashing", crashing,
                                         "--faults", "crash=2"});
      EXPECT_EQ(one.code, 1) << explorer << crashing << one;
      // Who takes it apart does not bring back who is down.
      const Outcome small =
          folder.run_odd({"shrink", after(one.out, "written:    "), "-o", "small"});
      EXPECT_EQ(small.code, 0) << small;
    }
}

// Nobody comes back in a check that was not asked for restarts.
TEST(CheckTrust, WhoIsDownForGoodOwesNoDecision) {
  const Folder folder;
  const Outcome o = check(folder, {"telling", "--faults", "crash=1"});
  EXPECT_EQ(o.code, 0) << o;
  const Outcome back =
      check(folder, {"telling", "--faults", "crash=1", "--restarts", "1", "--world", "down=waits"});
  EXPECT_EQ(back.code, 0) << back;
}

TEST(CheckTrust, RunsThatGoRoundForEverAreNoProof) {
  for (const char* explorer : {"dfs", "bfs", "dfs:bits=128"})
    for (const char* depth : {"50", "1000"}) {
      const Folder folder;
      const Words how = {"--explorer", explorer, "--depth", depth, "--no-estimate"};
      const Outcome o = check(folder, Words{"astray"} + how);
      EXPECT_EQ(o.code, 0) << o;
      EXPECT_THAT(o.out, HasSubstr("safe: ")) << o;
      EXPECT_THAT(o.out, HasSubstr("not judged of runs that go round for ever: \"it is done\""))
          << o;
      // To go round there somebody would have to be kept waiting for ever.
      const Outcome fair = check(folder, Words{"ticking"} + how);
      EXPECT_THAT(fair.out, HasSubstr("holds: all runs were explored")) << fair;
      // What is judged where runs end must hold in those that do not.
      const Outcome wrong = check(folder, Words{"whirling"} + how);
      EXPECT_EQ(wrong.code, 1) << explorer << wrong;
      const Outcome again = folder.shell(after(wrong.out, "reproduce:"), places::kOddProgram);
      EXPECT_EQ(again.code, 1) << again;
    }
}

// What was chosen in a beginning is a part of its steps, and how nodes chose to start is too.
TEST(CheckTrust, FromATraceInWhichNodesChoose) {
  for (const char* system : {"choosing", "choosing:at-start=true"}) {
    const Folder folder;
    const Outcome found = check(folder, {system});
    ASSERT_EQ(found.code, 1) << found;
    const std::string trace = after(found.out, "written:    ");
    for (const char* explorer : {"dpor", "dpor:mode=sleep", "prefix", "dfs", "bfs"})
      for (const char* jobs : {"1", "2"}) {
        const Outcome o =
            check(folder, {"--from", trace + "@1", "--explorer", explorer, "--jobs", jobs});
        EXPECT_EQ(o.code, 1) << system << explorer << o;
        const Outcome end =
            check(folder, {"--from", trace, "--explorer", explorer, "--jobs", jobs});
        EXPECT_EQ(end.code, 1) << system << explorer << end;
      }
  }
}

TEST(CheckTrust, AHiddenMemberIsNeverAProof) {
  for (const char* system : {"hidden", "hidden-mirror"})
    for (const char* explorer : {"dfs", "bfs"}) {
      const Folder folder;
      const Outcome o = check(folder, {system, "--explorer", explorer});
      EXPECT_THAT(o.code, AnyOf(1, 3)) << system << " " << explorer << o;
      if (o.code == 3) {
        EXPECT_THAT(o.out, HasSubstr("node 1 has a member that decides and is not in FIELDS")) << o;
      }
    }
}

TEST(CheckTrust, TheDoctorSeesAHiddenMemberToo) {
  const Folder folder;
  const Outcome o = folder.run_odd({"doctor", "hidden", "--runs", "100", "--quiet"});
  EXPECT_EQ(o.code, 1) << o;
  EXPECT_THAT(o.out, HasSubstr("node 1 has a member that decides and is not in FIELDS")) << o;
  const Outcome fine = folder.run_odd({"doctor", "choosing", "--runs", "100", "--quiet"});
  EXPECT_EQ(fine.code, 0) << fine;
  EXPECT_THAT(fine.out, HasSubstr("it goes on alike")) << fine;
}

// Reduction takes one order of independent steps for all: it must not where they are not
// independent.
TEST(CheckTrust, WhatNodesShareIsNeverAProof) {
  for (const char* system :
       {"sharing:wrong=1", "sharing:wrong=2", "sharing:shows=field", "sharing:shows=content",
        "sharing:shows=message", "first-one", "first-two"})
    for (const char* explorer : {"dpor", "dpor:mode=sleep", "dpor:mode=source"})
      for (const char* jobs : {"1", "2"}) {
        const Folder folder;
        const Outcome o = check(folder, {system, "--explorer", explorer, "--jobs", jobs});
        EXPECT_THAT(o.code, AnyOf(1, 3)) << system << " " << explorer << o;
        if (o.code == 3) {
          EXPECT_THAT(o.out, HasSubstr("independent steps in another order do something else"))
              << o;
        }
      }
}

// And says where: at a node, or in what is in flight where the search ends before anybody has
// looked at it.
TEST(CheckTrust, WhatNodesShareIsToldWhereItShows) {
  const Folder folder;
  const Outcome node = check(folder, {"sharing:shows=field"});
  EXPECT_EQ(node.code, 3) << node;
  EXPECT_THAT(node.out, HasSubstr(" ends as (seen=1) instead of (seen=2)")) << node;
  const Outcome step = check(folder, {"sharing:shows=message"});
  EXPECT_EQ(step.code, 3) << step;
  EXPECT_THAT(step.out, HasSubstr("0 #0 is not possible any more")) << step;
  const Outcome flight = check(folder, {"sharing:shows=content", "--depth", "2"});
  EXPECT_EQ(flight.code, 3) << flight;
  EXPECT_THAT(flight.out, HasSubstr("other messages, timers or files are left")) << flight;
}

TEST(CheckTrust, TheDoctorSeesWhatNodesShare) {
  const Folder folder;
  const Outcome o = folder.run_odd({"doctor", "sharing", "--runs", "100", "--quiet"});
  EXPECT_EQ(o.code, 1) << o;
  EXPECT_THAT(o.out, HasSubstr("violates assertion")) << o;
  const Outcome fine = folder.run_odd({"doctor", "paxos", "--runs", "100", "--quiet"});
  EXPECT_EQ(fine.code, 0) << fine;
  EXPECT_THAT(fine.out, HasSubstr("where independent steps change places the same happens"))
      << fine;
}

// What never begins has shown nothing, to nobody.
TEST(CheckTrust, RunsWithoutAStepProveNothing) {
  const Folder folder;
  for (const Words& words :
       {Words{"check", "idle", "--quiet"}, Words{"check", "idle", "--explorer", "dfs", "--quiet"},
        Words{"hunt", "idle", "--runs", "20", "--quiet"},
        Words{"hunt", "idle", "--explorer", "pos", "--runs", "20"}}) {
    const Outcome o = folder.run_odd(words);
    EXPECT_EQ(o.code, 3) << words[0] << o;
    EXPECT_THAT(o.out, HasSubstr("inconclusive: nothing happens in any run")) << words[0] << o;
  }
}

TEST(CheckTrust, RunsAreCountedOnAnyNumberOfJobs) {
  for (const char* jobs : {"1", "2"}) {
    const Folder folder;
    const Outcome o = check(folder, {"brittle:pokes=7", "--nodes", "2", "--jobs", jobs, "--runs",
                                     "100", "--no-estimate"});
    EXPECT_EQ(o.code, 3) << o;
    EXPECT_THAT(o.out, HasSubstr("the allowed number of runs is used up")) << o;
  }
}

TEST(CheckTrust, FromATraceWithItsOwnSeed) {
  const Folder folder;
  const Outcome found = folder.run_odd({"hunt", "drawing:outcomes=100", "--quiet", "--no-shrink"});
  ASSERT_EQ(found.code, 1) << found;
  const std::string trace = folder.traces().front();
  const Outcome o = check(folder, {"--from", trace, "--explorer", "replay"});
  EXPECT_EQ(o.code, 1) << o;
}

TEST(CheckTrust, TimersCancelledAtTheStartAreNoNondeterminism) {
  for (const char* explorer : {"dpor", "dfs"}) {
    const Folder folder;
    const Outcome o = check(folder, {"fickle", "--explorer", explorer});
    EXPECT_EQ(o.code, 0) << o;
    EXPECT_THAT(o.out, HasSubstr("\n1 run, ")) << o;
  }
}

}  // namespace
}  // namespace schism::e2e
