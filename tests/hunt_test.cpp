// `schism hunt`: what it says, in which order, and which exit code it has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "program.hpp"
#include "schism/registry.hpp"
#include "schism/testing/every_system.hpp"
#include "tests/places/places.hpp"

namespace schism::e2e {
namespace {

using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

const Words kToyBug = {"hunt", "toy-consensus", "--bug", "distrust-commits"};
const Words kBySeeds = {"--explorer", "random"};  // run s is seed s, in one configuration

Words operator+(Words a, const Words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(HuntProgram, FindsTheToyBugAndTellsInOrder) {
  const Folder folder;
  const Outcome o = folder.run(kToyBug);
  ASSERT_EQ(o.code, 1) << o;
  EXPECT_THAT(o.err, IsEmpty());
  // Which property and where; the diagram; how to reproduce; the file.
  std::size_t at = 0;
  for (const char* part :
       {"agreement is violated at step ", "\n  node ", "\n  shrunk: ", "nothing can be left out",
        "\n  step  0   1", "start\n", "◆ agreement is violated here", "\nreproduce:  ", " replay ",
        "\nor anew:    ", " hunt toy-consensus --bug distrust-commits", "\nwritten:    "}) {
    const auto found = o.out.find(part, at);
    ASSERT_NE(found, std::string::npos) << "\"" << part << "\" is missing or too early" << o;
    at = found;
  }
  EXPECT_THAT(o.out, StartsWith("agreement is violated at step "));
  const std::string shelf = after(o.out, "written:");
  EXPECT_THAT(folder.files(),
              ElementsAre(shelf + "/bug.html", shelf + "/bug.json", shelf + "/bug.trace",
                          shelf + "/fifo.trace", shelf + "/hunt.toml", shelf + "/original.trace"));
}

TEST(HuntProgram, PrintedCommandsReproduceInAShell) {
  const Folder folder;
  const Outcome o = folder.run(kToyBug);
  ASSERT_EQ(o.code, 1) << o;
  const Outcome replayed = folder.shell(after(o.out, "reproduce:"), places::kProgram);
  EXPECT_EQ(replayed.code, 1) << replayed;
  EXPECT_THAT(replayed.out, StartsWith("reproduced: agreement is violated"));

  const Folder elsewhere;
  const Outcome anew = elsewhere.shell(after(o.out, "or anew:"), places::kProgram);
  EXPECT_EQ(anew.code, 1) << anew;
  EXPECT_EQ(lines_of(anew.out)[1], lines_of(o.out)[1]);  // the same violation, in its first run
}

TEST(HuntProgram, PrintedCommandsReproduceWithAllKindsOfFlags) {
  const Folder folder;
  const Outcome o = folder.run_odd(
      {"hunt", "busy:requests=6", "--bug", "forgetful", "--nodes", "4", "--faults",
       "crash=2,drop=1,partition=1", "--world", "down=waits,may-crash=0/1/2", "--explorer",
       "random:deliver=7,timer.save=2", "--max-steps", "80", "--tail", "1500ms", "--out", "a b"});
  ASSERT_EQ(o.code, 1) << o;
  const Outcome replayed = folder.shell(after(o.out, "reproduce:"), places::kOddProgram);
  EXPECT_EQ(replayed.code, 1) << replayed;
  const Outcome anew = folder.shell(after(o.out, "or anew:") + " --out again", places::kOddProgram);
  EXPECT_EQ(anew.code, 1) << anew;
  // Only the number of the run differs: it is the first of its hunt now.
  for (const char* name : {"/bug.trace", "/original.trace"}) {
    const std::string first = folder.read(after(o.out, "written:") + name);
    const std::string again = folder.read(after(anew.out, "written:") + name);
    EXPECT_EQ(first.substr(first.find('\n')), again.substr(again.find('\n')));
  }
}

TEST(HuntProgram, ReproducesFromTheLastSeedsToo) {
  const Folder folder;
  const Outcome o =
      folder.run_odd(Words{"hunt", "busy", "--bug", "forgetful", "--faults", "crash=2", "--seed",
                           "9223372036854775807", "--runs", "500"} +
                     kBySeeds);
  ASSERT_EQ(o.code, 1) << o;
  ASSERT_THAT(o.out, testing::Not(HasSubstr("in run 0"))) << "choose a rarer bug";
  const Outcome anew = folder.shell(after(o.out, "or anew:"), places::kOddProgram);
  EXPECT_EQ(anew.code, 1) << anew;
}

TEST(HuntProgram, ACleanHuntExitsWithZeroAndWritesNothing) {
  const Folder folder;
  const Outcome o = folder.run({"hunt", "toy-consensus", "--runs", "300"});
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_THAT(o.out, HasSubstr("300 runs"));
  EXPECT_THAT(o.out, HasSubstr("nothing wrong found"));
  EXPECT_THAT(o.err, IsEmpty());
  EXPECT_THAT(folder.files(), IsEmpty());
}

TEST(HuntProgram, JsonSaysTheSame) {
  const Folder folder;
  const Outcome o = folder.run(kToyBug + Words{"--json", "--keep-going", "--runs", "200"});
  ASSERT_EQ(o.code, 1) << o;
  const auto json = nlohmann::json::parse(o.out);
  EXPECT_EQ(json.at("system"), "toy-consensus");
  EXPECT_EQ(json.at("runs"), 200);
  ASSERT_FALSE(json.at("finds").empty());
  std::uint64_t sum = 0;
  for (const auto& find : json.at("finds")) {
    EXPECT_TRUE(exists(folder / find.at("trace").get<std::string>()));
    EXPECT_GT(find.at("count"), 0);
    sum += find.at("count").get<std::uint64_t>();
  }
  EXPECT_EQ(json.at("violated"), sum);
}

TEST(HuntProgram, KeepGoingCountsEveryViolation) {
  const Folder folder;
  const auto violated = [&](const Words& more) {
    const auto json =
        nlohmann::json::parse(folder.run(kToyBug + kBySeeds + more + Words{"--json"}).out);
    return std::pair(json.at("runs").get<int>(), json.at("violated").get<int>());
  };
  const auto all = violated({"--keep-going", "--runs", "60"});
  EXPECT_EQ(all.first, 60);
  int one_by_one = 0;
  for (int seed = 1; seed <= 60; ++seed)
    one_by_one += violated({"--runs", "1", "--seed", std::to_string(seed)}).second;
  EXPECT_EQ(all.second, one_by_one);
  EXPECT_GT(one_by_one, 1);
}

TEST(HuntProgram, TimeStopsIt) {
  for (const char* jobs : {"1", "2"}) {
    const Folder folder;
    const Outcome o = folder.run(
        {"hunt", "tokens", "--time", "300ms", "--max-steps", "500", "--jobs", jobs, "--json"});
    ASSERT_EQ(o.code, 0) << o;
    const double seconds = nlohmann::json::parse(o.out).at("seconds");
    EXPECT_GE(seconds, 0.3);
    EXPECT_LT(seconds, 5);  // a busy machine is slow to notice
  }
}

TEST(HuntProgram, RunsEndItBeforeTheTimeDoes) {
  const Folder folder;
  const Outcome o =
      folder.run({"hunt", "toy-consensus", "--time", "100s", "--runs", "77", "--json"});
  ASSERT_EQ(o.code, 0) << o;
  EXPECT_EQ(nlohmann::json::parse(o.out).at("runs"), 77);
}

TEST(HuntProgram, NondeterminismIsReportedWithBothVersions) {
  for (const char* system : {"flaky", "flaky-verdict"})
    for (const char* jobs : {"1", "2"}) {
      const Folder folder;
      const Outcome o = folder.run_odd({"hunt", system, "--jobs", jobs});
      EXPECT_EQ(o.code, 3) << o;
      EXPECT_THAT(o.out, HasSubstr("nondeterministic: run "));
      EXPECT_THAT(o.out, HasSubstr(", at step "));
      const std::string first = after(o.out, "  first:"), second = after(o.out, "  second:");
      EXPECT_FALSE(first.empty() || second.empty()) << o;
      EXPECT_NE(first, second);
      EXPECT_THAT(folder.files(), IsEmpty());  // nothing that could not be repeated is kept
    }
}

TEST(HuntProgram, VacuousSuccessIsInconclusive) {
  const Folder folder;
  const Outcome o = folder.run_odd({"hunt", "vacuous", "--runs", "20"});
  EXPECT_EQ(o.code, 3) << o;
  EXPECT_THAT(o.out, HasSubstr("inconclusive: no run showed \"a second ping\""));
}

TEST(HuntProgram, WhatWasNeverPutToTheTestIsInconclusive) {
  const Folder folder;
  const Outcome o = folder.run_odd({"hunt", "untested", "--runs", "20"});
  EXPECT_EQ(o.code, 3) << o;
  EXPECT_THAT(o.out,
              HasSubstr("inconclusive: in no run did anything happen that \"agreement\" judges"));
  const Outcome json = folder.run_odd({"hunt", "untested", "--runs", "20", "--json"});
  EXPECT_EQ(nlohmann::json::parse(json.out).at("untested"), nlohmann::json({"agreement"}));
  const Outcome check = folder.run_odd({"check", "untested", "--quiet"});
  EXPECT_EQ(check.code, 3) << check;
  EXPECT_THAT(check.out, HasSubstr("inconclusive: not everything was put to the test"));
  const Outcome deeper = folder.run_odd({"check", "untested", "--depth", "1", "--quiet"});
  EXPECT_EQ(deeper.code, 0) << deeper;  // what is deeper is unknown, and the verdict says so
  EXPECT_THAT(deeper.out, HasSubstr("in no run did anything happen that \"agreement\" judges"));
}

TEST(HuntProgram, OraclesThatCouldNeverObjectAreRefused) {
  const Folder folder;
  const std::pair<const char*, const char*> systems[] = {
      {"no-such-node",
       "its oracle \"never\" cannot object as it should: no node is of the class Elsewhere"},
      {"no-such-state",
       "its oracle \"one ping\" cannot object as it should: nothing leads from \"start\" to its "
       "state "
       "\"sene\""},
      {"no-failure",
       "its oracle \"one ping\" cannot object as it should: nothing leads to \"failing\", and it "
       "has no "
       "goal"},
      {"no-such-goal",
       "its oracle \"one ping\" cannot object as it should: nothing leads to its goal "
       "\"doen\""}};
  for (const auto& [system, why] : systems)
    for (const char* verb : {"hunt", "check"}) {
      const Outcome o = folder.run_odd({verb, system, "--runs", "3"});
      EXPECT_EQ(o.code, 2) << o;
      EXPECT_THAT(o.err, HasSubstr(why));
      EXPECT_THAT(o.out, IsEmpty());
    }
}

TEST(HuntProgram, EventuallyThatNobodyJudgedIsInconclusive) {
  const Folder folder;
  const Outcome o = folder.run_odd({"hunt", "never-fair", "--runs", "2"});
  EXPECT_EQ(o.code, 3) << o;
  EXPECT_THAT(o.out, HasSubstr("inconclusive: no run could judge \"rest\""));
  const Outcome json = folder.run_odd({"hunt", "never-fair", "--runs", "2", "--json"});
  EXPECT_EQ(json.code, 3);
  EXPECT_EQ(nlohmann::json::parse(json.out).at("unjudged"), nlohmann::json({"rest"}));
}

TEST(HuntProgram, ADeathIsAFindAlsoOfASystemThatDoesNotCallItselfFragile) {
  const Folder folder;
  const Outcome o = folder.run_odd({"hunt", "deadly", "--jobs", "2"});
  EXPECT_EQ(o.code, 1) << o;
  EXPECT_THAT(o.out, StartsWith("crash is violated at step "));
  EXPECT_THAT(o.err, IsEmpty());
  EXPECT_EQ(folder.run_odd({"replay", after(o.out, "written:")}).code, 1);
}

// Whatever takes the process with it is a find that replays and shows like any other.
TEST(HuntProgram, ADeathIsAFind) {
  const Words guarded = {"--world", "forked=true,hang=100ms"};
  for (const auto& [arguments, says] :
       {std::pair(Words{"hunt", "deadly"} + guarded, "SIGABRT at step "),
        std::pair(Words{"hunt", "deadly", "--bug", "throws"}, "std::runtime_error: "),
        std::pair(Words{"hunt", "deadly", "--bug", "hangs"} + guarded, "hang at step "),
        std::pair(Words{"hunt", "brittle:way=segfault"},
                  "SIGSEGV at step 2 in schism::testing_only::Brittle::write_nowhere"),
        std::pair(Words{"hunt", "brittle:way=exits"}, "exit(3) at step ")}) {
    const Folder folder;
    const Outcome o = folder.run_odd(arguments);
    ASSERT_EQ(o.code, 1) << o;
    EXPECT_THAT(o.out, StartsWith("crash is violated at step "));
    EXPECT_THAT(o.out, HasSubstr(says));
    EXPECT_THAT(o.out, HasSubstr("nothing can be left out"));
    const std::string trace = after(o.out, "written:") + "/bug.trace";
    const Outcome replayed = folder.run_odd({"replay", trace});
    EXPECT_EQ(replayed.code, 1) << replayed;
    EXPECT_THAT(replayed.out, HasSubstr("the same events as recorded"));
    const Outcome shown = folder.run_odd({"show", trace});
    EXPECT_EQ(shown.code, 0) << shown;
    EXPECT_THAT(shown.out, HasSubstr(says));
    EXPECT_THAT(folder.read(after(o.out, "page:")), HasSubstr("</html>"));
  }
}

TEST(HuntProgram, StateThatLeaksBetweenRunsIsToldWithItsBatch) {
  const Folder folder;
  const Outcome o = folder.run_odd({"hunt", "brittle:way=leaks,pokes=2", "--runs", "100"});
  EXPECT_EQ(o.code, 1) << o;
  EXPECT_THAT(o.out, HasSubstr("state leaks between runs: in the batch from run "));
  EXPECT_THAT(o.out, HasSubstr("and alone it does not; after run "));
}

TEST(HuntProgram, AnUnwritablePlaceIsOneLine) {
  const Folder folder;
  folder.write("file", "in the way");
  for (const char* out : {"file", "file/below", "/dev/null/x"}) {
    const Outcome o = folder.run(kToyBug + kBySeeds + Words{"--out", out});
    EXPECT_EQ(o.code, 2) << o;
    EXPECT_EQ(lines_of(o.err).size(), 1U) << o;
    EXPECT_THAT(o.err, HasSubstr(out));
    EXPECT_THAT(o.out, HasSubstr("not examined: run 0 (seed 1) violates agreement: ")) << o;
    EXPECT_THAT(o.out, testing::Not(HasSubstr("nothing wrong found"))) << o;
  }
  // A folder stands where the file should be: no half-written one may remain beside it, and the run
  // as it happened was written before.
  std::filesystem::create_directories(folder / "out/toy-consensus-agreement-73bfa3/bug.trace");
  const Outcome o = folder.run(kToyBug + kBySeeds + Words{"--out", "out"});
  EXPECT_EQ(o.code, 2) << o;
  EXPECT_THAT(folder.files(),
              ElementsAre("file", "out/toy-consensus-agreement-73bfa3/original.trace"));
}

// A mutated message holds anything: that may break a protocol, never the program. One system, one
// number of workers and half of the runs at a time: where each run has a process of its own they
// take a while.
class EverySystem : public testing::TestWithParam<std::tuple<std::string, int, int>> {};

TEST_P(EverySystem, SurvivesEveryFault) {
  const auto& [name, jobs, seed] = GetParam();
  const Folder folder;
  const char* faults = systems().find(name)->is_service  // the links to services are whole
                           ? "crash=2"
                           : "mutate=5,duplicate=3,drop=3,crash=2,pause=2,cut=2,partition=2";
  const Outcome o =
      folder.run({"hunt", name, "--liars", systems().find(name)->is_service ? "0" : "1", "--faults",
                  faults, "--seed", std::to_string(seed), "--runs", "150", "--keep-going",
                  "--no-shrink", "--jobs", std::to_string(jobs)});
  EXPECT_THAT(o.code, AnyOf(0, 1, 3)) << o;
}

INSTANTIATE_TEST_SUITE_P(Hunted, EverySystem,
                         testing::Combine(testing::ValuesIn(systems().names()),
                                          testing::Values(1, 2), testing::Values(1, 151)),
                         [](const auto& tested) {
                           return testing_tools::word_in_name(std::get<0>(tested.param)) + "_" +
                                  std::to_string(std::get<1>(tested.param)) + "_from_" +
                                  std::to_string(std::get<2>(tested.param));
                         });

TEST(HuntProgram, FlagsMayStandBeforeTheSystem) {
  const Folder folder;
  const Outcome o = folder.run({"hunt", "--bug", "distrust-commits", "--faults", "crash=1",
                                "--world", "links=fifo", "toy-consensus", "--runs", "50"});
  EXPECT_EQ(o.code, 1) << o;
}

TEST(HuntProgram, OddCharactersReachNeitherTerminalNorShell) {
  const Folder folder;
  const Outcome o = folder.run_odd({"hunt", "wordy"});
  ASSERT_EQ(o.code, 1) << o;
  EXPECT_TRUE(std::all_of(o.out.begin(), o.out.end(), [](unsigned char c) {
    return c == '\n' || c >= 0x20;
  })) << o;
  for (const std::string& line : lines_of(o.out))  // no row of the diagram is broken in two
    EXPECT_THAT(line, testing::Not(StartsWith("lines, a tab"))) << o;
  EXPECT_EQ(folder.shell(after(o.out, "reproduce:"), places::kOddProgram).code, 1);
}

TEST(HuntProgram, ColorIsGivenOnRequestOnly) {
  const Folder folder;
  EXPECT_THAT(folder.run(kToyBug + Words{"--color", "always"}).out, HasSubstr("\x1b["));
  for (const Words& how : {Words{}, Words{"--color", "never"}, Words{"--color", "auto"}})
    EXPECT_THAT(folder.run(kToyBug + how).out, testing::Not(HasSubstr("\x1b[")));
}

TEST(HuntProgram, SaysWhatItsSystemClaimsToSurvive) {
  const Folder folder;
  const Outcome none = folder.run(Words{"hunt", "multipaxos", "--runs", "20"} + kBySeeds);
  EXPECT_EQ(none.code, 0) << none;
  EXPECT_THAT(none.out, HasSubstr("no faults were tried (--faults); multipaxos is built to survive "
                                  "duplicate, crash, pause\n"));
  const Outcome within = folder.run({"hunt", "multipaxos", "--runs", "20", "--faults", "crash=1"});
  EXPECT_EQ(within.code, 0) << within;
  EXPECT_THAT(within.out, testing::Not(HasSubstr("built to survive")));
  const Outcome beyond = folder.run({"hunt", "multipaxos", "--faults", "crash=1,drop=3"});
  EXPECT_EQ(beyond.code, 1) << beyond;
  const std::string claim =
      "beyond its claim: multipaxos is built to survive duplicate, crash, pause; ";
  EXPECT_THAT(beyond.out, HasSubstr(claim + "this run has drop\n"));
  EXPECT_THAT(beyond.out, HasSubstr(", beyond its claim: drop\n"));
  EXPECT_THAT(beyond.out, HasSubstr(claim + "these runs may have drop\n"));
  EXPECT_THAT(folder.run({"list", "multipaxos"}).out,
              HasSubstr("built to survive\n    duplicate, crash, pause\n"));
  EXPECT_THAT(folder.run_odd({"list", "busy"}).out, HasSubstr("it does not say"));
}

}  // namespace
}  // namespace schism::e2e
