// Every seeded bug is found, from many starting points; and without bugs nothing is.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "schism/run/config.hpp"
#include "schism/testing/seeded.hpp"
#include "systems/raft/raft.hpp"

namespace schism::raft {
namespace {

struct Hunt {
  const char* bug;
  const char* params;  // of the system
  const char* scheduler;
  const char* faults;  // what the bug needs
  int nodes;
  int steps;
  int runs;  // enough for each starting seed
};

void PrintTo(const Hunt& hunt, std::ostream* out) { *out << hunt.bug; }

RunConfig config_of(const std::string& bug, const std::string& params, const std::string& scheduler,
                    const std::string& faults, int nodes, int steps) {
  RunText text;
  text.system = *parse_spec(params.empty() ? "raft" : "raft:" + params);
  if (!bug.empty()) text.bugs = {bug};
  text.nodes = std::to_string(nodes);
  if (!faults.empty()) text.faults = parse_spec("faults:" + faults)->values;
  text.explorer = *parse_spec(scheduler);
  text.steps = std::to_string(steps);
  text.tail = "5s";
  auto config = make_config(text);
  if (!config) throw std::invalid_argument(config.error());
  return *config;
}

class RaftBug : public testing::TestWithParam<Hunt> {};

TEST_P(RaftBug, IsFoundFromEveryStartingSeed) {
  const Hunt& hunt = GetParam();
  const RunConfig config = config_of(hunt.bug, std::string("progress=false,") + hunt.params,
                                     hunt.scheduler, hunt.faults, hunt.nodes, hunt.steps);
  testing_tools::expect_found(config, 20, hunt.runs);
}

INSTANTIATE_TEST_SUITE_P(
    Seeded, RaftBug,
    testing::Values(
        Hunt{"quorum-third", "requests=5", "random", "", 5, 1000, 1000},
        Hunt{"vote-not-persisted", "requests=2", "random:crash=5,timer.election=20", "crash=10", 3,
             300, 10000},
        Hunt{"term-not-persisted", "requests=2", "random:crash=20,restart=50,timer.election=40",
             "crash=20", 3, 300, 2000},
        Hunt{"ack-before-sync", "requests=10", "random", "crash=6", 3, 1000, 2000},
        Hunt{"conflict-not-truncated", "requests=20", "random", "partition=4", 3, 1000, 1000},
        Hunt{"truncate-without-conflict", "requests=20", "random", "", 3, 1000, 1000},
        Hunt{"commit-old-term", "empty-entry=false,batch=1,requests=10,clients=6",
             "random:timer.election=10", "", 3, 1000, 10000},
        Hunt{"stale-term-response", "requests=2", "random:timer.election=40", "", 3, 1000, 1000},
        Hunt{"vote-without-log-check", "requests=20", "random", "", 3, 1000, 1000},
        Hunt{"unsafe-membership", "membership=40,clients=1,requests=3,snapshot-every=0",
             "random:timer.election=5", "partition=6", 4, 1000, 20000},
        Hunt{"snapshot-loses-tail", "snapshot-every=1,clients=6", "random", "", 3, 1000, 5000},
        Hunt{"restore-resurrects", "snapshot-every=2", "random", "partition=4", 3, 1000, 2000},
        Hunt{"deposed-leader-read", "requests=20", "random", "partition=4", 3, 1000, 2000},
        Hunt{"retry-applied-twice", "requests=20", "random", "duplicate=5", 3, 1000, 500},
        Hunt{"transfer-double-vote", "transfers=20", "random", "", 5, 1000, 2000},
        Hunt{"heartbeat-commits-beyond-match", "requests=20", "random", "partition=4", 3, 1000,
             2000},
        Hunt{"snapshot-missing", "requests=20,snapshot-every=2", "random", "crash=6", 3, 1000,
             2000},
        Hunt{"term-kept-on-append", "requests=20", "random:timer.election=5", "partition=4", 3,
             1000, 5000},
        Hunt{"term-kept-on-vote", "requests=5", "random:timer.election=10", "", 3, 1000, 5000},
        Hunt{"term-kept-on-vote-answer", "requests=2", "random:timer.election=20", "", 3, 500,
             1000},
        Hunt{"delete-below-snapshot", "requests=20,snapshot-every=2", "random", "duplicate=10", 3,
             1000, 2000},
        Hunt{"read-below-snapshot", "requests=20,snapshot-every=2", "random", "crash=4", 3, 1000,
             5000},
        Hunt{"follower-asserts", "requests=2", "random:timer.election=20", "", 3, 500, 1000},
        Hunt{"restore-loses-log", "requests=20,snapshot-every=4", "random", "crash=6", 3, 1000,
             5000}),
    [](const testing::TestParamInfo<Hunt>& tested) {
      std::string name = tested.param.bug;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

// Every bug is in the table above.
TEST(RaftHunt, EverySeededBugIsTested) { EXPECT_EQ(systems().find("raft")->bugs.size(), 24U); }

TEST(RaftHunt, WithoutBugsNothingIsFound) {
  const std::string most = "crash=4,drop=10,duplicate=10,pause=3,partition=3";
  const struct {
    const char* params;
    int nodes;
  } variants[] = {
      {"", 5},
      {"", 3},
      {"pre-vote=true,check-quorum=true,snapshot-every=2,transfers=4", 5},
      {"reads=index,batch=1,snapshot-every=3,membership=8,pre-vote=true,check-quorum=true", 4},
      {"reads=lease,snapshot-every=1,transfers=3", 3},
      {"empty-entry=false,bootstrap=true,membership=10,members=2", 5},
      {"forward=false,clients=6,keys=1,attempts=1,check-quorum=true", 4},
      {"membership=20,snapshot-every=2,election=30ms", 4},
  };
  for (const auto& variant : variants)
    for (const std::string scheduler : {"random", "random:timer.election=20,drop=10", "timed",
                                        "timed:max=300ms,shape=exponential", "stepped"}) {
      const std::string faults = scheduler == "stepped" ? most : most + ",cut=4,disk-error=3";
      const RunConfig config = config_of("", variant.params, scheduler, faults, variant.nodes, 800);
      Runner runner(config.setup, config.limits);
      const auto player = make_scheduler(config);
      for (std::uint64_t seed = 0; seed < 100; ++seed)
        ASSERT_FALSE(runner.run(*player, {seed, seed}).violated)
            << variant.params << " " << scheduler << " seed " << seed << ": "
            << runner.violation()->property << ": " << runner.violation()->message;
    }
}

// A bug is silent where it cannot matter: without its switch or its faults.
TEST(RaftHunt, BugsAreSilentWhereTheyShouldBe) {
  for (const char* bug : {"vote-not-persisted", "term-not-persisted", "ack-before-sync",
                          "unsafe-membership", "transfer-double-vote"}) {
    const RunConfig config =
        config_of(bug, "progress=false", "random", "drop=5,partition=2", 3, 800);
    Runner runner(config.setup, config.limits);
    const auto player = make_scheduler(config);
    for (std::uint64_t seed = 0; seed < 300; ++seed)
      ASSERT_FALSE(runner.run(*player, {seed, seed}).violated)
          << bug << " seed " << seed << ": " << runner.violation()->message;
  }
}

}  // namespace
}  // namespace schism::raft
