// `schism show --format`: every export, read by parsers that are not ours. What is heavier
// (Mermaid, PlantUML, pictures of the page) is tools/check-exports.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "program.hpp"
#include "schism/campaign/hunt.hpp"
#include "schism/draw/format.hpp"
#include "tests/places/places.hpp"

namespace schism::e2e {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

bool has(const std::string& command) {
  const Folder folder;
  return Process(folder.path(), {"sh", "-c", "command -v " + command}, "").finish().code == 0;
}

// Exports one trace in a format and reads it with the given command; FILE stands for the export.
void expect_readable(const Folder& folder, const std::string& trace, const std::string& format,
                     Words reader) {
  SCOPED_TRACE(trace + " as " + format);
  const std::string file = "picture." + format;
  const Outcome shown = folder.run_odd({"show", trace, "--format", format, "-o", file});
  ASSERT_EQ(shown.code, 0) << shown;
  EXPECT_THAT(shown.out + shown.err, IsEmpty());
  for (std::string& word : reader)
    if (word == "FILE") word = file;
  const Outcome read = Process(folder.path(), reader, "").finish();
  EXPECT_EQ(read.code, 0) << read;
  EXPECT_THAT(read.err, IsEmpty());
}

// Finds with odd texts, with clients, disks, crashes and choices, with faults of every kind.
Words some_traces(const Folder& folder) {
  EXPECT_EQ(folder.run_odd({"hunt", "wordy"}).code, 1);
  EXPECT_EQ(folder
                .run_odd({"hunt", "busy", "--bug", "forgetful", "--faults",
                          "crash=3,drop=2,duplicate=2,pause=2,partition=1,disk-error=1"})
                .code,
            1);
  EXPECT_EQ(folder
                .run_odd({"hunt", "raft", "--bug", "quorum-third", "--faults",
                          "crash=3,drop=10,partition=2"})
                .code,
            1);
  EXPECT_EQ(folder
                .run_odd({"hunt", "toy-consensus", "--bug", "distrust-commits", "--explorer",
                          "timed:max=50ms", "--nodes", "9"})
                .code,
            1);
  return folder.traces();
}

std::string script(const std::string& name) {
  return std::string(places::kSource) + "/tests/exports/" + name;
}

TEST(DrawProgram, PythonReadsWhatIsJsonAndThePage) {
  if (!has("python3")) GTEST_SKIP() << "python3 is missing";
  const Folder folder;
  for (const std::string& trace : some_traces(folder))
    for (const char* format : {"json", "chrome", "itf", "html"})
      expect_readable(folder, trace, format, {"python3", script("check.py"), format, "FILE"});
}

// A run of 3,000 steps that repeats itself nearly everywhere, and a story of a few.
Words long_and_short(const Folder& folder) {
  EXPECT_EQ(folder
                .run_odd({"hunt", "patient:rounds=600", "--bug", "twice", "--explorer", "random",
                          "--no-shrink"})
                .code,
            1);
  EXPECT_EQ(folder
                .run_odd({"hunt", "raft", "--bug", "quorum-third", "--faults",
                          "crash=3,drop=10,partition=2"})
                .code,
            1);
  return folder.traces();
}

// Keys, search, filters and folds, and that nothing lies over anything else, at three sizes.
TEST(DrawProgram, ThePageIsUsedInABrowser) {
  if (!has("chromium") || !has("python3")) GTEST_SKIP() << "chromium or python3 is missing";
  const Folder folder;
  for (const std::string& trace : long_and_short(folder))
    expect_readable(folder, trace, "html", {"python3", script("browser.py"), "FILE"});
}

TEST(DrawProgram, WhatRepeatsIsToldOnce) {
  const Folder folder;
  ASSERT_EQ(folder
                .run_odd({"hunt", "patient:rounds=600", "--bug", "twice", "--explorer", "random",
                          "--no-shrink"})
                .code,
            1);
  const std::string trace = folder.traces()[0];
  const std::string folded = folder.run_odd({"show", trace}).out;
  EXPECT_LT(lines_of(folded).size(), 400U);
  EXPECT_THAT(folded, HasSubstr("  ⋮  "));
  EXPECT_THAT(folded, HasSubstr(": only numbers differ"));
  EXPECT_THAT(folded, HasSubstr("     1  ")) << "the beginning is there";
  EXPECT_THAT(folded, HasSubstr("integrity is violated here"));
  const std::string all = folder.run_odd({"show", trace, "--all"}).out;
  EXPECT_GT(lines_of(all).size(), 3000U);
  EXPECT_THAT(all, Not(HasSubstr("⋮")));
  EXPECT_THAT(folder.run_odd({"show", trace, "--from", "100", "--to", "2900"}).out,
              Not(HasSubstr("⋮")));
}

TEST(DrawProgram, GraphvizReadsTheGraph) {
  if (!has("dot")) GTEST_SKIP() << "dot (graphviz) is missing";
  const Folder folder;
  for (const std::string& trace : some_traces(folder))
    expect_readable(folder, trace, "dot", {"dot", "-Tsvg", "-o", "read", "FILE"});
}

TEST(DrawProgram, TheExpressionOfTheLogFindsItsEvents) {
  if (!has("node")) GTEST_SKIP() << "node is missing";
  const Folder folder;
  for (const std::string& trace : some_traces(folder))
    expect_readable(folder, trace, "shiviz", {"node", script("shiviz.mjs"), "FILE"});
}

// The grammar as far as it is used here: a wrong word, or content that breaks out, is another line.
TEST(DrawProgram, SequenceDiagramsKeepToTheirGrammar) {
  const Folder folder;
  for (const std::string& trace : some_traces(folder)) {
    const std::string mermaid = folder.run_odd({"show", trace, "--format", "mermaid"}).out;
    const std::string escaped = "([^;#:<>\"%]|#[0-9]+;)*";
    const Words lines = lines_of(mermaid);
    EXPECT_EQ(lines[0], "sequenceDiagram");
    for (std::size_t i = 1; i < lines.size(); ++i)
      EXPECT_THAT(lines[i], testing::MatchesRegex("  (accTitle: " + escaped +
                                                  "|participant [nc][0-9]+ as (node|client) [0-9]+"
                                                  "|[nc][0-9]+(->>|-->>|-x)[nc][0-9]+: " +
                                                  escaped + "|Note over n[0-9]+(,n[0-9]+)?: " +
                                                  escaped + "|rect rgba.220, 60, 60, 0.2.|end)"));
    const Words plant = lines_of(folder.run_odd({"show", trace, "--format", "plantuml"}).out);
    const std::string coded = "([^:<>\"%$~!'\\\\]|<U[+][0-9A-F]{4}>)*";
    EXPECT_EQ(plant.front(), "@startuml");
    EXPECT_EQ(plant.back(), "@enduml");
    for (std::size_t i = 1; i + 1 < plant.size(); ++i)
      EXPECT_THAT(plant[i],
                  testing::MatchesRegex("hide footbox|title " + coded +
                                        "|participant \"(node|client) [0-9]+\" as [nc][0-9]+"
                                        "|[nc][0-9]+ (->|-->|->x) [nc][0-9]+ : " +
                                        coded + "|rnote over n[0-9]+(, n[0-9]+)? : " + coded +
                                        "|group #FFDDDD violated|end"));
  }
}

TEST(DrawProgram, WritesToAFileOrToStandardOutput) {
  const Folder folder;
  ASSERT_EQ(folder.run({"hunt", "toy-consensus", "--bug", "distrust-commits"}).code, 1);
  const std::string trace = folder.traces()[0];
  for (const std::string& format : draw::format_names()) {
    SCOPED_TRACE(format);
    const Outcome out = folder.run({"show", trace, "--format", format, "--width", "100"});
    ASSERT_EQ(out.code, 0) << out;
    EXPECT_EQ(folder.run({"show", trace, "--format", format, "-o", "-", "--width", "100"}).out,
              out.out);
    ASSERT_EQ(folder.run({"show", trace, "--format", format, "-o", "x", "--width", "100"}).code, 0);
    EXPECT_EQ(folder.read("x"), out.out);
  }
  const Outcome piped = folder.run({"show", "-", "--format", "json"}, folder.read(trace));
  EXPECT_EQ(piped.out, folder.run({"show", trace, "--format", "json"}).out);
}

TEST(DrawProgram, BadInputIsOneLine) {
  const Folder folder;
  ASSERT_EQ(folder.run({"hunt", "toy-consensus", "--bug", "distrust-commits"}).code, 1);
  const std::string trace = folder.traces()[0];
  const Words before = folder.files();
  const auto complaint = [&](Words arguments) {
    arguments.insert(arguments.begin(), {"show", trace});
    const Outcome o = folder.run(arguments);
    EXPECT_EQ(o.code, 2) << o;
    EXPECT_THAT(o.out, IsEmpty());
    EXPECT_EQ(lines_of(o.err).size(), 1U) << o;
    return o.err;
  };
  EXPECT_THAT(complaint({"--format", "mermiad"}), HasSubstr("did you mean \"mermaid\"?"));
  EXPECT_THAT(complaint({"-o", "no/such/folder"}), HasSubstr("no/such/folder"));
  EXPECT_THAT(complaint({"--from", "5000"}), HasSubstr("beyond the end"));
  EXPECT_THAT(complaint({"--from", "3", "--to", "2"}), HasSubstr("--from 3 is after --to 2"));
  EXPECT_THAT(complaint({"--from", "x"}), HasSubstr("--from"));
  EXPECT_THAT(complaint({"--format", "dot", "--to", "2"}), HasSubstr("are for text"));
  EXPECT_EQ(folder.files(), before) << "nothing is written";
}

TEST(DrawProgram, ARangeOfSteps) {
  const Folder folder;
  ASSERT_EQ(folder.run({"hunt", "toy-consensus", "--bug", "distrust-commits"}).code, 1);
  const Outcome o = folder.run({"show", folder.traces()[0], "--from", "1", "--to", "2"});
  ASSERT_EQ(o.code, 0) << o;
  Words numbers;
  for (const std::string& line : lines_of(o.out))
    if (line.size() > 8 && line[5] >= '0' && line[5] <= '9') numbers.push_back(line.substr(5, 1));
  EXPECT_THAT(numbers, ElementsAre("1", "2"));
}

TEST(DrawProgram, HelpNamesEveryFormat) {
  const Folder folder;
  const std::string help = folder.run({"show", "--help"}).out;
  const std::string page = source_file("docs/exports.md");
  for (const draw::Format& format : draw::formats()) {
    EXPECT_THAT(help, HasSubstr(std::string(format.name)));
    EXPECT_THAT(page, HasSubstr("`" + std::string(format.name) + "`"));
  }
}

TEST(DrawProgram, StatesStandBesideTheSteps) {
  const Folder folder;
  ASSERT_EQ(folder.run({"hunt", "toy-consensus", "--bug", "distrust-commits"}).code, 1);
  EXPECT_THAT(folder.run({"show", folder.traces()[0]}).out, HasSubstr("≡ "));
  EXPECT_THAT(folder.run({"show", folder.traces()[0], "--no-states"}).out, Not(HasSubstr("≡ ")));
}

}  // namespace
}  // namespace schism::e2e
