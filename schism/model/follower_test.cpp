// The set of model states that a run may be in, against its definition: all that the actions lead
// to, computed with plain sets from relations that were drawn. Also: what is repeated, and what is
// counted.
#include "schism/model/follower.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <set>

#include "schism/base/file.hpp"
#include "schism/run/config.hpp"

namespace schism::model {
namespace {

RunConfig raft_config() {
  RunText text;
  text.system = *parse_spec("raft:progress=false");
  text.nodes = "3";
  text.steps = "80";
  text.tail = "0s";
  text.explorer = {"random", {}};
  text.faults = {{"crash", "2"}, {"drop", "2"}};
  auto config = make_config(text);
  EXPECT_TRUE(config.has_value()) << config.error();
  return *config;
}

// A model is loaded once, by its name: each has a folder of its own.
std::string write_model(const std::string& name, const std::string& tla, const std::string& toml) {
  const std::string folder =
      fmt::format("{}/schism_follower_{}_{}", testing::TempDir(), ::getpid(), name);
  std::filesystem::create_directories(folder);
  EXPECT_TRUE(write_file(folder + "/drawn.tla", tla));
  EXPECT_TRUE(write_file(folder + "/drawn.cfg", "SPECIFICATION Spec\n"));
  EXPECT_TRUE(write_file(folder + "/drawn.toml", toml));
  return folder + "/drawn.tla";
}

// Where each state may go, for each node.
using Relation = std::map<std::pair<int, int>, std::set<int>>;

struct Drawn {
  int states = 0;
  std::set<int> initial;
  Relation timer, vote, crash, after;  // by what happens
  bool has_after = false;

  explicit Drawn(std::uint64_t seed) {
    Rng random(seed);
    const int sizes[] = {3, 12, 90};
    states = sizes[random.below(3)];
    has_after = random.below(2) == 0;
    const std::uint64_t fewest = random.below(2);  // 0: an action may be impossible
    const std::uint64_t most = 1 + random.below(states > 20 ? 40 : 3);
    for (Relation* r : {&timer, &vote, &crash, &after})
      for (int node = 0; node < 3; ++node)
        for (int s = 0; s < states; ++s) {
          auto& to = (*r)[{node, s}];
          const std::uint64_t count = fewest + random.below(most);
          for (std::uint64_t i = 0; i < count; ++i)
            to.insert(static_cast<int>(random.below(static_cast<std::uint64_t>(states))));
          if (random.below(3) == 0) to.insert(s);
        }
    for (int i = 0; i < 2; ++i)
      initial.insert(static_cast<int>(random.below(static_cast<std::uint64_t>(states))));
  }

  static std::string text(const Relation& r, const std::string& name) {
    std::string pairs;
    for (const auto& [from, to] : r)
      for (const int t : to)
        pairs +=
            fmt::format("{}<<{}, {}, {}>>", pairs.empty() ? "" : ", ", from.first, from.second, t);
    return fmt::format("{0}(n) == x' \\in {{t \\in 0..{1} : <<n, x, t>> \\in {{{2}}}}}\n", name,
                       100, pairs);
  }
  std::string tla() const {
    std::string begin;
    for (const int s : initial) begin += fmt::format("{}{}", begin.empty() ? "" : ", ", s);
    return "---- MODULE drawn ----\nEXTENDS Naturals\nVARIABLE x\nInit == x \\in {" + begin +
           "}\n" + text(timer, "Timer") + text(vote, "Vote") + text(crash, "Crash") +
           text(after, "After") +
           "Next == Timer(0) \\/ Vote(0) \\/ Crash(0) \\/ After(0)\n"
           "Spec == Init /\\ [][Next]_x\n====\n";
  }
  std::string toml() const {
    std::string out =
        "system = \"raft\"\n"
        "[[event]]\non = \"timer_fired election\"\ndo = [\"Timer($node)\"]\n"
        "[[event]]\non = \"sent MsgVote\"\ndo = [\"Vote($node)\", \"Vote($peer)\"]\n"
        "[[event]]\non = \"crashed\"\ndo = [\"Crash($node)\"]\n";
    if (has_after) out += "[after]\ndo = [\"After($node)\"]\n";
    return out;
  }
};

// The definition, event by event. Sets are never cut; `crowded`: there were more than are kept.
struct Naive {
  const Drawn& drawn;
  int election;  // the timer
  std::set<int> now;
  bool crowded = false;

  void take(const Event& e) {
    const int node = static_cast<int>(e.node);
    const bool voted = e.kind == Happened::sent && std::string_view(e.type->name) == "MsgVote";
    if (e.kind == Happened::timer_fired && e.detail == election) go(drawn.timer, node);
    if (voted) go(drawn.vote, node), go(drawn.vote, static_cast<int>(e.peer));
    if (e.kind == Happened::crashed) go(drawn.crash, node);
    const bool step = e.kind == Happened::delivered || e.kind == Happened::timer_fired ||
                      e.kind == Happened::disk_completed || e.kind == Happened::invoked ||
                      e.kind == Happened::restarted;
    if (step && drawn.has_after) go(drawn.after, node);
  }
  void go(const Relation& r, int node) {
    std::set<int> next;
    for (const int s : now) next.insert(r.at({node, s}).begin(), r.at({node, s}).end());
    now = std::move(next);
    crowded = crowded || now.size() > kStatesMax;
  }
};

TEST(Follower, KeepsExactlyTheStatesOfTheDefinition) {
  const RunConfig config = raft_config();
  const auto timers = config.setup.system->timer_names();
  const int election =
      static_cast<int>(std::find(timers.begin(), timers.end(), "election") - timers.begin());
  int deviated = 0, crowded = 0, followed = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    const Drawn drawn(seed);
    Follower follower(write_model(std::to_string(seed), drawn.tla(), drawn.toml()), Use::judge);
    ASSERT_TRUE(follower.prepare(config.setup)) << follower.prepare(config.setup).error();
    Naive naive{drawn, election, drawn.initial};
    Runner runner(config.setup, config.limits);
    runner.listen_to(kEveryEvent);
    bool begun = false, over = false;
    runner.on_step([&](const World& world) {
      if (over) return;
      bool alive = true;
      if (!begun) follower.begin(world), begun = true, alive = !follower.states().empty();
      else alive = follower.take(world, world.events());
      for (const Event& e : world.events())
        if (!naive.now.empty()) naive.take(e);
      if (follower.lost()) {
        EXPECT_TRUE(naive.crowded) << seed;
        ++crowded, over = true;
        return;
      }
      EXPECT_EQ(alive, !naive.now.empty()) << seed << " at step " << world.step();
      over = !alive || naive.now.empty() || ::testing::Test::HasFailure();
      if (over) {
        EXPECT_FALSE(follower.deviation().empty()) << seed;
        ++deviated;
        return;
      }
      std::set<std::string> kept, meant;
      for (const StateId s : follower.states()) kept.insert(follower.model().print(s));
      EXPECT_EQ(kept.size(), naive.now.size()) << seed << " at step " << world.step();
      for (const int s : naive.now) {
        const auto has = [&](const std::string& text) {
          return text.find(fmt::format("x = {}", s)) != std::string::npos;
        };
        EXPECT_TRUE(std::any_of(kept.begin(), kept.end(), has)) << seed << ": " << s;
      }
      ++followed;
    });
    RunPlan plan;
    plan.seed = plan.node_seed = seed;
    runner.run(*make_scheduler(config), plan);
  }
  EXPECT_GT(deviated, 10);
  EXPECT_GT(crowded, 5);
  EXPECT_GT(followed, 500);
}

// "repeat A": until it changes nothing. And what "unless" holds of is left alone.
TEST(Follower, RepeatsAndLeavesAlone) {
  const std::string tla =
      "---- MODULE drawn ----\nEXTENDS Naturals\nVARIABLES x, y\nInit == x = 0 /\\ y = 0\n"
      "Up == x' = IF x < 7 THEN x + 1 ELSE x /\\ UNCHANGED y\n"
      "Count == y' = y + 1 /\\ UNCHANGED x\n"
      "Next == Up \\/ Count\nSpec == Init /\\ [][Next]_<<x, y>>\n====\n";
  const std::string head = "system = \"raft\"\n";
  const std::string timer = "[[event]]\non = \"timer_fired election\"\ndo = [\"repeat Up\"]\n";
  const RunConfig config = raft_config();
  for (const std::string unless : {"TRUE", "FALSE"}) {
    Follower follower(
        write_model("repeat" + unless, tla,
                    head + "[after]\ndo = [\"Count\"]\nunless = \"" + unless + "\"\n" + timer),
        Use::judge);
    ASSERT_TRUE(follower.prepare(config.setup)) << follower.prepare(config.setup).error();
    Runner runner(config.setup, config.limits);
    runner.listen_to(kEveryEvent);
    bool begun = false;
    runner.on_step([&](const World& world) {
      if (!begun) follower.begin(world), begun = true;
      else follower.take(world, world.events());
    });
    RunPlan plan;
    plan.seed = plan.node_seed = 1;
    runner.run(*make_scheduler(config), plan);
    ASSERT_EQ(follower.states().size(), 1u) << follower.deviation();
    const std::string state = follower.model().print(follower.states().front());
    EXPECT_NE(state.find("x = 7"), std::string::npos) << state;
    EXPECT_EQ(state.find("y = 0") != std::string::npos, unless == "TRUE") << state;
    EXPECT_GT(follower.counts().mapped, 20u);
    EXPECT_EQ(follower.counts().disabled, 0u);
  }
}

TEST(Follower, SaysWhenAMappingHardlyApplies) {
  NamedCounts sums;
  Counts counts;
  counts.mapped = 10, counts.disabled = 5;
  counts.add_to(sums, "model");
  EXPECT_EQ(doubt_of(sums), "");
  counts.disabled = 6;
  sums.clear();
  counts.add_to(sums, "model");
  EXPECT_NE(doubt_of(sums).find("6 of 10"), std::string::npos);
}

}  // namespace
}  // namespace schism::model
