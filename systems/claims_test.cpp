// What each shipped system claims to survive it does survive, under every scheduler: without its
// bugs no run violates anything. And what it does not claim breaks it, or the claim would be too
// modest.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "schism/testing/checked.hpp"
#include "schism/testing/strategies.hpp"
#include "schism/trace/claim.hpp"

namespace schism {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// Every system, in the forms in which its parameters make another protocol of it.
const std::vector<std::string> kForms = {
    "raft:progress=true",
    "raft:pre-vote=true,check-quorum=true,snapshot-every=3,membership=2,transfers=2",
    "paxos",
    "paxos:learn=all,ballots=3",
    "tokens:tokens=20",
    "multipaxos",
    "multipaxos:proposals=2,wrong-leaders=1",
    "multipaxos:proposals=2,leader-by=heartbeats,ticks=20",
    "regular-register",
    "regular-register:writers=2,writes=2,reads=2",
    "reliable-broadcast",
    "reliable-broadcast:broadcasts=2,piecewise=true",
    "reliable-broadcast:relay=lazy,piecewise=true",
    "hierarchical-consensus",
    "hierarchical-consensus:proposals=2",
    "two-phase-commit",
    "two-phase-commit:patience=true",
    "two-phase-commit:may-give-up=true",
    "atomic-broadcast",
    "atomic-broadcast:broadcasts=3",
    "toy-consensus",
    "rsl",
    "rsl:requests=3,clients=4,forward=true",
    "rsl:as=published",
    "rsl:as=published,quit=true",
    "cube-world:moves=3",
    "bracha",
    "pbft",
    "pbft:clients=2,interval=1",
    "tendermint",
    "tendermint:heights=3",
    "bft-smart",
    "bft-smart:requests=1,read-only=false",
    "worker-pool",
};

Result<RunConfig> config_of(const std::string& form, const std::string& scheduler, Pairs faults,
                            Pairs world = {}) {
  RunText text;
  text.system = *parse_spec(form);
  text.explorer = *parse_spec(scheduler);
  text.faults = std::move(faults);
  text.world = std::move(world);
  return make_config(text);
}

// The first violation of so many runs, in words; nothing: there is none.
std::string violation_in(const RunConfig& config, std::uint64_t runs) {
  Runner runner(config.setup, config.limits);
  const auto scheduler = make_scheduler(config);
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    runner.run(*scheduler, {seed, seed});
    if (const auto& v = runner.violation())
      return v->property + " with seed " + std::to_string(seed) + ": " + to_flags(config);
  }
  return "";
}

class Claims : public testing::TestWithParam<std::string> {
 protected:
  const System& system() const { return *systems().find(parse_spec(GetParam())->name); }
  FaultKinds claimed(const std::string& scheduler) const {
    return system().survives(config_of(GetParam(), scheduler, {})->setup);
  }
};

TEST_P(Claims, AreKeptUnderEveryScheduler) {
  ASSERT_TRUE(system().survives);
  std::set<std::string> tried;
  for (const std::string& scheduler : testing_tools::every_scheduler()) {
    // It makes losses and crashes of its own, whatever was claimed; its finds say so.
    if ((*schedulers().make(*parse_spec(scheduler), "scheduler"))->manner().scripted) continue;
    Pairs together;
    for (const std::string& kind : claimed(scheduler).names()) {
      const auto alone = config_of(GetParam(), scheduler, {{kind, "3"}});
      if (!alone) {  // it does not make such faults
        EXPECT_THAT(alone.error(), HasSubstr("never makes"));
        continue;
      }
      EXPECT_EQ(violation_in(*alone, 60), "");
      together.emplace_back(kind, "2");
      tried.insert(kind);
    }
    const auto all = config_of(GetParam(), scheduler, together);
    ASSERT_TRUE(all) << all.error();
    EXPECT_TRUE(beyond_claim(all->setup, kinds_of(all->setup.options.faults)).empty());
    EXPECT_EQ(violation_in(*all, scheduler == "random" ? 500 : 120), "");
  }
  EXPECT_EQ(tried.size(), claimed("random").names().size()) << "a claim that nothing can try";
}

// A run is shrunk to as few nodes as its system allows: there it must be no other protocol.
TEST_P(Claims, AreKeptByTheFewestNodes) {
  RunText text;
  text.system = *parse_spec(GetParam());
  text.nodes = std::to_string(system().node_range.low);
  const auto config = make_config(text);
  ASSERT_TRUE(config) << config.error();
  EXPECT_EQ(violation_in(*config, 200), "");
}

// A link that holds messages back only delays them.
TEST_P(Claims, EverybodySurvivesDelays) {
  if (system().is_service) GTEST_SKIP() << "the links to services are whole";
  const auto config =
      config_of(GetParam(), "random", {{"cut", "3"}, {"partition", "2"}}, {{"cut", "holds"}});
  ASSERT_TRUE(config) << config.error();
  EXPECT_TRUE(beyond_claim(config->setup, kinds_of(config->setup.options.faults)).empty());
  EXPECT_EQ(violation_in(*config, 300), "");
}

std::string name_of(const testing::TestParamInfo<std::string>& form) {
  std::string out;
  for (const char c : form.param) out += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return out;
}
INSTANTIATE_TEST_SUITE_P(Systems, Claims, testing::ValuesIn(kForms), name_of);

// craft is a library with bugs of its own (docs/findings/craft.md): its claim is that of its
// authors, and not kept. xrpl claims nothing, and only means something in time: its own tests try
// it.
TEST(Claims, EverySystemHasOneThatIsTried) {
  std::set<std::string> tried = {"craft", "xrpl"};
  for (const std::string& form : kForms) tried.insert(parse_spec(form)->name);
  for (const auto& system : systems().sorted()) {
    if (system->name.starts_with("test-")) continue;
    EXPECT_TRUE(system->survives) << system->name;
    EXPECT_TRUE(tried.contains(system->name)) << system->name;
  }
}

TEST(Claims, WhatIsNotClaimedBreaks) {
  const std::pair<const char*, const char*> rows[] = {{"multipaxos", "drop"},
                                                      {"multipaxos", "partition"},
                                                      {"multipaxos", "cut"},
                                                      {"two-phase-commit", "drop"},
                                                      {"two-phase-commit", "cut"},
                                                      {"two-phase-commit", "duplicate"},
                                                      {"regular-register", "cut"},
                                                      {"regular-register", "partition"},
                                                      {"reliable-broadcast", "cut"},
                                                      {"reliable-broadcast", "partition"},
                                                      {"toy-consensus", "crash"},
                                                      {"toy-consensus", "drop"},
                                                      {"toy-consensus", "duplicate"},
                                                      {"toy-consensus", "partition"},
                                                      {"hierarchical-consensus", "drop"}};
  for (const auto& [system, fault] : rows) {
    const auto config = config_of(system, "random", {{fault, "3"}});
    ASSERT_TRUE(config) << config.error();
    EXPECT_NE(violation_in(*config, 3000), "") << system << " survives " << fault;
    EXPECT_THAT(claim_note(config->setup), HasSubstr(std::string("these runs may have ") + fault));
  }
}

// Within what it claims a bug tells its own story, not that a lost message stays lost.
TEST(Claims, BugsOfMultipaxosTellTheirOwnStory) {
  const struct {
    const char *bug, *form, *property;
  } rows[] = {{"first-report-lost", "multipaxos:proposals=2,wrong-leaders=1", "agreement"},
              {"slot-shift", "multipaxos:proposals=2,wrong-leaders=1", "agreement"},
              {"stale-promises",
               "multipaxos:head-start=false,wrong-leaders=1,proposals=2,ballots=4", "agreement"},
              {"break-promise", "multipaxos:proposals=2,wrong-leaders=1", "agreement"},
              {"no-phase-one", "multipaxos:proposals=2,wrong-leaders=1", "agreement"},
              {"mixed-ballots", "multipaxos:proposals=2,wrong-leaders=1,learn=all", "agreement"},
              {"apply-at-once", "multipaxos:proposals=2", "order"}};
  static const std::atomic<bool> go_on{false};
  for (const auto& [bug, form, property] : rows) {
    RunText text;
    text.system = *parse_spec(form);
    text.bugs = {bug};
    text.faults = {{"crash", "1"}, {"duplicate", "1"}, {"pause", "1"}};
    const auto config = make_config(text);
    ASSERT_TRUE(config) << config.error();
    EXPECT_EQ(claim_note(config->setup), "");
    HuntOptions options;
    options.runs = 60'000;
    options.shrink = false;
    const auto result = hunt(*config, options, {}, go_on);
    ASSERT_TRUE(result) << result.error();
    ASSERT_FALSE(result->finds.empty()) << bug;
    EXPECT_EQ(result->finds[0].trace.violation->property, property) << bug;
    EXPECT_EQ(claim_note(result->finds[0].trace), "");
  }
}

}  // namespace
}  // namespace schism
