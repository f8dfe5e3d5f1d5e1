// docs/models.md keeps its word: its commands run and have the exit codes that it shows.
#include <gtest/gtest.h>

#include <regex>

#include "program.hpp"
#include "tests/places/places.hpp"

namespace schism::e2e {
namespace {

TEST(ModelsPage, EveryCommandRuns) {
  const Folder folder;
  static const std::regex command(R"(^\$ schism (.*\S)\s+# exit (\d+)\s*$)");
  int count = 0;
  for (const std::string& line : lines_of(source_file("docs/models.md"))) {
    std::smatch match;
    if (!std::regex_search(line, match, command)) continue;
    ++count;
    const std::string text = "\"" + std::string(places::kProgram) + "\" " + match[1].str();
    const Outcome o = Process(folder.path(), {"sh", "-c", text}, {}).finish();
    EXPECT_EQ(o.code, std::stoi(match[2])) << line << o;
  }
  EXPECT_GE(count, 4);
}

}  // namespace
}  // namespace schism::e2e
