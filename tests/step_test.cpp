// `schism step`: a run by hand, with piped input as with a terminal.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "program.hpp"

namespace schism::e2e {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr const char* kByHand =
    "deliver Proposal 1->0\n"
    "deliver Commit 0->2\n";

TEST(Step, AViolationByHandIsToldSavedAndReplays) {
  const Folder folder;
  const Outcome o = folder.run({"step", "toy-consensus", "--bug", "distrust-commits"},
                               std::string(kByHand) + "story\nsave by-hand.trace\n");
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_TRUE(has(o.out, "agreement is violated at step 2")) << o;
  EXPECT_TRUE(has(o.out, "agreement is violated here")) << o;
  const Outcome again = folder.run({"replay", "by-hand.trace"});
  EXPECT_EQ(again.code, 1) << again;
  EXPECT_TRUE(has(again.out, "the same events as recorded")) << again;
  EXPECT_EQ(folder.run({"show", "by-hand.trace"}).code, 0);
}

TEST(Step, BackAndJumpLeadToTheSameState) {
  const Folder folder;
  const Outcome o = folder.run(
      {"step", "raft", "--faults", "crash=1,drop=2"},
      "run 30\nlist zz\nstate\nlist\nlist zz\nrun 20\nback 20\nlist zz\nstate\nlist\nlist zz\n"
      "jump 3\njump 30\nlist zz\nstate\nlist\nlist zz\n");
  EXPECT_EQ(o.code, 0) << o;
  Words parts;  // `list` with words that nothing has marks the places
  std::string rest = o.out;
  const std::string mark = "  nothing with these words\n";
  for (auto at = rest.find(mark); at != std::string::npos; at = rest.find(mark)) {
    parts.push_back(rest.substr(0, at));
    rest.erase(0, at + mark.size());
  }
  ASSERT_EQ(parts.size(), 6U) << o;
  const auto without_where = [](const std::string& text) {
    return std::regex_replace(text, std::regex(" of \\d+;"), ";");
  };
  EXPECT_GT(parts[1].size(), 100U);
  EXPECT_EQ(without_where(parts[3]), without_where(parts[1]));
  EXPECT_EQ(without_where(parts[5]), without_where(parts[1]));
}

TEST(Step, GoesOnFromARecordedRun) {
  const Folder folder;
  ASSERT_EQ(folder.run({"hunt", "toy-consensus", "--bug", "distrust-commits"}).code, 1);
  const std::string trace = folder.traces().at(0);
  const Outcome whole = folder.run({"step", "--from", trace}, "");
  EXPECT_TRUE(has(whole.out, "agreement is violated")) << whole;
  const Outcome early = folder.run({"step", "--from", trace + "@1"}, "state\n");
  EXPECT_FALSE(has(early.out, "violated")) << early;
  EXPECT_TRUE(has(early.out, "at step 1 of ")) << early;
  const Outcome loaded = folder.run({"step", "raft"}, "load " + trace + "@1\nstate\n");
  EXPECT_TRUE(has(loaded.out, "at step 1 of ")) << loaded;
  EXPECT_TRUE(has(loaded.out, "toy-consensus")) << loaded;
}

TEST(Step, BadFlagsAreOneLine) {
  const Folder folder;
  for (const Words& words : std::vector<Words>{{"step"},
                                               {"step", "nobody"},
                                               {"step", "raft", "--seed", "x"},
                                               {"step", "raft", "--from", "x.trace"},
                                               {"step", "--from", "nowhere.trace"},
                                               {"step", "raft", "--faults", "crash"},
                                               {"step", "raft", "--fault", "crash=1"}}) {
    const Outcome o = folder.run(words, "list\n");
    EXPECT_EQ(o.code, 2) << o;
    EXPECT_EQ(lines_of(o.err).size(), 1U) << o;
    EXPECT_EQ(o.out, "") << o;
  }
}

TEST(Step, BadLinesDoNotEndTheSession) {
  const Folder folder;
  const Outcome o = folder.run({"step", "toy-consensus"}, "fly\n99\nback\n\njump x\nload y\n1\n");
  EXPECT_EQ(o.code, 0) << o;
  const auto lines = lines_of(o.out);
  EXPECT_EQ(std::count_if(lines.begin(), lines.end(),
                          [](const std::string& line) { return line.starts_with("? "); }),
            5)
      << o;
  EXPECT_TRUE(has(o.out, "step 1: deliver")) << o;
  EXPECT_TRUE(folder.files().empty());
}

TEST(Step, ASystemThatDiesIsToldAndTheSessionGoesOn) {
  const Folder folder;
  const Outcome o = folder.run_odd({"step", "brittle:way=segfault"},
                                   "deliver Poke 0->1 #1\ndeliver Poke 0->1 #0\nback\n"
                                   "deliver Poke 0->1 #2\nstate\n");
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_TRUE(has(o.out, "crash is violated at step 2")) << o;
  EXPECT_TRUE(has(o.out, "SIGSEGV")) << o;
  EXPECT_TRUE(has(o.out, "step 2: deliver Poke 0->1 #2")) << o;
}

// Lines "N> words" are what the person types, all others what the page shows.
TEST(Step, ThePageShowsWhatHappens) {
  const Folder folder;
  static const std::regex typed(R"(^\d+> (.*)$)");
  std::string command, input, shown;
  bool open = false;
  int sessions = 0;
  for (const std::string& line : lines_of(source_file("docs/live.md"))) {
    if (line.starts_with("```")) {
      if (open) {
        const Words words = words_of(command);
        const Outcome o = folder.run({words.begin() + 2, words.end()}, input);
        EXPECT_EQ(o.code, 0) << o;
        EXPECT_EQ(o.out, shown) << command;
        ++sessions;
      }
      open = line == "```session";
      command.clear(), input.clear(), shown.clear();
      continue;
    }
    if (!open) continue;
    std::smatch match;
    if (line.starts_with("$ ")) command = line;
    else if (std::regex_match(line, match, typed)) input += match[1].str() + "\n";
    else shown += line + "\n";
  }
  EXPECT_GE(sessions, 1);
  EXPECT_EQ(folder.run({"replay", "by-hand.trace"}).code, 1) << "the page saves its find";
}

}  // namespace
}  // namespace schism::e2e
