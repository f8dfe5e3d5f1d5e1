// docs/services.md keeps its word: its program is built as it stands there, its commands have the
// exit codes that it shows.
#include <gtest/gtest.h>

#include <regex>

#include "consumer.hpp"

namespace schism::e2e {
namespace {

TEST(ServicesPage, ItsExampleIsBuiltAndItsCommandsRun) {
  static const std::regex command(R"(^\$ \./commit (.*)\s+# exit (\d+)$)");
  const Folder folder;
  std::string code;
  std::vector<std::pair<Words, int>> commands;
  bool in_code = false;
  for (const std::string& line : lines_of(source_file("docs/services.md"))) {
    std::smatch match;
    if (line.starts_with("```")) in_code = line == "```cpp";
    else if (in_code) code += line + "\n";
    else if (std::regex_match(line, match, command))
      commands.emplace_back(words_of(match[1]), std::stoi(match[2]));
  }
  ASSERT_EQ(commands.size(), 5U);
  const std::string program = build_outside(folder, {{"commit.cpp", code}});
  ASSERT_TRUE(exists(program));
  for (auto& [words, exit_code] : commands) {
    words.insert(words.begin(), program);
    const Outcome o = Process(folder.path(), words, {}).finish();
    EXPECT_EQ(o.code, exit_code) << ::testing::PrintToString(words) << o;
  }
}

}  // namespace
}  // namespace schism::e2e
