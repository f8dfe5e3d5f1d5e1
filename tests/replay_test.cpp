// `schism replay`: finds again, and files that are damaged, foreign or edited.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "program.hpp"
#include "schism/base/file.hpp"

namespace schism::e2e {
namespace {

using nlohmann::ordered_json;
using testing::AnyOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// A hunt's only file, as lines.
struct Found {
  Folder folder;
  std::string name;
  Words lines;

  explicit Found(const Words& hunt, bool odd = false) {
    const Outcome o = odd ? folder.run_odd(hunt) : folder.run(hunt);
    EXPECT_EQ(o.code, 1) << o;
    for (const std::string& file : folder.files()) name = file;
    lines = lines_of(folder.read(name));
  }
  Outcome replay(const Words& changed) const { return replay_text(join(changed)); }
  Outcome replay_text(const std::string& text) const {
    folder.write("changed.trace", text);
    return folder.run_odd({"replay", "changed.trace"});
  }
  static std::string join(const Words& lines) {
    std::string out;
    for (const std::string& line : lines) out += line + "\n";
    return out;
  }
};

Found toy() { return Found({"hunt", "toy-consensus", "--bug", "distrust-commits", "--seed", "5"}); }
// Every kind of action that a scheduler decides.
Found busy() {
  return Found({"hunt", "busy", "--bug", "forgetful", "--world", "liars=2", "--faults",
                "crash=2,drop=2,duplicate=2,mutate=2,pause=2,cut=2,partition=2,disk-error=2",
                "--explorer", "random", "--seed", "11"},
               true);
}

void expect_bad(const Outcome& o, const std::string& says) {
  EXPECT_EQ(o.code, 2) << says << o;
  EXPECT_EQ(lines_of(o.err).size(), 1U) << o;
  EXPECT_THAT(o.err, HasSubstr(says));
  EXPECT_THAT(o.out, IsEmpty());
}

TEST(ReplayProgram, ReproducesWithExitCodeOne) {
  const Found found = toy();
  const Outcome o = found.folder.run({"replay", found.name});
  EXPECT_EQ(o.code, 1) << o;
  EXPECT_THAT(o.out, StartsWith("reproduced: agreement is violated at step "));
  EXPECT_THAT(o.out, HasSubstr("the same events as recorded"));
  const auto json = nlohmann::json::parse(found.folder.run({"replay", found.name, "--json"}).out);
  EXPECT_EQ(json.at("reproduced"), true);
  EXPECT_EQ(json.at("same"), true);
  EXPECT_EQ(json.at("property"), "agreement");
}

TEST(ReplayProgram, EverySchedulersFindReplaysExactly) {
  for (const char* explorer : {"random", "timed", "stepped", "seeds:scheduler=stepped"}) {
    const Found found(
        {"hunt", "toy-consensus", "--bug", "distrust-commits", "--explorer", explorer});
    const Outcome o = found.folder.run({"replay", found.name});
    EXPECT_EQ(o.code, 1) << explorer << o;
    EXPECT_THAT(o.out, HasSubstr("the same events as recorded")) << explorer;
  }
  const Found found = busy();
  const Outcome o = found.folder.run_odd({"replay", found.name});
  EXPECT_EQ(o.code, 1) << o;
  EXPECT_THAT(o.out, HasSubstr("the same events as recorded"));
}

TEST(ReplayProgram, StandardInput) {
  const Found found = toy();
  const std::string text = found.folder.read(found.name);
  EXPECT_EQ(found.folder.run({"replay", "-"}, text).code, 1);
  EXPECT_EQ(found.folder.run({"show", "-"}, text).code, 0);
  const Outcome cut = found.folder.run({"replay", "-"}, text.substr(0, text.size() / 2));
  expect_bad(cut, "standard input, line ");
}

TEST(ReplayProgram, CompressedFiles) {
  const Found found = toy();
  const std::string packed = compress(found.folder.read(found.name));
  found.folder.write("found.trace.zst", packed);
  EXPECT_EQ(found.folder.run({"replay", "found.trace.zst"}).code, 1);
  EXPECT_EQ(found.folder.run({"show", "found.trace.zst"}).code, 0);
  for (const std::size_t size :
       {std::size_t{1}, std::size_t{9}, packed.size() / 2, packed.size() - 1}) {
    found.folder.write("cut.trace.zst", packed.substr(0, size));
    expect_bad(found.folder.run({"replay", "cut.trace.zst"}), "cut.trace.zst");
  }
  found.folder.write("plain.trace.zst", found.folder.read(found.name));
  expect_bad(found.folder.run({"replay", "plain.trace.zst"}), "not a zstd file");
}

TEST(ReplayProgram, AFixedBugIsNotReproduced) {
  const Found found = toy();
  auto head = ordered_json::parse(found.lines[0]);
  head["bugs"] = ordered_json::array();
  Words lines = found.lines;
  lines[0] = head.dump();
  const Outcome o = found.replay(lines);
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_THAT(o.out, StartsWith("not reproduced: all "));
  EXPECT_THAT(o.out, HasSubstr("the run differs from its recording at step "));
}

TEST(ReplayProgram, ARunWithoutViolationStaysOne) {
  const Found found = toy();
  auto head = ordered_json::parse(found.lines[0]);
  head["bugs"] = ordered_json::array();
  auto end = ordered_json::parse(found.lines.back());
  end.erase("violation");
  Words lines = found.lines;
  lines[0] = head.dump();
  lines.back() = end.dump();
  const Outcome o = found.replay(lines);
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_THAT(o.out, StartsWith("nothing is violated, as recorded"));
}

// The trace with one step taken out, numbered anew.
Words without_step(const Words& lines, std::size_t step) {
  Words out = {lines[0]};
  std::int64_t number = 0;
  for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
    if (i - 1 == step) continue;
    auto line = ordered_json::parse(lines[i]);
    line["step"] = number++;
    out.push_back(line.dump());
  }
  auto end = ordered_json::parse(lines.back());
  end["end"] = number;
  out.push_back(end.dump());
  return out;
}

TEST(ReplayProgram, AStepRemovedByHandIsReproducedOrInconclusive) {
  const Found found = busy();
  int reproduced = 0, other = 0;
  for (std::size_t step = 1; step + 2 < found.lines.size(); ++step) {
    const Outcome o = found.replay(without_step(found.lines, step));
    EXPECT_THAT(o.code, AnyOf(0, 1, 3)) << o;
    ++(o.code == 1 ? reproduced : other);
    if (o.code == 3) {
      EXPECT_THAT(o.out, StartsWith("inconclusive: "));
    }
  }
  EXPECT_GT(reproduced, 0);
  EXPECT_GT(other, 0);
}

// A violation that is judged at a fair end: without its last step the end is not fair.
TEST(ReplayProgram, WithoutItsLastStepALivenessViolationIsNotJudged) {
  for (const Words& hunt : {Words{"hunt", "toy-consensus", "--faults", "drop=2", "--no-shrink"},
                            Words{"hunt", "multipaxos", "--faults", "drop=3", "--no-shrink"},
                            Words{"hunt", "multipaxos", "--faults", "drop=3"}}) {
    const Found found(hunt);
    const Outcome whole = found.replay(found.lines);
    EXPECT_EQ(whole.code, 1) << whole;
    EXPECT_THAT(whole.out, StartsWith("reproduced: termination"));
    EXPECT_THAT(whole.out, HasSubstr("beyond its claim: "));
    const Outcome cut = found.replay(without_step(found.lines, found.lines.size() - 3));
    EXPECT_EQ(cut.code, 3) << cut;
    EXPECT_THAT(cut.out,
                StartsWith("inconclusive: the recorded steps do not lead to a fair end that "
                           "settles termination"));
    EXPECT_THAT(cut.out,
                HasSubstr("the recording's last line says otherwise; true is: no fair end"));
    EXPECT_EQ(found.folder.run({"shrink", "changed.trace"}).code, 2);
    EXPECT_THAT(found.folder.run({"show", "changed.trace"}).err,
                HasSubstr("last line is not true"));
  }
}

TEST(ReplayProgram, TheLastLineIsNotBelieved) {
  const Found found = toy();
  const auto with = [&](const char* key, const ordered_json& value) {
    Words lines = found.lines;
    auto end = ordered_json::parse(lines.back());
    end["violation"][key] = value;
    lines.back() = end.dump();
    return found.replay(lines);
  };
  EXPECT_THAT(with("step", 1).out, HasSubstr("true is: violated at step "));
  EXPECT_THAT(with("evidence", ordered_json::array()).out, HasSubstr("true is: other evidence"));
  const Outcome other = with("property", "integrity");
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.out, StartsWith("another violation: agreement"));
}

TEST(ReplayProgram, TheStartCannotBeRemoved) {
  const Found found = toy();
  expect_bad(found.replay(without_step(found.lines, 0)), "changed.trace, line 2: only step 0");
}

TEST(ReplayProgram, TruncatedAtEveryLine) {
  const Found found = toy();
  for (std::size_t keep = 0; keep < found.lines.size(); ++keep) {
    const Words lines(found.lines.begin(), found.lines.begin() + static_cast<long>(keep));
    expect_bad(found.replay(lines), "changed.trace, line " + std::to_string(keep + 1) +
                                        ": the trace ends before its last line");
  }
  EXPECT_EQ(found.replay(found.lines).code, 1);
}

TEST(ReplayProgram, TruncatedInsideEveryLine) {
  const Found found = toy();
  std::string before;
  for (std::size_t i = 0; i < found.lines.size(); ++i) {
    const std::string half = found.lines[i].substr(0, found.lines[i].size() / 2);
    expect_bad(found.replay_text(before + half),
               "changed.trace, line " + std::to_string(i + 1) + ":");
    before += found.lines[i] + "\n";
  }
}

TEST(ReplayProgram, ACorruptedLineIsNamed) {
  const Found found = busy();
  for (std::size_t i = 0; i < found.lines.size(); ++i)
    for (const char* damage : {"", "}", "[]", "7", "{\"step\":}", "\x01\x02", "null", "{}"}) {
      Words lines = found.lines;
      lines[i] = damage;
      expect_bad(found.replay(lines), "changed.trace, line " + std::to_string(i + 1) + ":");
    }
}

TEST(ReplayProgram, HeadsThatAreRefused) {
  const Found found = toy();
  const auto with = [&](const std::string& key, const ordered_json& value) {
    auto head = ordered_json::parse(found.lines[0]);
    if (value.is_null()) head.erase(key);
    else head[key] = value;
    Words lines = found.lines;
    lines[0] = head.dump();
    return found.replay(lines);
  };
  const std::string where = "changed.trace, line 1: ";
  expect_bad(with("version", 6), where + "the trace is of version 6, this program reads up to 5");
  expect_bad(with("version", 1'000'000'000'000), where + "the trace is of version");
  expect_bad(with("version", "1"), where + "\"version\" is a whole number");
  expect_bad(with("schism", "history"), where + "this is not a schism trace");
  expect_bad(with("system", "nosuch"), where + "no system \"nosuch\"");
  expect_bad(with("system", "toy-consensu"), where + "no system \"toy-consensu\"; did you mean");
  expect_bad(with("bugs", {"distrust"}), where + "toy-consensus has no bug \"distrust\"");
  expect_bad(with("bugs", "distrust-commits"), where + "\"bugs\" is a list of texts");
  expect_bad(with("parameters", {{"rounds", 3}}), where + "\"parameters\" is an object of texts");
  expect_bad(with("parameters", {{"rounds", "65"}}), where + "toy-consensus: rounds is");
  expect_bad(with("nodes", 65), where + "toy-consensus: nodes is");
  expect_bad(with("nodes", -1), where + "\"nodes\" is a whole number");
  expect_bad(with("world", {{"down", "gone"}}), where + "world: down has no choice");
  expect_bad(with("faults", {{"crsh", "1"}}), where + "faults has no parameter");
  expect_bad(with("time", "late"), where + "no use of time \"late\"");
  expect_bad(with("explorer", "nosuch"), where + "no explorer");
  expect_bad(with("explorer", "random:x"), where + "\"x\" in \"random:x\"");
  expect_bad(with("max_steps", 0), where + "max-steps is a whole number from 1");
  expect_bad(with("tail", "60"), where + "tail is a time");
  expect_bad(with("seed", 7), where + "\"seed\" is a text");
  expect_bad(with("node_seed", "18446744073709551616"),
             where + "\"node_seed\" is a number in quotes");
  for (const char* key :
       {"schism", "version", "system", "parameters", "bugs", "nodes", "world", "faults", "time",
        "explorer", "max_steps", "tail", "run", "seed", "node_seed"})
    expect_bad(with(key, nullptr), where);
}

TEST(ReplayProgram, WhatStandsAfterTheEndIsRefused) {
  const Found found = toy();
  Words lines = found.lines;
  lines.push_back("{}");
  expect_bad(found.replay(lines), "line " + std::to_string(lines.size()) + ": there is more after");
  lines = found.lines;
  lines.push_back("");  // an editor's empty line is no harm
  EXPECT_EQ(found.replay(lines).code, 1);
}

// Each process costs milliseconds; the parser's own tests and the fuzzer try far more.
TEST(ReplayProgram, RandomDamageNeverCrashes) {
  std::mt19937 random(20);
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  for (const Found& found : {toy(), busy()}) {
    const std::string whole = Found::join(found.lines);
    int refused = 0;
    for (int i = 0; i < 100; ++i) {
      std::string text = whole;
      for (std::size_t n = 1 + below(3); n > 0; --n) {
        const std::size_t at = below(text.size());
        switch (below(4)) {
          case 0: text[at] = static_cast<char>(below(256)); break;
          case 1: text.erase(at, 1 + below(20)); break;
          case 2: text[at] = static_cast<char>('0' + below(10)); break;
          default: text.insert(at, text.substr(below(text.size()), 1 + below(20)));
        }
      }
      const Outcome o = found.replay_text(text);
      EXPECT_THAT(o.code, AnyOf(0, 1, 2, 3)) << o;
      const Outcome shown = found.folder.run_odd({"show", "changed.trace"});
      EXPECT_THAT(shown.code, AnyOf(0, 2)) << shown;
      if (o.code != 2) continue;
      ++refused;
      EXPECT_EQ(lines_of(o.err).size(), 1U) << o;
      EXPECT_THAT(o.err, HasSubstr("changed.trace, line "));
      EXPECT_EQ(shown.code, 2);
    }
    EXPECT_GT(refused, 30);
  }
}

// Well-formed steps that name what is not there: refused by the world, drawn without harm.
TEST(ReplayProgram, StepsOfNodesThatAreNotThere) {
  const Found found = toy();
  for (
      const char* step :
      {R"({"step":1,"do":"crash","node":900,"events":[]})",
       R"({"step":1,"do":"restart","node":1023,"events":[]})",
       R"({"step":1,"do":"deliver","from":0,"to":900,"type":"Commit","n":0,"events":[]})",
       R"({"step":1,"do":"drop","from":1000,"to":0,"type":"Commit","n":0,"events":[]})",
       R"({"step":1,"do":"deliver","from":900,"to":901,"type":"Commit","n":5,"hint":4294967295,"events":[]})",
       R"({"step":1,"do":"duplicate","from":3,"to":3,"type":"Commit","n":0,"copy":15,"events":[]})",
       R"({"step":1,"do":"inject","from":900,"to":901,"type":"Commit","n":0,"body":{"value":1,"round":1},"events":[]})",
       R"({"step":1,"do":"inject","from":0,"to":1,"type":"Commit","n":0,"body":null,"events":[]})",
       R"({"step":1,"do":"mutate","from":0,"to":1,"type":"Proposal","n":0,"body":[7],"events":[]})",
       R"({"step":1,"do":"cut","from":0,"to":900,"events":[]})",
       R"({"step":1,"do":"heal","from":900,"to":0,"events":[]})",
       R"({"step":1,"do":"pause","node":900,"events":[]})",
       R"({"step":1,"do":"resume","node":900,"events":[]})",
       R"({"step":1,"do":"complete","node":900,"operation":"sync","n":0,"events":[]})",
       R"({"step":1,"do":"crash","node":0,"kept":8388607,"torn":true,"events":[]})",
       R"({"step":1,"do":"advance","at":9223372036854775807,"events":[]})",
       R"({"step":1,"do":"calm","events":[]})",
       R"({"step":1,"do":"end","macro":"other","events":[]})"}) {
    Words lines = found.lines;
    lines[2] = step;
    const Outcome o = found.replay(lines);
    EXPECT_THAT(o.code, AnyOf(0, 1, 2, 3)) << step << o;
    const Outcome shown = found.folder.run({"show", "changed.trace"});
    EXPECT_EQ(shown.code, o.code == 2 ? 2 : 0) << step << shown;
  }
}

}  // namespace
}  // namespace schism::e2e
