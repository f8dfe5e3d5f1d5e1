// Mappings are checked when they are read, and a run is followed as its events say.
#include "schism/model/model.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "schism/base/file.hpp"
#include "schism/model/follower.hpp"
#include "schism/run/config.hpp"
#include "tests/places/places.hpp"

namespace schism::model {
namespace {

using testing::HasSubstr;

const std::string kGuide = std::string(places::kSource) + "/models/raft_guide";

RunConfig config_of(const std::string& system, const std::vector<std::string>& bugs = {}) {
  RunText text;
  text.system = *parse_spec(system);
  text.bugs = bugs;
  text.nodes = "3";
  text.steps = "200";
  text.tail = "0s";
  text.explorer = {"random", {}};
  text.faults = {{"crash", "3"}, {"drop", "2"}};
  auto config = make_config(text);
  EXPECT_TRUE(config.has_value()) << config.error();
  return *config;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// The guide with a mapping that was changed in one place; what reading it says.
class ChangedMapping {
 public:
  ChangedMapping() : folder_(fmt::format("{}/schism_model_{}", testing::TempDir(), ::getpid())) {
    std::filesystem::create_directories(folder_);
    for (const char* part : {".tla", ".cfg", ".toml"})
      EXPECT_TRUE(write_file(folder_ + "/raft_guide" + part, *read_file(kGuide + part)));
  }
  std::string refusal(const std::string& from, const std::string& to) {
    EXPECT_TRUE(
        write_file(folder_ + "/raft_guide.toml", replaced(*read_file(kGuide + ".toml"), from, to)));
    const RunConfig config = config_of("raft:progress=false");
    const auto model = Model::load(folder_ + "/raft_guide.tla", config.setup, Use::judge);
    return model ? std::string("accepted") : model.error();
  }

 private:
  std::string folder_;
};

TEST(Model, AMappingIsCheckedWhenItIsRead) {
  ChangedMapping changed;
  EXPECT_THAT(changed.refusal("on = \"crashed\"", "on = \"crash\""),
              HasSubstr("no event \"crash\"; did you mean \"crashed\"?"));
  EXPECT_THAT(changed.refusal("on = \"crashed\"", "on = \"dropped\""),
              HasSubstr("\"dropped\" cannot be mapped; what can be is started, sent, delivered, "));
  EXPECT_THAT(changed.refusal("on = \"crashed\"", "on = \"crashed MsgVote\""),
              HasSubstr("\"crashed\" stands alone, without \"MsgVote\""));
  EXPECT_THAT(changed.refusal("delivered MsgSnap", "delivered MsgSnapp"),
              HasSubstr("no message \"MsgSnapp\"; did you mean \"MsgSnap\"?"));
  EXPECT_THAT(changed.refusal("TimeoutNow($node, $term)", "TimeoutNow($node, $therm)"),
              HasSubstr("no field \"therm\"; did you mean \"term\"?"));
  EXPECT_THAT(changed.refusal("$self.commit)", "$self.comit)"),
              HasSubstr("no field \"comit\"; did you mean \"commit\"?"));
  EXPECT_THAT(changed.refusal("ElectionTimer($node)", "ElectionTime($node)"),
              HasSubstr("no action \"ElectionTime\"; did you mean \"ElectionTimer\"?"));
  EXPECT_THAT(changed.refusal("ElectionTimer($node)", "ElectionTimer($node, $node)"),
              HasSubstr("ElectionTimer takes 1 arguments, not 2"));
  EXPECT_THAT(changed.refusal("timer_fired election", "timer_fired elections"),
              HasSubstr("no timer \"elections\"; did you mean \"election\"?"));
  EXPECT_THAT(changed.refusal("membership = \"0\"", "memberships = \"0\""),
              HasSubstr("no parameter \"memberships\"; did you mean \"membership\"?"));
  EXPECT_THAT(changed.refusal("nodes-min = 2", "nodes-mini = 2"), HasSubstr("nodes-min"));
  EXPECT_THAT(changed.refusal("\"$judging\"", "\"$juding\""),
              HasSubstr("no parameter \"juding\"; did you mean \"judging\"?"));
  EXPECT_THAT(changed.refusal("system = \"raft\"", "system = \"paxos\""),
              HasSubstr("events of paxos, not of raft"));
}

// What would always be node 0, or never be asked, is no mapping.
TEST(Model, WhatAMappingCannotMeanIsRefused) {
  ChangedMapping changed;
  EXPECT_THAT(changed.refusal("[\"ElectionTimer($node)\"]", "[\"ElectionTimer($peer)\"]"),
              HasSubstr("there is no other end here"));
  EXPECT_THAT(changed.refusal("\"AdvanceCommitIndex($node, $self.commit)\"",
                              "\"AdvanceCommitIndex($peer, $self.commit)\""),
              HasSubstr("there is no other end here"));
  EXPECT_THAT(changed.refusal("RemoveFromActive($node)", "RemoveFromActive($self.term)"),
              HasSubstr("of a node that has crashed there is no $self.term"));
  EXPECT_THAT(changed.refusal("delivered MsgHeartbeatResp", "delivered MsgAppResp"),
              HasSubstr("never: delivered MsgAppResp is taken by the event of"));
  EXPECT_THAT(changed.refusal("delivered MsgTimeoutNow\"\ndo = [\"TimeoutNow($node, $term)\"]",
                              "delivered\"\ndo = [\"RemoveFromActive($node)\"]"),
              HasSubstr("never: delivered MsgVote is taken by the event of"));
}

TEST(Model, AConfigurationThatTheModelDoesNotHaveIsRefused) {
  RunText text;
  text.system = *parse_spec("raft:membership=2");
  text.system.values.emplace_back("model", kGuide + ".tla");
  text.explorer = {"random", {}};
  const auto config = make_config(text);
  ASSERT_FALSE(config.has_value());
  EXPECT_THAT(config.error(), HasSubstr("membership = 0, not 2"));
}

RunSummary play(const RunConfig& config, std::uint64_t seed, std::optional<Violation>& violation) {
  Runner runner(config.setup, config.limits);
  const auto scheduler = make_scheduler(config);
  RunPlan plan;
  plan.seed = plan.node_seed = seed;
  const RunSummary summary = runner.run(*scheduler, plan);
  violation = runner.violation();
  return summary;
}

TEST(Model, CorrectRaftConforms) {
  const RunConfig config = config_of("raft:progress=false,model=\"" + kGuide + ".tla\"");
  std::optional<Violation> violation;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    play(config, seed, violation);
    ASSERT_FALSE(violation) << seed << ": " << violation->message;
  }
}

// The model objects to what a server does, before any property is violated.
TEST(Model, SeededBugsDeviate) {
  for (const std::string bug : {"vote-without-log-check", "term-not-persisted",
                                "vote-not-persisted", "heartbeat-commits-beyond-match"}) {
    const RunConfig config = config_of("raft:progress=false,model=\"" + kGuide + ".tla\"", {bug});
    std::optional<Violation> violation;
    for (std::uint64_t seed = 1; seed <= 300 && !violation; ++seed) play(config, seed, violation);
    ASSERT_TRUE(violation) << bug;
    EXPECT_EQ(violation->property, "conformance") << bug << ": " << violation->message;
  }
}

// A model that may be anywhere in 0..most after a timer, and never accepts a delivery.
std::optional<Violation> beside_loose_model(int most, bool& judged) {
  // A model is loaded once, by its name: each has a folder of its own.
  const std::string folder =
      fmt::format("{}/schism_loose_{}_{}", testing::TempDir(), ::getpid(), most);
  std::filesystem::create_directories(folder);
  EXPECT_TRUE(write_file(folder + "/loose.tla",
                         fmt::format("---- MODULE loose ----\nEXTENDS Naturals\nVARIABLE x\n"
                                     "Init == x = 0\nGuess == x' \\in 0..{}\n"
                                     "Never == x > {} /\\ x' = x\nNext == Guess \\/ Never\n"
                                     "Spec == Init /\\ [][Next]_x\n====\n",
                                     most, most)));
  EXPECT_TRUE(write_file(folder + "/loose.cfg", "SPECIFICATION Spec\n"));
  EXPECT_TRUE(write_file(folder + "/loose.toml",
                         "system = \"raft\"\n"
                         "[[event]]\non = \"timer_fired election\"\ndo = [\"Guess\"]\n"
                         "[[event]]\non = \"delivered MsgVote\"\ndo = [\"Never\"]\n"));
  const RunConfig config = config_of("raft:progress=false,model=\"" + folder + "/loose.tla\"");
  Runner runner(config.setup, config.limits);
  RunPlan plan;
  plan.seed = plan.node_seed = 1;
  runner.run(*make_scheduler(config), plan);
  for (const auto& oracle : runner.oracles())
    if (oracle->name() == "conformance") judged = oracle->judged();
  return runner.violation();
}

// With fewer of them left than there are, that none of those fits means nothing.
TEST(Model, MoreStatesThanAreKeptAreNotJudged) {
  bool judged = false;
  const auto violation = beside_loose_model(63, judged);
  ASSERT_TRUE(violation);
  EXPECT_EQ(violation->property, "conformance");
  EXPECT_TRUE(judged);
  EXPECT_FALSE(beside_loose_model(64, judged));
  EXPECT_FALSE(judged);
}

// What is remembered is what was computed.
TEST(Model, RememberedStepsAreThoseOfTheSpecification) {
  const RunConfig config = config_of("raft:progress=false");
  Runner runner(config.setup, config.limits);
  Follower remembering(kGuide + ".tla", Use::guide);
  std::vector<std::uint64_t> first, second;
  for (auto* keys : {&first, &second}) {  // the second time all of it is known
    const auto scheduler = make_scheduler(config);
    Runner again(config.setup, config.limits);
    again.listen_to(kEveryEvent);
    bool begun = false;
    again.on_step([&](const World& world) {
      if (!begun) remembering.begin(world), begun = true;
      remembering.take(world, world.events());
      keys->push_back(remembering.model().key_of(remembering.states().front()));
    });
    RunPlan plan;
    plan.seed = plan.node_seed = 7;
    again.run(*scheduler, plan);
  }
  EXPECT_EQ(first, second);
  EXPECT_GT(std::set<std::uint64_t>(first.begin(), first.end()).size(), 3U);
}

}  // namespace
}  // namespace schism::model
