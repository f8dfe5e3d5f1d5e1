// What pictures are made of: who has a lane, what is marked, two runs side by side, states.
#include "schism/draw/scene.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schism/draw/beside.hpp"
#include "schism/draw/format.hpp"
#include "schism/draw/lanes.hpp"
#include "schism/schism.hpp"
#include "schism/testing/checked.hpp"
#include "schism/testing/runs.hpp"

namespace schism::draw {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(Scene, MarksWhereThePropertyIsViolatedAndItsEvidence) {
  const Trace trace = find_of("toy-consensus", "distrust-commits");
  const Scene scene = make_scene(trace, false);
  for (std::size_t i = 0; i < scene.steps.size(); ++i) {
    EXPECT_EQ(scene.steps[i].violating, i == trace.violation->step) << i;
    std::vector<std::string> roles;
    for (const Evidence& e : trace.violation->evidence)
      if (e.step == i) roles.push_back(e.role);
    EXPECT_EQ(scene.steps[i].roles, roles) << i;
  }
  EXPECT_THAT(find_format("dot")->draw(trace, {}), HasSubstr("is violated"));
}

// A large number, a message at the start, and a client whom nobody answers.
struct Parcel {
  FIELDS()
};
struct Depot : Node<Depot, Parcel> {
  using Requests = Types<Parcel>;
  std::int64_t weight = (std::int64_t{1} << 60) + 1;
  FIELDS(weight)
  void start(Context& c) {
    if (c.self == 1) c.send(0, Parcel{});
  }
  void on(Context&, NodeId, const Parcel&) {}
  void on_request(Context&, RequestId, const Parcel&) {}
};
// The actions one after the other, as a trace. The system is registered by whoever needs it: tests
// that play every system have enough of them.
Trace played(const std::vector<Action>& actions, Pairs world = {}) {
  [[maybe_unused]] static const Registration depots =
      system<Depot>("test-depots", "for tests: to be drawn")
          .nodes(2, 2, 2)
          .liars([](const schism::Setup&) { return 1; })
          .workload([](Workload& w) { w.request<Depot>(2, 0, Parcel{}); });
  const RunConfig config = testing_tools::config_of(
      "test-depots", {.faults = {{"crash", "1"}}, .world = std::move(world), .explorer = "random"});
  std::vector<Recorded> steps(actions.size() + 1);
  for (std::size_t i = 0; i < actions.size(); ++i) steps[i + 1].action = actions[i];
  return make_trace(config, {1, 1}, 0, std::move(steps));
}

const Action kArrives = make_action(Do::deliver, Name(1, 0, 0, 0));
const Action kCrash = node_action(Do::crash, 1), kRestart = node_action(Do::restart, 1);

TEST(Scene, HasALaneForEveryClientThatAsks) {
  const Trace trace = played({make_action(Do::submit, Name(2, 0, 0, 0), 0)});
  ASSERT_EQ(trace.steps.size(), 2U);
  EXPECT_EQ(make_scene(trace, false).clients, 3);
  EXPECT_THAT(find_format("mermaid")->draw(trace, {}), HasSubstr("participant c2"));
}

TEST(Scene, OnlyALiarThatNobodyCrashesForgets) {
  const Trace crashed = played({kCrash, kRestart}, {{"liars", "1"}});
  ASSERT_EQ(crashed.steps.size(), 3U);
  EXPECT_EQ(make_scene(crashed, false).steps[2].label, "restart");
  Trace alone = crashed;
  alone.config.setup.options.faults.crash = 0;
  EXPECT_EQ(make_scene(alone, false).steps[2].label, "forgets everything");
  alone.config.setup.options.liars = {0};
  EXPECT_EQ(make_scene(alone, false).steps[2].label, "restart");
}

TEST(LanesOf, ANodeThatIsDownAreDotted) {
  const Trace trace = played({kCrash, kArrives, kRestart});
  ASSERT_EQ(trace.steps.size(), 4U);
  const Scene scene = make_scene(trace, false);
  Lanes lanes({"0", "1"});
  std::vector<std::string> after;
  for (const SceneStep& step : scene.steps) {
    lanes.draw(step);
    after.push_back(lanes.quiet());
  }
  EXPECT_THAT(after, ElementsAre("│   │   ", "│   ┊   ", "│   ┊   ", "│   │   "));
}

TEST(Itf, SaysWhoIsUpAndLargeNumbersWhole) {
  const std::string text = find_format("itf")->draw(played({kCrash}), {});
  const auto whole = parse_json(text);
  ASSERT_TRUE(whole);
  const auto* const states = whole->find("states")->as_array();
  ASSERT_EQ(states->size(), 2U);
  EXPECT_EQ(to_json(*(*states)[0].find("up")), "{\"#set\":[0,1]}");
  EXPECT_EQ(to_json(*(*states)[1].find("up")), "{\"#set\":[0]}");
  EXPECT_THAT(text, HasSubstr("{\"#bigint\":\"1152921504606846977\"}"));
  EXPECT_THAT(text, Not(HasSubstr(":1152921504606846977")));
}

TEST(Dot, AnArrowComesFromWhoSent) {
  EXPECT_THAT(find_format("dot")->draw(played({kArrives}), {}), HasSubstr("start1 -> s1"));
}

TEST(Beside, WhatWasMovedStandsAloneInBothPlaces) {
  const Trace trace = played({kArrives, kCrash, kRestart});
  ASSERT_EQ(trace.steps.size(), 4U);
  const auto rows = [&](std::vector<std::int64_t> origin, std::uint32_t moved) {
    Neighbour neighbour;
    neighbour.trace = trace;
    neighbour.step = moved;
    neighbour.origin = std::move(origin);
    std::vector<std::pair<std::int64_t, std::int64_t>> out;
    for (const Row& row : rows_of(trace, neighbour)) out.emplace_back(row.step[0], row.step[1]);
    return out;
  };
  using Rows = std::vector<std::pair<std::int64_t, std::int64_t>>;
  // The first step happens after the second; and the third before it.
  EXPECT_EQ(rows({0, 2, 1, 3}, 1), (Rows{{0, 0}, {1, -1}, {2, 1}, {-1, 2}, {3, 3}}));
  EXPECT_EQ(rows({0, 3, 1, 2}, 3), (Rows{{0, 0}, {-1, 1}, {1, 2}, {2, 3}, {3, -1}}));
}

}  // namespace
}  // namespace schism::draw
