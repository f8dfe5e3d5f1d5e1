// docs/your-own-protocol.md and docs/learning.md keep their word: their files are built as they
// say, their commands run in their order and have the exit codes they show.
#include <gtest/gtest.h>

#include <regex>

#include "program.hpp"
#include "tests/places/places.hpp"

namespace schism::e2e {
namespace {

struct Command {
  std::string line;
  int code;
};
struct Page {
  std::vector<Command> commands;
  std::string shown;  // what the first command prints, if the page says it
};

// "// NAME" or "# NAME" in its first line.
std::string name_of(const std::string& block) {
  const std::size_t from = block.find(' ') + 1;
  return block.substr(from, block.find('\n') - from);
}

// Writes the page's files into the folder.
Page read_page(const std::string& path, const Folder& folder) {
  static const std::regex exit_code(R"(\s+# exit (\d+)\s*$)");
  Page out;
  std::string language, block;
  bool open = false;
  for (const std::string& line : lines_of(source_file(path))) {
    if (!line.starts_with("```")) {
      std::smatch match;
      if (open && language == "console" && line.starts_with("$ ") &&
          std::regex_search(line, match, exit_code))
        out.commands.push_back(
            {line.substr(2, static_cast<std::size_t>(match.position()) - 2), std::stoi(match[1])});
      if (open) block += line + "\n";
      continue;
    }
    if (open && language == "cmake") folder.write("CMakeLists.txt", block);
    if (open && (language == "cpp" || language == "toml")) folder.write(name_of(block), block);
    if (open && language.empty()) out.shown = block;
    open = !open;
    language = line.substr(3);
    block.clear();
  }
  return out;
}

void build(const Folder& folder) {
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
}

TEST(Tutorial, EveryBlockIsBuiltAndEveryCommandRuns) {
  const Folder folder;
  const Page page = read_page("docs/your-own-protocol.md", folder);
  ASSERT_GE(page.commands.size(), 10U);
  build(folder);
  ASSERT_TRUE(exists(folder / "locks_test"));
  for (const Command& command : page.commands) {
    const Outcome o = Process(folder.path(), {"sh", "-c", command.line}, {}).finish();
    EXPECT_EQ(o.code, command.code) << command.line << o;
    if (&command != &page.commands.front()) continue;
    EXPECT_TRUE(o.out.starts_with(page.shown)) << "the page shows another output" << o;
  }
}

TEST(Tutorial, OfLearningIsBuiltAndEveryCommandRuns) {
  const Folder folder;
  const Page page = read_page("docs/learning.md", folder);
  build(folder);
  std::size_t own = 0, ours = 0;  // of the reader's program; of ours
  for (const Command& command : page.commands) {
    std::string line = command.line;
    const bool is_ours = line.starts_with("schism ");
    (is_ours ? ours : own) += 1;
    if (is_ours) line = "\"" + std::string(places::kProgram) + "\"" + line.substr(6);
    const Outcome o = Process(folder.path(), {"sh", "-c", line}, {}).finish();
    EXPECT_EQ(o.code, command.code) << command.line << o;
  }
  EXPECT_EQ(own, 8U);
  EXPECT_EQ(ours, 5U);
}

}  // namespace
}  // namespace schism::e2e
