// docs/byzantine.md and docs/bft-smart.md keep their word: their commands have the exit codes that
// they show.
#include <gtest/gtest.h>

#include <regex>

#include "program.hpp"

namespace schism::e2e {
namespace {

// Of a page: runs its commands, and says how many there were.
int run_commands_of(const std::string& page, const Folder& folder) {
  static const std::regex command(R"(^ +\$ schism (.*)\s+# exit (\d+)$)");
  int ran = 0;
  for (const std::string& line : lines_of(source_file(page))) {
    std::smatch match;
    if (!std::regex_match(line, match, command)) continue;
    const Outcome o = folder.run(words_of(match[1]));
    EXPECT_EQ(o.code, std::stoi(match[2])) << line << o;
    ++ran;
  }
  return ran;
}

TEST(ByzantinePage, ItsCommandsRun) {
  const Folder folder;
  folder.write("pbft.scenario", source_file("scenarios/pbft.scenario"));
  EXPECT_EQ(run_commands_of("docs/byzantine.md", folder), 11);
}

TEST(BftSmartPage, ItsCommandsRun) {
  const Folder folder;
  for (const std::string name : {"bft-smart.scenario", "bft-smart-bugs.scenario"})
    folder.write(name, source_file("scenarios/" + name));
  EXPECT_EQ(run_commands_of("docs/bft-smart.md", folder), 5);
}

// In traces before version 5 anybody's messages were changed, and everybody was judged.
TEST(ByzantineTraces, OfOldAreReplayed) {
  const Folder folder;
  folder.write("old.trace", source_file("systems/paxos/kept/before-liars.trace"));
  const Outcome o = folder.run({"replay", "old.trace"});
  EXPECT_EQ(o.code, 1) << o;
  EXPECT_NE(o.out.find("reproduced: validity is violated at step 17"), std::string::npos) << o;
}

// Among liars alone nothing is judged, which must not read as "nothing wrong found".
TEST(ByzantineProgram, MoreLiarsThanMayLieAreRefused) {
  const Folder folder;
  const Outcome o = folder.run({"hunt", "pbft", "--liars", "9", "--runs", "1"});
  EXPECT_EQ(o.code, 2) << o;
  EXPECT_NE(o.err.find("9 liars, but only 4 nodes of pbft may lie"), std::string::npos) << o;
}

// Beyond what it claims to survive, which is said also where nothing is found.
TEST(ByzantineProgram, MoreLiarsThanItSurvivesAreBeyondItsClaim) {
  const Folder folder;
  const Outcome o = folder.run({"hunt", "pbft", "--liars", "2", "--runs", "2"});
  EXPECT_NE(o.out.find("beyond its claim: pbft is built to survive"), std::string::npos) << o;
  EXPECT_NE(o.out.find("and 1 liar; these runs have 2 liars"), std::string::npos) << o;
  const Outcome one = folder.run({"hunt", "pbft", "--liars", "1", "--runs", "2"});
  EXPECT_EQ(one.out.find("beyond its claim"), std::string::npos) << one;
}

// A find among liars says who told what to whom, what stood there, and why it passed.
TEST(ByzantineProgram, AStoryTellsTheLies) {
  const Folder folder;
  const Outcome o =
      folder.run({"hunt", "pbft", "--bug", "digest-unchecked", "--liars", "1", "--explorer",
                  "liar:declared=1", "--runs", "2000", "--shrink-time", "5s"});
  EXPECT_EQ(o.code, 1) << o;
  EXPECT_NE(o.out.find(" instead of "), std::string::npos) << o;
  EXPECT_NE(o.out.find(", once"), std::string::npos) << o;
}

}  // namespace
}  // namespace schism::e2e
