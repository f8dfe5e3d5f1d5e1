// Scenarios that the tool writes: scripts that play a find under every seed and scheduler, open
// ones that say only what matters, and what stays of both when the code changes.
#include "schism/scenario/from_trace.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "schism/campaign/hunt.hpp"
#include "schism/campaign/zoo.hpp"
#include "schism/scenario/parse.hpp"
#include "schism/scenario/test.hpp"
#include "schism/shrink/anchored.hpp"

namespace schism::scenario {
namespace {

const std::atomic<bool> kGo{false};

// A seeded bug, found by a plain strategy that knows nothing of it, and made small.
std::optional<Trace> found(const std::string& name, const std::string& explorer,
                           std::uint64_t runs) {
  const auto exhibit = find_exhibit(name);
  if (!exhibit) return ADD_FAILURE() << exhibit.error(), std::nullopt;
  auto config = exhibit_config(*exhibit, *parse_spec(explorer));
  if (!config) return ADD_FAILURE() << config.error(), std::nullopt;
  config->limits.tail = 0;  // safety alone
  HuntOptions options;
  options.runs = runs;
  const auto result = hunt(*config, options, {}, kGo);
  if (!result || result->finds.empty()) return std::nullopt;
  return result->finds[0].small->trace;
}

struct Case {
  const char *bug, *explorer;
};
std::string name_of(const testing::TestParamInfo<Case>& info) {
  std::string out;
  for (const char c : std::string(info.param.bug))
    out += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return out;
}

class WrittenScenario : public testing::TestWithParam<Case> {};

// By construction; the test is that it is so.
TEST_P(WrittenScenario, ItsScriptComesBackUnderEverySeedAndScheduler) {
  const auto trace = found(GetParam().bug, GetParam().explorer, 20'000);
  ASSERT_TRUE(trace) << "not found";
  const auto script = script_of(*trace);
  ASSERT_TRUE(script) << script.error();
  const std::string text = print(script->scenario);
  const auto read = parse(text, "again");
  ASSERT_TRUE(read) << read.error() << "\n" << text;
  EXPECT_EQ(print(read->front()), text);
  for (const char* explorer : {"random", "pos", "pctcp"})
    EXPECT_EQ(judge(under(read->front(), explorer), script->property, 100).violated, 100U)
        << explorer << "\n"
        << text;
  // It admits one history: as long as the trace, whatever the seed.
  EXPECT_EQ(size_of(script->scenario), script->actions + 1);
}

TEST_P(WrittenScenario, TheOpenOneIsNotLongerAndComesBackToo) {
  const auto trace = found(GetParam().bug, GetParam().explorer, 20'000);
  ASSERT_TRUE(trace);
  const auto script = script_of(*trace);
  ASSERT_TRUE(script) << script.error();
  OpenOptions options;
  options.steps_max = 4'000'000;
  const Opened open = opened(*script, options, kGo);
  EXPECT_LE(size_of(open.scenario), size_of(script->scenario));
  const auto read = parse(print(open.scenario), "again");
  ASSERT_TRUE(read) << read.error();
  EXPECT_GE(judge(read->front(), script->property, 100).violated, 95U) << print(open.scenario);
}

INSTANTIATE_TEST_SUITE_P(Finds, WrittenScenario,
                         testing::Values(Case{"raft/quorum-third", "random"},
                                         Case{"raft/vote-without-log-check", "pos"},
                                         Case{"raft/deposed-leader-read", "random"},
                                         Case{"multipaxos/slot-shift", "random"},
                                         Case{"paxos/small-quorum", "random"},
                                         Case{"two-phase-commit/commit-early", "random"},
                                         Case{"toy-consensus/distrust-commits", "random"},
                                         Case{"regular-register/no-majority", "random"},
                                         Case{"reliable-broadcast/deliver-twice", "random"},
                                         Case{"hierarchical-consensus/decide-at-once", "random"}),
                         name_of);

// ---- changed code --------------------------------------------------------------------------

Trace with_system(const Trace& trace, const std::string& key, const std::string& value) {
  RunText text = to_text(trace.config);
  text.system.values.emplace_back(key, value);
  auto config = make_config(text);
  if (!config) ADD_FAILURE() << config.error();
  config->setup.requests = trace.config.setup.requests;
  config->setup.options.time = trace.config.setup.options.time;
  Trace out = trace;
  out.config = *config;
  return out;
}

struct Kept {
  const char *bug, *system, *faults, *explorer;
};
std::string kept_name(const testing::TestParamInfo<Kept>& info) {
  std::string out(info.param.bug);
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}
class KeptScenario : public testing::TestWithParam<Kept> {};

// A new round of messages before every election (pre-vote): no action of the trace is where it was,
// while the open scenario leaves the round to the explorer. On repaired code it says so.
TEST_P(KeptScenario, SurvivesANewRoundOfMessagesThatATraceDoesNot) {
  const Kept& kept = GetParam();
  RunText text;
  text.system = *parse_spec(kept.system);
  text.bugs = {kept.bug};
  text.nodes = "3";
  text.explorer = *parse_spec(kept.explorer);
  if (*kept.faults != 0) text.faults = parse_spec(std::string("x:") + kept.faults)->values;
  HuntOptions options;
  options.runs = 5'000;
  const auto result = hunt(*make_config(text), options, {}, kGo);
  ASSERT_TRUE(result && !result->finds.empty());
  const Trace& trace = result->finds[0].small->trace;
  EXPECT_EQ(replay_by_meaning(with_system(trace, "pre-vote", "true")).reached,
            Reached::unreachable);
  const auto script = script_of(trace);
  ASSERT_TRUE(script) << script.error();
  Scenario open = opened(*script, {}, kGo).scenario;
  open.run.system.values.emplace_back("pre-vote", "true");
  EXPECT_GE(judge(open, script->property, 100).violated, 1U) << print(open);
  open.run.bugs.clear();
  EXPECT_EQ(judge(open, script->property, 100).violated, 0U) << print(open);
}

INSTANTIATE_TEST_SUITE_P(
    Finds, KeptScenario,
    testing::Values(
        Kept{"ack-before-sync", "raft:progress=false,requests=10", "crash=6", "random"},
        Kept{"conflict-not-truncated", "raft:progress=false,requests=20", "partition=4", "random"},
        Kept{"retry-applied-twice", "raft:progress=false", "duplicate=5", "random"},
        Kept{"stale-term-response", "raft:progress=false,requests=2", "",
             "random:timer.election=40"},
        Kept{"truncate-without-conflict", "raft:progress=false,requests=20", "", "random"}),
    kept_name);

// ---- the language of scripts ---------------------------------------------------------------

const std::string kHead = "scenario \"x\"\nsystem raft:clients=0,progress=false\n";

Outcome outcome_of(const std::string& text) {
  const auto read = parse(kHead + text, "x");
  if (!read) return ADD_FAILURE() << read.error(), Outcome();
  auto out = run_test(read->front(), {}, kGo);
  if (!out) return ADD_FAILURE() << out.error(), Outcome();
  return *std::move(out);
}

constexpr const char* kElection = R"(filter "nothing else happens"
  if sent or armed or queued or asked
  then hold
script
  fire election at $a
  complete at $a
  deliver MsgVote from $a to $b, deliver MsgVote from $a to $c
  complete at $b, complete at $c
  deliver MsgVoteResp to $a times quorum - 1
property
  start -> goal when becomes-leader
)";

TEST(Scripts, AreReadPrintedAndReadAgain) {
  const std::string text = kHead + R"(node-seed 7
filter "f"
  if sent
  then hold
script
  deliver all MsgVote from $a to 2 skipping 1 if .term = 2 and .index >= 0 times quorum - 1
  drop anything to $b, duplicate MsgApp from $a, fire election at $b
  change MsgVote from $a to $b as "{\"term\":3}"
  forge MsgVote from $a to $b as "{}"
  complete all at $a choosing 1 0
  submit Put {key = 1, value = 2} at $a by c1
  crash $a keeping 2 torn
  restart $a
  cut from $a to $b, heal from $b to $a
  pause $a
  resume $a times nodes
)";
  const auto read = parse(text, "x");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(print(read->front()), text);
  EXPECT_EQ(parse(kHead + "script\n  deliver", "x").error(),
            "x, line 4, column 10: expected a message's type, or anything, found the end of the "
            "file");
  EXPECT_EQ(parse(kHead + "script\n  submit Put {key = 1}", "x").error(),
            "x, line 4, column 23: expected \"at\", found the end of the file");
}

TEST(Scripts, AnyNodePlaysAnyRoleAndNothingElseHappens) {
  for (const char* explorer : {"random", "pos", "pctcp"}) {
    auto read = parse(kHead + kElection, "x");
    ASSERT_TRUE(read) << read.error();
    const auto out = run_test(under(read->front(), explorer), {}, kGo);
    ASSERT_TRUE(out) << out.error();
    EXPECT_EQ(out->goals, 100U) << report(*out);
    EXPECT_TRUE(out->stands.empty());
    // Eight steps, each between the two notes of its name, and nothing of the explorer's.
    EXPECT_EQ(out->steps, 100U * 8 * 3);
  }
}

TEST(Scripts, SayWhereTheyStand) {
  const auto out = outcome_of(
      "filter \"f\" if sent or armed or queued then hold\n"
      "script\n  fire election at $a\n  deliver MsgApp from $a to $b\n"
      "property\n  start -> goal when becomes-leader\n");
  EXPECT_FALSE(out.passed());
  ASSERT_EQ(out.stands.size(), 1U);
  EXPECT_EQ(out.stands[0].line, "deliver MsgApp from $a to $b");
  EXPECT_EQ(out.stands[0].runs, 100U);
  EXPECT_NE(report(out).find("100 runs stood at \"deliver MsgApp from $a to $b\""),
            std::string::npos);
}

TEST(Scripts, WordsThatDoNotExistAreErrors) {
  const auto error_of = [](const std::string& text) {
    const auto read = parse(kHead + "script\n" + text, "x");
    if (!read) return read.error();
    const auto out = run_test(read->front(), {}, kGo);
    return out ? std::string() : out.error();
  };
  EXPECT_NE(error_of("deliver MsgVot from $a").find("did you mean \"MsgVote\""), std::string::npos);
  EXPECT_NE(error_of("fire elction at $a").find("did you mean \"election\""), std::string::npos);
  EXPECT_NE(error_of("deliver MsgVote from 9").find("there is no node 9"), std::string::npos);
  EXPECT_NE(error_of("deliver MsgVote if .trem = 1").find("term"), std::string::npos);
  EXPECT_NE(error_of("submit Put {key = 1} at $a").find("also needs value"), std::string::npos);
  EXPECT_NE(error_of("cut to $a").find("two ends"), std::string::npos);
}

TEST(Scripts, AreTheSameInCppSource) {
  auto read = parse(kHead + kElection, "x");
  ASSERT_TRUE(read);
  const std::string source = cpp_source(*read);
  for (const char* part : {"SCENARIO(raft, x)", ".If(sent() || armed() || queued() || asked())",
                           ".Then(Hold())", "deliver MsgVoteResp to $a times quorum - 1"})
    EXPECT_NE(source.find(part), std::string::npos) << part << "\n" << source;
}

}  // namespace
}  // namespace schism::scenario
