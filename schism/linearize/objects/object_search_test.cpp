// Every object against its definition (testing/object_brute_force.hpp).
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "schism/linearize/objects/object_evidence.hpp"
#include "schism/linearize/testing/object_brute_force.hpp"
#include "schism/linearize/text.hpp"

namespace {
using namespace schism;
using namespace schism::linearize;

Verdict verdict_of(const History& history, const Limits& limits = {}) {
  Verdict out = Verdict::linearizable;
  for (const ObjectHistory& part : split_objects(history)) {
    const Finding finding = check(part, limits);
    if (finding.verdict == Verdict::linearizable) {
      EXPECT_TRUE(is_witness(part, finding.order));
    }
    if (finding.verdict == Verdict::violation) return finding.verdict;
    if (finding.verdict == Verdict::unknown) out = Verdict::unknown;
  }
  return out;
}

std::string show(const History& h) {
  std::string out;
  for (OpId op = 0; op < h.operations().size(); ++op)
    out += fmt::format("{} {}: {} [{} {}] {}\n", h[op].client, print_value(h.keys()[h[op].key]),
                       h.describe(op), h[op].invoked, h[op].answered, enum_name(h[op].outcome));
  return out;
}

ObjectMix small_mix(Object object, std::uint64_t seed) {
  Rng rng(seed * 7919);
  ObjectMix mix;
  mix.object = object;
  mix.operations = static_cast<int>(rng.between(3, 7));
  mix.open = static_cast<std::size_t>(rng.between(1, 4));
  mix.keys = static_cast<int>(rng.between(1, object == Object::multi_register ? 3 : 2));
  mix.elements = static_cast<int>(rng.between(0, 3));
  mix.info = rng.chance(0.5) ? 0.3 * rng.unit() : 0;
  mix.pending = rng.chance(0.5) ? 0.1 : 0;
  mix.spoilt = rng.chance(0.7) ? 0.5 * rng.unit() : 0;
  return mix;
}

class EveryObject : public testing::TestWithParam<Object> {};

TEST_P(EveryObject, AgreesWithItsDefinitionOnThousandsOfSmallHistories) {
  int right = 0, wrong = 0, with_open = 0;
  for (std::uint64_t seed = 1; seed <= 30'000; ++seed) {
    const History history = generate_objects(small_mix(GetParam(), seed), seed);
    const bool expected = brute_force_objects(history);
    ASSERT_EQ(verdict_of(history), expected ? Verdict::linearizable : Verdict::violation)
        << "seed " << seed << "\n"
        << show(history);
    (expected ? right : wrong)++;
    for (const Operation& op : history.operations())
      if (op.outcome == Outcome::info || op.outcome == Outcome::pending) {
        ++with_open;
        break;
      }
  }
  fmt::print("{}: {} linearizable, {} not; {} with open operations\n", enum_name(GetParam()), right,
             wrong, with_open);
  EXPECT_GE(right, 8000);
  EXPECT_GE(wrong, 2000);
  EXPECT_GE(with_open, 8000);
}

TEST_P(EveryObject, ALimitYieldsUnknownAndNeverAnotherVerdict) {
  int unknown = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    ObjectMix mix = small_mix(GetParam(), seed);
    mix.operations = 16, mix.open = 6;
    const History history = generate_objects(mix, seed);
    const Verdict truth = verdict_of(history);
    ASSERT_NE(truth, Verdict::unknown);
    for (const std::uint64_t limit : {1U, 4U, 16U}) {
      const Verdict limited = verdict_of(history, {.configurations = limit});
      if (limited == Verdict::unknown) ++unknown;
      else EXPECT_EQ(limited, truth) << seed;
    }
  }
  EXPECT_GE(unknown, 50);
}

// A prefix of what can be ordered can be ordered, and what fails goes on failing.
TEST_P(EveryObject, PrefixesFailForGood) {
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    const History history = generate_objects(small_mix(GetParam(), seed), seed);
    for (const ObjectHistory& part : split_objects(history)) {
      bool good = true;
      for (std::uint32_t events = 0; events <= history.events(); ++events) {
        const bool now = check(cut(part, events), {}).verdict == Verdict::linearizable;
        EXPECT_TRUE(good || !now) << seed;
        good = now;
      }
      EXPECT_EQ(good, check(part, {}).verdict == Verdict::linearizable);
    }
  }
}

// What is shown cannot be ordered either, and no element of it can be spared.
TEST_P(EveryObject, EvidenceFailsByItself) {
  int violations = 0, shorter = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    ObjectMix mix = small_mix(GetParam(), seed);
    mix.operations = 12;
    for (const ObjectHistory& part : split_objects(generate_objects(mix, seed))) {
      if (check(part, {}).verdict != Verdict::violation) continue;
      ++violations;
      const ObjectEvidence evidence = explain(part, {}, 1'000'000);
      EXPECT_TRUE(evidence.located && evidence.minimal) << seed;
      EXPECT_EQ(check(evidence.part, {}).verdict, Verdict::violation) << seed;
      EXPECT_EQ(check(cut(part, evidence.event), {}).verdict, Verdict::linearizable) << seed;
      shorter += evidence.part.acts.size() < part.acts.size();
    }
  }
  EXPECT_GE(violations, 100);
  EXPECT_GE(shorter, 50);
}

// Long ones of real objects, with values of their own: no search may be needed to speak of.
TEST_P(EveryObject, LongHistoriesAreJudgedWithinTheLimits) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const History history = generate_objects({.object = GetParam(),
                                              .operations = 2000,
                                              .open = 8,
                                              .keys = 2,
                                              .elements = 0,
                                              .info = 0.01,
                                              .fail = 0,
                                              .pending = 0,
                                              .spoilt = 0},
                                             seed);
    EXPECT_EQ(verdict_of(history, {.configurations = 200'000}), Verdict::linearizable) << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Objects, EveryObject,
                         testing::Values(Object::queue, Object::mutex, Object::owned_mutex,
                                         Object::set, Object::list, Object::multi_register),
                         [](const auto& one) { return std::string(enum_name(one.param)); });

}  // namespace
