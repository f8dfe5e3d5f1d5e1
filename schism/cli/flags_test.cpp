#include "schism/cli/flags.hpp"

#include <gmock/gmock.h>

#include "schism/cli/verb.hpp"

namespace schism::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct All {
  explicit All(Flags& flags) {
    flags.option("file", file, "by its place").required();
    flags.option("-o,--out", out, "a text");
    flags.option("--bug", bugs, "a list").one_each();
    flags.option("--path", paths, "a list that takes all that follows");
    flags.option("--width", width, "a number").within(40, 400);
    flags.option("--limit", limit, "a large number").positive();
    flags.option("--color", color, "one of three").one_of({"auto", "always", "never"});
    flags.flag("--json", json, "no value");
    flags.flag("--secret", secret, "not in the help").hidden();
  }
  std::string file, out = "-", color = "auto";
  std::vector<std::string> bugs, paths;
  int width = 0;
  std::uint64_t limit = 7;
  bool json = false, secret = false;
};

TEST(Flags, ReadEveryKindOfValue) {
  Flags flags;
  All all(flags);
  const Status read = read_words(
      flags, {"--bug", "a", "x.trace", "--bug=b", "-o", "y", "--width", "80", "--limit",
              "18446744073709551615", "--color=never", "--json", "--secret", "--path", "p", "q"});
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(all.file, "x.trace");
  EXPECT_EQ(all.out, "y");
  EXPECT_THAT(all.bugs, ElementsAre("a", "b"));
  EXPECT_THAT(all.paths, ElementsAre("p", "q"));
  EXPECT_EQ(all.width, 80);
  EXPECT_EQ(all.limit, UINT64_MAX);
  EXPECT_EQ(all.color, "never");
  EXPECT_TRUE(all.json && all.secret);
}

TEST(Flags, WhatIsNotGivenStaysAsItWas) {
  Flags flags;
  All all(flags);
  ASSERT_TRUE(read_words(flags, {"x"}));
  EXPECT_EQ(all.out, "-");
  EXPECT_EQ(all.limit, 7U);
  EXPECT_FALSE(all.json || all.secret);
}

TEST(Flags, BadWordsAreOneSentence) {
  const auto problem = [](std::vector<std::string> words) {
    Flags flags;
    All all(flags);
    const Status read = read_words(flags, std::move(words));
    return read ? std::string() : read.error();
  };
  EXPECT_THAT(problem({}), HasSubstr("file is required"));
  EXPECT_THAT(problem({"x", "--width", "5"}), HasSubstr("--width"));
  EXPECT_THAT(problem({"x", "--width", "wide"}), HasSubstr("--width"));
  EXPECT_THAT(problem({"x", "--limit", "0"}), HasSubstr("--limit"));
  EXPECT_THAT(problem({"x", "--limit", "-3"}), HasSubstr("--limit"));
  EXPECT_THAT(problem({"x", "--color", "purple"}), HasSubstr("--color"));
  EXPECT_THAT(problem({"x", "--out"}), HasSubstr("--out"));
  EXPECT_FALSE(problem({"x", "y"}).empty());
  EXPECT_FALSE(problem({"x", "--nothing"}).empty());
}

TEST(Verbs, StandInTheOrderOfTheirRanks) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < verbs().size(); ++i) {
    names.push_back(verbs()[i].name);
    EXPECT_FALSE(verbs()[i].what.empty());
    if (i == 0) continue;
    EXPECT_LT(verbs()[i - 1].rank, verbs()[i].rank) << names.back();
  }
  EXPECT_THAT(names, testing::IsSupersetOf({"list", "hunt", "check", "replay", "show", "step"}));
  EXPECT_EQ(names.front(), "list");
}

}  // namespace
}  // namespace schism::cli
