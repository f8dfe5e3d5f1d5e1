// `schism compare`: the table, what it says to programs, and mistakes in the file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace schism::e2e {
namespace {

using testing::HasSubstr;

constexpr const char* kExperiment = R"(
trials = 5
runs = 300
[strategies]
random = "random"
timed = "timed"

[[case]]
name = "broken"
system = "toy-consensus"
bug = "distrust-commits"
expect = "violation"
explorers = { timed = "timed:max=100ms,shape=pareto" }

[[case]]
name = "sound"
system = "toy-consensus"
expect = "nothing"
)";

TEST(Compare, HuntsEveryCaseWithEveryStrategy) {
  Folder folder;
  folder.write("e.toml", kExperiment);
  const Outcome o = folder.run({"compare", "e.toml"});
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_THAT(o.out, HasSubstr("broken, random: 5 of 5 trials found something"));
  EXPECT_THAT(o.out, HasSubstr("sound, timed: 0 of 5 trials found something [1500 runs"));
  EXPECT_THAT(o.out, HasSubstr("case    random  timed\n"));
  EXPECT_TRUE(folder.files() == Words{"e.toml"}) << "it writes nothing";
}

// The numbers are those of `hunt` with the same words, and do not depend on the workers.
TEST(Compare, ATrialIsAHunt) {
  Folder folder;
  folder.write("e.toml", kExperiment);
  const Outcome one = folder.run({"compare", "e.toml", "--json", "--trials", "1"});
  ASSERT_EQ(one.code, 0) << one;
  const Outcome two = folder.run({"compare", "e.toml", "--json", "--trials", "1", "--jobs", "2"});
  const Words lines = lines_of(one.out), others = lines_of(two.out);
  ASSERT_EQ(lines.size(), 4U);
  ASSERT_EQ(others.size(), 4U);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto cell = nlohmann::json::parse(lines[i]);
    EXPECT_EQ(cell["runs_to_find"], nlohmann::json::parse(others[i])["runs_to_find"]);
    Words hunt = words_of(cell["command"].get<std::string>());
    ASSERT_EQ(hunt[0], "schism");
    hunt.erase(hunt.begin());
    for (const char* more : {"--runs", "300", "--json"}) hunt.emplace_back(more);
    const auto found = nlohmann::json::parse(folder.run(hunt).out);
    EXPECT_EQ(found["runs"], cell["runs"]) << lines[i];
    EXPECT_EQ(found["finds"].empty(), cell["runs_to_find"].empty());
  }
}

TEST(Compare, AnUnmetExpectationIsSaid) {
  Folder folder;
  std::string text = kExperiment;
  text.replace(text.find("\"violation\""), 11, "\"nothing\"");
  folder.write("e.toml", text);
  const Outcome o = folder.run({"compare", "e.toml", "--case", "broken"});
  EXPECT_EQ(o.code, 1) << o;
  EXPECT_THAT(o.out, HasSubstr("not as expected: schism hunt toy-consensus"));
}

TEST(Compare, MistakesAreOneLine) {
  const struct {
    std::string was, is, message;
  } mistakes[] = {
      {"trials = 5", "trails = 5", "line 2: no key \"trails\"; did you mean \"trials\"?"},
      {"trials = 5", "trials = 0", "trials is a whole number"},
      {"\"distrust-commits\"", "\"distrust\"", "did you mean \"distrust-commits\"?"},
      {"name = \"broken\"", "nodes = 3", "a case needs a name"},
      {"{ timed =", "{ tmed =", "no strategy \"tmed\"; did you mean \"timed\"?"},
      {"expect = \"nothing\"", "expect = \"peace\"", "\"expect\" is \"nothing\" or \"violation\""},
      {"[strategies]", "[strategy]", "no key \"strategy\"; did you mean \"strategies\"?"},
      {"system = \"toy-consensus\"\nexpect", "expect", "case sound needs a system"},
  };
  for (const auto& m : mistakes) {
    Folder folder;
    std::string text = kExperiment;
    text.replace(text.find(m.was), m.was.size(), m.is);
    folder.write("e.toml", text);
    const Outcome o = folder.run({"compare", "e.toml"});
    EXPECT_EQ(o.code, 2) << o;
    EXPECT_EQ(lines_of(o.err).size(), 1U) << o;
    EXPECT_THAT(o.err, HasSubstr(m.message));
    EXPECT_EQ(o.out, "");
  }
}

// The experiments in the tree are read and begin to run.
TEST(Compare, ExperimentsOfTheTreeRun) {
  for (const char* name : {"raft-bugs", "raft-clean", "raft-clean-rounds"}) {
    Folder folder;
    folder.write("e.toml", source_file(std::string("experiments/") + name + ".toml"));
    const Outcome o = folder.run({"compare", "e.toml", "--runs", "2", "--trials", "1"});
    EXPECT_EQ(o.code, 0) << o;
  }
}

}  // namespace
}  // namespace schism::e2e
