// Named steps that are remembered: the same answers as computing them, and memory that stays under
// a bound while a campaign makes ever new values.
#include <gtest/gtest.h>

#include "schism/tla/big_stack.hpp"
#include "schism/tla/steps.hpp"

namespace schism::tla {
namespace {

// Every state holds values that no other one has.
constexpr const char* kEverNew =
    "---- MODULE M ----\nEXTENDS Integers, Sequences, TLC\nVARIABLES n, log, seen\n"
    "Init == n = 0 /\\ log = <<>> /\\ seen = [a |-> {}, b |-> <<>>]\n"
    "Put(k) == /\\ n' = n + k\n"
    "          /\\ log' = Append(log, [at |-> n, what |-> {n, n + k, -n}])\n"
    "          /\\ seen' = [seen EXCEPT !.a = @ \\cup {<<n, k>>}, !.b = <<@, k>>]\n"
    "Small == Len(log) < 200\n====\n";

std::unique_ptr<Spec> loaded(const char* text) {
  auto spec = Spec::from_text(text, "INIT Init NEXT Init");
  EXPECT_TRUE(spec.has_value()) << spec.error();
  return spec ? *std::move(spec) : nullptr;
}

TEST(TlaSteps, RememberedAnswersAreTheComputedOnes) {
  on_big_stack([] {
    const auto spec = loaded(kEverNew);
    Steps steps(*spec);
    const Action& put = **spec->action("Put");
    const Value one[] = {Value::integer(1)};
    const StateId first = steps.intern(spec->initial()->front());
    const auto next = steps.apply(put, one, first);
    ASSERT_TRUE(next.has_value());
    ASSERT_EQ(next->size(), 1u);
    const StateId there = next->front();
    EXPECT_EQ(steps.state(there), spec->apply(put, {one[0]}, steps.state(first))->front());
    EXPECT_EQ(steps.apply(put, one, first)->front(), there);
    EXPECT_FALSE(steps.apply(put, {}, first).has_value());
  });
}

// Runs from the beginning, each of them elsewhere; what they print must be what a specification
// prints that forgets nothing.
TEST(TlaSteps, ACampaignOfEverNewValuesStaysUnderABound) {
  on_big_stack([] {
    constexpr std::size_t kLimit = std::size_t{10} << 20;
    constexpr int kRuns = 1200, kSteps = 60;
    const auto forgets = loaded(kEverNew);
    Steps steps(*forgets, kLimit);
    std::vector<StateId> live = {steps.intern(forgets->initial()->front())};
    const Action& put = **forgets->action("Put");
    std::size_t most = 0, collected = 0;
    for (int run = 0; run < kRuns; ++run) {
      if (steps.full()) {
        ++collected;
        steps.keep_only(live);
        EXPECT_FALSE(steps.full());
      }
      StateId s = live[0];
      for (int i = 0; i < kSteps; ++i) {
        const Value k[] = {Value::integer(run * 1000 + i)};
        const auto next = steps.apply(put, k, s);
        ASSERT_TRUE(next.has_value()) << next.error();
        s = next->front();
      }
      most = std::max(most, steps.bytes() + forgets->store().bytes());
      if (run % 300 != 299) continue;
      const auto keeps = loaded(kEverNew);
      State t = keeps->initial()->front();
      for (int i = 0; i < kSteps; ++i)
        t = keeps->apply(**keeps->action("Put"), {Value::integer(run * 1000 + i)}, t)->front();
      EXPECT_EQ(forgets->print(steps.state(s)), keeps->print(t));
      EXPECT_EQ(forgets->fingerprint(steps.state(s)), keeps->fingerprint(t));
    }
    EXPECT_GT(collected, 1u);
    EXPECT_LT(most, kLimit + (std::size_t{8} << 20));  // one run more than the limit
  });
}

// What lives on keeps its value, whatever else it shares parts with; and codes compiled later, with
// values in them, still work.
TEST(TlaSteps, LiveStatesAreKept) {
  on_big_stack([] {
    const auto spec = loaded(kEverNew);
    Steps steps(*spec);
    const Action& put = **spec->action("Put");
    std::vector<StateId> live = {steps.intern(spec->initial()->front())};
    for (int i = 0; i < 20; ++i) {
      const Value k[] = {Value::integer(i)};
      live.push_back(steps.apply(put, k, live.back())->front());
    }
    const auto small = spec->predicate("log /= <<[at |-> 7, other |-> {\"x\", \"y\"}]>>");
    ASSERT_TRUE(small.has_value());
    std::vector<std::string> before;
    for (const StateId s : live) before.push_back(spec->print(steps.state(s)));
    steps.keep_only(live);
    EXPECT_EQ(steps.states(), live.size());
    for (std::size_t i = 0; i < live.size(); ++i)
      EXPECT_EQ(spec->print(steps.state(live[i])), before[i]);
    EXPECT_TRUE(spec->evaluator().holds(small->code, steps.state(live.back())));
    const Value k[] = {Value::integer(0)};
    EXPECT_EQ(steps.apply(put, k, live[0])->front(), live[1]);
  });
}

}  // namespace
}  // namespace schism::tla
