// The published data set: the paper's table exactly, the same under variations as the definitions
// give, and what the refined method makes of it.
#include <gtest/gtest.h>

#include <algorithm>

#include "schism/base/random.hpp"
#include "schism/isolate/isolate.hpp"
#include "schism/isolate/supply.hpp"
#include "schism/isolate/testing/reference.hpp"
#include "tests/places/places.hpp"

namespace schism::isolate {
namespace {

const std::string kFolder = std::string(places::kSource) + "/experiments/";

struct Data {
  Data() {
    auto schema = read_schema(kFolder + "xrpl-isolation.toml");
    if (!schema) throw std::runtime_error(schema.error());
    predicates = std::make_unique<Predicates>(*Predicates::generate(*schema));
    auto file = supply_from_file(kFolder + "data/xrpl-isolation/runs.jsonl.zst", *schema, false);
    if (!file) throw std::runtime_error(file.error());
    supply = *std::move(file);
    const auto read = supply->each([this](const isolate::Run& run) { runs.push_back(run); });
    if (!read) throw std::runtime_error(read.error());
  }
  std::unique_ptr<Predicates> predicates;
  std::unique_ptr<Supply> supply;
  std::vector<isolate::Run> runs;
};
const Data& data() {
  static const Data d;
  return d;
}

Findings isolate_all(Method method, const std::vector<const isolate::Run*>& runs,
                     bool folds = false) {
  IsolateOptions options;
  options.method = method;
  options.cross_validate = folds;
  Isolation job(*data().predicates, options);
  for (const isolate::Run* run : runs) job.add(*run);
  auto findings = job.finish();
  if (!findings) throw std::runtime_error(findings.error());
  return *std::move(findings);
}
std::vector<const isolate::Run*> all_runs() {
  std::vector<const isolate::Run*> out;
  for (const isolate::Run& run : data().runs) out.push_back(&run);
  return out;
}

struct Row {
  const char* predicate;
  std::uint32_t failing, passing;
  double incompatible[4], insufficient[4];  // precision, recall, F1, F0.5 in percent
};

TEST(Xrpl, SeedMethodGivesThePublishedTable) {
  const Findings f = isolate_all(Method::seed, all_runs());
  EXPECT_EQ(f.without_tolerance, 4496U);
  EXPECT_EQ(f.predicates, 22480U);
  const Row rows[] = {
      {"2 x VAL -> VAL for more than 2 processes: ledger(l) != ledger(r), sequence(l) = "
       "sequence(r), time(l) != time(r)",
       101,
       6,
       {9.9, 19.6, 13.2, 11.0},
       {100, 87.1, 93.1, 97.1}},
      {"2 x VAL -> VAL for more than 3 processes: senders(l) ∩ senders(r) = ∅, sequence(l) != "
       "sequence(r), time(l) = time(r)",
       21,
       7,
       {100, 41.2, 58.3, 77.8},
       {28.6, 5.2, 8.8, 15.0}},
      {"3 x VAL -> VAL for more than 4 processes: senders(l) ∩ senders(r) = ∅, ledger(l) = "
       "ledger(r), sequence(l) != sequence(r)",
       4,
       2,
       {100, 7.8, 14.5, 29.9},
       {100, 3.4, 6.7, 15.2}},
      {"2 x VAL -> VAL for more than 2 processes: senders(l) ∩ senders(r) = ∅, sequence(l) != "
       "sequence(r), time(l) = time(r)",
       10,
       25,
       {90.0, 17.6, 29.5, 49.5},
       {10.0, 0.9, 1.6, 3.2}},
      {"2 x VAL -> PRP for more than 1 process: senders(l) = senders(r), ledger(l) = previous(r), "
       "time(l) = close time(r)",
       3,
       7,
       {66.7, 3.9, 7.4, 15.9},
       {66.7, 1.7, 3.4, 7.8}},
      {"2 x VAL -> VAL for more than 4 processes: senders(l) ∩ senders(r) = ∅, ledger(l) = "
       "ledger(r), sequence(l) != sequence(r)",
       3,
       12,
       {100, 5.9, 11.1, 23.8},
       {33.3, 0.9, 1.7, 3.9}},
  };
  ASSERT_EQ(f.findings.size(), 8U);  // the paper omits two more, which are noise
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    const Finding& found = f.findings[i];
    EXPECT_EQ(found.notation, rows[i].predicate);
    EXPECT_EQ(found.predictor.tally.fail_true, rows[i].failing);
    EXPECT_EQ(found.predictor.tally.pass_true, rows[i].passing);
    EXPECT_EQ(found.runs.size(), rows[i].failing);
    const auto same = [&](const char* bug, const double(&expected)[4]) {
      const auto s = std::find_if(found.in_failing.begin(), found.in_failing.end(),
                                  [&](const Score& x) { return x.bug == bug; });
      ASSERT_NE(s, found.in_failing.end());
      const double now[] = {s->precision, s->recall, s->f1, s->f05};
      for (int k = 0; k < 4; ++k) EXPECT_NEAR(now[k] * 100, expected[k], 0.0501) << bug << i << k;
    };
    same("incompatible", rows[i].incompatible);
    same("insufficient", rows[i].insufficient);
  }
}

TEST(Xrpl, EvaluationIsThatOfTheDefinition) {
  const Predicates& predicates = *data().predicates;
  Evaluator evaluator(predicates);
  RunBits bits = evaluator.fresh_bits();
  Rng rng(3);
  for (int i = 0; i < 12; ++i) {
    const isolate::Run& run = data().runs[rng.below(data().runs.size())];
    evaluator.evaluate(run, bits);
    for (int k = 0; k < 60; ++k) {
      const PredicateId id{static_cast<int>(rng.between(1, 4)), static_cast<int>(rng.between(0, 4)),
                           static_cast<std::uint32_t>(rng.below(predicates.sets()))};
      const bool fast = bits.level(id.tolerance, id.threshold - 1)[id.set / 64] >> id.set % 64 & 1;
      ASSERT_EQ(fast, reference::observed_true(predicates, run, id))
          << run.info.name << ": " << predicates.notation(id);
    }
  }
}

// Lines permuted, runs removed, labels moved: always what the definition of 3.4 gives.
TEST(Xrpl, EliminationIsThatOfTheDefinitionUnderVariations) {
  Rng rng(5);
  for (int variation = 0; variation < 3; ++variation) {
    std::vector<isolate::Run> own;
    for (const isolate::Run& run : data().runs)
      if (rng.chance(0.12)) own.push_back(run);
    for (std::size_t i = own.size(); i > 1; --i) std::swap(own[i - 1], own[rng.below(i)]);
    if (variation > 0)
      for (int k = 0; k < 10 * variation; ++k)
        std::swap(own[rng.below(own.size())].info.failed, own[rng.below(own.size())].info.failed);
    Observations observations(*data().predicates);
    Evaluator evaluator(*data().predicates);
    RunBits bits = evaluator.fresh_bits();
    for (const isolate::Run& run : own) {
      evaluator.evaluate(run, bits);
      observations.add(run.info, bits);
    }
    std::vector<PredicateId> ids;
    const Table table = observations.table(ids);
    reference::Evidence evidence;
    for (const isolate::Run& run : own)
      (run.info.failed ? evidence.failing : evidence.passing).insert(run.info.name);
    for (std::size_t c = 0; c < table.size(); c += 1) {
      auto& holds = evidence.holds.emplace_back();
      for (std::size_t r = 0; r < own.size(); ++r)
        if (test(table.holds(c), r)) holds.insert(own[r].info.name);
    }
    const auto fast = eliminate(table);
    const auto slow = reference::eliminate(evidence);
    ASSERT_EQ(fast.size(), slow.size());
    for (std::size_t i = 0; i < fast.size(); ++i) {
      EXPECT_EQ(fast[i].candidate, slow[i].candidate);
      EXPECT_EQ(fast[i].tally.fail_true, slow[i].failing.size());
      EXPECT_EQ(fast[i].tally.pass_true, slow[i].passing);
    }
  }
}

TEST(Xrpl, OrderOfTheLinesDoesNotMatter) {
  std::vector<const isolate::Run*> runs = all_runs();
  Rng rng(6);
  for (std::size_t i = runs.size(); i > 1; --i) std::swap(runs[i - 1], runs[rng.below(i)]);
  for (const Method method : {Method::seed, Method::refined, Method::branches}) {
    const Findings a = isolate_all(method, all_runs()), b = isolate_all(method, runs);
    ASSERT_EQ(a.findings.size(), b.findings.size());
    for (std::size_t i = 0; i < a.findings.size(); ++i)
      EXPECT_EQ(a.findings[i].notation, b.findings[i].notation);
  }
}

// The aim: two or three predictors, F1 of at least 95% and 90%, without looking at the labels.
TEST(Xrpl, RefinedFindsBothBugs) {
  const Findings f = isolate_all(Method::refined, all_runs(), true);
  ASSERT_EQ(f.findings.size(), 2U);
  const auto best = [&](const std::string& bug) {
    double f1 = 0;
    for (const Finding& found : f.findings)
      for (const Score& s : found.in_failing)
        if (s.bug == bug) f1 = std::max(f1, s.f1);
    return f1;
  };
  EXPECT_GE(best("insufficient"), 0.95);
  EXPECT_GE(best("incompatible"), 0.90);
  EXPECT_LE(f.unexplained.size(), 3U);
  ASSERT_EQ(f.folds.size(), 4U);
  double insufficient = 0, incompatible = 0;
  for (const FoldResult& fold : f.folds) {
    EXPECT_LE(fold.notations.size(), 3U);
    for (const Score& s : fold.in_failing) {
      if (s.bug == "insufficient") insufficient += s.f1 / 4;
      if (s.bug == "incompatible") incompatible += s.f1 / 4;
    }
  }
  EXPECT_GE(insufficient, 0.95);
  EXPECT_GE(incompatible, 0.90);
}

}  // namespace
}  // namespace schism::isolate
