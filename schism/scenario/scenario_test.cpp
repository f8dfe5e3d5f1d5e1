// The language in both its forms, what filters do to a run, and what stays when they are gone.
#include <gtest/gtest.h>

#include "schism/run/runner.hpp"
#include "schism/scenario/gtest.hpp"
#include "schism/scenario/player.hpp"

namespace schism::scenario {
namespace {

const std::string kHead = "scenario \"x\"\nsystem raft:clients=0,progress=false\nsteps 300\n";

Scenario parsed(const std::string& text) {
  auto out = parse(text, "x.scenario");
  EXPECT_TRUE(out) << out.error();
  return out ? out->front() : Scenario();
}

std::string parse_error(const std::string& text) {
  const auto out = parse(text, "x.scenario");
  return out ? "" : out.error();
}

std::string bind_error(const std::string& text) {
  const auto config = configure(parsed(kHead + text));
  return config ? "" : config.error();
}

struct Played {
  std::vector<Action> decisions;
  bool violated = false;
};
Played play(const RunConfig& config, std::uint64_t seed) {
  Runner runner(config.setup, config.limits);
  const auto scheduler = make_scheduler(config);
  const auto summary = runner.run(*scheduler, {seed, seed});
  const auto all = runner.world().decisions();
  return {{all.begin(), all.end()}, summary.violated};
}

Outcome outcome_of(const Scenario& s, TestOptions options = {}) {
  const std::atomic<bool> stop{false};
  auto out = run_test(s, options, stop);
  EXPECT_TRUE(out) << out.error();
  return out ? *std::move(out) : Outcome();
}

bool warns(const Outcome& o, const std::string& text) {
  return std::any_of(o.warnings.begin(), o.warnings.end(),
                     [&](const std::string& w) { return w.find(text) != std::string::npos; });
}

// ---- text ----------------------------------------------------------------------------------

TEST(ScenarioText, IsPrintedInOneWayAndReadBack) {
  const std::string text = kHead + R"(let p = random node
let q = 3
parts left = 2, right = 3
machine
  start -> led when leads($p) then record $t = .term, increment elections(.term)
filter "a"
  if (sent MsgApp | MsgSnap or armed election) and not (from $p or to part left) and .term >= 2
  then once(drop), go on
filter "b"
  if in led and node 2 has .role = StateLeader and count elections(2) > 1 and size held < 3
  then change .term to $t + 1, forge MsgVoteResp from 1 to 2 {term = 3, reject = false}, deliver
filter "c"
  if once(fired election) and between(1, 2) and across parts
  then store in held, deliver all from held in order, cut(1, 2), submit Put {key = 1, value = 2} at $q
property
  start -> goal when answered Answer and .outcome = ok
  start -> violation when crashed and at 2
  goal start
expect goal >= 90%
expect no violation of "election-safety"
)";
  const std::string once = print(parsed(text));
  EXPECT_EQ(once, print(parsed(once)));
  for (const char* part : {"sent MsgApp | MsgSnap", "not (from $p or to part left)", "go on",
                           "change .term to $t + 1", "{term = 3, reject = false}", "goal start",
                           "in order", "expect no violation of \"election-safety\""})
    EXPECT_NE(once.find(part), std::string::npos) << part << "\n" << once;
}

TEST(ScenarioText, AnErrorSaysWhereAndWhatWasExpected) {
  EXPECT_EQ(parse_error("scenario x"),
            "x.scenario, line 1, column 10: expected the scenario's name in quotes, found \"x\"");
  EXPECT_EQ(parse_error("scenario \"x\"\nsystem raft\nfilter \"f\" if sent MsgApp drop"),
            "x.scenario, line 3, column 27: expected \"then\", found \"drop\"");
  EXPECT_EQ(parse_error("scenario \"x\"\nsystem raft\nfilter if sent then"),
            "x.scenario, line 3, column 20: expected an action, such as drop, deliver, store in "
            "SET, crash NODE, found the end of the file");
  EXPECT_EQ(parse_error("scenario \"x\"\nnodes many"),
            "x.scenario, line 2, column 7: expected how many, found \"many\"");
  EXPECT_EQ(parse_error("scenario \"x\"\nruns 3"),
            "x.scenario, line 2, column 7: scenario \"x\" names no system");
  EXPECT_NE(parse_error(""), "");
  EXPECT_NE(parse_error("scenario \"x\" system raft\nfilter if " + std::string(500, '(')), "");
}

TEST(ScenarioText, WordsThatDoNotExistAreErrorsThatNameTheNearest) {
  EXPECT_NE(bind_error("filter \"f\" if sent MsgVot then drop").find("did you mean \"MsgVote\""),
            std::string::npos)
      << bind_error("filter \"f\" if sent MsgVot then drop");
  const auto has = [](const std::string& text, const std::string& part) {
    const std::string error = bind_error(text);
    EXPECT_NE(error.find(part), std::string::npos) << text << "\n" << error;
  };
  has("filter \"f\" if sent MsgVote and .trem = 2 then drop", "did you mean term");
  has("filter \"f\" if .trem = 2 then drop", "did you mean \"term\"");
  has("filter \"f\" if announced StatChange then pass", "StateChange");
  has("filter \"f\" if announced StateChange and .new_state = King then pass", "King is none of");
  has("filter \"f\" if armed elction then drop", "did you mean \"election\"");
  has("filter \"f\" if becomes-leeder then pass", "did you mean \"becomes-leader\"");
  has("filter \"f\" if in leading then pass", "no state \"leading\"");
  has("filter \"f\" if sent and to 7 then drop", "there is no node 7");
  has("filter \"f\" if sent and to $who then drop", "nothing sets $who");
  has("filter \"f\" if sent then record $x = receiver\nproperty\n start -> goal when sent and to "
      "$x",
      "which only filters set");
  has("filter \"f\" if started then submit Put {key = 1} at 0", "also needs value");
  has("parts a = 2, b = 2", "the parts have 4 nodes together, and there are 5");
}

// ---- runs ----------------------------------------------------------------------------------

TEST(ScenarioRun, WithoutFiltersEverySchedulerPlaysAsWithoutScenario) {
  for (const char* explorer : {"random", "pctcp:depth=4", "pos", "timed", "slow(random)"}) {
    Scenario s = parsed(kHead);
    s.run.explorer = *parse_spec(explorer);
    auto staged = configure(s);
    ASSERT_TRUE(staged) << staged.error();
    RunConfig plain = *staged;
    plain.staging = nullptr;  // the world stays scripted: what can happen is part of the run's hash
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const auto with = play(*staged, seed), without = play(plain, seed);
      EXPECT_EQ(with.decisions, without.decisions) << explorer << " seed " << seed;
    }
  }
}

TEST(ScenarioRun, BothFormsDecideTheSameEventByEvent) {
  ScenarioTest in_code("x", "raft:clients=0,progress=false");
  in_code.steps(300).random_node("p");
  in_code.filter("no votes").If(sent("MsgVoteResp") && to(var("p"))).Then(Drop());
  in_code.filter("late")
      .If(sent("MsgApp") && field("term") >= 1 && count("n", {receiver()}) < 2)
      .Then(Store("held"), Increment(count("n", {receiver()})));
  in_code.filter("release").If(fired("heartbeat")).Then(DeliverAll("held"));
  in_code.judged()
      .On(word("becomes-leader"), "led", Record("l", here()))
      .On(received("MsgApp") && !to(var("l")), "goal");
  const Scenario in_file = parsed(kHead + R"(let p = random node
filter "no votes" if sent MsgVoteResp and to $p then drop
filter "late" if sent MsgApp and .term >= 1 and count n(receiver) < 2
  then store in held, increment n(receiver)
filter "release" if fired heartbeat then deliver all from held
property
  start -> led when becomes-leader then record $l = here
  led -> goal when received MsgApp and not to $l
)");
  EXPECT_EQ(print(in_code), print(in_file));
  for (const char* explorer : {"random", "pctcp", "pos"}) {
    Scenario a = in_code, b = in_file;
    a.run.explorer = b.run.explorer = *parse_spec(explorer);
    const auto one = configure(a), other = configure(b);
    ASSERT_TRUE(one && other);
    for (std::uint64_t seed = 1; seed <= 10; ++seed)
      EXPECT_EQ(play(*one, seed).decisions, play(*other, seed).decisions) << explorer << seed;
  }
}

// The slow definition: look at all that happened.
TEST(ScenarioRun, WhatIsDroppedOrStoredForGoodIsNeverReceived) {
  const auto config = configure(parsed(kHead + R"(tail 1s
filter "a" if sent MsgVoteResp and from 1 then drop
filter "b" if sent MsgApp and to 2 then store in never
filter "c" if armed election and at 3 then drop
)"));
  ASSERT_TRUE(config) << config.error();
  Runner runner(config->setup, config->limits);
  const auto scheduler = make_scheduler(*config);
  int votes = 0, appends = 0, fired = 0, all = 0;
  const auto watcher = watch(mask_of(Happened::delivered) | mask_of(Happened::timer_fired),
                             [&](const World& world, std::span<const Event> events) {
                               const auto names = world.setup().system->timer_names();
                               for (const Event& e : events) {
                                 if (e.kind == Happened::timer_fired)
                                   fired += e.node == 3 && names[e.detail] == "election";
                                 if (e.kind != Happened::delivered) continue;
                                 ++all;
                                 votes += e.type->name == "MsgVoteResp" && e.peer == 1;
                                 appends += e.type->name == "MsgApp" && e.node == 2;
                               }
                             });
  runner.attach(*watcher);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) runner.run(*scheduler, {seed, seed});
  EXPECT_EQ(votes + appends + fired, 0);
  EXPECT_GT(all, 1000);
}

TEST(ScenarioRun, AReplayNeedsOnlyTheActionsAndJudgesTheProperty) {
  Scenario s = parsed(kHead + R"(world lies=anyone
filter "isolated" if becomes-leader then once(crash here)
filter "changed" if once(sent MsgHeartbeat) then change .term to 9, duplicate
property
  start -> violation when crashed
)");
  const auto out = outcome_of(s);
  EXPECT_FALSE(out.passed());
  ASSERT_TRUE(out.example);
  const Trace& small = *out.example;
  ASSERT_TRUE(small.violation);
  EXPECT_EQ(small.violation->property, "x");
  const std::string text = to_text(small);
  EXPECT_NE(text.find("isolated"), std::string::npos);
  auto again = parse_trace(text, "again");
  ASSERT_TRUE(again) << again.error();
  const ReplayReport r = replay(*again);
  EXPECT_FALSE(r.difference);
  ASSERT_TRUE(r.now.violation);
  EXPECT_EQ(r.now.violation->property, "x");
}

// Only liars' messages; what a way to lie leaves open is the same for all of a broadcast.
TEST(ScenarioRun, LiarsLieInNamedWays) {
  const std::string head = "scenario \"x\"\nsystem bracha\nexplorer random\nruns 30\n";
  EXPECT_NE(bind_error("filter \"f\" if sent MsgApp then omit").find("nobody lies here"),
            std::string::npos);
  EXPECT_NE(bind_error("world liars=0\nfilter \"f\" if sent MsgApp then lie futur")
                .find("did you mean \"future\""),
            std::string::npos);
  const auto agreement = [&](const std::string& text) {
    const auto out = outcome_of(parsed(head + text), {30, {}, false, false});
    EXPECT_FALSE(warns(out, "could not do what it says"));
    return out.violated;
  };
  const std::string two_faced = R"(world liars=0
tail 20s
filter "two faces" if sent Initial | Echo | Ready and from 0 then lie two-faced, pass
)";
  EXPECT_EQ(agreement(two_faced), 0U);
  EXPECT_GT(agreement("bug echo-majority\n" + two_faced), 0U);
  // Who is silent towards one node alone does not keep the others from delivering.
  EXPECT_EQ(agreement("world liars=3\ntail 20s\nfilter \"to 1\" if from 3 and to 1 then omit\n"),
            0U);
  // Those who do not lie cannot be made to.
  EXPECT_TRUE(warns(outcome_of(parsed(head + "world liars=3\nfilter \"f\" if sent Echo and from 1 "
                                             "then lie future"),
                               {5, {}, false, false}),
                    "could not do what it says"));
}

TEST(ScenarioRun, ACustomConditionIsMadeAnewForEveryRun) {
  ScenarioTest t("x", "raft:clients=0,progress=false");
  t.steps(100).times(3);
  int made = 0;
  t.If(custom([&]() -> Cond::Test {
     ++made;
     return [](const World&, const Moment& m) { return m.kind == Happened::sent; };
   })).Then(Drop());
  EXPECT_GT(outcome_of(t).filters[0].matches, 0U);
  EXPECT_GE(made, 3);
}

SCENARIO(raft, a_late_vote_reaches_the_leader) {
  test.steps(400).explorer("pos");
  test.run.system.values = {{"clients", "0"}, {"progress", "false"}};
  test.states().On(word("becomes-leader"), "led");
  test.filter("waits").If(in_state("start") && sent("MsgVoteResp") && from(3)).Then(Store("late"));
  test.filter("comes").If(word("becomes-leader")).Then(DeliverAll("late"));
  test.judged().On(word("becomes-leader"), "led").On(received("MsgVoteResp") && from(3), "goal");
  test.expect_goal(10).expect_no_violation();
}

// ---- warnings: the quirks of published scenarios -------------------------------------------

TEST(ScenarioWarnings, EachQuirkGivesItsOwn) {
  const auto of = [](const std::string& text) {
    return outcome_of(parsed(kHead + text), {20, {}, false, false});
  };
  EXPECT_TRUE(
      warns(of("property\n start -> goal when announced TermChange and announced StateChange"),
            "never happen at once"));  // Q1
  EXPECT_TRUE(warns(of("property\n start -> goal when becomes-leader and count leaders > 4"),
                    "counter leaders was never incremented"));  // Q2
  EXPECT_TRUE(warns(of("filter \"f\" if sent MsgVoteResp and count dropped(.term) > 0 then drop"),
                    "filter \"f\" never matched"));                                  // Q3
  EXPECT_TRUE(warns(of("filter \"f\" if sent MsgApp then once(drop)"), "no fate"));  // Q4
  EXPECT_NE(bind_error("property\n start -> goal when announced TermChange and .term >= $f"),
            "");                                                                             // Q5
  EXPECT_TRUE(warns(of("filter \"f\" if sent MsgApp then record $i = .index"), "no fate"));  // Q6
  EXPECT_TRUE(warns(of("filter \"f\" if announced TermChange then record $t = .term"),
                    "recorded again with another value"));  // Q7
  EXPECT_TRUE(
      warns(of("world lies=anyone\nfilter \"f\" if sent MsgApp then change .term to \"none\""),
            "could not do what it says"));  // Q8
  EXPECT_TRUE(warns(of("filter \"f\" if message MsgVoteResp and from 3 then drop\n"
                       "filter \"g\" if message MsgHeartbeat then deliver"),
                    "happened already"));  // Q9
  EXPECT_TRUE(
      warns(of("filter \"f\" if sent MsgVote then store in s"), "set s was never released"));
  EXPECT_TRUE(warns(of("property\n start -> never when crashed\n never -> goal when sent"),
                    "state never of the property was never reached"));
}

struct Ballot {
  int term;
  bool reject;
  FIELDS(term, reject)
};

TEST(ScenarioFields, AMemberIsItsName) {
  EXPECT_EQ(field<&Ballot::reject>().name, "reject");
  EXPECT_EQ(field<&Ballot::term>().name, "term");
}

}  // namespace
}  // namespace schism::scenario
