// Guided hunts as a person runs them: coverage on the line and in the result, the corpus that
// `fuzz` keeps, and `schism corpus`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace schism::e2e {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const Words kFuzz = {"hunt", "paxos",    "--explorer",     "fuzz:batch=64", "--runs",
                     "1000", "--faults", "crash=1,drop=2", "--quiet"};

Words operator+(Words a, const Words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(CoverageProgram, IsShownInTheResultAndAsJson) {
  const Folder folder;
  const Words hunt = {"hunt", "paxos", "--runs", "500", "--coverage", "states,colours,events"};
  const Outcome o = folder.run(hunt);
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_THAT(o.out, HasSubstr(" states ("));
  EXPECT_THAT(o.out, HasSubstr("% of the last 500 runs new, map "));
  const auto json = nlohmann::json::parse(folder.run(hunt + Words{"--json"}).out);
  const auto& colours = json.at("coverage").at("colours");
  EXPECT_GT(colours.at("keys"), 10);
  EXPECT_EQ(colours.at("full"), false);
  EXPECT_EQ(colours.at("of_last"), 500);
  EXPECT_EQ(colours.at("curve").front().at(0), 1);
  EXPECT_EQ(colours.at("curve").back().at(0), 500);
  EXPECT_EQ(colours.at("curve").back().at(1), colours.at("keys"));
  EXPECT_GE(json.at("coverage").at("states").at("keys"), colours.at("keys"));
  EXPECT_FALSE(folder.run({"hunt", "paxos", "--runs", "5", "--json"}).out.find("\"coverage\"") !=
               std::string::npos)
      << "nobody asked";
}

TEST(CoverageProgram, AFullMapSaysSo) {
  const Folder folder;
  const Outcome o = folder.run(
      {"hunt", "paxos", "--runs", "500", "--coverage", "states", "--coverage-bits", "8"});
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_THAT(o.out, HasSubstr("over 224 states (map full)"));
}

TEST(CoverageProgram, RefusesWhatItDoesNotKnowInOneLine) {
  const Folder folder;
  for (const Words& wrong :
       {Words{"--coverage", "colors"}, Words{"--coverage", "states,states"},
        Words{"--coverage-bits", "99"}, Words{"--explorer", "fuzz:coverage=nosuch"},
        Words{"--explorer", "fuzz(timed)"}, Words{"--explorer", "fuzz:seeds=nosuch"}}) {
    const Outcome o = folder.run(Words{"hunt", "paxos", "--runs", "5"} + wrong);
    EXPECT_EQ(o.code, 2) << o;
    EXPECT_EQ(lines_of(o.err).size(), 1U) << o;
  }
}

TEST(FuzzProgram, IsTheSameOnAnyNumberOfWorkers) {
  const Folder one, two;
  const auto hunted = [](const Folder& folder, const char* jobs) {
    auto json = nlohmann::json::parse(folder.run(kFuzz + Words{"--json", "--jobs", jobs}).out);
    json.erase("seconds");
    return json.dump();
  };
  EXPECT_EQ(hunted(one, "1"), hunted(two, "2"));
  EXPECT_EQ(one.files(), two.files());
  ASSERT_GT(one.files().size(), 5U) << "no corpus";
  for (const std::string& file : one.files()) EXPECT_EQ(one.read(file), two.read(file)) << file;
}

TEST(FuzzProgram, FindsABugAndItsFindReplays) {
  const Folder folder;
  const Outcome o = folder.run({"hunt", "paxos", "--bug", "break-promise", "--explorer", "fuzz",
                                "--runs", "20000", "--quiet"});
  EXPECT_EQ(o.code, 1) << o;
  const std::string written = after(o.out, "written:");
  EXPECT_EQ(folder.run({"replay", written}).code, 1);
  EXPECT_THAT(o.out, HasSubstr("hunt --again "));
}

TEST(CorpusProgram, ListsMinimisesAndMerges) {
  const Folder folder;
  ASSERT_EQ(folder.run(kFuzz).code, 0);
  const std::string corpus = "schism-out/corpus/paxos";
  const auto list = nlohmann::json::parse(folder.run({"corpus", "list", corpus, "--json"}).out);
  EXPECT_EQ(list.at("system"), "paxos");
  const std::size_t runs = list.at("runs").size();
  EXPECT_GT(runs, 5U);
  EXPECT_THAT(folder.run({"corpus", "list", corpus}).out, HasSubstr(" runs of paxos"));

  const Words minimise = {"corpus", "minimise", corpus, "--out", "few", "--json"};
  const auto few = nlohmann::json::parse(folder.run(minimise).out);
  EXPECT_EQ(few.at("of"), runs);
  EXPECT_LT(few.at("kept"), runs);
  EXPECT_GT(few.at("keys"), 10);
  // The few show what all showed, and none of them can go by the same count.
  const auto again = nlohmann::json::parse(
      folder.run({"corpus", "minimise", "few", "--out", "fewer", "--json"}).out);
  EXPECT_EQ(again.at("keys"), few.at("keys"));
  EXPECT_EQ(again.at("kept"), few.at("kept"));

  ASSERT_EQ(folder.run(kFuzz + Words{"--seed", "2", "--out", "other"}).code, 0);
  const Outcome merged = folder.run({"corpus", "merge", corpus, "other/corpus", "--out", "both"});
  EXPECT_EQ(merged.code, 0) << merged;
  EXPECT_THAT(merged.out, HasSubstr("written:    both"));
  EXPECT_THAT(folder.run({"corpus", "merge", corpus, "both", "--out", "both"}).out,
              HasSubstr("(0 new)"));

  // And a hunt begins with them.
  const Outcome seeded = folder.run(
      {"hunt", "paxos", "--explorer", "fuzz:seeds=both,batch=64", "--runs", "500", "--quiet"});
  EXPECT_EQ(seeded.code, 0) << seeded;
}

TEST(CorpusProgram, SeedsAreAlsoFinds) {
  const Folder folder;
  ASSERT_EQ(folder.run({"hunt", "paxos", "--bug", "break-promise", "--runs", "20000"}).code, 1);
  const Outcome o =
      folder.run({"hunt", "paxos", "--bug", "break-promise", "--explorer", "fuzz:seeds=schism-out",
                  "--runs", "2000", "--quiet", "--out", "again"});
  EXPECT_EQ(o.code, 1) << o;
}

TEST(CorpusProgram, RefusesBadInputInOneLine) {
  const Folder folder;
  ASSERT_EQ(folder.run(kFuzz).code, 0);
  ASSERT_EQ(folder
                .run({"hunt", "toy-consensus", "--explorer", "fuzz:batch=16", "--runs", "100",
                      "--out", "toy"})
                .code,
            0);
  const std::string corpus = "schism-out/corpus";
  for (const Words& wrong :
       {Words{"corpus", "list", "nosuch"}, Words{"corpus", "minimise", corpus},
        Words{"corpus", "merge", corpus}, Words{"corpus", "merge", corpus, "toy", "--out", "x"},
        Words{"corpus", "list", corpus, "--out", "x"}, Words{"corpus", "polish", corpus},
        Words{"corpus", "minimise", corpus, "--out", "x", "--coverage", "nosuch"},
        Words{"hunt", "toy-consensus", "--explorer", "fuzz:seeds=" + corpus}}) {
    const Outcome o = folder.run(wrong);
    EXPECT_EQ(o.code, 2) << o;
    EXPECT_EQ(lines_of(o.err).size(), 1U) << o;
  }
}

}  // namespace
}  // namespace schism::e2e
