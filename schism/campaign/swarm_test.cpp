// The default hunt as a whole: the same on any number of workers and after kills, finds that need
// no swarm to be had again, and no alarm where nothing is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "schism/campaign/hunt.hpp"
#include "schism/explore/registry.hpp"
#include "schism/guard/child.hpp"
#include "schism/schedule/registry.hpp"
#include "schism/testing/brittle.hpp"
#include "schism/testing/hunted.hpp"
#include "schism/testing/shipped.hpp"

namespace schism {
namespace {

using testing_tools::comparable_hunt;

using testing::HasSubstr;

const Registration brittle_registered = testing_only::brittle("brittle-swarm");

RunConfig config_of(const std::string& system, std::vector<std::string> bugs = {},
                    const std::string& explorer = "swarm") {
  RunText text;
  text.system = *parse_spec(system);
  text.bugs = std::move(bugs);
  text.explorer = *parse_spec(explorer);
  auto config = make_config(text);
  EXPECT_TRUE(config) << config.error();
  return *std::move(config);
}

std::string print(const Result<HuntResult>& r) {
  if (!r) return r.error();
  std::string out = fmt::format("{} runs {} steps {} violated {} distinct, learnt {}, problem {}",
                                r->totals.runs, r->totals.steps, r->totals.violated,
                                r->totals.distinct(), hash_text(r->learnt), r->problem);
  for (const Find& find : r->finds) out += "\n" + to_text(find.trace);
  for (const Lift& row : r->lifts)
    out += fmt::format("\n{} {} {} {}", row.feature, row.draws, row.hits, row.lift);
  return out;
}

Result<HuntResult> hunted(const RunConfig& config, const HuntOptions& options) {
  const std::atomic<bool> stop{false};
  return hunt(config, options, {}, stop);
}

TEST(SwarmHunt, IsTheSameOnAnyNumberOfWorkers) {
  const RunConfig config = config_of("raft", {"vote-without-log-check"});
  const std::string one = print(hunted(config, comparable_hunt(1500, 1, true)));
  EXPECT_THAT(one, HasSubstr("1500 runs"));
  EXPECT_THAT(one, HasSubstr("leader"));
  for (const int jobs : {1, 2, 4})
    EXPECT_EQ(print(hunted(config, comparable_hunt(1500, jobs))), one);
}

TEST(SwarmHunt, AlsoWhereRunsDie) {
  const RunConfig config = config_of("brittle-swarm:way=segfault,pokes=2");
  const std::string one = print(hunted(config, comparable_hunt(300, 1)));
  EXPECT_EQ(one.find(" 0 violated"), std::string::npos) << one;
  EXPECT_EQ(print(hunted(config, comparable_hunt(300, 3))), one);
}

TEST(SwarmHunt, GoesOnAfterBeingKilled) {
  const RunConfig config = config_of("toy-consensus", {"distrust-commits"}, "swarm:batch=16");
  constexpr std::uint64_t kRuns = 6'000;
  const std::string whole = print(hunted(config, comparable_hunt(kRuns, 2)));
  const std::string state = fmt::format("{}/swarm-{}.state", testing::TempDir(), ::getpid());
  std::filesystem::remove(state);
  HuntOptions options = comparable_hunt(kRuns, 2);
  options.state = state;
  options.save_seconds = 0;
  Rng random(7);
  for (int i = 0; i < 10; ++i) {
    options.resume = std::filesystem::exists(state);
    guard::Child hunter([&](int) { print(hunted(config, options)); });
    std::this_thread::sleep_for(std::chrono::milliseconds(random.below(40)));
    hunter.kill();
    hunter.wait();
  }
  options.resume = std::filesystem::exists(state);
  EXPECT_EQ(print(hunted(config, options)), whole);
}

// Its configuration is in its trace: no word of the swarm is needed any more.
TEST(SwarmHunt, AFindIsARunOfAConfigurationLikeAnyOther) {
  for (const char* bug : {"ack-before-sync", "vote-without-log-check", "deposed-leader-read"}) {
    HuntOptions options = comparable_hunt(20'000, 1);
    options.keep_going = false;
    const auto result = hunted(config_of("raft", {bug}), options);
    ASSERT_TRUE(result) << result.error();
    ASSERT_EQ(result->finds.size(), 1U) << bug;
    const Trace& trace = result->finds[0].trace;
    EXPECT_EQ(trace.config.explorer.name, "seeds") << bug;
    EXPECT_EQ(trace.plan.world, 0U);
    EXPECT_EQ(trace.plan.seed, 1 + trace.run);
    // As the printed command plays it.
    HuntOptions alone = comparable_hunt(1, 1);
    alone.seed = trace.plan.seed;
    const auto again = make_config(to_text(trace.config));
    ASSERT_TRUE(again) << again.error();
    const auto anew = hunted(*again, alone);
    ASSERT_TRUE(anew) << anew.error();
    ASSERT_EQ(anew->finds.size(), 1U) << to_flags(trace.config);
    EXPECT_EQ(anew->finds[0].trace.run_class, trace.run_class);
    EXPECT_EQ(anew->finds[0].trace.violation->property, trace.violation->property);
  }
}

// Long hunts of systems without bugs are told in docs/results/zoo.md.
TEST(SwarmHunt, RaisesNoFalseAlarm) {
  for (const System* system : testing_only::shipped_systems()) {
    if (!system->drawing.fails_itself.empty()) continue;
    const auto result = hunted(config_of(system->name), comparable_hunt(480, 2));
    ASSERT_TRUE(result) << result.error();
    EXPECT_EQ(result->totals.runs, 480U) << system->name;
    EXPECT_TRUE(result->finds.empty())
        << system->name << ": " << result->finds[0].trace.violation->message << "\n"
        << to_flags(result->finds[0].trace.config);
    if (system->drawing.clock) continue;  // xrpl: what is off by default is not judged
    EXPECT_TRUE(result->unjudged.empty()) << system->name << ": " << result->unjudged[0];
  }
}

TEST(SwarmHunt, TellsWhichDrawsLedToFinds) {
  const auto result = hunted(config_of("raft", {"ack-before-sync"}), comparable_hunt(4000, 2));
  ASSERT_TRUE(result);
  double crash = 0, none = 9;
  for (const Lift& row : result->lifts) {
    if (row.feature == "fault.crash") crash = row.lift;
    if (row.feature == "fault.none") none = row.lift;
  }
  EXPECT_GT(crash, 1);
  EXPECT_LT(none, 0.2) << "nothing is lost without a crash";
}

// A budget of CPU time is one of searching.
// Also of a batch that a find ended: the draw of the find is among those that are told.
TEST(SwarmHunt, AFindInTheFirstBatchHasItsDraw) {
  const auto result = hunted(config_of("raft", {"vote-without-log-check"}), [] {
    HuntOptions options;
    options.runs = 1000;
    options.shrink = false;
    return options;
  }());
  ASSERT_TRUE(result) << result.error();
  ASSERT_EQ(result->finds.size(), 1U);
  ASSERT_LT(result->totals.runs, 1000U);
  std::uint64_t hits = 0;
  for (const Lift& row : result->lifts)
    if (row.feature.starts_with("scheduler.")) hits += row.hits;
  EXPECT_EQ(hits, 1U);
}

TEST(SwarmHunt, EndsWithItsCpuTime) {
  HuntOptions options = comparable_hunt(0, 1);
  options.cpu_seconds = 0.2;
  const auto result = hunted(config_of("toy-consensus"), options);
  ASSERT_TRUE(result) << result.error();
  EXPECT_TRUE(result->out_of_time);
  EXPECT_GT(result->totals.runs, 100U);
  EXPECT_GE(result->totals.cpu_seconds, 0.2);
  EXPECT_LT(result->totals.cpu_seconds, 0.5);
}

TEST(Swarm, WhatWasAskedForIsInItsCommand) {
  RunText text;
  text.system = *parse_spec("raft:pre-vote=false");
  text.nodes = "5";  // the default: yet it was said
  text.explorer = {"swarm", {}};
  const auto config = make_config(text);
  ASSERT_TRUE(config);
  EXPECT_EQ(to_flags(*config), "raft:pre-vote=false --nodes 5 --explorer swarm");
  EXPECT_EQ(to_text(*config), text);
  const auto plain = config_of("raft", {}, "random");
  EXPECT_EQ(to_flags(plain), "raft --explorer random");
}

}  // namespace
}  // namespace schism
