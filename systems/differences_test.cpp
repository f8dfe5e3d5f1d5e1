// A lie is kept as what it changes, too, and shrinking plays it from that: told of the same honest
// message it must be the same lie again, whoever has signed what in it.
#include <gtest/gtest.h>

#include "schism/run/config.hpp"
#include "schism/run/runner.hpp"
#include "schism/sim/sim_world.hpp"

namespace schism {
namespace {

struct Played {
  int lies = 0, with_others_seals = 0;
};

void play_again(const RunConfig& config, const World& told, Played& out) {
  SimWorld again;
  again.reset(config.setup);
  for (Action action : told.decisions()) {
    if (action.kind == Do::nothing) continue;
    const bool lie = action.kind == Do::mutate;
    const std::uint32_t was = action.arg();
    if (lie) action = with_arg(action, again.add_content(told.difference(was)));
    else if (action.kind == Do::inject)
      action = with_arg(action, again.add_content(told.contents()[was]));
    ASSERT_EQ(again.apply(action), Refusal::none) << action_name(action.kind);
    if (!lie) continue;
    ++out.lies;
    ASSERT_EQ(again.contents()[action.arg()], told.contents()[was]);
  }
}

TEST(Differences, AreTheSameLiesWhereTheyAreToldAgain) {
  for (const char* system : {"pbft", "bft-smart", "tendermint"})
    for (const char* explorer : {"liar(random)", "intrigue(timed)", "byzzfuzz:c=4,r=20(random)"}) {
      SCOPED_TRACE(fmt::format("{} under {}", system, explorer));
      RunText text;
      text.system = {system, {}};
      text.world = {{"liars", "0"}};
      text.explorer = *parse_spec(explorer);
      text.faults = {{"mutate", "1000"}, {"inject", "1000"}, {"omit", "1000"}};
      text.tail = "0s";
      const auto config = make_config(text);
      ASSERT_TRUE(config) << config.error();
      Played played;
      Runner runner(config->setup, config->limits);
      const auto scheduler = make_scheduler(*config);
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        runner.run(*scheduler, {seed, seed});
        RunConfig own = *config;
        own.setup.node_seed = seed;
        play_again(own, runner.world(), played);
        if (HasFatalFailure()) return;
      }
      EXPECT_GT(played.lies, 20);
    }
}

}  // namespace
}  // namespace schism
