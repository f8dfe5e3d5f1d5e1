// Clients that wait for an answer, and one that does not: PBFT executes the older of two requests
// of a client never after the newer.
#include <gtest/gtest.h>

#include "schism/run/config.hpp"
#include "systems/pbft/messages.hpp"

namespace pbft {
namespace {

struct Seen {
  int executed = 0, unanswered = 0;  // operations at node 0; runs
};

Seen played(const std::string& apart, const std::string& explorer) {
  RunText text;
  text.system = *parse_spec("pbft:requests=2,apart=" + apart);
  text.nodes = "5";
  text.world = {{"liars", "3"}};
  text.faults = {{"drop", "1000"}, {"mutate", "1000"}};
  text.explorer = *parse_spec(explorer);
  const auto config = make_config(text);
  EXPECT_TRUE(config) << config.error();
  Seen seen;
  Runner runner(config->setup, config->limits);
  runner.listen_to(kEveryEvent);
  runner.on_step([&](const World& world) {
    for (const Event& event : world.events())
      seen.executed +=
          event.kind == Happened::announced && event.node == 0 && event.as<Executed>() ? 1 : 0;
  });
  const auto scheduler = make_scheduler(*config);
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    runner.run(*scheduler, {seed, seed});
    if (!runner.violation()) continue;
    EXPECT_EQ(runner.violation()->property, "termination");
    ++seen.unanswered;
  }
  return seen;
}

TEST(PbftClient, AsksForAllThatItShould) {
  for (const char* apart : {"0s", "1s"}) {
    const Seen seen = played(apart, "timed:loss=0");
    EXPECT_EQ(seen.executed, 2 * 60) << apart;
    EXPECT_EQ(seen.unanswered, 0) << apart;
  }
}

TEST(PbftClient, ThatDoesNotWaitMayWaitForEver) {
  EXPECT_EQ(played("0s", "byzzfuzz:c=0,d=2,r=8(timed:loss=0)").unanswered, 0);
  EXPECT_GT(played("1s", "byzzfuzz:c=0,d=2,r=8(timed:loss=0)").unanswered, 5);
}

}  // namespace
}  // namespace pbft
