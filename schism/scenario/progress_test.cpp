// How far runs come along scripts, against a definition that tries every casting and every way to
// pick events for lines.
#include "schism/scenario/progress.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <numeric>

#include "schism/campaign/hunt.hpp"
#include "schism/registry.hpp"
#include "schism/scenario/from_trace.hpp"
#include "schism/scenario/parse.hpp"
#include "schism/scenario/staged.hpp"
#include "schism/schedule/replay.hpp"
#include "schism/testing/hunted.hpp"

namespace schism::scenario {
namespace {

const std::atomic<bool> kGo{false};

RunConfig config_of(const std::string& system, const std::string& explorer,
                    std::vector<std::string> bugs = {}) {
  RunText text;
  text.system = *parse_spec(system);
  text.explorer = *parse_spec(explorer);
  text.bugs = std::move(bugs);
  text.nodes = "3";
  text.faults = {{"crash", "2"}};
  text.tail = "0s";
  auto config = make_config(text);
  EXPECT_TRUE(config) << config.error();
  return *std::move(config);
}

// What happened, in words of its own.
struct Seen {
  Happened kind;
  std::string what;  // a message, timer or request
  NodeId from, at;
};

struct Wanted {  // a line of one step
  std::string verb, what;
  int from = -1, at = -1;  // roles; -1: anybody
};

std::string text_of(const std::vector<Wanted>& script) {
  static const std::string roles = "abc";
  const auto node = [](int role) { return "$" + roles.substr(static_cast<std::size_t>(role), 1); };
  std::string out = "scenario \"some\"\nsystem raft\nscript\n";
  for (const Wanted& w : script) {
    out += "  " + w.verb;
    if (!w.what.empty()) out += " " + w.what;
    if (w.verb == "deliver") {
      if (w.from >= 0) out += " from " + node(w.from);
      if (w.at >= 0) out += " to " + node(w.at);
    } else if (w.verb == "fire") {
      if (w.at >= 0) out += " at " + node(w.at);
    } else {
      out += " " + node(w.at);
    }
    out += "\n";
  }
  return out;
}

bool fits(const Wanted& w, const Seen& seen, const std::vector<NodeId>& cast) {
  const auto is = [&](int role, NodeId id) {
    return role < 0 || cast[static_cast<std::size_t>(role)] == id;
  };
  if (w.verb == "deliver")
    return seen.kind == Happened::delivered && seen.what == w.what && is(w.from, seen.from) &&
           is(w.at, seen.at);
  if (w.verb == "fire")
    return seen.kind == Happened::timer_fired && seen.what == w.what && is(w.at, seen.at);
  const Happened wanted = w.verb == "crash" ? Happened::crashed : Happened::restarted;
  return seen.kind == wanted && is(w.at, seen.at);
}

// The longest beginning of the script that is a subsequence of the events, by the table of all
// beginnings of both.
std::size_t along(const std::vector<Wanted>& script, const std::vector<Seen>& events,
                  const std::vector<NodeId>& cast) {
  std::vector<bool> reached(script.size() + 1, false);
  reached[0] = true;
  for (const Seen& seen : events)
    for (std::size_t i = script.size(); i-- > 0;)
      if (reached[i] && fits(script[i], seen, cast)) reached[i + 1] = true;
  std::size_t most = 0;
  for (std::size_t i = 0; i <= script.size(); ++i)
    if (reached[i]) most = i;
  return most;
}

std::size_t by_definition(const std::vector<Wanted>& script, const std::vector<Seen>& events) {
  std::vector<NodeId> cast = {0, 1, 2};
  std::size_t most = 0;
  do most = std::max(most, along(script, events, cast));
  while (std::next_permutation(cast.begin(), cast.end()));
  return most;
}

std::vector<Wanted> some_script(Rng& rng) {
  static const std::vector<std::string> messages = {"MsgVote", "MsgVoteResp", "MsgApp",
                                                    "MsgAppResp", "MsgHeartbeat"};
  std::vector<Wanted> out;
  const std::size_t lines = 1 + rng.below(7);
  for (std::size_t i = 0; i < lines; ++i) {
    Wanted w;
    const auto role = [&] { return static_cast<int>(rng.below(3)); };
    switch (rng.below(6)) {
      case 0: w = {"fire", "election", -1, rng.below(3) == 0 ? -1 : role()}; break;
      case 1: w = {"crash", "", -1, role()}; break;
      case 2: w = {"restart", "", -1, role()}; break;
      default:
        w = {"deliver", messages[rng.below(messages.size())], rng.below(3) == 0 ? -1 : role(),
             rng.below(3) == 0 ? -1 : role()};
    }
    if (w.from == w.at) w.from = -1;
    out.push_back(w);
  }
  return out;
}

TEST(Progress, IsTheLongestBeginningThatHappensUnderAnyCasting) {
  const RunConfig config = config_of("raft:progress=false", "random");
  const auto scheduler = make_scheduler(config);
  Rng rng(11);
  std::vector<std::size_t> ends(9, 0);
  for (int i = 0; i < 300; ++i) {
    const std::vector<Wanted> script = some_script(rng);
    auto parsed = parse(text_of(script), "some");
    ASSERT_TRUE(parsed) << parsed.error() << text_of(script);
    Progress progress(parsed->front());
    ASSERT_EQ(progress.steps(), script.size());
    const auto bound = progress.bind(config.setup);
    ASSERT_TRUE(bound) << bound.error();
    std::vector<Seen> events;
    const auto watcher =
        watch(Progress::kHeard, [&](const World& world, std::span<const Event> all) {
          for (const Event& e : all) {
            if ((mask_of(e.kind) & Progress::kHeard) == 0) continue;
            const std::string what = e.kind == Happened::delivered ? std::string(e.type->name)
                                     : e.kind == Happened::timer_fired
                                         ? std::string(world.setup().system->timer_name(e.detail))
                                         : "";
            events.push_back({e.kind, what, e.peer, e.node});
          }
          // At every moment, not only at the end.
          ASSERT_EQ(progress.told(), by_definition(script, events)) << text_of(script);
        });
    Runner runner(config.setup, {150, 0, 0});
    runner.attach(progress);
    runner.attach(*watcher);
    runner.run(*scheduler, {static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(i)});
    ++ends[progress.told()];
  }
  for (std::size_t told = 0; told <= 4; ++told)
    EXPECT_GT(ends[told], 3U) << told << " steps hardly ever happened: the test says little";
}

TEST(Progress, StepsThatACommaJoinsComeInAnyOrderAndAsOftenAsIsSaid) {
  const auto parsed = parse(
      "scenario \"votes\"\nsystem raft\nlet a = 1\nscript\n"
      "  fire election at $a\n"
      "  deliver MsgVote from $a times quorum, deliver MsgVoteResp to $a if .reject = false\n"
      "  cut from $a to $b\n"
      "  deliver all MsgApp from $a\n",
      "votes");
  ASSERT_TRUE(parsed) << parsed.error();
  Progress progress(parsed->front());
  EXPECT_EQ(progress.steps(), 4U) << "a cut link is nothing that a node does";
  const RunConfig config = config_of("raft:progress=false,clients=0", "random");
  Runner runner(config.setup, {400, 0, 0});
  runner.attach(progress);
  // Counted by hand: of each node since its last own election what came of its requests.
  std::size_t least = 0;
  std::vector<int> asked(3, 0), voted(3, 0);
  std::vector<bool> fired(3, false), led(3, false);
  const auto watcher = watch(Progress::kHeard, [&](const World& world, std::span<const Event> all) {
    for (const Event& e : all) {
      const std::size_t node = e.node, peer = e.peer;
      if (e.kind == Happened::timer_fired &&
          world.setup().system->timer_name(e.detail) == "election")
        fired[node] = true;
      if (e.kind != Happened::delivered) continue;
      const Value content = e.type->to_value(e.body);
      if (e.type->name == "MsgVote" && fired[peer]) ++asked[peer];
      const Value* reject = content.find("reject");
      if (e.type->name == "MsgVoteResp" && fired[node] && !*reject->as_bool()) ++voted[node];
      if (e.type->name == "MsgApp" && asked[peer] >= 2 && voted[peer] >= 1) led[peer] = true;
    }
    least = 0;
    for (std::size_t i = 0; i < 3; ++i)
      least = std::max<std::size_t>(least, (fired[i] ? 1 : 0) + (asked[i] >= 2 ? 1 : 0) +
                                               (voted[i] >= 1 ? 1 : 0) + (led[i] ? 1 : 0));
    ASSERT_EQ(progress.told(), least);
  });
  runner.attach(*watcher);
  const auto scheduler = make_scheduler(config);
  std::vector<int> ends(5, 0);
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    asked.assign(3, 0), voted.assign(3, 0), fired.assign(3, false), led.assign(3, false);
    runner.run(*scheduler, {seed, seed});
    ++ends[progress.told()];
  }
  EXPECT_GT(ends[4], 5);
}

// A find's run goes along its own script to the end, and so does what its open scenario plays.
TEST(Progress, AFindGoesAlongItsOwnScript) {
  const RunConfig config = config_of("rsl:progress=false", "random", {"minority"});
  HuntOptions options;
  options.runs = 20'000;
  const auto result = hunt(config, options, {}, kGo);
  ASSERT_TRUE(result && !result->finds.empty());
  const Trace& trace = result->finds[0].small->trace;
  const auto script = script_of(trace);
  ASSERT_TRUE(script) << script.error();
  Progress progress(script->scenario);
  EXPECT_GE(progress.steps(), 3U);
  Runner runner(trace.config.setup, trace.config.limits);
  runner.attach(progress);
  Replay scheduler(trace.steps, trace.config.setup.options.time);
  runner.replay(scheduler, trace.plan, fair_end_of(trace));
  EXPECT_EQ(progress.told(), progress.steps());
}

TEST(Progress, MistakesAreNamed) {
  const RunConfig config = config_of("raft", "random");
  const auto wrong = [&](const std::string& script) {
    const auto parsed = parse("scenario \"x\"\nsystem raft\nscript\n" + script, "x");
    EXPECT_TRUE(parsed) << parsed.error();
    const auto bound = Progress(parsed->front()).bind(config.setup);
    return bound ? "" : bound.error();
  };
  EXPECT_NE(wrong("  deliver MsgVot to $a\n").find("did you mean"), std::string::npos);
  EXPECT_NE(wrong("  crash $a\n  crash $b\n  crash $c\n  crash $d\n").find("4 roles"),
            std::string::npos);
  Progress other(parse("scenario \"x\"\nsystem paxos\nscript\n  crash $a\n", "x")->front());
  EXPECT_NE(other.bind(config.setup).error().find("is for paxos"), std::string::npos);
  const std::string path = testing::TempDir() + "/no-script.scenario";
  std::ofstream(path) << "scenario \"x\"\nsystem raft\nexpect no violation\n";
  EXPECT_NE(read_script(path).error().find("no scenario in it has a script"), std::string::npos);
}

}  // namespace
}  // namespace schism::scenario
