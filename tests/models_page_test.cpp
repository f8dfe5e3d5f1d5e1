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

// The page of a deviation has the model beside the node, with what differs marked; the result says
// what the mapping did.
TEST(ModelsPage, ADeviationIsShownBesideTheModel) {
  const Folder folder;
  const Outcome o =
      folder.run({"hunt", "rsl:progress=false", "--bug", "gap-execute", "--model", "models/rsl.tla",
                  "--explorer", "random", "--faults", "crash=3,drop=3,duplicate=3", "--max-steps",
                  "400", "--tail", "0s", "--no-shrink", "--json"});
  ASSERT_EQ(o.code, 1) << o;
  EXPECT_NE(o.out.find("\"conformance.mapped\""), std::string::npos) << o;
  EXPECT_NE(o.out.find("\"conformance.lost\""), std::string::npos) << o;
  std::string page;
  for (const std::string& file : folder.files())
    if (file.ends_with("bug.html")) page = folder.read(file);
  EXPECT_NE(page.find("<h2>The model beside node "), std::string::npos);
  EXPECT_NE(page.find("<tr class=\"marked\"><td>accepted</td>"), std::string::npos);
  EXPECT_NE(page.find("is not enabled: p.decree"), std::string::npos);
}

}  // namespace
}  // namespace schism::e2e
