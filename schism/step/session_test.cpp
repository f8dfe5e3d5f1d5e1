#include "schism/step/session.hpp"

#include <gtest/gtest.h>

#include <set>

#include "schism/schedule/registry.hpp"
#include "schism/step/menu.hpp"
#include "schism/system/system.hpp"
#include "schism/system/systems.hpp"
#include "schism/testing/brittle.hpp"
#include "schism/testing/drive.hpp"
#include "schism/testing/strategies.hpp"
#include "schism/words/operands.hpp"

namespace {
using namespace schism;

const Registration registered = testing_only::brittle("brittle-by-hand");

RunConfig config_for(const std::string& system, const std::string& scheduler,
                     std::vector<std::string> bugs = {}, Pairs faults = {}) {
  RunText text;
  text.system = {system, {}};
  text.bugs = std::move(bugs);
  text.explorer = *parse_spec(scheduler);
  text.faults = std::move(faults);
  auto config = make_config(text);
  if (!config && text.faults.size() > 1) {  // not every system takes every fault
    text.faults = {{"crash", "1"}};
    config = make_config(text);
  }
  EXPECT_TRUE(config) << config.error();
  return *config;
}

const Pairs kFaults = {{"crash", "2"}, {"drop", "3"}, {"duplicate", "2"}, {"pause", "1"}};

// Everything that a person could see or pick, and what decides the future.
std::string look_around(const Session& session) {
  std::string out = contract::state_text(session.world());
  for (const MenuItem& item : menu_of(session.world())) out += item.title + item.content + "\n";
  return out;
}

std::string verdict_of(const Session& session) {
  return session.violation() ? session.violation()->property + session.violation()->message : "";
}

std::string look(const Session& session) { return look_around(session) + verdict_of(session); }

void expect_replays(const Session& session) {
  const Trace trace = session.trace();
  EXPECT_EQ(trace.steps.size(), session.position() + 1);
  const auto again = parse_trace(to_text(trace), "saved");
  ASSERT_TRUE(again) << again.error();
  const ReplayReport report = replay(*again);
  EXPECT_FALSE(report.difference) << report.difference->step << report.difference->recorded << "\n"
                                  << report.difference->now;
  EXPECT_FALSE(report.refused);
}

bool is_for_hands(const System& system) {
  return !system.fragile && !contract::is_test_system(system);
}

TEST(Session, EveryWayToAStepLeadsToTheSameState) {
  for (const auto& system : systems().sorted()) {
    if (!is_for_hands(*system)) continue;
    for (const char* scheduler : {"random", "timed", "stepped"}) {
      SCOPED_TRACE(system->name + " " + scheduler);
      Session session(config_for(system->name, scheduler, system->bug_names(), kFaults), {3, 3});
      Rng rng(7);
      std::vector<std::string> truth = {look(session)};
      for (int i = 0; i < 40 && !session.violation(); ++i) {
        const auto menu = menu_of(session.world());
        if (menu.empty()) break;
        const Action action = menu[rng.below(menu.size())].action;
        ASSERT_EQ(session.apply(action), Refusal::none)
            << "what is listed can be done: " << menu.size();
        truth.push_back(look(session));
      }
      ASSERT_GT(truth.size(), 2U);
      for (int i = 0; i < 12; ++i) {
        const auto to = static_cast<std::uint32_t>(rng.below(truth.size()));
        session.go_to(to);
        ASSERT_EQ(session.position(), to);
        ASSERT_EQ(look(session), truth[to]);
      }
      expect_replays(session);
      session.go_to(UINT32_MAX);
      EXPECT_EQ(session.position() + 1, truth.size());
      const Trace whole = session.trace();
      const Session loaded(whole);
      EXPECT_FALSE(loaded.refused());
      EXPECT_EQ(look_around(loaded), look_around(session));
      // By hand one may go on; a recording is over, and judged at its end if that is a fair one.
      EXPECT_EQ(loaded.ended_fairly(), !session.violation() && whole.fair);
      if (!loaded.ended_fairly()) {
        EXPECT_EQ(verdict_of(loaded), verdict_of(session));
      } else {
        const auto& judged = replay(whole).now.violation;
        EXPECT_EQ(verdict_of(loaded), judged ? judged->property + judged->message : "");
      }
    }
  }
}

TEST(Session, AnotherPickForgetsWhatWasAhead) {
  Session session(config_for("toy-consensus", "random"), {1, 1});
  for (int i = 0; i < 4; ++i) session.apply(menu_of(session.world())[0].action);
  session.go_to(1);
  EXPECT_EQ(session.length(), 4U);
  const auto menu = menu_of(session.world());
  session.apply(menu.back().action);
  EXPECT_EQ(session.length(), 2U);
  EXPECT_EQ(session.last()->action, menu.back().action);
}

TEST(Session, ARefusedActionChangesNothing) {
  Session session(config_for("toy-consensus", "random"), {1, 1});
  for (int i = 0; i < 4; ++i) session.apply(menu_of(session.world())[0].action);
  session.go_to(2);
  const std::string before = look(session);
  EXPECT_EQ(session.apply(node_action(Do::crash, 0)), Refusal::out_of_budget);
  EXPECT_EQ(look(session), before);
  EXPECT_EQ(session.length(), 4U) << "not even what was ahead";
}

TEST(Session, EverySchedulerCanTakeOver) {
  for (const auto& system : systems().sorted()) {
    if (!is_for_hands(*system)) continue;
    for (const std::string& name : testing_tools::every_scheduler()) {
      SCOPED_TRACE(system->name + " " + name);
      Session session(config_for(system->name, name), {5, 5});
      for (int i = 0; i < 3 && !menu_of(session.world()).empty(); ++i)
        session.apply(menu_of(session.world())[0].action);
      if (session.violation() || menu_of(session.world()).empty()) continue;  // it is over
      const auto scheduler = schedulers().make(*parse_spec(name), "scheduler");
      ASSERT_TRUE(scheduler);
      const Session::Played played = session.let(**scheduler, 9, 60);
      EXPECT_TRUE(played.steps > 30 || played.ended || session.violation()) << played.steps;
      EXPECT_GT(played.steps, 0U);
      expect_replays(session);
    }
  }
}

TEST(Session, TheFairTailJudgesEventually) {
  Session session(config_for("toy-consensus", "random", {}, {{"drop", "9"}}), {1, 1});
  const Session::Played played = session.calm();
  EXPECT_TRUE(played.ended);
  EXPECT_TRUE(session.ended_fairly());
  EXPECT_FALSE(session.violation());
  EXPECT_TRUE(session.trace().fair);
  expect_replays(session);
  session.go_to(1);
  EXPECT_FALSE(session.ended_fairly());
  EXPECT_FALSE(session.trace().fair);
}

TEST(Session, WhatMessagesWereLostIsSeenInTheTail) {
  Session session(config_for("toy-consensus", "random", {}, {{"drop", "99"}}), {1, 1});
  for (;;) {  // everybody is alone: nobody ever sees a majority
    const auto menu = menu_of(session.world());
    const auto drops = matching(menu, {"drop"});
    if (drops.empty()) break;
    session.apply(menu[drops[0]].action);
  }
  session.calm();
  ASSERT_TRUE(session.violation());
  const std::uint32_t end = session.position();
  EXPECT_EQ(session.trace().violation->property, session.violation()->property);
  session.go_to(0);
  EXPECT_FALSE(session.violation());
  session.go_to(end);
  EXPECT_TRUE(session.violation()) << "it is judged again where the tail ended";
}

// Violated by an event that it is shown twice.
class OnceEach final : public Oracle {
 public:
  std::string_view name() const override { return "once each"; }
  EventMask wakes_on() const override { return mask_of(Happened::delivered); }
  void begin(const World&) override {
    absolve();
    seen_.clear();
  }
  void look(const World& world, std::span<const Event> events) override {
    for (const Event& e : events)
      if (e.kind == Happened::delivered && !seen_.insert(e.value).second)
        violate(world, "shown again");
  }

 private:
  std::set<std::uint64_t> seen_;
};

TEST(Session, WhatIsRefusedIsNotJudged) {
  RunConfig config = config_for("toy-consensus", "random");
  System own = *config.setup.system;
  own.oracles = {[](const schism::Setup&) { return std::make_unique<OnceEach>(); }};
  config.setup.system = &own;
  Session session(config, {1, 1});
  const Action first = session.world().pending().nth(Do::deliver, 0);
  ASSERT_EQ(session.apply(first), Refusal::none);
  EXPECT_NE(session.apply(first), Refusal::none) << "it was delivered";
  EXPECT_FALSE(session.violation());
}

TEST(Session, AViolatedRunDoesNotGoOn) {
  Session session(config_for("toy-consensus", "random", {}, {{"drop", "99"}}), {1, 1});
  for (;;) {
    const auto menu = menu_of(session.world());
    const auto drops = matching(menu, {"drop"});
    if (drops.empty()) break;
    session.apply(menu[drops[0]].action);
  }
  session.calm();
  ASSERT_TRUE(session.violation());
  EXPECT_EQ(session.apply(advance_by(1)), Refusal::not_allowed);
}

TEST(Session, AChoiceIsTheOneThatWasTold) {
  for (const std::uint32_t told : {0U, 1U, 2U, 9U}) {
    Session session(config_for("test-kitchen", "random"), {1, 1});
    session.will_choose({told});
    const auto menu = menu_of(session.world());
    const auto notes = matching(menu, {"deliver", "Note"});
    ASSERT_FALSE(notes.empty());
    ASSERT_EQ(session.apply(menu[notes[0]].action), Refusal::none);
    const Trace trace = session.trace();
    ASSERT_EQ(trace.steps.back().choices.size(), 1U);
    EXPECT_EQ(answer_of(trace.steps.back().choices[0]), std::min(told, 2U)) << "of three";
  }
}

// Where another line is as long as the one that ended fairly, nothing has ended.
TEST(Session, AnotherLineHasNoFairEnd) {
  Session session(config_for("toy-consensus", "random", {}, {{"crash", "999"}}), {1, 1});
  session.calm();
  ASSERT_TRUE(session.ended_fairly());
  const std::uint32_t length = session.position();
  session.go_to(0);
  while (session.position() < length + 2) {
    const bool up = session.world().up(0);
    ASSERT_EQ(session.apply(node_action(up ? Do::crash : Do::restart, 0)), Refusal::none);
  }
  session.go_to(0);
  session.go_to(length);
  EXPECT_EQ(session.position(), length);
  EXPECT_FALSE(session.ended_fairly());
  EXPECT_FALSE(session.violation());
}

TEST(Menu, OffersDisksThatFailWhileThereIsABudget) {
  Session session(config_for("test-journal", "random", {}, {{"disk-error", "1"}}), {1, 1});
  const auto offered = [&](bool fails) {
    std::size_t out = 0;
    for (const MenuItem& item : menu_of(session.world()))
      if (item.action.kind == Do::complete && (item.action.name.copy() > 0) == fails) ++out;
    return out;
  };
  for (int i = 0; i < 50 && offered(false) == 0; ++i)
    ASSERT_EQ(session.apply(menu_of(session.world())[0].action), Refusal::none);
  ASSERT_GT(offered(false), 0U);
  EXPECT_EQ(offered(true), offered(false));
  for (const MenuItem& item : menu_of(session.world()))
    if (item.action.kind == Do::complete && item.action.name.copy() > 0) {
      ASSERT_EQ(session.apply(item.action), Refusal::none);
      break;
    }
  EXPECT_EQ(offered(true), 0U) << "it is spent";
}

TEST(Session, OneMoreRequestIsPartOfTheTrace) {
  Session session(config_for("raft", "random"), {1, 1});
  const auto requests = session.world().requests();
  ASSERT_FALSE(requests.empty());
  ClientRequest more = requests[0];
  more.client = 7;
  session.ask(more);
  const auto menu = menu_of(session.world());
  const auto found = matching(menu, {"submit", "client", "7"});
  ASSERT_FALSE(found.empty());
  ASSERT_EQ(session.apply(menu[found[0]].action), Refusal::none);
  expect_replays(session);
  // Having it from the start, as after going back, nodes see the same; only the request's causal
  // identity is another.
  const auto seen = [&] {
    std::string out;
    for (NodeId id = 0; id < session.world().pending().nodes; ++id)
      out += to_json(session.world().inspect(id));
    for (const MenuItem& item : menu_of(session.world())) out += item.title + item.content + "\n";
    return out;
  };
  const std::string before = seen();
  session.go_to(0);
  session.go_to(1);
  EXPECT_EQ(seen(), before);
  EXPECT_EQ(session.world().requests().back(), more);
}

TEST(Session, ADeathIsAViolationAndCanBeTakenBack) {
  RunConfig config = config_for("brittle-by-hand", "random");
  static_cast<testing_only::Brittle::Config*>(const_cast<void*>(config.setup.config.get()))->way =
      testing_only::Way::segfault;
  config.system.values = {{"way", "segfault"}};
  Session session(config, {1, 1});
  const auto deliver = [&](const char* number) {
    const auto menu = menu_of(session.world());
    const auto found = pick(menu, {"deliver", "0->1", number});
    ASSERT_TRUE(found) << found.error();
    ASSERT_EQ(session.apply(menu[*found].action), Refusal::none);
  };
  deliver("#1");
  deliver("#0");  // overtaken
  ASSERT_TRUE(session.violation());
  EXPECT_EQ(session.violation()->property, "crash");
  EXPECT_EQ(session.violation()->step, 2U);
  const Trace trace = session.trace();
  ASSERT_TRUE(trace.violation);
  EXPECT_EQ(trace.violation->property, "crash");
  session.go_to(1);
  EXPECT_FALSE(session.violation());
  deliver("#2");  // the same step, and nobody dies of it
  EXPECT_FALSE(session.violation());
  deliver("#0");
  EXPECT_TRUE(session.violation());
  EXPECT_EQ(session.position(), 3U);
}

TEST(Session, ATraceThatDoesNotApplyStopsBeforeThat) {
  Session session(config_for("toy-consensus", "random"), {1, 1});
  for (int i = 0; i < 4; ++i) session.apply(menu_of(session.world())[0].action);
  Trace trace = session.trace();
  trace.steps[3].action = node_action(Do::restart, 1);
  const Session loaded(trace);
  ASSERT_TRUE(loaded.refused());
  EXPECT_EQ(loaded.refused()->first, 3U);
  EXPECT_EQ(loaded.refused()->second, Refusal::node_up);
  EXPECT_EQ(loaded.position(), 2U);
}

}  // namespace
