// docs/xrpl.md keeps its word: its commands find what it says or nothing, every bug, oracle and
// parameter of the system stands in it, and the tests that it names exist.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "program.hpp"
#include "tests/places/places.hpp"

namespace schism::e2e {
namespace {

using testing::HasSubstr;

struct Told {
  std::string command;
  int code = 0;
};

// The story's commands, in their order.
std::vector<Told> commands() {
  static const std::regex line_of(R"(^    schism (.*\S)\s+# (found|nothing|nothing; not all .*)$)");
  std::vector<Told> out;
  for (const std::string& line : lines_of(source_file("docs/xrpl.md"))) {
    std::smatch match;
    if (!std::regex_match(line, match, line_of)) continue;
    std::string command = match[1];
    std::erase(command, '\'');  // a shell's: no word of theirs has a blank
    out.push_back({std::move(command), match[2] == "found" ? 1 : match[2] == "nothing" ? 0 : 3});
  }
  return out;
}

class XrplPage : public testing::TestWithParam<int> {};

// One each, so that none of these tests is long.
TEST_P(XrplPage, ItsCommandRuns) {
  const Told told = commands().at(static_cast<std::size_t>(GetParam()));
  const Folder folder;
  const Outcome o = folder.run(words_of(told.command));
  EXPECT_EQ(o.code, told.code) << told.command << o;
}

constexpr int kCommands = 9;
INSTANTIATE_TEST_SUITE_P(Story, XrplPage, testing::Range(0, kCommands));

TEST(XrplPages, HaveThatManyCommands) { EXPECT_EQ(commands().size(), std::size_t{kCommands}); }

TEST(XrplPages, HaveEveryBug) {
  const Folder folder;
  const std::string page = source_file("docs/xrpl.md");
  int bugs = 0;
  for (const auto& bug : nlohmann::json::parse(folder.run({"zoo", "list", "--json"}).out)) {
    if (bug["system"] != "xrpl") continue;
    EXPECT_THAT(page, HasSubstr("`" + bug["bug"].get<std::string>() + "`"));
    ++bugs;
  }
  EXPECT_EQ(bugs, 7);
}

// `XrplBugs.B3…` in the table of rules: there is a test of that suite, whose name begins so; and
// every file that it names is there.
TEST(XrplPages, TheTableOfRulesNamesTestsAndFilesThatExist) {
  const std::string folder = places::kSource + std::string("/systems/xrpl/");
  std::string tests;
  for (const auto& file : std::filesystem::directory_iterator(folder))
    if (file.path().filename().string().ends_with("_test.cpp"))
      tests += source_file("systems/xrpl/" + file.path().filename().string());
  static const std::regex row(R"(^\| [0-9, ]+ \|.*\|(.*)\|(.*)\|$)");
  static const std::regex quoted("`([^`]+)`");
  int rows = 0, named = 0;
  for (const std::string& line : lines_of(source_file("docs/xrpl.md"))) {
    std::smatch match;
    if (!std::regex_match(line, match, row)) continue;
    ++rows;
    const std::string files = match[1], words = match[2];
    for (std::sregex_iterator it(files.begin(), files.end(), quoted), end; it != end; ++it)
      EXPECT_TRUE(std::filesystem::exists(folder + (*it)[1].str())) << line;
    int in_row = 0;
    for (std::sregex_iterator it(words.begin(), words.end(), quoted), end; it != end; ++it) {
      const std::string word = (*it)[1];
      const std::size_t dot = word.find('.');
      std::string name = dot == std::string::npos ? "" : word.substr(dot + 1);
      const bool cut = name.ends_with("…");
      if (cut) name.resize(name.size() - std::string("…").size());
      const std::string begin =
          word.substr(0, dot) + ", " + name + (name.empty() || cut ? "" : ")");
      EXPECT_TRUE(tests.find("(" + begin) != std::string::npos) << word;
      ++in_row;
    }
    EXPECT_GT(in_row, 0) << line;
    named += in_row;
  }
  EXPECT_GE(rows, 15);
  EXPECT_GE(named, rows);
}

}  // namespace
}  // namespace schism::e2e
