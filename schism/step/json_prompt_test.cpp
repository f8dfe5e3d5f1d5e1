#include "schism/step/json_prompt.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "schism/system/systems.hpp"

namespace schism {
namespace {

using testing::HasSubstr;

JsonPrompt session_of(const std::string& system, const std::string& bug = "",
                      const std::string& faults = "") {
  RunText text;
  text.system = *parse_spec(system);
  if (!bug.empty()) text.bugs = {bug};
  if (!faults.empty()) text.faults = parse_spec("x:" + faults)->values;
  return {std::make_unique<Session>(*make_config(text), RunPlan{1, 1}), ""};
}

Value ask(JsonPrompt& prompt, const std::string& line) {
  const auto reply = prompt.say(line);
  EXPECT_EQ(reply.line.find('\n'), std::string::npos);
  auto value = parse_json(reply.line);
  EXPECT_TRUE(value) << reply.line;
  EXPECT_EQ(reply.bad, value && value->find("error") != nullptr) << reply.line;
  return value ? *std::move(value) : Value();
}

std::int64_t step_of(const Value& answer) {
  return *answer.find("position")->find("step")->as_int();
}

std::string problem(JsonPrompt& prompt, const std::string& line) {
  const Value answer = ask(prompt, line);
  const Value* error = answer.find("error");
  return error ? *error->as_text() : "";
}

TEST(JsonPrompt, AViolationByHand) {
  JsonPrompt prompt = session_of("toy-consensus", "distrust-commits");
  const Value list = ask(prompt, R"({"do":"list","id":7})");
  EXPECT_EQ(*list.find("id")->as_int(), 7);
  EXPECT_EQ(list.find("actions")->as_array()->size(), 6U);
  const Value one = ask(prompt, R"({"do":"apply","action":"deliver Proposal 1->0"})");
  EXPECT_EQ(*one.find("title")->as_text(), "deliver Proposal 1->0 #0");
  EXPECT_EQ(one.find("changed")->as_array()->size(), 1U);
  EXPECT_FALSE(one.find("events")->as_array()->empty());
  EXPECT_EQ(one.find("violation"), nullptr);
  const Value two = ask(
      prompt, R"({"do":"apply","action":{"do":"deliver","from":0,"to":2,"type":"Commit","n":0}})");
  ASSERT_NE(two.find("violation"), nullptr) << to_json(two);
  EXPECT_EQ(*two.find("violation")->find("property")->as_text(), "agreement");
  EXPECT_THAT(problem(prompt, R"({"do":"apply","number":1})"), HasSubstr("the run has ended"));
  EXPECT_TRUE(ask(prompt, R"({"do":"list"})").find("actions")->as_array()->empty());
  EXPECT_EQ(step_of(ask(prompt, R"({"do":"back"})")), 1);
}

// The objects of the list are understood, and lead where their numbers lead.
TEST(JsonPrompt, EveryListedActionCanBeAppliedByItsObjectAndByItsNumber) {
  for (const char* system : {"toy-consensus", "raft", "two-phase-commit"}) {
    if (!systems().find(system)) continue;
    JsonPrompt prompt = session_of(system, "", "crash=1,drop=1");
    ask(prompt, R"({"do":"run","steps":12,"seed":"5"})");
    const std::int64_t here = prompt.session().position();
    const Value list = ask(prompt, R"({"do":"list"})");
    for (const Value& item : *list.find("actions")->as_array()) {
      const auto play = [&](const std::string& how) {
        const Value answer = ask(prompt, how);
        EXPECT_EQ(step_of(answer), here + 1) << to_json(item) << to_json(answer);
        const Hash128 state = prompt.session().world().digest_from_scratch();
        ask(prompt, R"({"do":"back"})");
        return state;
      };
      const auto by_object =
          play(R"({"do":"apply","action":)" + to_json(*item.find("action")) + "}");
      const auto by_number =
          play(fmt::format(R"({{"do":"apply","number":{}}})", *item.find("number")->as_int()));
      EXPECT_EQ(by_object, by_number) << to_json(item);
    }
  }
}

TEST(JsonPrompt, PositionsLeadBack) {
  JsonPrompt prompt = session_of("raft");
  ask(prompt, R"({"do":"run","steps":30})");
  const Value before = ask(prompt, R"({"do":"inspect"})"), last = ask(prompt, R"({"do":"events"})");
  EXPECT_EQ(step_of(ask(prompt, R"({"do":"go","step":4})")), 4);
  EXPECT_EQ(step_of(ask(prompt, R"({"do":"go","step":30})")), 30);
  EXPECT_EQ(to_json(ask(prompt, R"({"do":"inspect"})")), to_json(before));
  EXPECT_EQ(to_json(ask(prompt, R"({"do":"events"})")), to_json(last));
  EXPECT_EQ(problem(prompt, R"({"do":"go","step":31})"), "there are steps 0 to 30, not 31");
}

TEST(JsonPrompt, WhatMakesNoSenseIsOneErrorAndChangesNothing) {
  JsonPrompt prompt = session_of("raft");
  ask(prompt, R"({"do":"run","steps":5})");
  const Hash128 before = prompt.session().world().digest_from_scratch();
  const std::pair<const char*, const char*> lines[] = {
      {"nonsense", ""},
      {"[]", "a request is an object"},
      {"{}", "\"do\" is missing"},
      {R"({"do":7})", "\"do\" is a text"},
      {R"({"do":"lst"})", "no request \"lst\"; did you mean \"list\"?"},
      {R"({"do":"go","stp":1})", "no key \"stp\"; did you mean \"step\"?"},
      {R"({"do":"go"})", "\"step\" is missing"},
      {R"({"do":"go","step":-1})", "whole number"},
      {R"({"do":"go","step":1,"run":3})", "\"run\" is the file of a trace"},
      {R"({"do":"go","step":1,"run":"nowhere.trace"})", "nowhere.trace"},
      {R"({"do":"back","steps":6})", "only 5 to take back"},
      {R"({"do":"apply"})", "one of them"},
      {R"({"do":"apply","number":1,"action":"x"})", "one of them"},
      {R"({"do":"apply","number":0})", "one of the list"},
      {R"({"do":"apply","number":1.5})", "whole number"},
      {R"({"do":"apply","action":""})", "empty"},
      {R"({"do":"apply","action":{}})", ""},
      {R"({"do":"apply","action":{"do":"fly"}})", ""},
      {R"({"do":"apply","action":"crash 1"})", ""},
      {R"({"do":"inspect","node":99})", "\"node\" is a whole number from 0 to"},
      {R"({"do":"run","steps":1,"scheduler":"rndom"})", "did you mean \"random\"?"},
      {R"({"do":"run","steps":1,"scheduler":"timed"})", "this run is untimed"},
      {R"({"do":"run","steps":1,"seed":"x"})", "\"seed\""},
      {R"({"do":"choose","answers":[]})", "\"answers\""},
      {R"({"do":"ask","request":{}})", ""},
      {R"({"do":"save"})", "\"file\" is missing"},
      {R"({"do":"save","file":"-"})", "standard output"},
      {R"({"do":"save","file":"/no/such/folder/x.trace"})", "/no/such/folder"}};
  for (const auto& [line, what] : lines) {
    const std::string said = problem(prompt, line);
    EXPECT_FALSE(said.empty()) << line;
    EXPECT_THAT(said, HasSubstr(what)) << line;
    EXPECT_EQ(prompt.session().world().digest_from_scratch(), before) << line;
  }
  EXPECT_EQ(prompt.say(" \r").line, "");
  EXPECT_TRUE(prompt.say(std::string(100'000, ' ') + "x").bad);
}

}  // namespace
}  // namespace schism
