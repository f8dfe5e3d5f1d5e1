// `schism isolate` as a person runs it: on the published data set, on small logs, on bad input, and
// on systems of our own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.hpp"
#include "tests/places/places.hpp"

namespace schism::e2e {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

const std::string kRuns =
    std::string(places::kSource) + "/experiments/data/xrpl-isolation/runs.jsonl.zst";
const std::string kSchema = std::string(places::kSource) + "/experiments/xrpl-isolation.toml";

constexpr const char* kSmallSchema = R"(
processes = 2
[kind]
n = { type = "integer", operators = ["=", "!="] }
[[verb]]
name = "Vote"
fields = [{ name = "term", at = 2, kind = "n" }]
)";

// Runs fail exactly where a second vote of another term arrives.
std::string small_log() {
  std::string out;
  for (int i = 0; i < 30; ++i) {
    const bool odd = i % 3 == 0;
    out += "{\"run\":\"r" + std::to_string(i) + "\",\"failed\":" + (odd ? "true" : "false") +
           ",\"inbox\":[[[\"Vote\",1,1]" + (odd ? ",[\"Vote\",1,2]" : "") + "],[]]}\n";
  }
  return out;
}

nlohmann::json isolated(const Words& more) {
  const Folder folder;
  Words words = {"isolate", kRuns, "--schema", kSchema, "--json"};
  words.insert(words.end(), more.begin(), more.end());
  const Outcome o = folder.run(words);
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_THAT(folder.files(), IsEmpty());
  return nlohmann::json::parse(o.out);
}

TEST(IsolateProgram, SeedMethodOnThePublishedData) {
  const auto j = isolated({"--method", "seed"});
  EXPECT_EQ(j["runs"], 1200);
  EXPECT_EQ(j["failing"], 145);
  EXPECT_EQ(j["predicates"], 4496);
  EXPECT_EQ(j["with_tolerance"], 22480);
  const std::vector<std::pair<int, int>> expected = {{101, 6}, {21, 7}, {4, 2},
                                                     {10, 25}, {3, 7},  {3, 12}};
  ASSERT_GE(j["predictors"].size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(j["predictors"][i]["failing"], expected[i].first);
    EXPECT_EQ(j["predictors"][i]["passing"], expected[i].second);
  }
  EXPECT_EQ(j["predictors"][0]["assertions"],
            nlohmann::json({"ledger !=", "sequence =", "time !="}));
}

TEST(IsolateProgram, RefinedIsTheDefaultAndCrossValidates) {
  const auto j = isolated({"--folds"});
  EXPECT_EQ(j["method"], "refined");
  EXPECT_EQ(j["predictors"].size(), 2U);
  EXPECT_EQ(j["folds"].size(), 4U);
}

// As far as the published branches allow: see docs/results/isolation.md.
TEST(IsolateProgram, BranchBaseline) {
  const auto j = isolated({"--method", "branches"});
  EXPECT_EQ(j["predicates"], 484);
  ASSERT_EQ(j["predictors"].size(), 5U);
  EXPECT_THAT(j["predictors"][0]["predicate"].get<std::string>(), HasSubstr("Consensus.h:1376"));
  EXPECT_EQ(j["predictors"][0]["failing"], 70);
  EXPECT_EQ(j["predictors"][0]["passing"], 4);
  EXPECT_EQ(j["unexplained"].size(), 0U);
}

TEST(IsolateProgram, TellsInOrder) {
  const Folder folder;
  folder.write("schema.toml", kSmallSchema);
  folder.write("runs.jsonl", small_log());
  const Outcome o =
      folder.run({"isolate", "runs.jsonl", "--schema", "schema.toml", "--width", "80"});
  ASSERT_EQ(o.code, 0) << o;
  std::size_t at = 0;
  for (const char* part :
       {"30 runs, 10 failing\n", "method refined: 1 predictor for 10 of 10 failing runs\n",
        "\n1. 1 x Vote -> Vote for more than 0 processes", "\n   At one process or more, ",
        "holds in 10 of 10 failing runs and in 0 of 20 passing ones", "increase ", "runs: r0 r3 ",
        "most typical: r", "  message  0   1\n", "●◀──┤", "l Vote", "r Vote"}) {
    const auto found = o.out.find(part, at);
    ASSERT_NE(found, std::string::npos) << "\"" << part << "\" is missing or too early" << o;
    at = found;
  }
  const Outcome again =
      folder.run({"isolate", "-", "--schema", "schema.toml", "--width", "80"}, small_log());
  EXPECT_EQ(again.out, o.out);
}

TEST(IsolateProgram, BadInputIsOneLineAndExit2) {
  const Folder folder;
  folder.write("schema.toml", kSmallSchema);
  folder.write("bad.toml", "processes = 2\nverbs = 3\n");
  folder.write("empty.jsonl", "");
  folder.write("blank.jsonl", "\n\n");
  folder.write("cut.jsonl", small_log() + "{\"run\":\n");
  folder.write("verb.jsonl",
               small_log() + R"({"run":"x","failed":true,"inbox":[[["Voet",0,1]],[]]})");
  folder.write("type.jsonl", R"({"run":"x","failed":true,"inbox":[[["Vote",0,"1"]],[]]})"
                             "\n");
  folder.write("outcome.jsonl", R"({"run":"x","inbox":[[],[]]})"
                                "\n");
  folder.write("passing.jsonl", R"({"run":"x","failed":false,"inbox":[[],[]]})"
                                "\n");
  folder.write("failing.jsonl", R"({"run":"x","failed":true,"inbox":[[],[]]})"
                                "\n");
  folder.write("passing-and-failing.jsonl", small_log());
  folder.write("broken.jsonl.zst", "\x28\xb5\x2f\xfdzzzzzzzzzz");
  const struct {
    const char *arguments, *says;
  } rows[] = {
      {"isolate", "which runs?"},
      {"isolate nosuch.jsonl --schema schema.toml", "nosuch.jsonl: No such file"},
      {"isolate cut.jsonl", "cut.jsonl needs a --schema"},
      {"isolate cut.jsonl --schema nosuch.toml", "nosuch.toml: No such file"},
      {"isolate cut.jsonl --schema bad.toml", "bad.toml, line 2: no key \"verbs\""},
      {"isolate cut.jsonl --schema schema.toml", "cut.jsonl, line 31: not JSON"},
      {"isolate verb.jsonl --schema schema.toml",
       "verb.jsonl, line 31: process 0, message 0: no verb \"Voet\"; did you mean \"Vote\"?"},
      {"isolate type.jsonl --schema schema.toml",
       "type.jsonl, line 1: process 0, message 0: term is of type integer, not \"1\""},
      {"isolate outcome.jsonl --schema schema.toml", "line 1: a run without an outcome"},
      {"isolate empty.jsonl --schema schema.toml", "empty.jsonl: there are no runs in it"},
      {"isolate blank.jsonl --schema schema.toml", "there are no runs in it"},
      {"isolate passing.jsonl --schema schema.toml", "none of the 1 runs failed"},
      {"isolate failing.jsonl --schema schema.toml", "all 1 runs failed"},
      {"isolate broken.jsonl.zst --schema schema.toml", "zstd"},
      {"isolate outcome.jsonl --schema schema.toml --skip-bad", "none of its 1 lines is a run"},
      {"isolate cut.jsonl --schema schema.toml --method magic", "refined,seed,branches"},
      {"isolate cut.jsonl --schema schema.toml --skip-bad --method branches",
       "no run tells which branches it took"},
      {"isolate passing-and-failing.jsonl --schema schema.toml --folds", "there is only one fold"},
      {"isolate .", "there are no traces in it"},
      {"isolate --hunt", "which system?"},
      {"isolate --hunt rafft", "did you mean \"raft\"?"},
      {"isolate --hunt toy-consensus --alone", "which ones?"},
      {"isolate --hunt toy-consensus --runs 0", "runs is a whole number from 1"},
      {"isolate --hunt toy-consensus --runs 5", "none of the 5 runs failed"},
  };
  const auto files = folder.files();
  for (const auto& row : rows) {
    const Outcome o = folder.run(words_of(row.arguments));
    EXPECT_EQ(o.code, 2) << row.arguments << o;
    EXPECT_THAT(o.out, IsEmpty()) << row.arguments;
    EXPECT_THAT(o.err, StartsWith("schism: ")) << row.arguments;
    EXPECT_THAT(o.err, HasSubstr(row.says)) << row.arguments;
    EXPECT_EQ(lines_of(o.err).size(), 1U) << row.arguments << o;
  }
  EXPECT_EQ(folder.files(), files);
}

TEST(IsolateProgram, SkipsDamagedLinesAndCountsThem) {
  const Folder folder;
  folder.write("schema.toml", kSmallSchema);
  folder.write("runs.jsonl", "{\n" + small_log() + "nonsense\n");
  const Outcome o = folder.run({"isolate", "runs.jsonl", "--schema", "schema.toml", "--skip-bad"});
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_THAT(o.out, StartsWith("30 runs, 10 failing; 2 damaged skipped, the first one: "
                                "runs.jsonl, line 1: not JSON"));
}

Words raft(Words first, const Words& last) {
  for (const char* word : {"raft:progress=false,requests=6", "--bug", "vote-without-log-check",
                           "--max-steps", "300", "--tail", "1s", "--nodes", "3"})
    first.emplace_back(word);
  first.insert(first.end(), last.begin(), last.end());
  return first;
}

TEST(IsolateProgram, HuntsItself) {
  const Folder folder;
  const Outcome o = folder.run(raft({"isolate", "--hunt"}, {"--runs", "400", "--json"}));
  ASSERT_EQ(o.code, 0) << o;
  const auto j = nlohmann::json::parse(o.out);
  EXPECT_EQ(j["runs"], 400);
  ASSERT_FALSE(j["predictors"].empty());
  EXPECT_EQ(j["predictors"][0]["scores_in_all"][0]["bug"], "vote-without-log-check");
  const Outcome same = folder.run(raft({"isolate"}, {"--hunt", "--runs", "400", "--json"}));
  EXPECT_EQ(same.out, o.out);
  EXPECT_THAT(folder.files(), IsEmpty());
}

TEST(IsolateProgram, ReadsTraces) {
  const Folder folder;
  ASSERT_EQ(folder.run(raft({"hunt"}, {"--quiet"})).code, 1);
  const Outcome only = folder.run({"isolate", "schism-out"});
  EXPECT_EQ(only.code, 2) << only;
  EXPECT_THAT(only.err, HasSubstr("schism-out: all 1 runs failed"));
  const Outcome beside = folder.run({"isolate", "schism-out", "--runs", "50"});
  EXPECT_EQ(beside.code, 0) << beside;
  EXPECT_THAT(beside.out, HasSubstr(" runs, 1 failing\n"));
  folder.write("schism-out/damaged.trace", "nonsense");
  EXPECT_EQ(folder.run({"isolate", "schism-out", "--runs", "50"}).code, 2);
  const Outcome skipped = folder.run({"isolate", "schism-out", "--runs", "50", "--skip-bad"});
  EXPECT_EQ(skipped.code, 0) << skipped;
  EXPECT_THAT(skipped.out, HasSubstr("1 damaged skipped"));
}

}  // namespace
}  // namespace schism::e2e
