// What a recording says of its run is not believed where it can be found out: that it ended fairly,
// what was violated, where and by what evidence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schism/base/file.hpp"
#include "schism/campaign/assert.hpp"
#include "schism/oracle/eventually.hpp"
#include "schism/shrink/anchored.hpp"
#include "schism/shrink/shrink.hpp"
#include "schism/step/session.hpp"
#include "schism/testing/checked.hpp"

namespace schism {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_tools::Asked;

// One message, sent once, and clocks that tick for ever: only the bound of a fair tail ends it.
struct News {
  FIELDS()
};
SCHISM_ENUM(Clock, tick);
struct Ticking : Node<Ticking, News> {
  using Timers = Clock;
  int heard = 0;
  FIELDS(heard)
  void start(Context& c) {
    c.set_timer(Clock::tick, 1'000'000);
    if (c.self == 0) c.send(1, News{});
  }
  void on(Context&, NodeId, const News&) { ++heard; }
  void on_timer(Context& c, Clock) { c.set_timer(Clock::tick, 1'000'000); }
};

const Registration registered =
    system<Ticking>("test-ticking", "one message, and clocks that tick for ever")
        .nodes(2, 2, 2)
        .oracle(eventually("arrival",
                           [](const World& world) {
                             const auto* const node = world.as<Ticking>(1);
                             return node && node->heard > 0;
                           }))
        .steps(20)
        .tail(10_s)
        .thread_safe();

// The first violation that a hunt finds of that property, as it happened or shrunk.
Trace find_of(const std::string& system, const std::string& property, Asked asked,
              std::uint32_t steps = 0) {
  static const std::atomic<bool> go_on{false};
  HuntOptions options;
  options.runs = 3000;
  options.keep_going = true;
  options.closely = 1;
  options.shrink = false;
  RunConfig config = testing_tools::config_of(system, asked);
  if (steps > 0) config.limits.steps = steps;
  const auto result = hunt(config, options, {}, go_on);
  if (!result) throw std::runtime_error(result.error());
  for (const Find& find : result->finds)
    if (find.trace.violation->property == property) return find.trace;
  throw std::runtime_error("no violation of " + property + " by " + system);
}

Trace ticking_find(const std::string& explorer) {
  return find_of("test-ticking", "arrival", {.faults = {{"drop", "1"}}, .explorer = explorer});
}

// Some end because nothing is left to do, some after a fair tail: with nothing left, or at its
// bound.
std::vector<Trace> liveness_finds() {
  return {find_of("toy-consensus", "termination", {.faults = {{"drop", "2"}}}),
          find_of("toy-consensus", "termination", {.faults = {{"drop", "3"}}}, 9),
          find_of("toy-consensus", "termination", {.faults = {{"crash", "1"}}}),
          find_of("multipaxos", "termination", {.faults = {{"drop", "3"}}}),
          find_of("test-patient", "done", {}),  // in run/patience_test.cpp
          ticking_find("random"),
          ticking_find("timed")};
}

bool has_calm(const Trace& trace) {
  return std::any_of(trace.steps.begin(), trace.steps.end(),
                     [](const Recorded& step) { return step.action.kind == Do::calm; });
}

Trace cut_off(Trace trace, std::size_t steps) {
  trace.steps.resize(trace.steps.size() - steps);
  return trace;
}

bool shows(const ReplayReport& report, const Trace& trace) {
  return report.now.violation && report.now.violation->property == trace.violation->property;
}

TEST(FairEnd, AWholeRunIsReproduced) {
  int quiet = 0, calm = 0;
  for (const Trace& trace : liveness_finds()) {
    ASSERT_TRUE(trace.fair);
    const ReplayReport report = replay(trace);
    EXPECT_TRUE(shows(report, trace));
    EXPECT_TRUE(report.judged && report.known);
    EXPECT_THAT(report.unlike, ElementsAre());
    (has_calm(trace) ? calm : quiet) += 1;
  }
  EXPECT_GE(quiet, 2);
  EXPECT_GE(calm, 3);
}

TEST(FairEnd, CutOffAnywhereItIsNotJudged) {
  for (const Trace& trace : liveness_finds())
    for (std::size_t n = 1; n < trace.steps.size() && n < 40; ++n) {
      SCOPED_TRACE(trace.config.setup.system->name + ", without the last " + std::to_string(n));
      const Trace shorter = cut_off(trace, n);
      const ReplayReport report = replay(shorter);
      EXPECT_FALSE(shows(report, trace));
      EXPECT_FALSE(report.judged);
      EXPECT_FALSE(report.now.fair);
      EXPECT_FALSE(report.unlike.empty());
      EXPECT_FALSE(shrink(shorter, {}, std::atomic<bool>(false)));
      EXPECT_FALSE(Session(shorter).violation());
    }
}

TEST(FairEnd, WhatTheFileSaysOfItDoesNotMatter) {
  for (Trace trace : liveness_finds()) {
    trace.fair = false;
    const ReplayReport report = replay(trace);
    EXPECT_TRUE(shows(report, trace));
    EXPECT_THAT(report.unlike, ElementsAre("a fair end"));
    EXPECT_TRUE(shrink(trace, {}, std::atomic<bool>(false)));
    EXPECT_TRUE(Session(trace).violation());
  }
}

// Time that passes serves nobody.
TEST(FairEnd, WaitingIsNoFairTail) {
  for (const char* explorer : {"random", "timed"}) {
    SCOPED_TRACE(explorer);
    Trace trace = ticking_find(explorer);
    const auto calm = std::find_if(trace.steps.begin(), trace.steps.end(),
                                   [](const Recorded& s) { return s.action.kind == Do::calm; });
    ASSERT_NE(calm, trace.steps.end());
    trace.steps.erase(calm + 1, trace.steps.end());
    EXPECT_FALSE(replay(trace).now.fair);
    Recorded wait;
    wait.action = advance_by(3'600'000'000);
    trace.steps.push_back(wait);
    const ReplayReport report = replay(trace);
    EXPECT_FALSE(report.now.fair);
    EXPECT_FALSE(report.now.violation);
  }
}

TEST(FairEnd, WhoIsDownIsNoReasonToEnd) {
  // In a hunt whoever crashed comes back; `check` has runs in which nobody does.
  const auto result = testing_tools::checked("two-phase-commit:patience=true",
                                             {.nodes = 3, .faults = {{"crash", "1"}}});
  const Trace hunted = find_of("toy-consensus", "termination", {.faults = {{"crash", "1"}}});
  ASSERT_TRUE(hunted.fair);
  Trace without = hunted;
  std::erase_if(without.steps, [](const Recorded& s) { return s.action.kind == Do::restart; });
  EXPECT_FALSE(replay(without).now.fair);
  if (result.counterexample) {
    EXPECT_FALSE(replay(*result.counterexample).difference);
  }
}

TEST(Recording, ItsVerdictIsComparedWithTheTruth) {
  const Trace trace = find_of("toy-consensus", "agreement", {.bugs = {"distrust-commits"}});
  ASSERT_FALSE(trace.violation->evidence.empty());
  const auto unlike = [&](auto change) {
    Trace other = trace;
    change(other);
    const ReplayReport report = replay(other);
    EXPECT_FALSE(report.difference);
    return report.unlike;
  };
  EXPECT_THAT(unlike([](Trace&) {}), ElementsAre());
  EXPECT_THAT(unlike([](Trace& t) { t.violation->step = 1; }), ElementsAre(HasSubstr("at step ")));
  EXPECT_THAT(unlike([](Trace& t) { t.violation->evidence.pop_back(); }),
              ElementsAre("other evidence"));
  EXPECT_THAT(unlike([](Trace& t) { t.violation->evidence[0].role += "!"; }),
              ElementsAre("other evidence"));
  EXPECT_THAT(unlike([](Trace& t) { t.violation->message = "no"; }),
              ElementsAre("another message"));
  EXPECT_THAT(unlike([](Trace& t) { t.violation.reset(); }), ElementsAre("agreement is violated"));
  EXPECT_THAT(unlike([](Trace& t) { t.run_class.lo ^= 1; }), ElementsAre(HasSubstr("class ")));
}

TEST(Recording, APropertyThatNobodyKnowsDidNotHold) {
  Trace trace = find_of("toy-consensus", "agreement", {.bugs = {"distrust-commits"}});
  trace.violation->property = "beauty";
  const ReplayReport report = replay(trace);
  EXPECT_FALSE(report.known);
  EXPECT_TRUE(report.now.violation);
  EXPECT_FALSE(shrink(trace, {}, std::atomic<bool>(false)));
}

TEST(Recording, AKeptTraceWithoutAFairEndSaysNothing) {
  const std::string path = testing::TempDir() + "cut-off.trace";
  for (const Trace& trace : liveness_finds()) {
    ASSERT_TRUE(write_trace(trace, path));
    EXPECT_TRUE(check_kept(path).failure);
    ASSERT_TRUE(write_trace(cut_off(trace, 1), path));
    const Kept kept = check_kept(path);
    EXPECT_FALSE(kept.failure);
    EXPECT_TRUE(kept.unreachable);
    EXPECT_THAT(kept.note, HasSubstr("not judged"));
  }
}

// One that wants a fair end and does not say whether it could judge.
class Restless final : public Oracle {
 public:
  std::string_view name() const override { return "rest"; }
  bool wants_fair_tail() const override { return true; }
  EventMask wakes_on() const override { return 0; }
  void begin(const World&) override { absolve(); }
  void look(const World&, std::span<const Event>) override {}
};

TEST(Recording, WhoWantsAFairEndJudgesNothingWithoutIt) {
  RunConfig config = testing_tools::config_of("toy-consensus");
  System own = *config.setup.system;
  own.oracles = {[](const schism::Setup&) { return std::make_unique<Restless>(); }};
  config.setup.system = &own;
  Trace trace = make_trace(config, {1, 1}, 0, {Recorded{}}, FairEnd::never);
  trace.violation = Violation{"rest", "it never comes", 0, {}};
  const ReplayReport report = replay(trace);
  EXPECT_TRUE(report.known);
  EXPECT_FALSE(report.now.fair);
  EXPECT_FALSE(report.judged);
}

// What is recorded behind the end of the run is no part of it, and is told.
TEST(Recording, ALongerOneIsAnotherOne) {
  const Trace trace = find_of("toy-consensus", "agreement", {.bugs = {"distrust-commits"}});
  Trace longer = trace;
  longer.steps.push_back(trace.steps.back());
  const ReplayReport report = replay(longer);
  ASSERT_TRUE(report.difference);
  EXPECT_EQ(report.difference->step, trace.steps.size());
  EXPECT_EQ(report.difference->now, "nothing");
}

TEST(Recording, EndsWithItsLastLine) {
  const Trace trace = find_of("toy-consensus", "agreement", {.bugs = {"distrust-commits"}});
  EXPECT_TRUE(parse_trace(to_text(trace) + "\n \t\n", "a file"));
  const auto more = parse_trace(to_text(trace) + "\n{}\n", "a file");
  ASSERT_FALSE(more);
  EXPECT_THAT(more.error(), HasSubstr("more after the end"));
}

// A search knows no tail: its runs are judged where nothing can happen any more.
TEST(FairEnd, OfACheckIsWhereItStopped) {
  Trace trace;
  EXPECT_EQ(fair_end_of(trace), FairEnd::healed);
  trace.checked_by = "dpor";
  EXPECT_EQ(fair_end_of(trace), FairEnd::stopped);
}

// By meaning a run gets a fair tail of its own, whatever became of the recorded one.
TEST(Recording, ByMeaningItIsJudgedAtAFairEnd) {
  for (const Trace& trace : liveness_finds()) {
    EXPECT_EQ(replay_by_meaning(trace).reached, Reached::reproduced);
    Trace lying = trace;
    lying.fair = false;
    lying.violation->step = 0;
    EXPECT_EQ(replay_by_meaning(lying).reached, Reached::reproduced);
    Trace unknown = trace;
    unknown.violation->property = "beauty";
    EXPECT_EQ(replay_by_meaning(unknown, 5).reached, Reached::not_judged);
  }
}

}  // namespace
}  // namespace schism
