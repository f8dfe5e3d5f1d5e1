// `schism shrink` and `schism sort`, and finds as files that CI servers read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace schism::e2e {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const Words kToyBug = {"hunt", "toy-consensus", "--bug", "distrust-commits"};

Words operator+(Words a, const Words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(ShrinkProgram, MakesALongTraceSmallAndSaysHow) {
  const Folder folder;
  ASSERT_EQ(folder.run(kToyBug + Words{"--no-shrink"}).code, 1);
  const std::string at = "schism-out/toy-consensus-agreement-73bfa3/bug";
  const Outcome o = folder.run({"shrink", at + ".trace"});
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_THAT(o.out, StartsWith("agreement is violated at step "));
  EXPECT_THAT(o.out, HasSubstr(", 3 -> 2 nodes"));
  EXPECT_THAT(o.out, HasSubstr("nothing can be left out"));
  EXPECT_EQ(after(o.out, "written:"), at + ".small.trace");
  const Outcome replayed = folder.run({"replay", at + ".small.trace"});
  EXPECT_EQ(replayed.code, 1) << replayed;
  EXPECT_THAT(replayed.out, HasSubstr("the same events as recorded"));
  const auto json = nlohmann::json::parse(folder.run({"shrink", at + ".trace", "--json"}).out);
  EXPECT_EQ(json.at("minimal"), true);
  EXPECT_LT(json.at("after").at("actions"), json.at("before").at("actions"));
}

TEST(ShrinkProgram, WhatCannotBeShrunkIsOneLine) {
  const Folder folder;
  ASSERT_EQ(folder.run(kToyBug).code, 1);
  std::string text = folder.read("schism-out/toy-consensus-agreement-73bfa3/bug.trace");
  text.replace(text.find("[\"distrust-commits\"]"), 20, "[]");
  folder.write("mended.trace", text);
  const Words before = folder.files();
  for (const char* name : {"mended.trace", "nosuch.trace"}) {
    const Outcome o = folder.run({"shrink", name});
    EXPECT_EQ(o.code, 2) << o;
    EXPECT_EQ(lines_of(o.err).size(), 1U) << o;
    EXPECT_EQ(o.out, "");
  }
  EXPECT_EQ(folder.files(), before);
}

TEST(SortProgram, GroupsWhatIsTheSame) {
  const Folder folder;
  for (const char* seed : {"1", "50", "90"})
    ASSERT_EQ(folder
                  .run(kToyBug +
                       Words{"--seed", seed, "--no-shrink", "--out", std::string("out/") + seed})
                  .code,
              1);
  ASSERT_EQ(folder
                .run_odd({"hunt", "busy", "--bug", "forgetful", "--faults", "crash=2", "--out",
                          "out/busy"})
                .code,
            1);
  const Outcome o = folder.run_odd({"sort", "out"});
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_THAT(o.out, HasSubstr("agreement: 3 finds, "));
  EXPECT_THAT(o.out, HasSubstr("4 finds, 2 bugs\n"));
  const auto json = nlohmann::json::parse(folder.run_odd({"sort", "out", "--json"}).out);
  ASSERT_EQ(json.size(), 2U);
  EXPECT_TRUE(exists(folder / json[0]["shapes"][0]["trace"].get<std::string>()));
}

TEST(SortProgram, NothingToSortIsOneLine) {
  const Folder folder;
  folder.write("a/b.txt", "no trace");
  for (const char* name : {"a", "nowhere"}) {
    const Outcome o = folder.run({"sort", name});
    EXPECT_EQ(o.code, 2) << o;
    EXPECT_EQ(lines_of(o.err).size(), 1U) << o;
  }
}

TEST(JUnit, SaysWhatWasFound) {
  const Folder folder;
  EXPECT_EQ(folder.run(kToyBug + Words{"--junit", "found.xml"}).code, 1);
  EXPECT_THAT(folder.read("found.xml"), HasSubstr("tests=\"1\" failures=\"1\""));
  EXPECT_THAT(folder.read("found.xml"), HasSubstr("<failure message=\"node "));
  EXPECT_EQ(folder.run({"hunt", "toy-consensus", "--runs", "50", "--junit", "fine.xml"}).code, 0);
  EXPECT_THAT(folder.read("fine.xml"), HasSubstr("tests=\"1\" failures=\"0\""));
  const std::string trace = "schism-out/toy-consensus-agreement-73bfa3/bug.trace";
  EXPECT_EQ(folder.run({"replay", trace, "--junit", "kept.xml"}).code, 1);
  EXPECT_THAT(folder.read("kept.xml"), HasSubstr("failures=\"1\""));
  const Outcome read = Process(folder.path(),
                               {"python3", "-c",
                                "import sys,xml.dom.minidom as m\n"
                                "for f in sys.argv[1:]: m.parse(f)",
                                "found.xml", "fine.xml", "kept.xml"},
                               "")
                           .finish();
  EXPECT_EQ(read.code, 0) << read;
}

TEST(ReplayProgram, AMendedBugIsNotReproducedAndExactRefusesToAdapt) {
  const Folder folder;
  ASSERT_EQ(folder.run(kToyBug).code, 1);
  std::string text = folder.read("schism-out/toy-consensus-agreement-73bfa3/bug.trace");
  text.replace(text.find("[\"distrust-commits\"]"), 20, "[]");
  folder.write("mended.trace", text);
  const Outcome o = folder.run({"replay", "mended.trace"});
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_THAT(o.out, StartsWith("not reproduced: all 2 actions matched, and agreement held; "));
  const Outcome exact = folder.run({"replay", "mended.trace", "--exact"});
  EXPECT_THAT(exact.out, StartsWith("not reproduced: all 2 steps applied, and agreement held"));
}

}  // namespace
}  // namespace schism::e2e
