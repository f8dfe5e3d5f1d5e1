// `schism zoo` and the default hunt, as a person runs them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "program.hpp"
#include "tests/places/places.hpp"

namespace schism::e2e {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

TEST(ZooProgram, ListsEveryBug) {
  const Folder folder;
  const Outcome o = folder.run({"zoo", "list"});
  ASSERT_EQ(o.code, 0) << o;
  for (const char* part : {"raft: ", "  raft/commit-old-term ", "  multipaxos/mixed-ballots ",
                           "(not in races: the library breaks", " bugs. To find one:"})
    EXPECT_THAT(o.out, HasSubstr(part));
  EXPECT_THAT(o.out, Not(HasSubstr("␊"))) << "a line break that was taken for text";
  const auto json = nlohmann::json::parse(folder.run({"zoo", "list", "--json"}).out);
  EXPECT_GT(json.size(), 46U);
  EXPECT_TRUE(json[0].contains("meaning"));
  EXPECT_THAT(folder.files(), testing::IsEmpty());
}

TEST(ZooProgram, RunsFromAName) {
  const Folder folder;
  const Outcome o = folder.run({"zoo", "run", "conflict-not-truncated", "--out", "finds"});
  ASSERT_EQ(o.code, 1) << o;
  EXPECT_THAT(o.out, HasSubstr("raft/conflict-not-truncated: a conflicting entry"));
  EXPECT_THAT(o.out, HasSubstr(" is violated at step "));
  EXPECT_THAT(o.out, HasSubstr("shrunk: "));
  EXPECT_THAT(o.out, HasSubstr("or anew: "));
  // The command it shows, and the one that plays the find's run anew, are commands.
  const Folder elsewhere;
  const Outcome anew = elsewhere.shell(after(o.out, "or anew:"), places::kProgram);
  EXPECT_EQ(anew.code, 1) << anew;
  EXPECT_THAT(anew.out, HasSubstr("1 run, "));
}

TEST(ZooProgram, RacesAndGoesOnAfterAKill) {
  const Folder folder;
  const Words race = {"zoo",    "race",   "--explorer", "swarm",  "--explorer",
                      "random", "--only", "paxos",      "--only", "regular-register",
                      "--time", "300ms",  "--seeds",    "2",      "--out",
                      "race",   "--quiet"};
  Words words = {places::kProgram};
  words.insert(words.end(), race.begin(), race.end());
  for (int i = 0; i < 3; ++i) {
    Process process(folder.path(), words, {});
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    process.signal(SIGKILL);
    process.finish();
  }
  const Outcome o = folder.run(race);
  ASSERT_EQ(o.code, 0) << o;
  EXPECT_THAT(o.out, HasSubstr("strategy"));
  EXPECT_THAT(o.out, HasSubstr("regular-register/first-value"));
  EXPECT_THAT(o.out, Not(HasSubstr("missing")));
  const auto json = nlohmann::json::parse(folder.read("race/race.json"));
  EXPECT_EQ(json["missing"], 0);
  EXPECT_EQ(json["strategies"][0]["trials"], 18);
  EXPECT_THAT(folder.read("race/race.html"), HasSubstr("<svg"));
  EXPECT_THAT(folder.read("race/race.html"), Not(HasSubstr("http")));
  EXPECT_EQ(lines_of(folder.read("race/race.csv")).size(), 1U + 9 * 2 * 2) << "each is played once";
}

TEST(ZooProgram, MistakesAreOneLine) {
  const Folder folder;
  const struct {
    Words words;
    std::string message;
  } mistakes[] = {
      {{"zoo"}, "what"},
      {{"zoo", "runn"}, "did you mean \"run\"?"},
      {{"zoo", "run"}, "which bug?"},
      {{"zoo", "run", "raft/comit-old-term"}, "did you mean \"raft/commit-old-term\"?"},
      {{"zoo", "run", "vote-not-persisted"}, "craft/vote-not-persisted or raft/vote-not-persisted"},
      {{"zoo", "race", "--explorer", "randm"}, "did you mean \"random\"?"},
      {{"zoo", "race", "--explorer", "pos", "--explorer", "pos"}, "takes part twice"},
      {{"zoo", "race", "--time", "0s"}, "time is more than 0"},
      {{"zoo", "race", "--seeds", "0"}, "seeds is a whole number from 1"},
      {{"zoo", "race", "--only", "rft"}, "no bug \"rft\""},
  };
  for (const auto& [words, message] : mistakes) {
    const Outcome o = folder.run(words);
    EXPECT_EQ(o.code, 2) << o;
    EXPECT_THAT(o.err, HasSubstr(message));
    EXPECT_EQ(lines_of(o.err).size(), 1U) << o;
  }
  EXPECT_THAT(folder.files(), testing::IsEmpty());
}

// ---- the default of `hunt`

TEST(DefaultHunt, FindsWhatNeedsFaultsParametersAndFewNodes) {
  for (const char* bug : {"term-not-persisted", "unsafe-membership"}) {
    const Folder folder;
    const Outcome o = folder.run({"hunt", "raft", "--bug", bug, "--runs", "100000", "--quiet"});
    ASSERT_EQ(o.code, 1) << o;
    EXPECT_THAT(after(o.out, "or anew:"), HasSubstr(" --explorer "));
    EXPECT_THAT(after(o.out, "or anew:"), Not(HasSubstr("--explorer swarm")));
    const Outcome anew = Folder().shell(after(o.out, "or anew:"), places::kProgram);
    EXPECT_EQ(anew.code, 1) << anew;
    const Outcome replayed = folder.shell(after(o.out, "reproduce:"), places::kProgram);
    EXPECT_EQ(replayed.code, 1) << replayed;
  }
}

// What was drawn is in the find's folder: as the hunt that plays it again, and for programs.
TEST(DefaultHunt, WhatWasDrawnIsInTheFolder) {
  const Folder folder;
  const Outcome o = folder.run({"hunt", "raft", "--bug", "ack-before-sync", "--quiet"});
  ASSERT_EQ(o.code, 1) << o;
  const std::string shelf = after(o.out, "written:");
  const std::string toml = folder.read(shelf + "/hunt.toml");
  EXPECT_THAT(toml, Not(HasSubstr("explorer = \"swarm")));
  EXPECT_THAT(toml, HasSubstr("[faults]"));
  EXPECT_THAT(toml, HasSubstr("runs = 1\n"));
  const auto json = nlohmann::json::parse(folder.read(shelf + "/bug.json"));
  EXPECT_THAT(json["command"].get<std::string>(), HasSubstr("--faults "));
  const Outcome again = folder.run({"hunt", "--again", shelf, "--out", "again"});
  EXPECT_EQ(again.code, 1) << again;
}

TEST(DefaultHunt, KeepsTheUsersFlags) {
  const Folder folder;
  const Outcome o = folder.run({"hunt", "raft:requests=3", "--bug", "vote-without-log-check",
                                "--nodes", "4", "--faults", "pause=2", "--quiet"});
  ASSERT_EQ(o.code, 1) << o;
  const std::string anew = after(o.out, "or anew:");
  for (const char* part : {"requests=3", "--nodes 4", "--faults pause=2"})
    EXPECT_THAT(anew, HasSubstr(part));
  // A scheduler that is named is alone, and nothing is drawn.
  const Outcome plain = folder.run({"hunt", "raft", "--bug", "vote-without-log-check", "--explorer",
                                    "random", "--quiet", "--json"});
  const auto json = nlohmann::json::parse(plain.out);
  EXPECT_FALSE(json.contains("draws"));
  EXPECT_THAT(json["command"].get<std::string>(), Not(HasSubstr("swarm")));
}

TEST(DefaultHunt, SaysWhichFaultsItDrewAndWhichDrawsLedToFinds) {
  const Folder folder;
  const Outcome clean = folder.run({"hunt", "two-phase-commit", "--runs", "2000", "--quiet"});
  EXPECT_EQ(clean.code, 0) << clean;
  EXPECT_THAT(clean.out, HasSubstr("nothing wrong found"));
  EXPECT_THAT(clean.out, HasSubstr("faults that were drawn: crash, pause"));
  const Outcome lying = folder.run({"hunt", "bracha", "--runs", "500", "--quiet"});
  EXPECT_THAT(lying.out, HasSubstr("partition, a liar\n"));
  const Outcome many = folder.run({"hunt", "raft", "--bug", "ack-before-sync", "--keep-going",
                                   "--runs", "4000", "--no-shrink", "--quiet"});
  EXPECT_EQ(many.code, 1) << many;
  EXPECT_THAT(many.out, HasSubstr("draws that led to finds: "));
  EXPECT_THAT(many.out, HasSubstr("fault.crash"));
}

}  // namespace
}  // namespace schism::e2e
