// What quote() makes of a word is judged by a shell.
#include "schism/base/shell.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdio>

namespace schism {
namespace {

// What the shell takes these words for, each between brackets.
std::string read_by_shell(const std::string& words) {
  const std::string command = "printf '[%s]' " + words;
  FILE* pipe = ::popen(command.c_str(), "r");
  std::string out;
  char buffer[256];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) out.append(buffer, n);
  EXPECT_EQ(::pclose(pipe), 0) << command;
  return out;
}

TEST(Quote, LeavesPlainWordsAlone) {
  for (const char* word : {"pctcp:depth=3", "schism-out/x.trace", "--faults", "crash=1,drop=5"})
    EXPECT_EQ(quote(word), word);
}

TEST(Quote, CoversEveryCharacterThatAShellKnows) {
  std::string words, expected;
  for (int c = 1; c < 128; ++c)
    for (const std::string& word :
         {std::string(1, static_cast<char>(c)), std::string("a") + static_cast<char>(c) + "b"}) {
      words += " " + quote(word);
      expected += "[" + word + "]";
    }
  EXPECT_EQ(read_by_shell(words), expected);
  EXPECT_EQ(read_by_shell(quote("")), "[]");
  EXPECT_EQ(read_by_shell(quote("mix(random;pctcp:depth=3)")), "[mix(random;pctcp:depth=3)]");
  EXPECT_EQ(read_by_shell(quote("$(rm x) `y` \"$HOME\" it's ~ * \\")),
            "[$(rm x) `y` \"$HOME\" it's ~ * \\]");
}

RC_GTEST_PROP(Quote, AShellReadsTheWordsAgain, ()) {
  const auto word = rc::gen::container<std::string>(
      rc::gen::suchThat(rc::gen::character<char>(), [](char c) { return c != '\0'; }));
  const auto words = *rc::gen::container<std::vector<std::string>>(20, word);
  std::string line, expected;
  for (const std::string& one : words) {
    line += " " + quote(one);
    expected += "[" + one + "]";
  }
  RC_ASSERT(read_by_shell(line) == expected);
}

}  // namespace
}  // namespace schism
