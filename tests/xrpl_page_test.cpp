// docs/xrpl.md keeps its word: its commands, one after the other in one folder, have the exit codes
// that it shows.
#include <gtest/gtest.h>

#include <regex>

#include "program.hpp"

namespace schism::e2e {
namespace {

TEST(XrplPage, ItsCommandsRun) {
  static const std::regex command(R"(^ +\$ schism (.*)\s+# exit (\d+)$)");
  const Folder folder;
  int ran = 0;
  for (const std::string& line : lines_of(source_file("docs/xrpl.md"))) {
    std::smatch match;
    if (!std::regex_match(line, match, command)) continue;
    const Outcome o = folder.run(words_of(match[1]));
    EXPECT_EQ(o.code, std::stoi(match[2])) << line << o;
    ++ran;
  }
  EXPECT_GE(ran, 8);
}

}  // namespace
}  // namespace schism::e2e
