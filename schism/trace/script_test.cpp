// What only a script does, on its way through files, replay, shrinking and pictures: free actions,
// fates of what is not first, labels and macro steps inside others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schism/draw/scene.hpp"
#include "schism/draw/story.hpp"
#include "schism/explain/causality.hpp"
#include "schism/shrink/shrink.hpp"
#include "schism/shrink/stage.hpp"
#include "schism/trace/claim.hpp"
#include "schism/trace/describe.hpp"
#include "schism/trace/trace.hpp"

namespace schism {
namespace {

using testing::HasSubstr;
using testing::Not;

Recorded step(const Action& action, const std::string& label = "") {
  Recorded out;
  out.action = action;
  if (!label.empty()) out.content = Value(label);
  return out;
}

Action message(Do kind, NodeId from, NodeId to, int type, std::uint32_t nth) {
  return make_action(kind, Name(from, to, type, nth));
}

RunConfig scripted(const std::string& links = "any") {
  RunText text;
  text.system = {"toy-consensus", {}};
  text.bugs = {"distrust-commits"};
  text.world = {{"links", links}, {"scripted", "true"}};
  text.explorer = {"random", {}};
  auto config = make_config(text);
  EXPECT_TRUE(config) << config.error();
  return *std::move(config);
}

// No budget pays for anything in it. Node 1 hears a commit before it has seen the majority itself.
std::vector<Recorded> script() {
  return {step(begin_macro(Macro::scenario), "hide node 2"),
          step(for_free(begin_macro(Macro::partition))),
          step(link_action(Do::cut, 2, 0)),  // a part of the partition
          step(end_macro(Macro::partition)),
          step(for_free(message(Do::drop, 2, 1, 0, 0))),
          step(for_free(message(Do::duplicate, 0, 1, 0, 0))),
          step(end_macro(Macro::scenario)),
          step(message(Do::deliver, 1, 0, 0, 0)),
          step(message(Do::deliver, 0, 1, 1, 0))};
}

Trace trace_of(const RunConfig& config, std::vector<Recorded> steps) {
  return make_trace(config, {1, 1}, 0, std::move(steps));
}

TEST(Script, ComesBackFromAFileAndReplays) {
  const Trace trace = trace_of(scripted(), script());
  ASSERT_EQ(trace.steps.size(), script().size() + 1) << "all of them apply";
  ASSERT_TRUE(trace.violation);
  const std::string text = to_text(trace);
  EXPECT_THAT(text, HasSubstr(R"("version":4)"));
  EXPECT_THAT(text, HasSubstr(R"("do":"begin","macro":"scenario","label":"hide node 2")"));
  EXPECT_THAT(text, HasSubstr(R"("macro":"scenario","ends":false,"label":"hide node 2")"));
  EXPECT_THAT(text, HasSubstr(R"("do":"begin","macro":"partition","free":true)"));
  const auto read = parse_trace(text, "it");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(to_text(*read), text);
  const ReplayReport report = replay(*read);
  EXPECT_FALSE(report.difference);
  EXPECT_FALSE(report.refused);
  EXPECT_TRUE(report.unlike.empty());
}

TEST(Script, IsNothingThatOtherTracesShow) {
  RunConfig plain = scripted();
  plain.setup.options.scripted = false;
  const Trace trace = trace_of(plain, {step(message(Do::deliver, 1, 0, 0, 0))});
  EXPECT_THAT(to_text(trace), HasSubstr(R"("version":1)"));
  EXPECT_THAT(to_text(trace), Not(HasSubstr("free")));
  EXPECT_THAT(to_text(trace), Not(HasSubstr("scripted")));
}

TEST(Script, FreeIsTrueOrFalse) {
  std::string text = to_text(trace_of(scripted(), script()));
  const auto at = text.find(R"("free":true)");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 11, R"("free":7)");
  const auto read = parse_trace(text, "it");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error(), HasSubstr(R"("free" is true or false)"));
}

// Budgets are those of who pays; a claim is about what happens.
TEST(Script, IsChargedToNobodyAndCountsAsFaults) {
  FaultCount count;
  for (const Recorded& s : script()) count.see(s.action);
  EXPECT_EQ(count.used().drop + count.used().duplicate + count.used().partition, 0U);
  EXPECT_EQ(count.used().cut, 0U) << "a part of the partition";
  EXPECT_EQ(count.happened().drop, 1U);
  EXPECT_EQ(count.happened().partition, 1U);
  EXPECT_EQ(count.happened().cut, 0U);
}

TEST(Script, StaysFreeOnTheStage) {
  const Trace trace = trace_of(scripted(), script());
  const auto outline = outline_of(trace);
  ASSERT_TRUE(outline) << outline.error();
  Stage stage;
  const Performance p = stage.perform(*outline);
  ASSERT_TRUE(p.all_applied);
  ASSERT_EQ(p.outline.moves.size(), script().size());
  for (std::size_t i = 0; i < script().size(); ++i) {
    EXPECT_EQ(p.outline.moves[i].step.action.free, script()[i].action.free) << i;
    EXPECT_EQ(p.outline.moves[i].step.content, script()[i].content) << i;
  }
  EXPECT_EQ(size_of(*outline).values, 0U) << "a label is no value";
  EXPECT_EQ(size_of(*outline).faults, 4U) << "a partition, its cut, a drop, a copy; no note";
}

// What was free stays free when the brackets around it go.
TEST(Script, IsShrunkToWhatItNeeds) {
  const std::atomic<bool> never{false};
  const auto small = shrink(trace_of(scripted(), script()), {}, never);
  ASSERT_TRUE(small) << small.error();
  EXPECT_LE(small->trace.steps.size(), 3U) << to_text(small->trace);
  // Behind others on its link: a drop that only a script can do, and that is needed.
  std::vector<Recorded> ahead = {step(message(Do::deliver, 1, 0, 0, 0)),
                                 step(for_free(message(Do::drop, 0, 1, 0, 0))),
                                 step(message(Do::deliver, 0, 1, 1, 0))};
  const Trace fifo = trace_of(scripted("fifo"), ahead);
  ASSERT_TRUE(fifo.violation);
  const auto kept = shrink(fifo, {}, never);
  ASSERT_TRUE(kept) << kept.error();
  int free = 0;
  for (const Recorded& s : kept->trace.steps) free += s.action.free ? 1 : 0;
  EXPECT_EQ(free, 1) << to_text(kept->trace);
  EXPECT_FALSE(replay(kept->trace).difference);
}

TEST(Script, IsToldInPictures) {
  const Trace trace = trace_of(scripted(), script());
  const draw::Scene scene = draw::make_scene(trace, false);
  EXPECT_EQ(scene.steps[1].title, "begin scenario: hide node 2");
  EXPECT_EQ(scene.steps[2].title, "begin partition, free");
  EXPECT_EQ(scene.steps[4].title, "end partition");
  EXPECT_EQ(scene.steps[7].title, "end scenario: hide node 2");
  EXPECT_THAT(tell(trace, {}), HasSubstr("hide node 2"));
}

TEST(Script, CausesFollowTheNesting) {
  const Trace trace = trace_of(scripted(), script());
  const draw::Causality causes(trace);
  const auto needs = [&](std::size_t later, std::uint32_t earlier) {
    const auto all = causes.causes(later);
    return std::any_of(all.begin(), all.end(), [&](const draw::Cause& c) {
      return c.step == earlier && c.why == draw::Why::macro;
    });
  };
  EXPECT_TRUE(needs(2, 1)) << "a begin inside another";
  EXPECT_TRUE(needs(3, 2)) << "a cut in its partition";
  EXPECT_TRUE(needs(4, 2)) << "an end and its own begin";
  EXPECT_TRUE(needs(7, 1));
  EXPECT_FALSE(needs(7, 2));
}

}  // namespace
}  // namespace schism
