// `schism test` as a person runs it: exit codes, messages, the page's scenarios and the shipped
// ones.
#include <gtest/gtest.h>

#include <csignal>

#include "processes.hpp"
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

// Runs again whenever a file is saved, also after one that cannot be read; Ctrl-C ends it.
TEST(Scenarios, WatchRunsAgainOnSave) {
  const Folder folder;
  folder.write("x.scenario", kHead + "property\n start -> goal when started\nexpect goal\n");
  Process watching(folder.path(), {places::kProgram, "test", "x.scenario", "--watch"}, "");
  const auto times = [&](const std::string& text) {
    std::size_t count = 0, from = 0;
    const std::string out = watching.out();
    while ((from = out.find(text, from)) != std::string::npos) ++count, ++from;
    return count;
  };
  ASSERT_TRUE(soon([&] { return times("waiting for changes") == 1; }));
  EXPECT_EQ(times("1 of 1 scenarios passed"), 1U);
  folder.write("x.scenario", "scenario");
  ASSERT_TRUE(soon([&] { return times("waiting for changes") == 2; }));
  folder.write("x.scenario", kHead + "property\n start -> violation when started\n");
  ASSERT_TRUE(soon([&] { return times("waiting for changes") == 3; }));
  EXPECT_EQ(times("0 of 1 scenarios passed"), 1U);
  watching.signal(SIGINT);
  const Outcome o = watching.finish();
  EXPECT_EQ(o.code, 130) << o;
  EXPECT_NE(o.err.find("line 1, column 9: expected the scenario's name"), std::string::npos) << o;
  EXPECT_EQ(folder.run({"test", "-", "--watch"}, kHead).code, 2);
}

TEST(Scenarios, JUnitHasACaseAScenarioWithItsStory) {
  const Folder folder;
  folder.write("two.scenario", kHead + "property\n start -> violation when becomes-leader\n" +
                                   "scenario \"<y>\"\nsystem raft\nsteps 50\nruns 3\n");
  EXPECT_EQ(folder.run({"test", "two.scenario", "--junit", "out.xml"}).code, 1);
  const std::string xml = folder.read("out.xml");
  EXPECT_NE(xml.find("tests=\"2\" failures=\"1\""), std::string::npos) << xml;
  EXPECT_NE(xml.find("&lt;y&gt;"), std::string::npos) << xml;
  EXPECT_NE(xml.find("is violated at step"), std::string::npos) << xml;
}

TEST(Scenarios, ClausesAndDistances) {
  const Folder folder;
  folder.write("x.scenario",
               kHead +
                   "filter \"held\" if sent MsgVoteResp and from 1 then store in late\n"
                   "filter \"freed\" if becomes-leader then deliver all from late\n"
                   "property\n start -> goal when becomes-candidate\nexpect goal >= 50%\n");
  const Outcome clauses = folder.run({"test", "x.scenario", "--clauses"});
  EXPECT_EQ(clauses.code, 0) << clauses;
  EXPECT_NE(clauses.out.find("received MsgVote\n"), std::string::npos) << clauses;
  EXPECT_NE(clauses.out.find("received MsgTimeoutNow   reached by none"), std::string::npos);
  const Outcome worth = folder.run({"test", "x.scenario", "--distance", "--runs", "50"});
  EXPECT_EQ(worth.code, 0) << worth;
  EXPECT_NE(worth.out.find("filter \"held\"\n    distance "), std::string::npos) << worth;
  EXPECT_NE(worth.out.find("until \"freed\""), std::string::npos) << worth;
  EXPECT_NE(worth.out.find("it can go, random reaches the goal in"), std::string::npos) << worth;
}

// What the shipped scenarios are for: no clause of Raft that none of them reaches.
TEST(Scenarios, TheShippedOnesReachEveryClauseOfRaft) {
  const Folder folder;
  const Outcome o = folder.run({"test", std::string(places::kSource) + "/scenarios", "--clauses"});
  EXPECT_EQ(o.code, 0) << o;
  const std::size_t raft = o.out.find("raft: clauses");
  ASSERT_NE(raft, std::string::npos) << o;
  EXPECT_EQ(o.out.find("reached by none", raft), std::string::npos) << o;
}

// Plays the scenarios of a file under each explorer and compares with the rows of a page that have
// their names: their columns follow the published one. How many cells were compared.
int compare_with_page(const Words& page, const std::string& file, const Words& explorers) {
  const Folder folder;
  int compared = 0;
  for (std::size_t column = 0; column < explorers.size(); ++column) {
    const Outcome o = folder.run({"test", std::string(places::kSource) + "/scenarios/" + file,
                                  "--json", "--explorer", explorers[column]});
    for (const std::string& line : lines_of(o.out)) {
      const std::string name = line.substr(line.find("\"scenario\":\"") + 12);
      const std::string test = name.substr(0, name.find('"'));
      const bool violations = test == "ConfChangeBug";
      const std::string count = after(line, violations ? "\"violated\":" : "\"goals\":");
      for (const std::string& row : page) {
        if (!row.starts_with("| " + test + " |")) continue;
        std::vector<std::string> cells = {""};
        for (const char c : row) {
          if (c == '|') cells.emplace_back();
          else cells.back() += c;
        }
        if (cells.size() < 8) continue;  // another table
        EXPECT_EQ(std::stoi(cells[3 + column]), std::stoi(count))
            << test << " " << explorers[column];
        ++compared;
        break;
      }
    }
  }
  return compared;
}

// Runs are the same on every machine: the page has the numbers that come out.
TEST(Scenarios, TheNetrixPageHasWhatIsMeasured) {
  const Words page = lines_of(source_file("docs/results/netrix.md"));
  const Words explorers = {"random", "pos", "pctcp:depth=6,horizon=100"};
  EXPECT_EQ(compare_with_page(page, "netrix.scenario", explorers), 8 * 3);
  EXPECT_EQ(compare_with_page(page, "bft-smart.scenario", explorers), 8 * 3);
}

// A find, its scenarios, and what they say of it: the whole way as somebody goes it.
TEST(Scenarios, AFindBecomesScenariosThatReproduceIt) {
  const Folder folder;
  EXPECT_EQ(
      folder.run({"hunt", "raft", "--bug", "quorum-third", "--out", "found", "--jobs", "1"}).code,
      1);
  const Words traces = folder.traces();
  ASSERT_FALSE(traces.empty());
  const Outcome o = folder.run(
      {"scenario", traces[0], "-o", "x.scenario", "--cpp", "x_test.cpp", "--effort", "2"});
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_NE(o.out.find("  script "), std::string::npos) << o;
  EXPECT_NE(folder.read("x_test.cpp").find("SCENARIO(raft, "), std::string::npos);
  const Outcome played = folder.run({"test", "x.scenario"});
  EXPECT_EQ(played.code, 0) << played << folder.read("x.scenario");
  EXPECT_NE(played.out.find("2 of 2 scenarios passed"), std::string::npos) << played;
  EXPECT_EQ(folder.run({"scenario", "nowhere.trace"}).code, 2);
}

// A scenario's own clients ask in a hunt too, and the find carries what they asked.
TEST(Scenarios, AHuntPlaysAScenarioThatSubmits) {
  const Folder folder;
  const Outcome o =
      folder.run({"hunt", "raft:clients=0,progress=false", "--bug", "deposed-leader-read",
                  "--scenario", std::string(places::kSource) + "/scenarios/stale-read.scenario",
                  "--explorer", "random", "--out", "found", "--jobs", "1"});
  EXPECT_EQ(o.code, 1) << o;
  const Words traces = folder.traces();
  ASSERT_FALSE(traces.empty()) << o;
  for (const std::string& trace : traces) {
    const Outcome again = folder.run({"replay", trace});
    EXPECT_EQ(again.code, 1) << trace << again;
    EXPECT_NE(again.out.find("fresh-reads"), std::string::npos) << again;
  }
}

// Bugs that no hunt finds soon: with them the scenarios violate agreement, without them nothing.
TEST(ScenarioProgram, PbftWithALiarIsAsItSays) {
  const Folder folder;
  const Outcome o = folder.run({"test", places::kSource + std::string("/scenarios/pbft.scenario")});
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_NE(o.out.find("8 of 8 scenarios passed"), std::string::npos) << o;
}

}  // namespace
}  // namespace schism::e2e
