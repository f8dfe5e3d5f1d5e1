// docs/tendermint.md keeps its word: its commands have the exit codes that it shows, every rule and
// every bug stands in it, and the Netrix page has what is measured.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "program.hpp"
#include "tests/places/places.hpp"

namespace schism::e2e {
namespace {

using testing::HasSubstr;

TEST(TendermintPage, ItsCommandsRun) {
  static const std::regex command(R"(^ +\$ schism (.*)\s+# exit (\d+)$)");
  const Folder folder;
  for (const char* name :
       {"tendermint.scenario", "netrix-tendermint.scenario", "tendermint-accountability.scenario"})
    folder.write(name, source_file(std::string("scenarios/") + name));
  int ran = 0;
  for (const std::string& line : lines_of(source_file("docs/tendermint.md"))) {
    std::smatch match;
    if (!std::regex_match(line, match, command)) continue;
    const Outcome o = folder.run(words_of(match[1]));
    EXPECT_EQ(o.code, std::stoi(match[2])) << line << o;
    ++ran;
  }
  EXPECT_EQ(ran, 7);
}

TEST(TendermintPage, HasEveryBugAndEveryRule) {
  const Folder folder;
  const std::string page = source_file("docs/tendermint.md");
  int bugs = 0;
  for (const auto& bug : nlohmann::json::parse(folder.run({"zoo", "list", "--json"}).out)) {
    if (bug["system"] != "tendermint") continue;
    EXPECT_THAT(page, HasSubstr("| `" + bug["bug"].get<std::string>() + "` |"));
    ++bugs;
  }
  EXPECT_EQ(bugs, 14);
  for (const char* line :
       {"L11", "L22", "L28", "L34", "L36", "L44", "L47", "L49", "L55", "L57", "L61", "L65"})
    EXPECT_THAT(page, HasSubstr(line));
}

// Every bug shows in every run of its scenario, as the page says.
TEST(TendermintPage, ScenariosAreAsItSays) {
  const Folder folder;
  const Outcome o = folder.run(
      {"test", std::string(places::kSource) + "/scenarios/tendermint.scenario", "--json"});
  EXPECT_EQ(o.code, 0) << o;
  int found = 0;
  for (const std::string& line : lines_of(o.out)) {
    const auto one = nlohmann::json::parse(line);
    const bool correct = one["scenario"].get<std::string>().ends_with(": correct");
    EXPECT_EQ(one["violated"], correct ? 0 : 40) << one["scenario"];
    found += correct ? 0 : 1;
  }
  EXPECT_EQ(found, 8);
}

TEST(TendermintPage, TheNetrixTestsReachEveryRule) {
  const Folder folder;
  const Outcome o =
      folder.run({"test", std::string(places::kSource) + "/scenarios/netrix-tendermint.scenario",
                  "--clauses"});
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_THAT(o.out, HasSubstr("    13  received Commit\n"))
      << "the least of all, as the page says";
  EXPECT_THAT(o.out, HasSubstr("    16  judges-old-proposal\n"));
  EXPECT_THAT(o.out, HasSubstr("    16  decides\n"));
  EXPECT_THAT(o.out, HasSubstr("    18  sees-nil-polka\n"));
  EXPECT_THAT(o.out, HasSubstr("    19  skips-round\n"));
  EXPECT_THAT(o.out, HasSubstr("  24 of 24 are reached\n"));
}

// Runs are the same on every machine: the page has the numbers that come out.
TEST(TendermintPage, TheNetrixPageHasWhatIsMeasured) {
  const Folder folder;
  const Words page = lines_of(source_file("docs/results/netrix.md"));
  const Words explorers = {"random", "pos", "pctcp:depth=6,horizon=1000"};
  int compared = 0;
  for (std::size_t column = 0; column < explorers.size(); ++column) {
    const Outcome o =
        folder.run({"test", std::string(places::kSource) + "/scenarios/netrix-tendermint.scenario",
                    "--json", "--explorer", explorers[column]});
    for (const std::string& line : lines_of(o.out)) {
      const auto one = nlohmann::json::parse(line);
      const std::string test = one["scenario"];
      for (const std::string& row : page) {
        if (!row.starts_with("| " + test + " |")) continue;
        std::vector<std::string> cells = {""};
        for (const char c : row) {
          if (c == '|') cells.emplace_back();
          else cells.back() += c;
        }
        if (cells.size() < 7) continue;  // another table
        const std::string& cell = cells[3 + column];
        EXPECT_EQ(std::stoi(cell), one.value("goals", 0)) << test << " " << explorers[column];
        const auto wrong = cell.find('(');
        EXPECT_EQ(wrong == std::string::npos ? 0 : std::stoi(cell.substr(wrong + 1)),
                  one["violated"].get<int>())
            << test << " " << explorers[column];
        ++compared;
        break;
      }
    }
  }
  EXPECT_EQ(compared, 24 * 3);
}

}  // namespace
}  // namespace schism::e2e
