// `schism model`: counts, a counterexample and its files, and every exit code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.hpp"
#include "tests/places/places.hpp"

namespace schism::e2e {
namespace {

using testing::HasSubstr;

constexpr const char* kCounter = R"(---- MODULE Counter ----
EXTENDS Naturals
CONSTANT Max
VARIABLE x
Init == x = 0
Up(k) == x + k <= Max /\ x' = x + k
Next == \E k \in 1..2 : Up(k)
Spec == Init /\ [][Next]_x
Small == x < 3
Ends == <>(x = Max)
====
)";

TEST(Model, CountsOfAModelOfOurs) {
  Folder folder;
  const Outcome o = folder.run({"model", std::string(places::kSource) + "/models/two_phase.tla"});
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_THAT(o.out, HasSubstr("1139 generated, 240 distinct, depth 16"));
}

TEST(Model, AViolationIsTold) {
  Folder folder;
  folder.write("Counter.tla", kCounter);
  folder.write("Counter.cfg",
               "SPECIFICATION Spec CONSTANT Max = 5 INVARIANT Small CHECK_DEADLOCK FALSE");
  const Outcome o =
      folder.run({"model", "Counter.tla", "--itf", "trace.itf.json", "--page", "trace.html"});
  EXPECT_EQ(o.code, 1) << o;
  EXPECT_THAT(o.out, HasSubstr("violated: Small"));
  EXPECT_THAT(o.out, HasSubstr("Up("));
  const auto itf = nlohmann::json::parse(folder.read("trace.itf.json"));
  EXPECT_EQ(itf["states"].size(), 3u);
  EXPECT_THAT(folder.read("trace.html"), HasSubstr("<table>"));
}

TEST(Model, ALogThatSaysNothingProvesNothing) {
  Folder folder;
  folder.write("Counter.tla", kCounter);
  folder.write("Counter.cfg", "SPECIFICATION Spec CONSTANT Max = 5");
  folder.write("Counter.toml", "ignore = [\"ping\"]\n[[event]]\non = \"up\"\ndo = [\"Up($by)\"]\n");
  const auto replay = [&](const std::string& log) {
    folder.write("log.jsonl", log);
    return folder.run(
        {"model", "Counter.tla", "--replay", "log.jsonl", "--mapping", "Counter.toml"});
  };
  for (const char* log : {"", "\n\n", "{\"event\":\"ping\"}\n"}) {
    const Outcome o = replay(log);
    EXPECT_EQ(o.code, 3) << log << o;
    EXPECT_THAT(o.out, HasSubstr("inconclusive: no event was mapped"));
  }
  EXPECT_EQ(replay("{\"event\":\"up\",\"by\":2}").code, 0);
  EXPECT_EQ(replay("{\"event\":\"up\",\"by\":2}\n{\"event\":\"up\",\"by\":4}\n").code, 1);
  const Outcome cut = replay("{\"event\":\"up\",\"by\":2}\n{\"event\":\"up\",\"b");
  EXPECT_EQ(cut.code, 2) << cut;
  EXPECT_THAT(cut.err, HasSubstr("log.jsonl, line 2"));
}

TEST(Model, WhereNothingIsMappedAHuntProvesNothing) {
  Folder folder;
  folder.write("Counter.tla", kCounter);
  folder.write("Counter.cfg", "SPECIFICATION Spec CONSTANT Max = 5");
  folder.write("Counter.toml",
               "system = \"two-phase-commit\"\n[[event]]\non = \"crashed\"\ndo = [\"Up(1)\"]\n");
  const Outcome o = folder.run({"hunt", "two-phase-commit", "--model", "Counter.tla", "--explorer",
                                "random", "--runs", "20", "--tail", "0s"});
  EXPECT_EQ(o.code, 3) << o;
  EXPECT_THAT(o.out, HasSubstr("no event was mapped"));
  EXPECT_THAT(o.out, HasSubstr("no run could judge \"conformance\""));
}

TEST(Model, WhatIsNotCheckedIsSaid) {
  Folder folder;
  folder.write("Counter.tla", kCounter);
  folder.write("Counter.cfg",
               "SPECIFICATION Spec CONSTANT Max = 5 PROPERTY Ends CHECK_DEADLOCK FALSE");
  const Outcome o = folder.run({"model", "Counter.tla", "--states", "2"});
  EXPECT_EQ(o.code, 3) << o;
  EXPECT_THAT(o.out, HasSubstr("not checked: the temporal part of Ends"));
}

TEST(Model, ABehaviourWithoutEndIsTold) {
  Folder folder;
  folder.write("Counter.tla", kCounter);
  folder.write("Counter.cfg",
               "SPECIFICATION Spec CONSTANT Max = 5 PROPERTY Ends CHECK_DEADLOCK FALSE");
  const Outcome o = folder.run({"model", "Counter.tla", "--itf", "trace.itf.json"});
  EXPECT_EQ(o.code, 1) << o;
  EXPECT_THAT(o.out, HasSubstr("violated: Ends"));
  EXPECT_THAT(o.out, HasSubstr("nothing happens any more"));
  EXPECT_EQ(nlohmann::json::parse(folder.read("trace.itf.json"))["loop"], 0);
}

TEST(Model, AnyNumberOfWorkersSaysTheSame) {
  Folder folder;
  const std::string raft = std::string(places::kSource) + "/models/two_phase.tla";
  const auto counts = [&](const char* jobs) {
    const Outcome o = folder.run({"model", raft, "--coverage", "--jobs", jobs});
    EXPECT_EQ(o.code, 0) << o;
    return o.out.substr(0, o.out.find(" in "));
  };
  EXPECT_EQ(counts("1"), counts("3"));
  EXPECT_EQ(folder.run({"model", raft, "--jobs", "0"}).code, 2);
}

TEST(Model, BadInputIsOneLine) {
  Folder folder;
  folder.write("Counter.tla", kCounter);
  EXPECT_EQ(folder.run({"model", "Counter.tla"}).code, 2);  // no configuration
  folder.write("Counter.cfg", "SPECIFICATION Spec");
  const Outcome o = folder.run({"model", "Counter.tla"});
  EXPECT_EQ(o.code, 2) << o;
  EXPECT_THAT(o.err, HasSubstr("Max has no value"));
  folder.write("Odd.tla",
               "---- MODULE Odd ----\nVARIABLE x\nInit == x = CHOOSE v : v = 1\n"
               "Next == x' = x\n====\n");
  folder.write("Odd.cfg", "INIT Init NEXT Next");
  const Outcome odd = folder.run({"model", "Odd.tla"});
  EXPECT_EQ(odd.code, 2) << odd;
  EXPECT_THAT(odd.err, HasSubstr("not supported: an unbounded CHOOSE"));
  EXPECT_THAT(odd.err, HasSubstr("Odd.tla:3"));
}

}  // namespace
}  // namespace schism::e2e
