#include "schism/step/prompt.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "schism/testing/drive.hpp"

namespace {
using namespace schism;

Prompt prompt_for(const std::string& system, std::vector<std::string> bugs = {}, Pairs faults = {},
                  const std::string& scheduler = "random") {
  RunText text;
  text.system = {system, {}};
  text.bugs = std::move(bugs);
  text.faults = std::move(faults);
  text.explorer = {scheduler, {}};
  for (const auto& [fault, budget] : text.faults)
    if (fault == "mutate") text.world = {{"liars", "1"}};
  const auto config = make_config(text);
  EXPECT_TRUE(config) << config.error();
  return Prompt(std::make_unique<Session>(*config, RunPlan{1, 1}), {});
}

std::string said(Prompt& prompt, std::string_view line) {
  const Prompt::Reply reply = prompt.say(line);
  EXPECT_FALSE(reply.bad) << line << "\n" << reply.text;
  return reply.text;
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(Prompt, AViolationByHand) {
  Prompt prompt = prompt_for("toy-consensus", {"distrust-commits"});
  EXPECT_TRUE(has(prompt.greeting(), "3 nodes"));
  const std::string first = said(prompt, "deliver Proposal 1->0");
  EXPECT_TRUE(has(first, "step 1: deliver Proposal 1->0")) << first;
  EXPECT_TRUE(has(first, "0 Decided(value=1, round=0)")) << first;
  EXPECT_TRUE(has(first, "round 0 → 1")) << first;
  const std::string second = said(prompt, "deliver Commit 0->2");
  EXPECT_TRUE(has(second, "agreement is violated at step 2")) << second;
  EXPECT_TRUE(has(said(prompt, "story"), "agreement is violated here"));
  EXPECT_TRUE(prompt.say("1").bad) << "a run ends with its violation";
  said(prompt, "back");
  EXPECT_FALSE(prompt.session().violation());
  EXPECT_TRUE(has(said(prompt, "jump 2"), "agreement is violated"));
}

TEST(Prompt, NumbersAreThoseOfTheList) {
  Prompt prompt = prompt_for("toy-consensus");
  const auto menu = menu_of(prompt.session().world());
  const std::string list = said(prompt, "list");
  EXPECT_TRUE(has(list, "   3  " + menu[2].title)) << list;
  said(prompt, "3");
  EXPECT_EQ(prompt.session().last()->action, menu[2].action);
}

// What people type when they are tired.
std::vector<std::string> nonsense() {
  std::vector<std::string> out = {"\x01\x02"};
  std::istringstream text(R"(0
99999
-1
1 2
delivr x
deliver
deliver Nothing 0->1
back 99
back x
jump
jump 99
jump -1
state 9
state x
story x
run
run x
run 1 nobody
run 1 timed
run 1 random:x=1
run 1 random x
wait
wait 10ms
wait x
choose
choose x
mutate
mutate {}
mutate deliver {
inject
inject Vote
inject Nope 0->1 {}
inject Nope 0-1 {}
partition
partition 0 1 2
partition x
ask
ask {}
ask {
ask next
save
load
load /nowhere/x
load /nowhere/x@y
save /nowhere/x/y
restart 0
frobnicate
crash 9
cut 0->1
{
[])");
  for (std::string line; std::getline(text, line);) out.push_back(line);
  return out;
}

TEST(Prompt, ALineThatMakesNoSenseIsOneSentenceAndChangesNothing) {
  Prompt prompt = prompt_for("raft", {}, {{"crash", "1"}, {"mutate", "1"}});
  said(prompt, "run 10");
  const std::string before = contract::state_text(prompt.session().world());
  for (const std::string& line : nonsense()) {
    const Prompt::Reply reply = prompt.say(line);
    EXPECT_TRUE(reply.bad) << line;
    EXPECT_TRUE(reply.text.starts_with("? ")) << line;
    EXPECT_EQ(std::count(reply.text.begin(), reply.text.end(), '\n'), 1) << line;
    EXPECT_EQ(contract::state_text(prompt.session().world()), before) << line;
  }
  EXPECT_FALSE(prompt.say("").bad);
  EXPECT_FALSE(prompt.say("# a comment").bad);
  EXPECT_TRUE(prompt.say("quit").quit);
}

TEST(Prompt, ChangedMessages) {
  Prompt prompt = prompt_for("toy-consensus", {}, {{"mutate", "1"}});
  const std::string changed = said(prompt, "mutate Proposal 1->0 {\"value\":0,\"round\":0}");
  EXPECT_TRUE(has(changed, "value=0")) << changed;
  EXPECT_TRUE(has(said(prompt, "deliver Proposal 1->0"), "Proposal(value=0, round=0)"));
}

TEST(Prompt, PartitionsCrashesAndTime) {
  Prompt prompt = prompt_for("raft", {}, {{"partition", "1"}, {"crash", "1"}}, "stepped");
  EXPECT_TRUE(has(said(prompt, "partition 0"), "cut 0->1"));
  EXPECT_EQ(prompt.session().world().pending().severed.size(), 8U) << "both ways to four others";
  said(prompt, "crash 1");
  EXPECT_TRUE(has(said(prompt, "state 1"), "down"));
  said(prompt, "restart 1");
  EXPECT_FALSE(has(said(prompt, "list"), "fire"));
  said(prompt, "wait 2s");
  EXPECT_TRUE(has(said(prompt, "list fire"), "election"));
}

TEST(Prompt, ASideIsSomeNodesAndNotAll) {
  Prompt prompt = prompt_for("toy-consensus", {}, {{"partition", "1"}});
  for (const char* line : {"partition", "partition 0 1 2"}) {
    const Prompt::Reply reply = prompt.say(line);
    EXPECT_TRUE(reply.bad) << line;
    EXPECT_TRUE(has(reply.text, "not none and not all")) << reply.text;
  }
  EXPECT_EQ(prompt.session().position(), 0U);
}

TEST(Prompt, ATailThatDoesNotEndIsNotJudged) {
  RunText text;
  text.system = {"toy-consensus", {}};
  RunConfig config = *make_config(text);
  config.limits.tail_steps = 1;
  Prompt prompt(std::make_unique<Session>(config, RunPlan{1, 1}), {});
  EXPECT_TRUE(has(said(prompt, "calm"), "it has not come to an end"));
  EXPECT_FALSE(prompt.session().ended_fairly());
  Prompt whole = prompt_for("toy-consensus");
  EXPECT_TRUE(has(said(whole, "calm"), "it ended fairly"));
}

TEST(Menu, WordsFindTheOneThatIsMeant) {
  const auto item = [](Do kind, Name name, std::string title, std::string content = {}) {
    return MenuItem{make_action(kind, name), std::move(title), std::move(content)};
  };
  const std::vector<MenuItem> menu = {
      item(Do::deliver, Name(0, 1, 0, 0), "deliver Vote 0->1 #0", "Vote(term=1)"),
      item(Do::deliver, Name(0, 1, 0, 1), "deliver Vote 0->1 #1", "Vote(term=2)"),
      item(Do::deliver, Name(0, 10, 0, 0), "deliver Vote 0->10 #0", "Vote(term=1)"),
      item(Do::drop, Name(0, 1, 0, 0), "drop Vote 0->1 #0", "Vote(term=1)"),
      item(Do::crash, Name(1, 0, 0, 0), "crash 1"),
  };
  const auto found = [&](std::vector<std::string> words) -> int {
    const auto one = pick(menu, words);
    return one ? static_cast<int>(*one) : -1;
  };
  EXPECT_EQ(found({"deliver", "Vote", "0->1"}), 0) << "the oldest of its kind, and not 0->10";
  EXPECT_EQ(found({"deliver", "0->1", "#1"}), 1);
  EXPECT_EQ(found({"deliver", "0->1", "term=2"}), 1);
  EXPECT_EQ(found({"del", "vote", "0->10"}), 2) << "beginnings, in any case";
  EXPECT_EQ(found({"dr"}), 3);
  EXPECT_EQ(found({"crash", "1"}), 4);
  EXPECT_EQ(found({"Vote", "0->1", "#0"}), -1) << "delivered, or dropped?";
  EXPECT_EQ(found({"deliver", "Ack"}), -1);
}

TEST(Menu, JsonAtTheEndIsOneWord) {
  EXPECT_EQ(words_of_line("  ask  {\"a\": 1, \"b\": [2]} "),
            (std::vector<std::string>{"ask", "{\"a\": 1, \"b\": [2]} "}));
  EXPECT_EQ(words_of_line("deliver Vote\t0->1\r"),
            (std::vector<std::string>{"deliver", "Vote", "0->1"}));
  EXPECT_TRUE(words_of_line(" \t ").empty());
}

}  // namespace
