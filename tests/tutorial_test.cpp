// docs/your-own-protocol.md keeps its word: its files are built as it says, its commands run in its
// order and have the exit codes it shows.
#include <gtest/gtest.h>

#include <regex>

#include "program.hpp"
#include "tests/places/places.hpp"

namespace schism::e2e {
namespace {

TEST(Tutorial, EveryBlockIsBuiltAndEveryCommandRuns) {
  const Folder folder;
  static const std::regex exit_code(R"(\s+# exit (\d+)\s*$)");
  struct Command {
    std::string line;
    int code;
  };
  std::vector<Command> commands;
  std::string language, block, shown;
  bool open = false;
  for (const std::string& line : lines_of(source_file("docs/your-own-protocol.md"))) {
    if (!line.starts_with("```")) {
      std::smatch match;
      if (open && language == "console" && line.starts_with("$ ") &&
          std::regex_search(line, match, exit_code))
        commands.push_back(
            {line.substr(2, static_cast<std::size_t>(match.position()) - 2), std::stoi(match[1])});
      if (open) block += line + "\n";
      continue;
    }
    if (open && language == "cmake") folder.write("CMakeLists.txt", block);
    if (open && language == "cpp")
      folder.write(block.substr(3, block.find('\n') - 3), block);  // "// NAME"
    if (open && language.empty()) shown = block;                   // what the hunt prints
    open = !open;
    language = line.substr(3);
    block.clear();
  }
  ASSERT_GE(commands.size(), 10U);

  const std::string sanitize = places::kSanitize;
  const auto run = [&](const Words& words) {
    const Outcome o = Process(folder.path(), words, {}).finish();
    EXPECT_EQ(o.code, 0) << o;
  };
  run({places::kCMake, "--install", places::kBuild, "--prefix", folder / "prefix"});
  run({places::kCMake, "-S", ".", "-B", ".", "-G", "Ninja",
       "-DCMAKE_PREFIX_PATH=" + (folder / "prefix"), "-DCMAKE_BUILD_TYPE=Debug",
       "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror" +
           (sanitize.empty() ? "" : " -fsanitize=" + sanitize)});
  run({places::kCMake, "--build", "."});
  ASSERT_TRUE(exists(folder / "locks_test"));
  for (const Command& command : commands) {
    const Outcome o = Process(folder.path(), {"sh", "-c", command.line}, {}).finish();
    EXPECT_EQ(o.code, command.code) << command.line << o;
    if (&command != &commands.front()) continue;
    EXPECT_TRUE(o.out.starts_with(shown)) << "the page shows another output" << o;
  }
}

}  // namespace
}  // namespace schism::e2e
