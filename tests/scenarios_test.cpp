// `schism test` as a person runs it: exit codes, messages, the page's scenarios and the shipped
// ones.
#include <gtest/gtest.h>

#include "program.hpp"
#include "tests/places/places.hpp"

namespace schism::e2e {
namespace {

const std::string kHead =
    "scenario \"x\"\nsystem raft:clients=0,progress=false\nsteps 200\nruns 10\n";

TEST(Scenarios, EveryBlockOfThePageHolds) {
  const Folder folder;
  std::string block;
  bool open = false;
  int blocks = 0;
  for (const std::string& line : lines_of(source_file("docs/scenarios.md"))) {
    if (open && line == "```") {
      const std::string name = "block" + std::to_string(++blocks) + ".scenario";
      folder.write(name, block);
      const Outcome o = folder.run({"test", name});
      EXPECT_EQ(o.code, 0) << block << o;
      block.clear();
      open = false;
    } else if (open) {
      block += line + "\n";
    } else {
      open = line == "```scenario";
    }
  }
  EXPECT_GE(blocks, 3);
}

TEST(Scenarios, ExitCodesAndMessages) {
  const Folder folder;
  folder.write("good.scenario", kHead + "property\n start -> goal when started\nexpect goal\n");
  EXPECT_EQ(folder.run({"test", "good.scenario"}).code, 0);
  folder.write("bad.scenario", kHead + "property\n start -> violation when becomes-leader\n");
  const Outcome failed = folder.run({"test", "bad.scenario", "--junit", "out.xml"});
  EXPECT_EQ(failed.code, 1);
  EXPECT_NE(failed.out.find("x is violated at step"), std::string::npos) << failed;
  EXPECT_TRUE(exists(folder / "out.xml"));
  folder.write("wrong.scenario", kHead + "filter if sent MsgVot then drop\n");
  const Outcome wrong = folder.run({"test", "wrong.scenario"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("did you mean \"MsgVote\"?"), std::string::npos) << wrong;
  folder.write("torn.scenario", "scenario \"x\"\nfilter if");
  EXPECT_NE(folder.run({"test", "torn.scenario"}).err.find("line 2, column 10"), std::string::npos);
  const Outcome shown = folder.run({"test", "--format", "good.scenario"});
  folder.write("again.scenario", shown.out);
  EXPECT_EQ(folder.run({"test", "--format", "again.scenario"}).out, shown.out);
}

// Bugs that no hunt finds soon: with them the scenarios violate agreement, without them nothing.
TEST(ScenarioProgram, PbftWithALiarIsAsItSays) {
  const Folder folder;
  const Outcome o = folder.run({"test", places::kSource + std::string("/scenarios/pbft.scenario")});
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_NE(o.out.find("6 of 6 scenarios passed"), std::string::npos) << o;
}

}  // namespace
}  // namespace schism::e2e
