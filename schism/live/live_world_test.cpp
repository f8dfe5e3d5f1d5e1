#include "schism/live/live_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

#include "schism/live/live_prompt.hpp"
#include "schism/schism.hpp"
#include "schism/sim/sim_world.hpp"
#include "schism/trace/timeline.hpp"

namespace {
using namespace schism;

RunConfig config_for(const std::string& system, std::vector<std::string> bugs = {}) {
  RunText text;
  text.system = {system, {}};
  text.bugs = std::move(bugs);
  text.explorer = {"timed", {}};
  const auto config = make_config(text);
  EXPECT_TRUE(config) << config.error();
  return *config;
}

// A minute: these tests share their cores with others.
bool comes_true(const std::function<bool()>& what) {
  for (int i = 0; i < 6000; ++i) {
    if (what()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

bool comes_true_soon(const std::function<bool()>& what) {
  for (int i = 0; i < 10 && !what(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return what();
}

// The record is the run: it replays to the same events, and its end is the end that was.
void expect_replays(const LiveWorld& live) {
  const Trace trace = live.trace();
  EXPECT_EQ(trace.steps.size(), live.stats().steps + 1) << "every step, and the start";
  const auto again = parse_trace(to_text(trace), "saved");
  ASSERT_TRUE(again) << again.error();
  const ReplayReport report = replay(*again);
  EXPECT_FALSE(report.difference) << report.difference->step << report.difference->recorded << "\n"
                                  << report.difference->now;
  EXPECT_FALSE(report.refused);
  Timeline line(*again);
  const World& end = line.seek(line.length());
  for (NodeId node = 0; node < live.nodes(); ++node)
    EXPECT_EQ(end.up(node) ? end.inspect(node) : Value(), live.inspect(node)) << "node " << node;
}

TEST(LiveWorld, AnswersItsClientsAndCanBePlayedAgain) {
  LiveWorld live(config_for("raft"), {});
  live.start();
  EXPECT_TRUE(comes_true([&] { return live.stats().answered >= 3; }));
  live.stop();
  EXPECT_TRUE(live.stopped());
  EXPECT_FALSE(live.violation());
  const LiveStats stats = live.stats();
  EXPECT_GT(stats.deliveries, 10U);
  EXPECT_GT(stats.timers, 0U);
  const Trace trace = live.trace();
  EXPECT_EQ(trace.config.setup.options.time, TimeUse::timed);
  expect_replays(live);
  EXPECT_FALSE(live.news().empty());
}

TEST(LiveWorld, TheClockIsTheWallClock) {
  LiveWorld live(config_for("raft"), {});
  const auto began = std::chrono::steady_clock::now();
  live.start();
  EXPECT_TRUE(comes_true([&] { return live.stats().clock > 300'000; }));
  live.stop();
  const auto took = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - began);
  EXPECT_LE(live.stats().clock, took.count()) << "it never runs ahead";
}

TEST(LiveWorld, NodesCrashRestartPauseAndResume) {
  LiveWorld live(config_for("raft"), {});
  live.start();
  ASSERT_TRUE(comes_true([&] { return live.stats().answered >= 1; }));
  EXPECT_TRUE(live.crash(0));
  EXPECT_TRUE(live.inspect(0).is_null());
  EXPECT_FALSE(live.crash(0)) << "it is down already";
  EXPECT_FALSE(live.pause(0));
  EXPECT_TRUE(live.restart(0));
  EXPECT_FALSE(live.inspect(0).is_null());
  EXPECT_TRUE(live.pause(1));
  EXPECT_TRUE(live.paused(1));
  const Value frozen = live.inspect(1);
  const std::uint64_t before = live.stats().steps;
  EXPECT_TRUE(comes_true([&] { return live.stats().steps > before + 20; })) << "others go on";
  EXPECT_EQ(live.inspect(1), frozen);
  EXPECT_TRUE(live.resume(1));
  EXPECT_FALSE(live.resume(1));
  EXPECT_TRUE(live.cut(0, 1));
  EXPECT_TRUE(live.heal(0, 1));
  const std::uint64_t answered = live.stats().answered;
  ClientRequest request;
  request.client = live.fresh_client();
  {
    SimWorld world;  // what this system's clients ask for
    world.reset(live.config().setup);
    request.type = world.requests().at(0).type;
    request.content = world.requests().at(0).content;
  }
  EXPECT_TRUE(live.ask(request));
  EXPECT_TRUE(comes_true([&] { return live.stats().answered > answered; }));
  live.stop();
  EXPECT_FALSE(live.crash(2)) << "it has ended";
  const Trace trace = live.trace();
  EXPECT_EQ(trace.config.setup.options.faults.crash, 1U) << "budgets are what was used";
  EXPECT_EQ(trace.config.setup.options.faults.pause, 1U);
  expect_replays(live);
}

TEST(LiveWorld, WithoutTheWorkloadClientsWaitToBeTold) {
  LiveOptions options;
  options.workload = false;
  LiveWorld live(config_for("raft"), options);
  live.start();
  ASSERT_TRUE(comes_true([&] { return live.stats().deliveries > 20; }));
  EXPECT_EQ(live.stats().asked, 0U);
  EXPECT_TRUE(live.ask_next());
  EXPECT_TRUE(comes_true([&] { return live.stats().answered >= 1; }));
  EXPECT_EQ(live.stats().asked, 1U);
  live.stop();
  expect_replays(live);
}

// The clients of whatever was asked for, in the order of asking.
std::vector<int> askers(const LiveWorld& live) {
  std::vector<int> out;
  for (const Recorded& step : live.trace().steps)
    if (step.action.kind == Do::submit) out.push_back(step.action.name.from());
  return out;
}

TEST(LiveWorld, TheNextRequestIsTheOneThatWaitedLongest) {
  LiveOptions options;
  options.workload = false;
  LiveWorld live(config_for("raft"), options);
  live.start();
  for (std::uint64_t i = 1; i <= 3; ++i) {  // there are three clients
    ASSERT_TRUE(live.ask_next());
    ASSERT_TRUE(comes_true([&] { return live.stats().answered >= i; }));
  }
  live.stop();
  std::vector<int> asked = askers(live);
  ASSERT_GE(asked.size(), 3U);
  std::sort(asked.begin(), asked.begin() + 3);
  EXPECT_EQ(std::vector<int>(asked.begin(), asked.begin() + 3), (std::vector<int>{0, 1, 2}));
}

// A desk at each node, and nobody who comes by himself.
struct Letter {
  FIELDS()
};
struct Desk : Node<Desk, Letter> {
  using Requests = Types<Letter>;
  FIELDS()
  void on(Context&, NodeId, const Letter&) {}
  void on_request(Context& c, RequestId request, const Letter&) { c.answer(request, Letter{}); }
};
// Registered by whoever needs it: tests that play every system have enough of them.
RunConfig desks() {
  [[maybe_unused]] static const Registration registered =
      system<Desk>("test-desks", "for tests: whoever is asked answers").nodes(2, 2, 2);
  return config_for("test-desks");
}

TEST(LiveWorld, WhoAsksByHandIsAnsweredWhenTheNodeIsThere) {
  LiveOptions options;
  options.workload = false;
  LiveWorld live(desks(), options);
  live.start();
  ClientRequest request;
  request.target = 1;
  request.content = Value::Object{};
  const auto ask = [&](std::uint64_t answers) {
    request.client = live.fresh_client();
    EXPECT_TRUE(live.ask(request));
    return comes_true([&] { return live.stats().answered >= answers; });
  };
  EXPECT_TRUE(ask(1));
  EXPECT_TRUE(live.crash(1));
  request.client = live.fresh_client();
  EXPECT_TRUE(live.ask(request));
  EXPECT_FALSE(comes_true_soon([&] { return live.stats().answered > 1; })) << "nobody is there";
  EXPECT_TRUE(live.restart(1));
  EXPECT_TRUE(comes_true([&] { return live.stats().answered >= 2; }));
  live.stop();
  expect_replays(live);
}

// However late a message is: it is never early.
TEST(LiveWorld, MessagesTakeTheirTime) {
  LiveOptions options;
  options.delay_min = options.delay_max = 30'000;
  LiveWorld live(config_for("raft"), options);
  live.start();
  ASSERT_TRUE(comes_true([&] { return live.stats().deliveries > 10; }));
  live.stop();
  std::map<std::uint64_t, Micros> sent;
  for (const Recorded& step : live.trace().steps) {
    if (step.action.kind == Do::deliver) {
      const auto at = sent.find(step.action.name.bits());
      ASSERT_NE(at, sent.end());
      EXPECT_GE(step.at - at->second, options.delay_min);
    }
    for (const RecordedEvent& event : step.events)
      if (event.kind == Happened::sent) sent[event.name().bits()] = std::max<Micros>(step.at, 0);
  }
}

TEST(LiveWorld, LostMessagesAreInTheRecord) {
  LiveOptions options;
  options.loss = 0.3;
  options.delay_min = options.delay_max = 2000;
  LiveWorld live(config_for("raft"), options);
  live.start();
  EXPECT_TRUE(comes_true([&] { return live.stats().lost > 5; }));
  live.stop();
  const Trace trace = live.trace();
  EXPECT_GT(trace.config.setup.options.faults.drop, 5U);
  expect_replays(live);
}

// Whether a commit overtakes the proposals is up to the delays; some seed soon has it.
TEST(LiveWorld, AViolationStopsEverybodyAndReplays) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    LiveOptions options;
    options.seed = seed;
    options.delay_min = 0, options.delay_max = 20'000;
    LiveWorld live(config_for("toy-consensus", {"distrust-commits"}), options);
    live.start();
    std::uint64_t seen = 0;
    for (int still = 0; !live.stopped() && still < 50;) {  // half a second without a step
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      const std::uint64_t now = live.stats().steps;
      still = now == seen ? still + 1 : 0;
      seen = now;
    }
    if (!live.stopped()) continue;
    ASSERT_TRUE(live.violation());
    const std::uint64_t steps = live.stats().steps;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(live.stats().steps, steps) << "all nodes stand still";
    const Trace trace = live.trace();
    ASSERT_TRUE(trace.violation);
    EXPECT_EQ(trace.violation->property, live.violation()->property);
    EXPECT_EQ(trace.violation->step, live.violation()->step);
    expect_replays(live);
    return;
  }
  FAIL() << "no seed showed it";
}

TEST(LiveWorld, TheRecordHasAnEnd) {
  LiveOptions options;
  options.steps_max = 50;
  LiveWorld live(config_for("raft"), options);
  live.start();
  EXPECT_TRUE(comes_true([&] { return live.stopped(); }));
  EXPECT_EQ(live.stats().steps, 50U);
  EXPECT_FALSE(live.violation());
}

TEST(LivePrompt, ALineThatMakesNoSenseIsOneSentence) {
  LiveWorld live(config_for("raft"), {});
  live.start();
  LivePrompt prompt(live);
  for (const char* line : {"crash",
                           "crash 9",
                           "crash x",
                           "restart 0",
                           "resume 0",
                           "cut 0",
                           "cut 0->9",
                           "heal 0->1",
                           "cut 0->0",
                           "ask",
                           "ask x",
                           "ask {",
                           "ask {}",
                           "ask []",
                           "state 9",
                           "save",
                           "save /nowhere/x/y",
                           "wait",
                           "wait x",
                           "wait 1s for x answers",
                           "wait 1s for 3",
                           "fly",
                           "\x01"}) {
    const LivePrompt::Reply reply = prompt.say(line);
    EXPECT_TRUE(reply.bad) << line;
    EXPECT_EQ(std::count(reply.text.begin(), reply.text.end(), '\n'), 1) << line;
  }
  EXPECT_FALSE(prompt.say("").bad);
  EXPECT_FALSE(prompt.say("# crash 9").bad);
  EXPECT_FALSE(prompt.say("cut 0->1").bad);
  EXPECT_FALSE(prompt.say("heal 0->1").bad);
  EXPECT_TRUE(prompt.say("heal 0->1").bad) << "it is whole";
  EXPECT_FALSE(prompt.say("stats").bad);
  EXPECT_FALSE(prompt.say("state").bad);
  EXPECT_FALSE(prompt.say("help").bad);
  EXPECT_TRUE(prompt.say("quit").quit);
  const LivePrompt::Reply wait = prompt.say("wait 2s for 3 answers");
  EXPECT_EQ(wait.wait, 2'000'000);
  EXPECT_EQ(wait.answers, 3U);
}

TEST(Mailbox, GivesTheFirstThatCanBeServed) {
  Pending pending;
  pending.armed.resize(1);
  Mailbox box;
  const auto arm = [&](Micros due, bool enabled) {
    const std::uint32_t slot = pending.timers.take();
    pending.timers[slot].at = kNone;
    if (enabled) pending.armed[0].add(pending.timers, slot);
    box.put(due, {Do::fire, slot, pending.timers[slot].generation});
    return slot;
  };
  const auto cancel = [&](std::uint32_t slot) {
    pending.armed[0].remove(pending.timers, slot);
    pending.timers.give_back(slot);
  };
  EXPECT_FALSE(box.first(pending));
  const std::uint32_t late = arm(30, true), early = arm(10, true), held = arm(20, false);
  ASSERT_TRUE(box.first(pending));
  EXPECT_EQ(box.first(pending)->item.slot, early);
  cancel(early);
  EXPECT_EQ(box.first(pending)->item.slot, late) << "what is held keeps its place";
  EXPECT_EQ(box.size(), 2U) << "what was cancelled is forgotten";
  const std::uint32_t tenant = arm(40, true);  // in the slot of the cancelled one
  EXPECT_EQ(tenant, early);
  pending.armed[0].add(pending.timers, held);
  EXPECT_EQ(box.first(pending)->at, 20);
  box.remove(*box.first(pending));
  EXPECT_EQ(box.first(pending)->item.slot, late);
  box.remove(*box.first(pending));
  EXPECT_EQ(box.first(pending)->item.slot, tenant);
}

}  // namespace
