// Models beside runs, in small: what is observed, how many states are kept, what guidance does with
// an action that is not enabled; which models are one; and what a digest knows of them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <regex>
#include <set>

#include "schism/base/file.hpp"
#include "schism/coverage/coverage.hpp"
#include "schism/model/conformance.hpp"
#include "schism/model/follower.hpp"
#include "schism/model/mapping.hpp"
#include "schism/run/config.hpp"
#include "tests/places/places.hpp"

namespace schism::model {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kGuide = std::string(places::kSource) + "/models/raft_guide.tla";

RunConfig raft(const std::string& params = "progress=false") {
  RunText text;
  text.system = *parse_spec("raft:" + params);
  text.nodes = "3";
  text.steps = "200";
  text.tail = "0s";
  text.explorer = {"random", {}};
  auto config = make_config(text);
  EXPECT_TRUE(config.has_value()) << config.error();
  return *config;
}

// A model of one number beside Raft. Models are loaded once, by their names.
std::string small_model(const std::string& name, const std::string& actions,
                        const std::string& mapping) {
  const std::string folder = fmt::format("{}/schism_{}_{}", testing::TempDir(), name, ::getpid());
  std::filesystem::create_directories(folder);
  const std::string file = folder + "/" + name;
  EXPECT_TRUE(write_file(file + ".tla", fmt::format("---- MODULE {} ----\nEXTENDS Naturals\n"
                                                    "VARIABLE x\nInit == x = 0\n{}\n"
                                                    "Next == Never\nSpec == Init /\\ [][Next]_x\n"
                                                    "====\n",
                                                    name, actions)));
  EXPECT_TRUE(write_file(file + ".cfg", "SPECIFICATION Spec\n"));
  EXPECT_TRUE(write_file(file + ".toml", "system = \"raft\"\n" + mapping));
  return file + ".tla";
}

constexpr const char* kNever = "Never == x > 1000000 /\\ x' = x";

template <class Look>
void play_beside(const RunConfig& config, Follower& follower, const Look& look) {
  Runner runner(config.setup, config.limits);
  runner.listen_to(kEveryEvent);
  bool begun = false;
  runner.on_step([&](const World& world) {
    if (!begun) follower.begin(world), begun = true;
    else follower.take(world, world.events());
    look();
  });
  runner.run(*make_scheduler(config), {1, 1});
}

template <class Look>
void play_beside(Follower& follower, const Look& look) {
  play_beside(raft(), follower, look);
}

TEST(ModelCorners, WhatIsObservedMustBeEqual) {
  Follower follower(small_model("observing", fmt::format("Stay == x' = x\n{}", kNever),
                                "[[event]]\non = \"timer_fired election\"\ndo = [\"Stay\"]\n"
                                "[observe]\nterm = [\"x\", \"$self.term\"]\n"),
                    Use::judge);
  play_beside(follower, [] {});
  EXPECT_THAT(follower.deviation(), HasSubstr("term")) << "the model's stays 0";
}

// Forty-one states, each of which leads to two: none of them is one too many by itself.
TEST(ModelCorners, ManyStatesTogetherAreTooMany) {
  Follower follower(
      small_model("doubling",
                  fmt::format("Guess == x' \\in 0..40\nFork == x' \\in {{x, x + 100}}\n{}", kNever),
                  "[[event]]\non = \"timer_fired election\"\ndo = [\"Guess\"]\n"
                  "[[event]]\non = \"delivered MsgVote\"\ndo = [\"Fork\"]\n"
                  "[[event]]\non = \"delivered MsgVoteResp\"\ndo = [\"Never\"]\n"),
      Use::judge);
  play_beside(follower, [] {});
  EXPECT_TRUE(follower.lost());
  EXPECT_EQ(follower.deviation(), "");
}

TEST(ModelCorners, GuidanceGoesOnAfterAnActionThatIsNotEnabled) {
  Follower follower(
      small_model("guiding", fmt::format("Count == x' = x + 1\n{}", kNever),
                  "[[event]]\non = \"timer_fired election\"\ndo = [\"Never\", \"Count\"]\n"),
      Use::guide);
  std::set<std::string> seen;
  play_beside(follower, [&] { seen.insert(follower.model().print(follower.states().front())); });
  EXPECT_GT(seen.size(), 2U);
  EXPECT_GT(follower.counts().disabled, 1U);
}

TEST(ModelCorners, AModelIsForItsParametersAndItsNodes) {
  EXPECT_TRUE(Follower(kGuide, Use::judge).prepare(raft().setup));
  const auto other = Follower(kGuide, Use::judge).prepare(raft("membership=2").setup);
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error(), HasSubstr("membership = 0, not 2"));
  RunConfig alone = raft();
  alone.setup.nodes = 1;
  const auto few = Follower(kGuide, Use::judge).prepare(alone.setup);
  ASSERT_FALSE(few);
  EXPECT_THAT(few.error(), HasSubstr("2 nodes or more"));
}

// Of two classes of nodes, each with fields of its own: an event is for those that have them all.
TEST(ModelCorners, NodesOfSeveralClassesAreReadAsWhatTheyAre) {
  const std::string spec = small_model(
      "classes", fmt::format("Count == x' = x + 1\nTold(prepared, ended) == Count\n{}", kNever),
      "");
  EXPECT_TRUE(write_file(std::filesystem::path(spec).replace_extension(".toml"),
                         "system = \"two-phase-commit\"\n"
                         "[[event]]\non = \"delivered Prepared\"\n"
                         "do = [\"Told($self.prepared, $self.ended)\"]\n"
                         "[[event]]\non = \"delivered Outcome\"\n"
                         "do = [\"Told($self.prepared, $self.ended)\"]\n"));
  RunText text;
  text.system = *parse_spec("two-phase-commit");
  text.tail = "0s";
  text.explorer = {"random", {}};
  const auto config = make_config(text);
  ASSERT_TRUE(config) << config.error();
  Follower follower(spec, Use::judge);
  play_beside(*config, follower, [] {});
  EXPECT_EQ(follower.counts().mapped, 3U) << "three resource managers are told the outcome";
  EXPECT_GT(follower.counts().dropped, 0U) << "the manager has no \"ended\"";
}

// A node that the model does not know changes nothing in it, which is no conformance.
TEST(ModelCorners, ANodeThatTheModelDoesNotKnowIsNotJudged) {
  const std::string spec = small_model(
      "unknowns", fmt::format("At(n) == x' = Len([<<0>> EXCEPT ![n + 5] = 1])\n{}", kNever),
      "[[event]]\non = \"timer_fired election\"\ndo = [\"At($node)\"]\n");
  const auto text = read_file(spec);
  ASSERT_TRUE(text);
  EXPECT_TRUE(
      write_file(spec, std::regex_replace(*text, std::regex("Naturals"), "Naturals, Sequences")));
  Follower follower(spec, Use::judge);
  play_beside(raft(), follower, [] {});
  EXPECT_TRUE(follower.lost());
}

TEST(ModelCorners, CountsThatWorryAreTold) {
  EXPECT_EQ(doubt_of({{"m.mapped", 5}, {"m.disabled", 1}, {"m.lost", 0}}), "");
  EXPECT_THAT(doubt_of({{"m.mapped", 5}, {"m.disabled", 3}, {"m.lost", 0}}), HasSubstr("3 of 5"));
  EXPECT_THAT(doubt_of({{"m.mapped", 5}, {"m.disabled", 1}, {"m.lost", 2}}),
              HasSubstr("2 runs were given up"));
  EXPECT_THAT(doubt_of({{"m.mapped", 0}, {"m.disabled", 0}, {"m.lost", 0}}),
              HasSubstr("no event was mapped"));
}

TEST(ModelCorners, ARunOfWhichNothingIsMappedIsNotJudged) {
  Conformance oracle(small_model("nothing", fmt::format("Stay == x' = x\n{}", kNever),
                                 "[[event]]\non = \"crashed\"\ndo = [\"Stay\"]\n"));
  const RunConfig config = raft();
  Runner runner(config.setup, config.limits);
  runner.listen_to(kEveryEvent);
  runner.on_step([&](const World& world) {
    if (world.step() == 0) oracle.begin(world);
    else oracle.look(world, world.events());
  });
  runner.run(*make_scheduler(config), {1, 1});
  EXPECT_FALSE(oracle.violation());
  EXPECT_FALSE(oracle.judged());
}

// An action with too many arguments is told where the mapping has it.
TEST(ModelCorners, ArgumentsAreCountedWhereTheyStand) {
  const std::string spec =
      small_model("counting", fmt::format("Stay(n) == x' = x\n{}", kNever),
                  "[[event]]\non = \"crashed\"\ndo = [\"Stay($node, $node)\"]\n");
  const auto model = Model::load(spec, raft().setup, Use::judge);
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error(), HasSubstr("counting.toml, line"));
  EXPECT_THAT(model.error(), HasSubstr("Stay takes 1 arguments, not 2"));
}

TEST(ModelCorners, ADigestKnowsWhereTheModelIs) {
  Conformance oracle(small_model("digesting", fmt::format("Count == x' = x + 1\n{}", kNever),
                                 "[[event]]\non = \"timer_fired election\"\ndo = [\"Count\"]\n"));
  const RunConfig config = raft();
  Runner runner(config.setup, config.limits);
  runner.listen_to(kEveryEvent);
  std::set<std::string> digests;
  std::uint32_t fired = 0;
  runner.on_step([&](const World& world) {
    if (world.step() == 0) oracle.begin(world);
    else oracle.look(world, world.events());
    for (const Event& event : world.events()) fired += event.kind == Happened::timer_fired ? 1 : 0;
    digests.insert(to_hex(*oracle.digest()));
  });
  runner.run(*make_scheduler(config), {1, 1});
  EXPECT_GT(fired, 2U);
  EXPECT_GT(digests.size(), 2U);
}

TEST(ModelCorners, CoverageCountsTheModelsStates) {
  const RunConfig config = raft();
  Runner runner(config.setup, config.limits);
  const std::string spec =
      small_model("covering", fmt::format("Count == x' = x + 1\n{}", kNever),
                  "[[event]]\non = \"timer_fired election\"\ndo = [\"Count\"]\n");
  auto coverage = coverages().make({"model", {{"spec", spec}}}, "coverage");
  ASSERT_TRUE(coverage) << coverage.error();
  runner.attach(**coverage);
  runner.run(*make_scheduler(config), {1, 1});
  EXPECT_GT((*coverage)->keys().size(), 2U);
}

TEST(ModelCorners, AHoleIsFilledByOneParameterHoweverOftenItStands) {
  Holes holes;
  EXPECT_EQ(holes.fill("A($x, $y.z, $x)"), "A(par_0, par_1, par_0)");
  EXPECT_EQ(holes.fill("B($y.z)"), "B(par_1)");
  EXPECT_THAT(holes.names, ElementsAre("x", "y.z"));
}

}  // namespace
}  // namespace schism::model
