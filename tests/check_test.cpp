// `schism check`: its four verdicts, exit codes, and counterexamples that other commands take.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.hpp"
#include "tests/places/places.hpp"

namespace schism::e2e {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

const Words kConsensus = {"check", "hierarchical-consensus", "--faults", "crash=1"};

Words operator+(Words a, const Words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(CheckProgram, ACorrectSystemHolds) {
  const Folder folder;
  const Outcome o = folder.run(kConsensus);
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_THAT(o.out, HasSubstr("\nholds: all runs were explored\n"));
  EXPECT_THAT(o.out, HasSubstr("  nobody crashes: 12 runs\n"));
  EXPECT_THAT(o.out, HasSubstr("  1 crashes: 96 runs\n"));
  EXPECT_THAT(o.err, IsEmpty());
  EXPECT_THAT(folder.files(), IsEmpty());
}

TEST(CheckProgram, ACounterexampleReplaysAndIsDrawn) {
  const Folder folder;
  const Outcome o = folder.run(kConsensus + Words{"--bug", "advance-once"});
  ASSERT_EQ(o.code, 1) << o;
  EXPECT_THAT(o.out, StartsWith("termination is violated at step "));
  EXPECT_THAT(o.out, HasSubstr("\nviolated\n"));
  const std::string path = after(o.out, "written:");
  EXPECT_THAT(folder.files(), ElementsAre(path));
  const Outcome replayed = folder.shell(after(o.out, "reproduce:"), places::kProgram);
  EXPECT_EQ(replayed.code, 1) << replayed;
  EXPECT_THAT(replayed.out, StartsWith("reproduced: termination is violated"));
  EXPECT_EQ(folder.run({"show", path}).code, 0);
}

TEST(CheckProgram, GoMcsWorkloadHasItsNumberOfRuns) {
  const Folder folder;
  const Words gomc = {"check",      "hierarchical-consensus:own-notice=true",
                      "--faults",   "crash=1",
                      "--world",    "down=empty,may-crash=1",
                      "--crashing", "exactly",
                      "--json"};
  const auto runs = [&](const char* explorer) {
    const Outcome o = folder.run(gomc + Words{"--explorer", explorer});
    EXPECT_EQ(o.code, 0) << o;
    return nlohmann::json::parse(o.out).at("runs").get<int>();
  };
  EXPECT_EQ(runs("prefix"), 46'548);
  EXPECT_EQ(runs("dpor"), 192);
  EXPECT_EQ(runs("dpor:mode=source"), 192);
}

TEST(CheckProgram, WhatIsNotFinishedIsInconclusive) {
  const Folder folder;
  const Outcome few = folder.run({"check", "paxos", "--explorer", "prefix", "--runs", "1000"});
  EXPECT_EQ(few.code, 3) << few;
  EXPECT_THAT(few.out, HasSubstr("inconclusive: the allowed number of runs is used up\n"));
  const Outcome endless = folder.run({"check", "tokens", "--nodes", "3"});
  EXPECT_EQ(endless.code, 3) << endless;
  const Outcome cut = folder.run({"check", "paxos", "--depth", "6"});
  EXPECT_EQ(cut.code, 0) << cut;
  EXPECT_THAT(cut.out, HasSubstr("\nholds up to depth 6\n"));
  const Outcome unjudged = folder.run({"check", "hierarchical-consensus", "--depth", "2"});
  EXPECT_EQ(unjudged.code, 3) << unjudged;
}

TEST(CheckProgram, BadInputIsOneLine) {
  const Folder folder;
  for (const Words& bad :
       {Words{"check", "nonsense"}, Words{"check", "paxos", "--explorer", "x"},
        Words{"check", "paxos", "--explorer", "dpor:mode=x"},
        Words{"check", "paxos", "--crashing", "some"}, Words{"check", "paxos", "--depth", "0"},
        Words{"check", "paxos", "--faults", "cut=1"},
        Words{"check", "paxos", "--faults", "crash=1", "--restarts", "1"},
        Words{"check", "paxos", "--explorer", "dfs:bits=7"},
        Words{"check", "paxos", "--explorer", "dfs:symmetry=true"},
        Words{"check", "paxos", "--explorer", "replay"}, Words{"check", "paxos", "--delays", "2"},
        Words{"check", "paxos", "--jobs", "0"}, Words{"check", "paxos", "--from", "none.trace"},
        Words{"check", "--from", "none.trace@x"}}) {
    const Outcome o = folder.run(bad);
    EXPECT_EQ(o.code, 2) << bad.back() << o;
    EXPECT_THAT(o.out, IsEmpty()) << bad.back();
    EXPECT_EQ(lines_of(o.err).size(), 1U) << bad.back() << o;
  }
  EXPECT_THAT(folder.files(), IsEmpty());
}

TEST(CheckProgram, SymmetryHasFewerStatesAndTheSameVerdict) {
  const Folder folder;
  const Words commit = {"check", "two-phase-commit", "--nodes", "5", "--json", "--explorer"};
  const auto plain = nlohmann::json::parse(folder.run(commit + Words{"dfs"}).out);
  const auto folded = nlohmann::json::parse(folder.run(commit + Words{"dfs:symmetry=true"}).out);
  EXPECT_EQ(plain.at("verdict"), "holds");
  EXPECT_EQ(folded.at("verdict"), "holds");
  EXPECT_LT(10 * folded.at("states").get<int>(), plain.at("states").get<int>());
}

TEST(CheckProgram, SeveralWorkersRunTheSame) {
  const Folder folder;
  for (const char* jobs : {"1", "2", "4"}) {
    const Outcome o = folder.run(kConsensus + Words{"--json", "--jobs", jobs});
    EXPECT_EQ(o.code, 0) << o;
    EXPECT_EQ(nlohmann::json::parse(o.out).at("runs"), 339) << jobs;
  }
}

TEST(CheckProgram, GoesOnFromAStepOfATrace) {
  const Folder folder;
  const Outcome o = folder.run(kConsensus + Words{"--bug", "advance-once"});
  ASSERT_EQ(o.code, 1) << o;
  const std::string path = after(o.out, "written:");
  const Outcome from = folder.run({"check", "--from", path + "@2", "--explorer", "bfs"});
  EXPECT_EQ(from.code, 1) << from;
  const Outcome fixed = folder.run(kConsensus + Words{"--from", path + "@2"});
  EXPECT_EQ(fixed.code, 3) << fixed;
  EXPECT_THAT(fixed.out, HasSubstr("inconclusive: no violation in any run that begins like the"));
  const Outcome judged = folder.run({"check", "--from", path, "--explorer", "replay"});
  EXPECT_EQ(judged.code, 1) << judged;
}

TEST(CheckProgram, ReadsItsFlagsFromAFile) {
  const Folder folder;
  folder.write("check.toml",
               "system = \"hierarchical-consensus\"\nexplorer = \"dfs\"\ncrashing = \"any\"\n"
               "[faults]\ncrash = 1\n");
  const Outcome o = folder.run({"check", "--config", "check.toml"});
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_THAT(o.out, HasSubstr("1 crash of 0, 1, 2: "));
  EXPECT_THAT(o.out, HasSubstr(" states"));
}

}  // namespace
}  // namespace schism::e2e
