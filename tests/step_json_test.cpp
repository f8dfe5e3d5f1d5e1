// `schism step --json`: a session for programs, end to end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace schism::e2e {
namespace {

using Json = nlohmann::json;

std::vector<Json> answers(const Outcome& o) {
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_EQ(o.err, "") << o;
  std::vector<Json> out;
  for (const std::string& line : lines_of(o.out)) out.push_back(Json::parse(line));
  return out;
}

TEST(StepJson, AFindIsMadeSavedReplayedAndComeBackTo) {
  const Folder folder;
  const auto made =
      answers(folder.run({"step", "toy-consensus", "--bug", "distrust-commits", "--json"},
                         "{\"do\":\"apply\",\"action\":\"deliver Proposal 1->0\"}\n"
                         "{\"do\":\"apply\",\"action\":\"deliver Commit 0->2\"}\n"
                         "{\"do\":\"save\",\"file\":\"by-hand.trace\",\"id\":\"last\"}\n"));
  ASSERT_EQ(made.size(), 4U);
  EXPECT_EQ(made[0].at("system"), "toy-consensus");
  EXPECT_EQ(made[0].at("position").at("step"), 0);
  EXPECT_EQ(made[2].at("violation").at("property"), "agreement");
  EXPECT_EQ(made[3].at("id"), "last");
  EXPECT_EQ(made[3].at("steps"), 2);
  EXPECT_TRUE(made[2].at("position").at("run").is_null());
  EXPECT_EQ(made[3].at("position").at("run"), "by-hand.trace");
  EXPECT_EQ(folder.run({"replay", "by-hand.trace"}).code, 1);

  // A position of one run, from a session that began with another.
  const auto again = answers(folder.run({"step", "raft", "--json"},
                                        "{\"do\":\"go\",\"run\":\"by-hand.trace\",\"step\":1}\n"
                                        "{\"do\":\"inspect\",\"node\":0}\n"
                                        "{\"do\":\"go\",\"step\":2}\n"
                                        "{\"do\":\"back\"}\n"
                                        "{\"do\":\"apply\",\"number\":1}\n"));
  ASSERT_EQ(again.size(), 6U);
  EXPECT_EQ(again[1].at("position"), Json({{"run", "by-hand.trace"}, {"step", 1}, {"length", 2}}));
  EXPECT_EQ(again[2].at("nodes").at(0).at("state").at("round"), 1);
  EXPECT_TRUE(again[3].contains("violation"));
  EXPECT_EQ(again[4].at("position").at("run"), "by-hand.trace");
  EXPECT_TRUE(again[5].at("position").at("run").is_null()) << "another step: another run";
}

TEST(StepJson, ErrorsAreObjectsAndTheSessionGoesOn) {
  const Folder folder;
  const auto said = answers(folder.run({"step", "raft", "--json"},
                                       "what?\n{\"do\":\"fly\"}\n\n{\"do\":\"list\"}\n"
                                       "{\"do\":\"quit\"}\n{\"do\":\"list\"}\n"));
  ASSERT_EQ(said.size(), 5U);
  EXPECT_TRUE(said[1].contains("error"));
  EXPECT_TRUE(said[2].contains("error"));
  EXPECT_FALSE(said[3].at("actions").empty());
  EXPECT_FALSE(said[4].contains("error"));
  const Outcome bad = folder.run({"step", "nobody", "--json"}, "{\"do\":\"list\"}\n");
  EXPECT_EQ(bad.code, 2) << bad;
  EXPECT_EQ(bad.out, "") << bad;
}

TEST(StepJson, ADeathIsAViolation) {
  const Folder folder;
  const auto said =
      answers(folder.run_odd({"step", "brittle:way=segfault", "--json"},
                             "{\"do\":\"apply\",\"action\":\"deliver Poke 0->1 #1\"}\n"
                             "{\"do\":\"apply\",\"action\":\"deliver Poke 0->1 #0\"}\n"
                             "{\"do\":\"back\"}\n{\"do\":\"list\"}\n"));
  ASSERT_EQ(said.size(), 5U);
  EXPECT_EQ(said[2].at("violation").at("property"), "crash");
  EXPECT_FALSE(said[3].contains("violation"));
  EXPECT_FALSE(said[4].at("actions").empty());
}

// Lines behind "> " are requests, all others answers.
TEST(StepJson, ThePageShowsWhatHappens) {
  const Folder folder;
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
      open = line == "```json-session";
      command.clear(), input.clear(), shown.clear();
      continue;
    }
    if (!open) continue;
    if (line.starts_with("$ ")) command = line;
    else if (line.starts_with("> ")) input += line.substr(2) + "\n";
    else shown += line + "\n";
  }
  EXPECT_GE(sessions, 1);
}

}  // namespace
}  // namespace schism::e2e
