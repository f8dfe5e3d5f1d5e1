// Which faults explain failures: ByzzFuzz's runs of our own systems, reduced. The pages' numbers
// come from more of them (docs/results/isolation.md).
#include <gtest/gtest.h>

#include <algorithm>

#include "schism/base/file.hpp"
#include "schism/isolate/fault_facts.hpp"
#include "schism/isolate/isolate.hpp"
#include "schism/isolate/save.hpp"
#include "schism/isolate/supply.hpp"

namespace schism::isolate {
namespace {

RunText text_of(const std::string& system, const std::string& bug, const std::string& explorer) {
  RunText text;
  text.system = *parse_spec(system);
  text.bugs = {bug};
  text.world = {{"liars-drawn", "1"}};
  text.explorer = *parse_spec(explorer);
  text.tail = "0s";
  return text;
}

struct Hunted {
  std::unique_ptr<Supply> supply;
  std::unique_ptr<Predicates> predicates;
  std::vector<isolate::Run> runs;
};
Hunted hunted(const RunText& text, std::uint64_t runs) {
  HuntPlan plan;
  plan.runs = runs;
  auto supply = supply_from_hunt(text, plan);
  if (!supply) throw std::runtime_error(supply.error());
  Hunted out{*std::move(supply), nullptr, {}};
  out.predicates = std::make_unique<Predicates>(*Predicates::generate(out.supply->schema()));
  const auto read = out.supply->each([&](const isolate::Run& run) { out.runs.push_back(run); });
  if (!read) throw std::runtime_error(read.error());
  return out;
}

Findings explain(const Hunted& all) {
  IsolateOptions options;
  options.method = Method::faults;
  Isolation job(*all.predicates, options);
  for (const isolate::Run& run : all.runs) job.add(run);
  auto findings = job.finish();
  if (!findings) throw std::runtime_error(findings.error());
  return *std::move(findings);
}

// A request that is changed on its way to a backup which does not look at its digest.
TEST(FaultFacts, NameTheLieThatBreaksPbft) {
  const Hunted all = hunted(text_of("pbft", "digest-unchecked", "byzzfuzz:c=2,d=0,r=8"), 300);
  const Findings f = explain(all);
  ASSERT_EQ(f.findings.size(), 1U);
  EXPECT_EQ(f.findings[0].notation, "a lie about PrePrepare: op.add - 1");
  EXPECT_EQ(f.findings[0].runs.size(), f.failing);
  EXPECT_GT(f.findings[0].in_all[0].f1, 0.8);
}

// What is not implied by a longer fact stands beside it; each fact is told once.
TEST(FaultFacts, GoFromTheGeneralToTheParticular) {
  const Hunted all = hunted(text_of("pbft", "digest-unchecked", "byzzfuzz:c=2,d=0,r=8"), 60);
  std::size_t lies = 0;
  for (const isolate::Run& run : all.runs) {
    EXPECT_TRUE(std::is_sorted(run.faults.begin(), run.faults.end()));
    const auto has = [&](const std::string& fact) {
      return std::find(run.faults.begin(), run.faults.end(), fact) != run.faults.end();
    };
    for (const std::string& fact : run.faults) {
      const std::string whole = fact.substr(0, fact.find(" in round "));
      EXPECT_TRUE(has(whole)) << fact;
      if (fact.starts_with("a lie about ")) {
        ++lies;
        EXPECT_TRUE(has("a lie"));
        EXPECT_TRUE(has(whole.substr(0, whole.find(": ")))) << fact;
      }
      EXPECT_GE(conditions_of(fact), conditions_of(whole));
    }
    EXPECT_FALSE(has("a loss"));  // there is no partition
  }
  EXPECT_GT(lies, 20U);
}

// Written and read again they are the same runs.
TEST(SavedRuns, AreReadAgain) {
  const Hunted all = hunted(text_of("pbft", "digest-unchecked", "byzzfuzz:c=2,d=0,r=8"), 40);
  const Schema& schema = all.supply->schema();
  std::string lines;
  for (const isolate::Run& run : all.runs) lines += to_line(schema, run) + "\n";
  const std::string path = testing::TempDir() + "saved-runs.jsonl";
  ASSERT_TRUE(write_file(path, lines));
  const auto parsed = parse_schema(to_toml(schema), "saved-runs.toml");
  ASSERT_TRUE(parsed) << parsed.error();
  EXPECT_EQ(Predicates::generate(*parsed)->size(), all.predicates->size());
  auto file = supply_from_file(path, *parsed, false);
  ASSERT_TRUE(file) << file.error();
  std::size_t at = 0;
  const auto read = (*file)->each([&](const isolate::Run& run) {
    const isolate::Run& was = all.runs[at++];
    EXPECT_EQ(to_line(*parsed, run).substr(0, 40), to_line(schema, was).substr(0, 40));
    EXPECT_EQ(run.faults, was.faults);
    EXPECT_EQ(run.info.failed, was.info.failed);
    EXPECT_EQ(run.info.bugs, was.info.bugs);
    ASSERT_EQ(run.inbox_end, was.inbox_end);
    ASSERT_EQ(run.messages.size(), was.messages.size());
    for (std::size_t i = 0; i < run.messages.size(); ++i) {
      EXPECT_EQ(run.messages[i].verb, was.messages[i].verb);
      EXPECT_EQ(run.messages[i].sender, was.messages[i].sender);
    }
  });
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(at, all.runs.size());
}

}  // namespace
}  // namespace schism::isolate
