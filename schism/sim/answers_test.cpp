// Clients that believe an answer when so many different nodes give it (SystemBuilder::answers).
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "schism/run/config.hpp"
#include "schism/testing/checked.hpp"
#include "schism/trace/trace.hpp"

namespace schism {
namespace {

using testing_tools::config_of;

struct Played {
  bool violated = false;
  std::uint64_t answered = 0, said = 0;
};

// Everything that was answered, counted apart from the world: an answer that was believed was given
// by so many different nodes, of which the liars may be any that did not speak.
Played play(const RunConfig& config, std::uint64_t seed, std::size_t needed) {
  Runner runner(config.setup, config.limits);
  runner.listen_to(mask_of(Happened::answered) | mask_of(Happened::answered_late));
  std::map<std::uint64_t, std::map<std::string, std::set<int>>> said;
  Played out;
  runner.on_step([&](const World& world) {
    for (const Event& e : world.events()) {
      if (e.kind != Happened::answered && e.kind != Happened::answered_late) continue;
      auto& by = said[e.value][to_json(e.type->to_value(e.body))];
      by.insert(e.node);
      ++(e.kind == Happened::answered ? out.answered : out.said);
      if (e.kind != Happened::answered) continue;
      for (const NodeId liar : world.liars()) by.insert(liar);
      EXPECT_GE(by.size(), needed) << "seed " << seed;
    }
  });
  const auto scheduler = make_scheduler(config);
  out.violated = runner.run(*scheduler, {seed, seed}).violated;
  return out;
}

TEST(Answers, AreBelievedWhenEnoughNodesGiveThem) {
  for (const char* liars : {"0", "1"}) {
    const RunConfig config =
        config_of("test-tellers:requests=4", {.world = {{"liars-drawn", liars}}});
    std::uint64_t answered = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      const Played played = play(config, seed, 2);
      EXPECT_FALSE(played.violated) << seed;
      answered += played.answered;
    }
    EXPECT_EQ(answered, 200U * 8) << "every request is answered, whoever keeps silent";
  }
}

TEST(Answers, OfALiarAreBelievedWhereTooFewAreAsked) {
  const RunConfig config =
      config_of("test-tellers:requests=4", {.bugs = {"gullible"}, .world = {{"liars-drawn", "1"}}});
  bool violated = false;
  for (std::uint64_t seed = 1; seed <= 300 && !violated; ++seed)
    violated = play(config, seed, 1).violated;
  EXPECT_TRUE(violated);
}

// What liars answer is a choice of the run, so that it is played again as it was.
TEST(Answers, OfLiarsArePlayedAgain) {
  const RunConfig config =
      config_of("test-tellers:requests=4", {.bugs = {"gullible"}, .world = {{"liars-drawn", "1"}}});
  Runner runner(config.setup, config.limits);
  const auto scheduler = make_scheduler(config);
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const RunPlan plan{seed, seed};
    if (!runner.run(*scheduler, plan).violated) continue;
    const World& world = runner.world();
    const Trace trace = make_trace(config, plan, 0, record(world.decisions(), world.contents()));
    ASSERT_TRUE(trace.violation);
    EXPECT_EQ(trace.violation->property, "linearizability");
    return;
  }
  FAIL() << "not found";
}

}  // namespace
}  // namespace schism
