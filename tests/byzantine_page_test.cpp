// docs/byzantine.md keeps its word: its commands have the exit codes that it shows.
#include <gtest/gtest.h>

#include <regex>

#include "program.hpp"

namespace schism::e2e {
namespace {

TEST(ByzantinePage, ItsCommandsRun) {
  static const std::regex command(R"(^ +\$ schism (.*)\s+# exit (\d+)$)");
  const Folder folder;
  folder.write("pbft.scenario", source_file("scenarios/pbft.scenario"));
  int ran = 0;
  for (const std::string& line : lines_of(source_file("docs/byzantine.md"))) {
    std::smatch match;
    if (!std::regex_match(line, match, command)) continue;
    const Outcome o = folder.run(words_of(match[1]));
    EXPECT_EQ(o.code, std::stoi(match[2])) << line << o;
    ++ran;
  }
  EXPECT_EQ(ran, 6);
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

}  // namespace
}  // namespace schism::e2e
