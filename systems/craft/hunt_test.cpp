// Runs as a hunt makes them: they repeat, every workload happens, and what is planted in the
// adapter is found. What the library itself does wrong is in docs/findings/craft.md; the runs here
// are those in which it survives.
#include <gtest/gtest.h>

#include <map>
#include <stdexcept>

#include "schism/campaign/hunt.hpp"
#include "schism/run/config.hpp"
#include "schism/testing/recorded.hpp"
#include "systems/craft/craft.hpp"

namespace schism::craft {
namespace {

RunConfig config_of(const std::string& params, const std::string& faults = "", int nodes = 3,
                    const std::string& bug = "", const std::string& scheduler = "random",
                    bool fifo = false, const std::string& steps = "") {
  RunText text;
  text.system = *parse_spec("craft:progress=false" + (params.empty() ? "" : "," + params));
  if (!bug.empty()) text.bugs = {bug};
  if (!faults.empty()) text.faults = parse_spec("faults:" + faults)->values;
  if (fifo) text.world = {{"links", "fifo"}};
  text.nodes = std::to_string(nodes);
  text.explorer = *parse_spec(scheduler);
  text.steps = steps;
  auto config = make_config(text);
  if (!config) throw std::invalid_argument(config.error());
  return *config;
}

// ---- determinism -----------------------------------------------------------------------------

TEST(CraftHunt, ARunRepeatsWithTheSameEventsAndDigest) {
  const RunConfig configs[] = {
      config_of("", "crash=4,drop=10,duplicate=5,partition=2"),
      config_of("snapshots=3,trailing=2,transfers=10,failed-sends=5", "crash=3", 3),
      config_of("membership=40,members=3,own-role=false,snapshots=4", "partition=3", 5, "",
                "random", true),
      config_of("pre-vote=true,batch=3", "crash=3", 5, "", "timed:max=200ms"),
  };
  for (const RunConfig& config : configs) {
    Runner one(config.setup, config.limits), two(config.setup, config.limits);
    const auto player = make_scheduler(config), again = make_scheduler(config);
    two.run(*again, {99, 99});  // memory that was used before
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      one.run(*player, {seed, seed});
      two.run(*again, {seed, seed});
      ASSERT_EQ(one.world().step(), two.world().step());
      ASSERT_EQ(one.world().causal_hash(), two.world().causal_hash());
      ASSERT_EQ(one.world().digest(), two.world().digest());
      for (NodeId id = 0; id < config.setup.nodes; ++id)
        ASSERT_EQ(print(one.world().inspect(id)), print(two.world().inspect(id)));
      ASSERT_FALSE(
          replay(testing_tools::recorded(config, {seed, seed})).difference);  // event by event
    }
  }
}

// ---- workloads -------------------------------------------------------------------------------

struct Happenings {
  int leaders = 0, commits = 0, restored = 0, installed = 0, snapshots = 0, changes = 0;
  int transfers = 0, closes = 0, failed_disks = 0, done = 0, violations = 0;
};

Happenings count(const RunConfig& config, std::uint64_t runs) {
  Happenings out;
  Runner runner(config.setup, config.limits);
  runner.listen_to(kEveryEvent);
  runner.on_step([&](const World& world) {
    for (const Event& event : world.events()) {
      if (const auto* change = event.as<StateChange>())
        out.leaders += change->state == Role::leader;
      if (const auto* committed = event.as<Committed>())
        out.commits += static_cast<int>(committed->last - committed->first + 1);
      if (const auto* restored = event.as<Restored>())
        ++(restored->installed ? out.installed : out.restored);
      if (event.as<SnapshotTaken>()) ++out.snapshots;
      if (const auto* change = event.as<ConfigurationChange>())
        out.changes += change->committed && change->index > 1;
      if (const auto* transferred = event.as<Transferred>()) out.transfers += transferred->success;
      if (event.kind == Happened::invoked && event.as<Close>()) ++out.closes;
      if (event.kind == Happened::disk_completed && event.flag) ++out.failed_disks;
      if (const auto* answer = event.as<Answer>()) out.done += answer->outcome == Outcome::done;
    }
  });
  const auto player = make_scheduler(config);
  for (std::uint64_t seed = 0; seed < runs; ++seed)
    out.violations += runner.run(*player, {seed, seed}).violated;
  return out;
}

TEST(CraftHunt, ElectionsAndCommitsHappenOften) {
  const Happenings seen = count(config_of(""), 20);
  EXPECT_GT(seen.leaders, 100);
  EXPECT_GT(seen.commits, 1000);
  EXPECT_GT(seen.done, 200);
  EXPECT_EQ(seen.snapshots + seen.changes + seen.transfers + seen.closes, 0) << "off by default";
}

TEST(CraftHunt, SnapshotsAreTakenAndInstalled) {
  const Happenings seen = count(config_of("snapshots=4,trailing=1", "crash=2,partition=2"), 60);
  EXPECT_GT(seen.snapshots, 100);
  EXPECT_GT(seen.installed, 5);
  EXPECT_GT(seen.restored, 5);
}

TEST(CraftHunt, SnapshotsAreTakenInTheBackground) {
  const Happenings seen = count(config_of("snapshots=4,trailing=2,async-snapshots=true"), 20);
  EXPECT_GT(seen.snapshots, 50);
}

TEST(CraftHunt, MembershipChangesAreCommitted) {
  const Happenings seen = count(config_of("membership=60,members=3,own-role=false", "", 5), 40);
  EXPECT_GT(seen.changes, 200);
}

TEST(CraftHunt, LeadershipIsTransferred) {
  EXPECT_GT(count(config_of("transfers=40"), 20).transfers, 10);
}

TEST(CraftHunt, ServersAreClosedAndStartAgain) {
  // Without clients a leader has at most one append under way.
  const Happenings seen = count(config_of("closes=20,clients=0"), 40);
  EXPECT_GT(seen.closes, 200);
  EXPECT_EQ(seen.violations, 0);
}

TEST(CraftHunt, LinksThatKeepOrderDoSo) {
  const RunConfig config = config_of("", "drop=5", 3, "", "random", true);
  Runner runner(config.setup, config.limits);
  runner.listen_to(mask_of(Happened::delivered) | mask_of(Happened::duplicated) |
                   mask_of(Happened::sent));
  std::map<std::pair<int, int>, std::vector<std::uint64_t>> sent;
  std::map<std::pair<int, int>, std::size_t> at;
  int delivered = 0;
  runner.on_step([&](const World& world) {
    for (const Event& event : world.events()) {
      ASSERT_NE(event.kind, Happened::duplicated);
      if (event.kind == Happened::sent) sent[{event.node, event.peer}].push_back(event.value);
      if (event.kind != Happened::delivered) continue;
      const auto& queue = sent[{event.peer, event.node}];
      std::size_t& next = at[{event.peer, event.node}];
      while (next < queue.size() && queue[next] != event.value) ++next;  // those are lost
      ASSERT_LT(next++, queue.size()) << "overtaken, or delivered twice";
      ++delivered;
    }
  });
  const auto player = make_scheduler(config);
  runner.run(*player, {5, 5});
  EXPECT_GT(delivered, 300);
}

// ---- what is planted is found ----------------------------------------------------------------

struct Planted {
  const char* bug;
  const char* params;
  const char* faults;
  const char* scheduler;
  const char* steps;
  std::vector<std::string> properties;
  std::uint64_t runs;
};

std::uint64_t violations(const RunConfig& config, const Planted& planted, std::string& first) {
  Runner runner(config.setup, config.limits);
  const auto player = make_scheduler(config);
  std::uint64_t found = 0;
  for (std::uint64_t seed = 1; seed <= planted.runs; ++seed) {
    if (!runner.run(*player, {seed, seed}).violated) continue;
    const std::string& property = runner.violation()->property;
    const auto& wanted = planted.properties;
    if (std::find(wanted.begin(), wanted.end(), property) == wanted.end()) continue;
    ++found;
    if (first.empty()) first = runner.violation()->message;
  }
  return found;
}

// Far more often than the library's own mistakes show in the same runs.
TEST(CraftHunt, BugsOfTheAdapterAreFound) {
  const Planted bugs[] = {
      {"vote-not-persisted",
       "commands=5",
       "crash=10",
       "random:crash=5,timer.tick=60",
       "500",
       {"election-safety"},
       1000},
      {"ack-before-durable", "", "crash=6", "random", "", {"committed-entries"}, 100},
      {"truncate-forgotten", "", "crash=6,partition=3", "random", "", {"log-matching"}, 400},
      {"snapshot-forgets-members",
       "snapshots=3,trailing=1",
       "crash=6",
       "random",
       "",
       {"election-safety"},
       100},
  };
  ASSERT_EQ(std::size(bugs), systems().find("craft")->bugs.size());
  for (const Planted& bug : bugs) {
    SCOPED_TRACE(bug.bug);
    std::string first, nothing;
    const std::uint64_t with = violations(
        config_of(bug.params, bug.faults, 3, bug.bug, bug.scheduler, false, bug.steps), bug, first);
    const std::uint64_t without = violations(
        config_of(bug.params, bug.faults, 3, "", bug.scheduler, false, bug.steps), bug, nothing);
    EXPECT_GE(with, 5U);
    EXPECT_LE(without * 5, with) << nothing;
  }
}

}  // namespace
}  // namespace schism::craft
