// README.md keeps its word: its commands run as shown, its complete protocols compile and run. What
// is checked follows from the fenced blocks found there:
//   ```console   lines "$ COMMAND", each followed by what it prints; "# exit N" after a
//                command says its exit code (else 1 where the output shows a violation, and 0)
//   ```cpp       a block that includes a schism header and registers a system is a whole file
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <regex>

#include "consumer.hpp"
#include "tests/places/places.hpp"

namespace schism::e2e {
namespace {

struct Block {
  std::string language, content;
};

std::vector<Block> blocks_of(const std::string& markdown) {
  std::vector<Block> out;
  std::optional<Block> open;
  for (const std::string& line : lines_of(markdown)) {
    if (!line.starts_with("```")) {
      if (open) open->content += line + "\n";
    } else if (open) {
      out.push_back(*std::exchange(open, std::nullopt));
    } else {
      open = Block{line.substr(3), ""};
    }
  }
  EXPECT_FALSE(open) << "a block is not closed";
  return out;
}

struct Command {
  std::string line;
  int code = 0;
  Words output;  // as shown; an ellipsis stands for anything
};

std::vector<Command> commands_of(const std::vector<Block>& blocks) {
  static const std::regex exit_code(R"(\s+#.*exit (?:code )?(\d+).*$)");
  std::vector<Command> out;
  for (const Block& block : blocks) {
    if (block.language != "console") continue;
    bool any = false;
    for (const std::string& line : lines_of(block.content)) {
      if (line.starts_with("$ ")) {
        Command command{line.substr(2), -1, {}};
        if (std::smatch match; std::regex_search(command.line, match, exit_code)) {
          command.code = std::stoi(match[1]);
          command.line.erase(static_cast<std::size_t>(match.position()));
        }
        out.push_back(command);
        any = true;
      } else if (any) {
        out.back().output.push_back(line);
      }
    }
  }
  for (Command& command : out) {
    if (command.code >= 0) continue;
    command.code = 0;
    for (const std::string& line : command.output)
      if (line.find(" is violated") != std::string::npos) command.code = 1;
  }
  return out;
}

bool is_whole_program(const Block& block) {
  return block.language == "cpp" && block.content.find("#include \"schism/") != std::string::npos &&
         block.content.find("system<") != std::string::npos;
}

// Numbers of rates and times differ from machine to machine.
std::string without_measures(std::string line) {
  if (line.find("/s)") == std::string::npos) return line;
  return std::regex_replace(line, std::regex(R"([0-9][0-9.,]*[kM]?)"), "N");
}

// Every line shown is printed, in that order.
void expect_shown(const Command& command, const Outcome& o) {
  const Words printed = lines_of(o.out + o.err);
  std::size_t at = 0;
  for (const std::string& line : command.output) {
    const auto trimmed = line.substr(0, line.find_last_not_of(" \r") + 1);
    if (trimmed.empty() || trimmed.find("…") != std::string::npos ||
        trimmed.find("...") != std::string::npos)
      continue;
    while (at < printed.size() &&
           without_measures(printed[at].substr(0, printed[at].find_last_not_of(' ') + 1)) !=
               without_measures(trimmed))
      ++at;
    EXPECT_LT(at, printed.size()) << "`" << command.line << "` does not print: " << line << o;
    if (at == printed.size()) return;
  }
}

class ReadmeProgram : public testing::Test {
 protected:
  void SetUp() override {
    if (!exists(std::string(places::kSource) + "/README.md")) GTEST_SKIP() << "no README.md";
    blocks_ = blocks_of(source_file("README.md"));
  }
  std::vector<Block> blocks_;
};

TEST_F(ReadmeProgram, EveryCommandRunsAsShown) {
  const Folder folder;
  const std::string makefile = source_file("Makefile");
  int ran = 0;
  for (const Command& command : commands_of(blocks_)) {
    const Words words = words_of(command.line);
    ASSERT_FALSE(words.empty());
    if (words[0] == "make") {
      // Too long to run here: the target must exist.
      for (std::size_t i = 1; i < words.size(); ++i) {
        if (words[i].find('=') != std::string::npos) continue;
        EXPECT_THAT(makefile, testing::HasSubstr("\n" + words[i] + ":")) << command.line;
      }
      continue;
    }
    if (std::filesystem::path(words[0]).filename() != "schism") continue;
    std::string line = command.line;
    line.replace(0, words[0].size(), "schism");
    const Outcome o = folder.shell(line, places::kProgram);
    EXPECT_EQ(o.code, command.code) << command.line << o;
    expect_shown(command, o);
    ++ran;
  }
  EXPECT_GT(ran, 0) << "README.md shows no command of the program";
}

TEST_F(ReadmeProgram, EveryWholeProtocolCompilesAndRuns) {
  int built = 0;
  for (const Block& block : blocks_) {
    if (!is_whole_program(block)) continue;
    ++built;
    const Folder folder;
    const std::string program = build_outside(folder, {{"readme.cpp", block.content}});
    ASSERT_TRUE(exists(program)) << block.content;
    const Outcome list = Process(folder.path(), {program, "list"}, {}).finish();
    EXPECT_EQ(list.code, 0) << list;
    static const std::regex name(R"(system<\w+>\(\s*"([^"]+)\")");
    std::smatch match;
    ASSERT_TRUE(std::regex_search(block.content, match, name)) << block.content;
    EXPECT_THAT(list.out, testing::HasSubstr(match[1]));
    // A command of the README about this system runs with this program.
    for (const Command& command : commands_of(blocks_)) {
      const Words words = words_of(command.line);
      if (words.size() < 3 || !words[2].starts_with(match[1].str())) continue;
      if (std::filesystem::path(words[0]).filename() == "schism") continue;
      std::string line = command.line;
      line.replace(0, words[0].size(), "schism");
      const Outcome o = folder.shell(line, program);
      EXPECT_EQ(o.code, command.code) << command.line << o;
    }
  }
  EXPECT_GT(built, 0) << "README.md shows no whole protocol";
}

// The reader of the README is itself worth a test: it could find nothing and be content.
TEST(ReadmeReader, FindsCommandsCodesAndOutput) {
  const auto blocks = blocks_of(
      "text\n```console\n$ schism list\nsystems\n$ schism hunt x  # exit 3\n"
      "$ schism hunt y\nagreement is violated at step 4\n```\n```cpp\n#include "
      "\"schism/schism.hpp\"\n"
      "system<X>(\"x\", \"\");\n```\n```cpp\nint x;\n```\n");
  ASSERT_EQ(blocks.size(), 3U);
  EXPECT_TRUE(is_whole_program(blocks[1]));
  EXPECT_FALSE(is_whole_program(blocks[2]));
  const auto commands = commands_of(blocks);
  ASSERT_EQ(commands.size(), 3U);
  EXPECT_EQ(commands[0].code, 0);
  EXPECT_EQ(commands[0].output, Words{"systems"});
  EXPECT_EQ(commands[1].line, "schism hunt x");
  EXPECT_EQ(commands[1].code, 3);
  EXPECT_EQ(commands[2].code, 1);
  EXPECT_EQ(without_measures("5 runs in 0.25 s (12k runs/s)"), "N runs in N s (N runs/s)");
}

}  // namespace
}  // namespace schism::e2e
