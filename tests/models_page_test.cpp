// docs/models.md keeps its word: its files are written as it shows them, its commands run, have the
// exit codes that it shows, and print what stands below them.
#include <gtest/gtest.h>

#include <regex>

#include "program.hpp"
#include "tests/places/places.hpp"

namespace schism::e2e {
namespace {

struct Block {
  std::string kind, file;  // as after its fence
  std::vector<std::string> lines;
};

std::vector<Block> blocks_of(const std::string& page) {
  std::vector<Block> out;
  bool inside = false;
  for (const std::string& line : lines_of(page)) {
    if (line.starts_with("```")) {
      inside = !inside;
      if (!inside) continue;
      const std::size_t space = line.find(' ');
      out.push_back({line.substr(3, space - 3),
                     space == std::string::npos ? "" : line.substr(space + 1),
                     {}});
    } else if (inside) {
      out.back().lines.push_back(line);
    }
  }
  return out;
}

TEST(ModelsPage, EveryBlockIsTrue) {
  const Folder folder;
  static const std::regex command(R"(^\$ schism (.*\S)\s+# exit (\d+)\s*$)");
  int commands = 0;
  for (const Block& block : blocks_of(source_file("docs/models.md"))) {
    if (!block.file.empty()) {
      std::string text;
      for (const std::string& line : block.lines) text += line + "\n";
      folder.write(block.file, text);
      continue;
    }
    ASSERT_EQ(block.kind, "console");
    Outcome last;
    for (const std::string& line : block.lines) {
      std::smatch match;
      if (!std::regex_search(line, match, command)) {
        EXPECT_NE(last.out.find(line), std::string::npos) << line << last;
        continue;
      }
      ++commands;
      const std::string text = "\"" + std::string(places::kProgram) + "\" " + match[1].str();
      last = Process(folder.path(), {"sh", "-c", text}, {}).finish();
      EXPECT_EQ(last.code, std::stoi(match[2])) << line << last;
    }
  }
  EXPECT_GE(commands, 8);
}

}  // namespace
}  // namespace schism::e2e
