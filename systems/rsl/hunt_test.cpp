// Every seeded bug is found, from many starting points; and without bugs nothing is.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "schism/run/config.hpp"
#include "schism/testing/seeded.hpp"
#include "systems/rsl/replica.hpp"

namespace schism::rsl {
namespace {

struct Hunt {
  const char* bug;
  const char* params;  // of the system
  const char* scheduler;
  const char* faults;  // what the bug needs
  int runs;            // enough for each starting seed
};

void PrintTo(const Hunt& hunt, std::ostream* out) { *out << hunt.bug; }

RunConfig config_of(const std::string& bug, const std::string& params, const std::string& scheduler,
                    const std::string& faults, int nodes = 3) {
  RunText text;
  text.system = *parse_spec(params.empty() ? "rsl" : "rsl:" + params);
  if (!bug.empty()) text.bugs = {bug};
  text.nodes = std::to_string(nodes);
  if (!faults.empty()) text.faults = parse_spec("faults:" + faults)->values;
  text.explorer = *parse_spec(scheduler);
  text.steps = "1000";
  auto config = make_config(text);
  if (!config) throw std::invalid_argument(config.error());
  return *config;
}

class RslBug : public testing::TestWithParam<Hunt> {};

TEST_P(RslBug, IsFoundFromEveryStartingSeed) {
  const Hunt& hunt = GetParam();
  const RunConfig config =
      config_of(hunt.bug, std::string("progress=false") + hunt.params, hunt.scheduler, hunt.faults);
  testing_tools::expect_found(config, 5, hunt.runs);
}

INSTANTIATE_TEST_SUITE_P(Seeded, RslBug,
                         testing::Values(Hunt{"execute-twice", "", "random", "", 500},
                                         Hunt{"answer-equal-ballot", "", "random", "", 3000},
                                         Hunt{"ignore-prepared",
                                              ",heartbeat=20,election=1,spread=2,grace=2,clients=8",
                                              "random:timer.tick=40", "drop=40", 5000},
                                         Hunt{"minority", "", "random", "", 1000},
                                         Hunt{"gap-execute", "", "random", "", 500},
                                         Hunt{"forget", "", "random", "crash=3", 3000}),
                         [](const testing::TestParamInfo<Hunt>& tested) {
                           std::string name = tested.param.bug;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// Every bug is in the table above.
TEST(RslHunt, EverySeededBugIsTested) { EXPECT_EQ(systems().find("rsl")->bugs.size(), 6U); }

TEST(RslHunt, WithoutBugsNothingIsFound) {
  const std::string most = "crash=4,drop=10,duplicate=10,pause=3,partition=4";
  for (const char* params : {"", "requests=3,clients=4", "spread=3,election=3,grace=4",
                             "as=published", "as=published,quit=true"})
    for (const int nodes : {3, 4})
      for (const char* scheduler : {"random", "random:timer.tick=100", "pos", "pctcp", "timed",
                                    "timed:max=300ms,shape=exponential", "stepped"}) {
        const RunConfig config = config_of("", params, scheduler, most, nodes);
        Runner runner(config.setup, config.limits);
        const auto player = make_scheduler(config);
        for (std::uint64_t seed = 0; seed < 60; ++seed)
          ASSERT_FALSE(runner.run(*player, {seed, seed}).violated)
              << params << " " << scheduler << " seed " << seed << ": "
              << runner.violation()->property << ": " << runner.violation()->message;
      }
}

}  // namespace
}  // namespace schism::rsl
