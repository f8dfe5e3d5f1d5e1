#include "schism/explain/causality.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schism/base/random.hpp"
#include "schism/explain/relevance.hpp"
#include "schism/shrink/stage.hpp"
#include "schism/testing/checked.hpp"
#include "schism/testing/runs.hpp"
#include "schism/trace/describe.hpp"

namespace schism::draw {
namespace {

// What a step did at its own node. Whether what it sent was lost on the way is not its doing.
std::vector<RecordedEvent> own_events(const Recorded& step) {
  std::vector<RecordedEvent> out;
  for (const RecordedEvent& event : step.events)
    if (event.kind != Happened::lost) out.push_back(event);
  return out;
}

TEST(Causality, CausesStandBeforeWhatTheyCause) {
  each_run("80", 2, [](const Trace& trace) {
    const Causality causality(trace);
    ASSERT_EQ(causality.steps(), trace.steps.size());
    for (std::size_t i = 0; i < trace.steps.size(); ++i) {
      for (const Cause& cause : causality.causes(i)) EXPECT_LT(cause.step, i);
      const Do kind = trace.steps[i].action.kind;
      const bool fate = kind == Do::deliver || kind == Do::drop || kind == Do::duplicate;
      EXPECT_EQ(causality.sent_in(i) >= 0, fate) << i;
    }
  });
}

// The meaning of a causal past: the run reduced to it does the same in every step that is left.
TEST(Causality, ARunReducedToThePastOfAStepDoesTheSameThere) {
  Rng rng(7);
  each_run("60", 12, [&](const Trace& trace) {
    const Causality causality(trace);
    for (int k = 0; k < 3; ++k) {
      const auto target = static_cast<std::uint32_t>(rng.below(trace.steps.size()));
      const std::vector<bool> past = causality.past(std::vector<std::uint32_t>{0, target});
      const Trace reduced = make_trace(trace.config, trace.plan, trace.run,
                                       keep_only(trace.steps, past), FairEnd::never);
      std::size_t at = 0;
      for (std::size_t i = 0; i < trace.steps.size(); ++i) {
        if (!past[i]) continue;
        if (at == reduced.steps.size() && reduced.violation) break;  // judged at another moment
        ASSERT_LT(at, reduced.steps.size())
            << "step " << i << " did not apply, target " << target << " "
            << to_json(describe_action(*trace.config.setup.system, trace.steps[i]));
        ASSERT_EQ(own_events(reduced.steps[at]), own_events(trace.steps[i]))
            << "step " << i << ", target " << target;
        ++at;
      }
      EXPECT_EQ(at, reduced.steps.size());
    }
  });
}

TEST(Causality, ThePastIsClosedAndHoldsNothingElse) {
  each_run("60", 1, [](const Trace& trace) {
    const Causality causality(trace);
    const auto target = static_cast<std::uint32_t>(trace.steps.size() / 2);
    const auto past = causality.past(std::vector<std::uint32_t>{target});
    // The slow definition: whatever reaches the target over edges.
    std::vector<bool> slow(trace.steps.size(), false);
    slow[target] = true;
    for (bool grew = true; grew;) {
      grew = false;
      for (std::size_t i = 0; i < slow.size(); ++i)
        for (const Cause& cause : causality.causes(i))
          if (slow[i] && !slow[cause.step]) slow[cause.step] = grew = true;
    }
    EXPECT_EQ(past, slow);
  });
}

// Also where the node did something in between, which needs no timer.
TEST(Causality, ATimerFiresBecauseItWasSet) {
  std::size_t seen = 0;
  each_run("80", 2, [&](const Trace& trace) {
    const Causality causality(trace);
    for (std::uint32_t i = 0; i < trace.steps.size(); ++i) {
      if (trace.steps[i].action.kind != Do::fire) continue;
      std::optional<std::uint32_t> setting;
      for (std::uint32_t k = 0; k < i; ++k)
        for (const RecordedEvent& event : trace.steps[k].events)
          if (event.kind == Happened::timer_set && event.value == trace.steps[i].action.name.bits())
            setting = k;
      ASSERT_TRUE(setting) << i;
      EXPECT_THAT(causality.causes(i), testing::Contains(Cause{*setting, Why::timer}));
      ++seen;
    }
  });
  EXPECT_GT(seen, 0U);
}

TEST(Causality, AClientsNextRequestNeedsItsAnswer) {
  std::size_t seen = 0;
  each_run("200", 2, [&](const Trace& trace) {
    const Causality causality(trace);
    for (std::uint32_t i = 0; i < trace.steps.size(); ++i) {
      const std::int64_t answer = causality.answered_in(i);
      if (answer < 0) continue;
      const int client = trace.steps[i].action.name.from();
      for (auto j = static_cast<std::uint32_t>(answer) + 1; j < trace.steps.size(); ++j) {
        const Action& a = trace.steps[j].action;
        if (a.kind != Do::submit || a.name.from() != client) continue;
        EXPECT_TRUE(
            causality.past(std::vector<std::uint32_t>{j})[static_cast<std::size_t>(answer)]);
        ++seen;
        break;
      }
    }
  });
  EXPECT_GT(seen, 0U);
}

TEST(Relevance, WhatIsLeftOutIsNotNeeded) {
  std::size_t left_out = 0;
  each_run("200", 3, [&](const Trace& trace) {
    const Causality causality(trace);
    const std::vector<bool> relevant = relevant_steps(trace, causality);
    left_out += static_cast<std::size_t>(std::count(relevant.begin(), relevant.end(), false));
    if (!trace.violation) {
      EXPECT_TRUE(std::all_of(relevant.begin(), relevant.end(), [](bool b) { return b; }));
      return;
    }
    // Without them, and at a fair end of its own where the property is judged there.
    std::size_t end = trace.steps.size();
    for (std::size_t step = 0; step < end && trace.fair; ++step)
      if (trace.steps[step].action.kind == Do::calm) end = step;
    std::vector<Recorded> kept = keep_only(trace.steps, relevant);
    kept.resize(static_cast<std::size_t>(
        std::count(relevant.begin(), relevant.begin() + static_cast<std::ptrdiff_t>(end), true)));
    RunLimits limits = trace.config.limits;
    limits.steps = UINT32_MAX;
    Runner runner(trace.config.setup, limits);
    Replay scheduler(kept, trace.config.setup.options.time);
    if (trace.fair) runner.run(scheduler, trace.plan);
    else runner.replay(scheduler, trace.plan, FairEnd::never);
    ASSERT_TRUE(runner.violation());
    EXPECT_EQ(runner.violation()->property, trace.violation->property);
    // And each of them alone.
    const auto outline = outline_of(trace);
    ASSERT_TRUE(outline);
    Stage stage;
    for (std::size_t i = 0, tried = 0; i < outline->moves.size() && tried < 20; ++i) {
      if (relevant[i + 1]) continue;
      ++tried;
      const Performance p = stage.perform(without_moves(*outline, i, 1));
      ASSERT_TRUE(p.violation) << "without step " << i + 1;
      EXPECT_EQ(p.violation->property, trace.violation->property);
    }
  });
  EXPECT_GT(left_out, 0U);
}

// A violation that something did not happen has no evidence but what prevented it.
TEST(Relevance, TheLostMessageIsNotCalledUnneeded) {
  static const std::atomic<bool> go_on{false};
  for (const char* system : {"multipaxos", "toy-consensus"}) {
    HuntOptions options;
    options.runs = 3000;
    const auto result =
        hunt(testing_tools::config_of(system, {.faults = {{"drop", "3"}}}), options, {}, go_on);
    ASSERT_TRUE(result && !result->finds.empty());
    const Find& find = result->finds[0];
    ASSERT_TRUE(find.trace.fair);
    ASSERT_TRUE(find.small && find.small->certificate.minimal);
    for (const Trace* trace : {&find.trace, &find.small->trace}) {
      const std::vector<bool> relevant = relevant_steps(*trace, Causality(*trace));
      bool needed = false;
      for (std::size_t i = 0; i < trace->steps.size(); ++i)
        needed = needed || (relevant[i] && trace->steps[i].action.kind == Do::drop);
      EXPECT_TRUE(needed);
      // Where the certificate says that nothing can be left out, nothing is dimmed.
      if (trace != &find.trace) {
        EXPECT_EQ(std::count(relevant.begin(), relevant.end(), false), 0);
      }
    }
  }
}

TEST(Relevance, WithoutProofNothingIsDimmed) {
  Trace trace = find_of("toy-consensus", "distrust-commits");
  const Causality causality(trace);
  const auto dimmed = [](const std::vector<bool>& relevant) {
    return std::count(relevant.begin(), relevant.end(), false);
  };
  EXPECT_EQ(dimmed(relevant_steps(trace, causality, {.steps = 0})), 0);
  trace.steps[1].events.clear();  // it goes differently today
  EXPECT_EQ(dimmed(relevant_steps(trace, causality)), 0);
}

TEST(Relevance, EvidenceIsRelevant) {
  const Trace trace = find_of("toy-consensus", "distrust-commits");
  const std::vector<bool> relevant = relevant_steps(trace, Causality(trace));
  for (const Evidence& e : trace.violation->evidence) EXPECT_TRUE(relevant[e.step]);
  EXPECT_TRUE(relevant[trace.violation->step]);
}

}  // namespace
}  // namespace schism::draw
