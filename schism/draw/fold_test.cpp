// Folding against its slow definition, on made-up runs and on runs of every system.
#include "schism/draw/fold.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "schism/base/random.hpp"
#include "schism/testing/runs.hpp"

namespace schism::draw {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Likeness like(std::uint64_t shape, std::uint64_t number = 0) {
  return {absorb(scatter(shape), number), scatter(shape), false, false};
}

// Noise, cycles and medleys one after the other, with steps that stand alone here and there.
std::vector<Likeness> made_up(std::uint64_t seed) {
  Rng random(seed);
  std::vector<Likeness> out;
  const auto kinds = 1 + random.below(6);
  const auto push = [&](std::uint64_t kind) {
    out.push_back(like(kind, random.below(8) == 0 ? random.below(3) : 0));
    out.back().alone = random.below(60) == 0;
    out.back().tail = out.size() > 200 && seed % 2 == 0;
  };
  while (out.size() < 400) {
    if (random.below(2) == 0) {
      for (auto i = random.below(70); i-- > 0;) push(random.below(kinds));
    } else {
      std::vector<std::uint64_t> round;
      for (auto i = 1 + random.below(random.below(4) == 0 ? 70 : 5); i-- > 0;)
        round.push_back(random.below(kinds));
      for (auto times = 1 + random.below(12); times-- > 0;)
        for (const auto kind : round) push(kind);
    }
  }
  return out;
}

// Unfolding: the steps of all pieces in their order.
std::vector<std::uint32_t> unfolded(const std::vector<Piece>& pieces) {
  std::vector<std::uint32_t> out;
  for (const Piece& piece : pieces)
    for (std::uint32_t step = piece.first; step < piece.end(); ++step) out.push_back(step);
  return out;
}

// The longest cycle from a step on, by looking at all of them.
std::uint32_t cycle_steps(const std::vector<Likeness>& run, std::size_t at) {
  std::size_t best = 0;
  for (std::size_t period = 1; period <= kPeriodMax; ++period) {
    std::size_t end = at;
    while (end < run.size() && !run[end].alone &&
           (end < at + period || run[end].shape == run[end - period].shape))
      ++end;
    const std::size_t rounds = (end - at) / period;
    if (rounds >= kRoundsMin && rounds * period >= kCycleMin)
      best = std::max(best, rounds * period);
  }
  return static_cast<std::uint32_t>(best);
}

void expect_sound(const std::vector<Likeness>& run, const std::vector<Piece>& pieces) {
  std::vector<std::uint32_t> all(run.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  ASSERT_EQ(unfolded(pieces), all) << "every step, in order";
  std::map<Hash128, std::uint32_t> exact, shape;
  for (const Piece& piece : pieces) {
    for (std::uint32_t i = piece.first; i < piece.end(); ++i) {
      if (piece.steps > 1) {
        ASSERT_FALSE(run[i].alone) << i;
      }
      if (piece.is_cycle()) {
        ASSERT_EQ(run[i].shape, run[piece.first + (i - piece.first) % piece.period].shape) << i;
      }
      if (piece.is_medley()) {
        const bool word_for_word = exact[run[i].exact] >= kSeenMin;
        ASSERT_TRUE(word_for_word || !piece.exact) << i;
        ASSERT_TRUE(word_for_word || shape[run[i].shape] >= (run[i].tail ? kSeenMin : kAlikeMin));
      }
      if (!piece.is_cycle()) {
        ASSERT_EQ(cycle_steps(run, i), 0U) << "a cycle was missed at " << i;
      }
      ++exact[run[i].exact], ++shape[run[i].shape];
    }
    if (!piece.is_cycle()) continue;
    EXPECT_EQ(piece.steps, cycle_steps(run, piece.first));
    EXPECT_EQ(piece.steps % piece.period, 0U);
  }
}

RC_GTEST_PROP(Fold, GivesAllStepsBackAndMissesNothing, (std::uint64_t seed)) {
  const auto run = made_up(seed);
  expect_sound(run, fold(run));
}

class FoldOf : public testing_tools::EverySystem {};
INSTANTIATE_TEST_SUITE_P(, FoldOf, testing_tools::each_system(), testing_tools::system_in_name);

TEST_P(FoldOf, RunsGivesAllStepsBackAndMissesNothing) {
  each_run(system(), "200", 1, [](const Trace& trace) {
    const auto run = likenesses(make_scene(trace, false));
    expect_sound(run, fold(run));
  });
}

TEST(Fold, SmallStoriesStayWhole) {
  const std::vector<Likeness> same(kCycleMin - 1, like(1));
  EXPECT_EQ(fold(same).size(), same.size());
  EXPECT_TRUE(fold({}).empty());
}

TEST(Fold, OneLineForManyResends) {
  std::vector<Likeness> run = {like(1), like(2)};
  for (int i = 0; i < 5891; ++i) run.push_back(like(3, static_cast<std::uint64_t>(i)));
  run.push_back(like(4));
  EXPECT_THAT(fold(run), ElementsAre(Piece{0, 1, 0, true}, Piece{1, 1, 0, true},
                                     Piece{2, 5891, 1, false}, Piece{5893, 1, 0, true}));
}

TEST(Fold, WhatStandsAloneEndsACycle) {
  std::vector<Likeness> run(40, like(1));
  run[20].alone = true;
  EXPECT_THAT(fold(run),
              ElementsAre(Piece{0, 20, 1, true}, Piece{20, 1, 0, true}, Piece{21, 19, 1, true}));
}

// A million steps of a run without any repetition: what folding costs at worst.
TEST(Fold, IsQuickWhereNothingRepeats) {
  std::vector<Likeness> run;
  for (std::uint64_t i = 0; i < 200'000; ++i) run.push_back(like(i));
  EXPECT_EQ(fold(run).size(), run.size());
}

SceneStep delivery(const std::string& label) {
  SceneStep step;
  step.kind = Do::deliver;
  step.from = 0, step.to = step.node = 1;
  step.label = label;
  return step;
}

Likeness alone_in_a_scene(const SceneStep& step) {
  const Trace trace = find_of("toy-consensus", "distrust-commits");
  Scene scene = make_scene(trace, false);
  scene.steps = {step};
  return likenesses(scene)[0];
}

TEST(Likeness, NumbersAreNoNews) {
  const auto shape = [](const char* label) { return alone_in_a_scene(delivery(label)).shape; };
  EXPECT_EQ(shape("Append(term=12, at=0.5)"), shape("Append(term=9, at=17)"));
  EXPECT_NE(shape("Append(entries=[])"), shape("Append(entries=[7])"));
  EXPECT_NE(shape("Phase1(n=3)"), shape("Phase2(n=3)"));
  EXPECT_NE(shape("Vote(granted=true)"), shape("Vote(granted=false)"));
}

TEST(Likeness, WhatIsAnnouncedCountsWordForWord) {
  SceneStep one = delivery("Ack"), other = one;
  one.effects = {{EffectKind::announces, "Learned(slot=1)", 1, -1, "Learned(slot=1)"}};
  other.effects = {{EffectKind::announces, "Learned(slot=2)", 1, -1, "Learned(slot=2)"}};
  EXPECT_NE(alone_in_a_scene(one).shape, alone_in_a_scene(other).shape);
  one.effects[0].kind = other.effects[0].kind = EffectKind::sends;
  EXPECT_EQ(alone_in_a_scene(one).shape, alone_in_a_scene(other).shape);
}

TEST(Likeness, EvidenceAndFaultsStandAlone) {
  SceneStep step = delivery("Ack");
  EXPECT_FALSE(alone_in_a_scene(step).alone);
  step.roles = {"decided"};
  EXPECT_TRUE(alone_in_a_scene(step).alone);
  step.roles.clear();
  step.violating = true;
  EXPECT_TRUE(alone_in_a_scene(step).alone);
  step.violating = false;
  for (const Do kind : {Do::crash, Do::restart, Do::drop, Do::submit, Do::cut, Do::calm}) {
    step.kind = kind;
    EXPECT_TRUE(alone_in_a_scene(step).alone);
  }
}

TEST(Fold, IsDescribedByWhatComesHowOften) {
  const std::vector<std::string_view> labels = {"resend fires", "Ack(n=1)", "Ack(n=2)"};
  EXPECT_EQ(describe({10, 3 * 5891, 3, false}, labels, 17682),
            "resend fires × 5,891, Ack × 11,782, to step 17,682: only numbers differ");
  EXPECT_EQ(describe({10, 3, 0, true}, labels, 12),
            "resend fires × 1, Ack × 2, to step 12: nothing new");
}

}  // namespace
}  // namespace schism::draw
