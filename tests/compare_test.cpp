// `schism compare`: the table, what it says to programs, and mistakes in the file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "program.hpp"
#include "tests/places/places.hpp"

namespace schism::e2e {
namespace {

using testing::HasSubstr;
using testing::Not;

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
      {"trials = 5", "baseline = \"rando\"", "no strategy \"rando\"; did you mean \"random\"?"},
      {"trials = 5", "zoo = [\"rft\"]", "no bug \"rft\""},
      {"trials = 5", "cpu = \"0s\"", "cpu is more than 0"},
      {"trials = 5", "coverage = \"colors\"", "did you mean \"colours\"?"},
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

// The experiments in the tree run, in short.
class OfTheTree : public testing::TestWithParam<const char*> {};

TEST_P(OfTheTree, Runs) {
  Folder folder;
  folder.write("e.toml", source_file(std::string("experiments/") + GetParam() + ".toml"));
  const Outcome o = folder.run({"compare", "e.toml", "--quick"});
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_THAT(o.out, HasSubstr("quick: cut short"));
}

INSTANTIATE_TEST_SUITE_P(Experiments, OfTheTree,
                         testing::Values("raft-bugs", "raft-clean", "raft-clean-rounds", "fuzz"),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// ---- kept results

Words kept_words() {
  return {"compare", "e.toml", "--out", "kept", "--trials", "6", "--coverage", "events"};
}

// All but times and processors.
std::string timeless(const std::string& csv) {
  std::string out;
  for (const std::string& line : lines_of(csv)) {
    std::vector<std::string> cells(1);
    for (const char c : line)
      if (c == ',') cells.emplace_back();
      else cells.back() += c;
    cells[9] = cells[14] = "";
    for (const std::string& cell : cells) out += cell + ",";
    out += "\n";
  }
  return out;
}

TEST(Compare, GoesOnAfterKillsAndComesOutTheSame) {
  Folder once, killed;
  for (Folder* folder : {&once, &killed}) folder->write("e.toml", kExperiment);
  Words words = kept_words();
  const Outcome whole = once.run(words);
  ASSERT_EQ(whole.code, 0) << whole;
  words.insert(words.end(), {"--jobs", "3"});
  Words command = {places::kProgram};
  command.insert(command.end(), words.begin(), words.end());
  for (const int ms : {60, 120, 180, 240}) {
    Process process(killed.path(), command, {});
    std::this_thread::sleep_for(std::chrono::milliseconds(ms));
    process.signal(SIGKILL);
    process.finish();
  }
  const Outcome rest = killed.run(words);
  ASSERT_EQ(rest.code, 0) << rest;
  EXPECT_EQ(timeless(killed.read("kept/experiment.csv")),
            timeless(once.read("kept/experiment.csv")));
  EXPECT_EQ(lines_of(killed.read("kept/experiment.csv")).size(), 1U + 2 * 2 * 6);
  const auto json = nlohmann::json::parse(killed.read("kept/experiment.json"));
  EXPECT_EQ(json["missing"], 0);
  for (const auto& test : json["tests"]) {
    if (!test.contains("p")) continue;
    for (const char* key : {"method", "alternative", "direction"})
      EXPECT_FALSE(test[key].get<std::string>().empty()) << test;
  }
  const std::string page = killed.read("kept/experiment.html");
  EXPECT_THAT(page, HasSubstr("<svg"));
  EXPECT_THAT(page, Not(HasSubstr("http")));
  // Nothing is played again: the same bytes, times included.
  const std::string before = killed.read("kept/experiment.csv");
  ASSERT_EQ(killed.run(words).code, 0);
  EXPECT_EQ(killed.read("kept/experiment.csv"), before);
}

TEST(Compare, CountsInWhatTheBudgetIsIn) {
  Folder folder;
  folder.write("e.toml", kExperiment);
  for (const char* unit : {"steps", "deliveries", "simulated", "cpu"}) {
    const bool time = std::string_view(unit) == "simulated" || std::string_view(unit) == "cpu";
    const Outcome o =
        folder.run({"compare", "e.toml", "--case", "sound", "--strategy", "timed", "--json",
                    "--trials", "2", std::string("--") + unit, time ? "100ms" : "2000"});
    ASSERT_EQ(o.code, 0) << o;
    const auto cell = nlohmann::json::parse(o.out);
    EXPECT_EQ(cell["unit"], unit);
    EXPECT_TRUE(cell[std::string(unit) + "_to_find"].empty());
    if (time) continue;
    EXPECT_LE(cell[unit].get<int>(), 4000);
    EXPECT_GT(cell[unit].get<int>(), 2000);
  }
}

TEST(Compare, TheZooIsAnExperiment) {
  Folder folder;
  folder.write("e.toml",
               "runs = 50\nzoo = [\"paxos\"]\nbaseline = \"swarm\"\ntrials = 3\n"
               "[strategies]\npos = \"pos\"\nswarm = \"swarm\"\n");
  const Outcome o = folder.run({"compare", "e.toml", "--tests"});
  ASSERT_EQ(o.code, 0) << o;
  EXPECT_THAT(o.out, HasSubstr("paxos/break-promise"));
  EXPECT_THAT(o.out, HasSubstr("to swarm (95%)"));
  EXPECT_THAT(o.out, HasSubstr("Mann-Whitney U = "));
  EXPECT_THAT(o.out, HasSubstr("two-sided (exact"));
}

TEST(Compare, AStoreThatIsNoneIsOneLine) {
  Folder folder;
  folder.write("e.toml", kExperiment);
  folder.write("kept/results.sqlite", "this is no database at all, whatever its name may say.....");
  const Outcome o = folder.run(kept_words());
  EXPECT_EQ(o.code, 2) << o;
  EXPECT_EQ(lines_of(o.err).size(), 1U) << o;
}

}  // namespace
}  // namespace schism::e2e
