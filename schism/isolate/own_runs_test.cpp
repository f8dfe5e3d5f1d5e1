// Runs of our own systems: what was delivered is what isolation sees.
#include "schism/isolate/own_runs.hpp"

#include <gtest/gtest.h>

#include "schism/isolate/diagram.hpp"
#include "schism/isolate/isolate.hpp"
#include "schism/isolate/supply.hpp"

namespace schism::isolate {
namespace {

RunText raft(std::vector<std::string> bugs, const std::string& faults = "") {
  RunText text;
  text.system = *parse_spec("raft:progress=false,requests=6");
  text.bugs = std::move(bugs);
  text.nodes = "3";
  text.steps = "300";
  text.tail = "1s";
  if (!faults.empty()) text.faults = parse_spec("x:" + faults)->values;
  return text;
}

TEST(OwnRuns, SchemaComesFromDeclaredFields) {
  const auto config = make_config(raft({}));
  ASSERT_TRUE(config) << config.error();
  const auto schema = schema_of(*config);
  ASSERT_TRUE(schema) << schema.error();
  const auto verb = std::find_if(schema->verbs.begin(), schema->verbs.end(),
                                 [](const Verb& v) { return v.name == "MsgAppResp"; });
  ASSERT_NE(verb, schema->verbs.end());
  ASSERT_EQ(verb->fields.size(), 5U);
  const auto kind = [&](std::size_t field) {
    return schema->kinds[static_cast<std::size_t>(verb->fields[field].kind)];
  };
  EXPECT_EQ(kind(0).type, FieldType::integer);  // term
  EXPECT_EQ(kind(0).operators.size(), 4U);
  EXPECT_EQ(kind(2).type, FieldType::boolean);  // reject
  EXPECT_EQ(kind(2).operators.size(), 2U);
}

TEST(OwnRuns, InboxesAreWhatTheTraceSaysWasDelivered) {
  const auto config = make_config(raft({}, "crash=2,duplicate=5"));
  ASSERT_TRUE(config) << config.error();
  const Schema schema = *schema_of(*config);
  OwnRuns runs(*config, schema);
  std::size_t restarts = 0;
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    const RunPlan plan{seed, seed};
    isolate::Run run, again;
    runs.play(plan, run);
    Runner runner(config->setup, config->limits);
    const auto scheduler = make_scheduler(*config);
    std::vector<std::vector<std::string>> expected(3), seen(3);
    runner.listen_to(kEveryEvent);
    runner.on_step([&](const World& world) {
      for (const Event& e : world.events()) {
        if (e.kind == Happened::restarted) expected[e.node].push_back("restart"), ++restarts;
        if (e.kind == Happened::delivered)
          expected[e.node].push_back(fmt::format("{} {}", e.type->name, e.peer));
      }
    });
    runner.run(*scheduler, plan);
    for (std::size_t node = 0; node < 3; ++node)
      for (const Message& m : run.inbox(node))
        seen[node].push_back(schema.verbs[m.verb].name == "restart"
                                 ? "restart"
                                 : fmt::format("{} {}", schema.verbs[m.verb].name, m.sender));
    EXPECT_EQ(seen, expected);

    const Trace trace =
        make_trace(*config, plan, 0, record(runner.world().decisions(), runner.world().contents()));
    runs.replay(trace, again);
    EXPECT_EQ(again.values, run.values);
    EXPECT_EQ(again.inbox_end, run.inbox_end);
  }
  EXPECT_GT(restarts, 0U);
}

constexpr const char* kVotes = R"(
processes = 3
[message]
verb = "type"
[kind]
number = { type = "integer", operators = ["=", "!="] }
[[verb]]
name = "ask"
tag = "MsgVote"
fields = [{ name = "of", key = "term", kind = "number" }]
)";

TEST(OwnRuns, ASchemaSaysWhatIsLookedAt) {
  HuntPlan plan{.runs = 20};
  plan.schema = *parse_schema(kVotes, "votes.toml");
  auto supply = supply_from_hunt(raft({"vote-without-log-check"}), plan);
  ASSERT_TRUE(supply) << supply.error();
  std::size_t asked = 0;
  ASSERT_TRUE((*supply)->each([&](const isolate::Run& run) {
    for (const Message& m : run.messages) {
      EXPECT_EQ(m.verb, 0);
      EXPECT_GT(*run.fields(m), 0) << "a term";
      ++asked;
    }
  }));
  EXPECT_GT(asked, 20U);
}

TEST(OwnRuns, ASchemaThatDoesNotFitIsRefused) {
  const auto refused = [](const std::string& from, const std::string& to) {
    std::string text = kVotes;
    text.replace(text.find(from), from.size(), to);
    HuntPlan plan;
    plan.schema = *parse_schema(text, "votes.toml");
    const auto supply = supply_from_hunt(raft({"vote-without-log-check"}), plan);
    return supply ? std::string("accepted") : supply.error();
  };
  EXPECT_EQ(refused("processes = 3", "processes = 4"),
            "the schema: it is about 4 processes, and 3 play here");
  EXPECT_NE(refused("\"MsgVote\"", "\"MsgVoet\"").find("MsgVote"), std::string::npos);
  EXPECT_EQ(refused("key = \"term\"", "key = \"termm\""),
            "the schema: verb \"ask\": MsgVote has no field \"termm\"");
  EXPECT_EQ(refused("tag =", "signer = \"who\"\ntag ="),
            "the schema: verb \"ask\": MsgVote has no number \"who\" that could be its signer");
  EXPECT_NE(refused("type = \"integer\"", "type = \"text\"").find("is integer, not text"),
            std::string::npos);
}

TEST(OwnRuns, PicturesOfManyAndFewProcessesFitTheirWidth) {
  auto supply = *supply_from_hunt(raft({"vote-without-log-check"}), {.runs = 200});
  const Predicates predicates = *Predicates::generate(supply->schema());
  Isolation job(predicates, {});
  ASSERT_TRUE(supply->each([&](const isolate::Run& run) { job.add(run); }));
  const auto findings = job.finish();
  ASSERT_TRUE(findings) << findings.error();
  ASSERT_FALSE(findings->findings.empty());
  const Finding& f = findings->findings[0];
  const auto run = supply->again(findings->runs[*f.typical].place);
  ASSERT_TRUE(run);
  EXPECT_TRUE(run->info.failed);
  Evaluator evaluator(predicates);
  const auto witnesses = evaluator.witnesses(*run, *f.id);
  EXPECT_GT(static_cast<int>(witnesses.size()), f.id->tolerance);
  for (const int width : {40, 60, 100}) {
    const std::string picture = draw(predicates, *run, *f.id, witnesses, {.width = width});
    int column = 0;
    for (const char c : picture) {
      if (c == '\n') column = 0;
      else if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) ++column;
      EXPECT_LE(column, width);
    }
  }
}

// Two bugs hunted apart and mixed: each gets a predictor of its own.
TEST(OwnRuns, TwoMixedBugsAreToldApart) {
  auto supply =
      *supply_from_hunt(raft({"vote-without-log-check", "retry-applied-twice"}, "duplicate=3"),
                        {.runs = 1000, .alone = true});
  const Predicates predicates = *Predicates::generate(supply->schema());
  Isolation job(predicates, {});
  ASSERT_TRUE(supply->each([&](const isolate::Run& run) { job.add(run); }));
  const auto findings = job.finish();
  ASSERT_TRUE(findings) << findings.error();
  EXPECT_LE(findings->findings.size(), 3U);
  for (const std::string& bug : findings->bugs) {
    double best = 0;
    for (const Finding& f : findings->findings)
      for (const Score& s : f.in_failing)
        if (s.bug == bug) best = std::max(best, s.f1);
    EXPECT_GT(best, 0.7) << bug;
  }
}

}  // namespace
}  // namespace schism::isolate
