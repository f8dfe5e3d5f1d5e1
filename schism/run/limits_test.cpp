// What a configuration refuses, what its flags say, how long a run is, and which ends are fair.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schism/oracle/eventually.hpp"
#include "schism/run/jury.hpp"
#include "schism/schedule/replay.hpp"
#include "schism/sim/sim_world.hpp"
#include "schism/system/system.hpp"
#include "schism/testing/checked.hpp"
#include "schism/trace/trace.hpp"

namespace schism {
namespace {

using testing::HasSubstr;

RunText text_of(const std::string& system) {
  RunText out;
  out.system = *parse_spec(system);
  return out;
}

TEST(ConfigTest, ServicesNeverCrashAndTheirLinksAreWhole) {
  const std::string system = "atomic-broadcast";
  const auto plain = make_config(text_of(system));
  ASSERT_TRUE(plain) << plain.error();
  const schism::Setup& setup = plain->setup;
  std::vector<std::int64_t> services, others;
  for (NodeId id = 0; id < setup.nodes; ++id)
    (setup.system->is_service(id, setup) ? services : others).push_back(id);
  ASSERT_FALSE(services.empty());
  RunText text = text_of(system);
  text.faults = {{"crash", "1"}};
  EXPECT_EQ(make_config(text)->setup.options.may_crash, others);
  text.world = {{"may-crash", std::to_string(services[0])}};
  EXPECT_THAT(make_config(text).error(), HasSubstr("a service and never crashes"));
  text.world = {{"may-crash", std::to_string(others[0])}};
  EXPECT_TRUE(make_config(text));
  text.world.clear();
  for (const char* fault : {"drop", "duplicate", "pause", "cut", "partition"}) {
    text.faults = {{fault, "1"}};
    EXPECT_THAT(make_config(text).error(), HasSubstr("only crash is possible")) << fault;
  }
}

TEST(ConfigTest, AClockRunsForwards) {
  RunText text = text_of("toy-consensus");
  text.explorer = {"timed", {}};
  text.world = {{"drift-ppm", "-1000000"}};
  EXPECT_THAT(make_config(text).error(), HasSubstr("drift-ppm is more than -1000000"));
  text.world = {{"drift-ppm", "-999999"}};
  EXPECT_TRUE(make_config(text));
}

TEST(ConfigTest, FlagsSayHowManyNodesThereAreIfTheyAreNotTheUsualOnes) {
  RunText text = text_of("toy-consensus");
  EXPECT_THAT(to_flags(*make_config(text)), testing::Not(HasSubstr("--nodes")));
  text.nodes = "5";
  EXPECT_THAT(to_flags(*make_config(text)), HasSubstr("--nodes 5"));
}

// Two oracles of which the first step shows something to one only.
Hash128 digest_of(bool before, std::vector<Happened> kinds) {
  RunConfig config = testing_tools::config_of("toy-consensus");
  System own = *config.setup.system;
  own.oracles.clear();
  for (const Happened kind : kinds)
    own.oracles.emplace_back([kind](const schism::Setup&) {
      return std::make_unique<Sometimes>("it happens", mask_of(kind),
                                         [kind](const Event& e) { return e.kind == kind; });
    });
  config.setup.system = &own;
  SimWorld world;
  Jury jury(config.setup);
  world.observe(jury.observers());
  world.listen(kEveryEvent);
  world.reset(config.setup);
  jury.begin(world);
  if (!before) jury.look(world);
  const auto digest = jury.digest();
  EXPECT_TRUE(digest);
  return digest.value_or(Hash128());
}

TEST(Jury, ADigestTellsWhatEachOracleRemembers) {
  constexpr Happened here = Happened::started, never = Happened::crashed;
  EXPECT_NE(digest_of(true, {here, never}), digest_of(false, {here, never}));
  EXPECT_EQ(digest_of(true, {never, never}), digest_of(false, {never, never}));
  EXPECT_NE(digest_of(false, {here, never}), digest_of(false, {never, here}));
}

TEST(RunnerLimits, ARunHasAsManyStepsAsItMay) {
  for (const std::uint32_t steps : {1U, 2U, 7U}) {
    RunConfig config = testing_tools::config_of("raft");
    config.limits.steps = steps;
    config.limits.tail = 0;
    Runner runner(config.setup, config.limits);
    const auto scheduler = make_scheduler(config);
    EXPECT_EQ(runner.run(*scheduler, {1, 1}).steps, steps);
  }
}

// Where a search ends by itself: what a cut link or a paused node kept back may still come.
TEST(RunnerLimits, ASearchEndsFairlyOnlyWhereNothingIsKeptBack) {
  const RunConfig config = testing_tools::config_of(
      "toy-consensus", {.faults = {{"cut", "1"}}, .world = {{"cut", "holds"}}});
  const auto ends_fairly = [&](bool cut, bool heal) {
    SimWorld world;
    world.reset(config.setup);
    const Pending& pending = world.pending();
    if (cut) world.apply(link_action(Do::cut, 0, 1));
    const auto deliver_all = [&] {
      while (pending.count(Do::deliver) > 0) world.apply(pending.nth(Do::deliver, 0));
    };
    deliver_all();
    if (heal) world.apply(link_action(Do::heal, 0, 1));
    deliver_all();
    EXPECT_EQ(world.cut(0, 1), cut && !heal);
    Replay again(record(world.decisions(), world.contents()), config.setup.options.time);
    Runner runner(config.setup, config.limits);
    runner.replay(again, {0, config.setup.node_seed}, FairEnd::stopped);
    return runner.fair();
  };
  EXPECT_TRUE(ends_fairly(false, false));
  EXPECT_FALSE(ends_fairly(true, false));
  EXPECT_TRUE(ends_fairly(true, true));
}

}  // namespace
}  // namespace schism
