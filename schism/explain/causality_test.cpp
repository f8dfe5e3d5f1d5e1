#include "schism/explain/causality.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

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

void expect_causes_before_what_they_cause(const Trace& trace, const Causality& causality) {
  ASSERT_EQ(causality.steps(), trace.steps.size());
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    for (const Cause& cause : causality.causes(i)) EXPECT_LT(cause.step, i);
    const Do kind = trace.steps[i].action.kind;
    const bool fate = kind == Do::deliver || kind == Do::drop || kind == Do::duplicate;
    EXPECT_EQ(causality.sent_in(i) >= 0, fate) << i;
  }
}

void expect_the_past_closed_and_no_more(const Trace& trace, const Causality& causality) {
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
}

// A timer fires because it was set, also where the node did something in between, which needs no
// timer. Says how many did.
std::size_t expect_timers_after_what_set_them(const Trace& trace, const Causality& causality) {
  std::size_t seen = 0;
  std::map<std::uint64_t, std::uint32_t> set_in;
  for (std::uint32_t i = 0; i < trace.steps.size(); ++i) {
    if (trace.steps[i].action.kind == Do::fire) {
      const auto setting = set_in.find(trace.steps[i].action.name.bits());
      EXPECT_TRUE(setting != set_in.end()) << i;
      if (setting == set_in.end()) continue;
      EXPECT_THAT(causality.causes(i), testing::Contains(Cause{setting->second, Why::timer}));
      ++seen;
    }
    for (const RecordedEvent& event : trace.steps[i].events)
      if (event.kind == Happened::timer_set) set_in[event.value] = i;
  }
  return seen;
}

// A client's next request needs its answer. Says how many did.
std::size_t expect_requests_after_answers(const Trace& trace, const Causality& causality) {
  std::size_t seen = 0;
  for (std::uint32_t i = 0; i < trace.steps.size(); ++i) {
    const std::int64_t answer = causality.answered_in(i);
    if (answer < 0) continue;
    const int client = trace.steps[i].action.name.from();
    for (auto j = static_cast<std::uint32_t>(answer) + 1; j < trace.steps.size(); ++j) {
      const Action& a = trace.steps[j].action;
      if (a.kind != Do::submit || a.name.from() != client) continue;
      EXPECT_TRUE(causality.past(std::vector<std::uint32_t>{j})[static_cast<std::size_t>(answer)]);
      ++seen;
      break;
    }
  }
  return seen;
}

class CausalityOf : public testing_tools::EverySystem {};
INSTANTIATE_TEST_SUITE_P(, CausalityOf, testing_tools::each_system(),
                         testing_tools::system_in_name);

TEST_P(CausalityOf, AnyRunIsWhatLedToWhat) {
  std::size_t timers = 0, requests = 0;
  each_run(system(), "200", 2, [&](const Trace& trace) {
    const Causality causality(trace);
    expect_causes_before_what_they_cause(trace, causality);
    expect_the_past_closed_and_no_more(trace, causality);
    timers += expect_timers_after_what_set_them(trace, causality);
    requests += expect_requests_after_answers(trace, causality);
  });
  if (GetParam() == "raft") {
    EXPECT_GT(timers, 0U);
    EXPECT_GT(requests, 0U);
  }
}

// The meaning of a causal past: the run reduced to it does the same in every step that is left.
TEST_P(CausalityOf, ARunReducedToThePastOfAStepDoesTheSameThere) {
  Rng rng(7);
  each_run(system(), "60", 12, [&](const Trace& trace) {
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

class RelevanceOf : public testing_tools::EverySystem {};
INSTANTIATE_TEST_SUITE_P(, RelevanceOf, testing_tools::each_system(),
                         testing_tools::system_in_name);

TEST_P(RelevanceOf, WhatIsLeftOutIsNotNeeded) {
  std::size_t left_out = 0;
  each_run(system(), "200", 3, [&](const Trace& trace) {
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
  if (GetParam() == "raft") {
    EXPECT_GT(left_out, 0U);
  }
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
