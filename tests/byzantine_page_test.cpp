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

}  // namespace
}  // namespace schism::e2e
