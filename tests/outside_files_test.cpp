// Files from outside and files of our own: what a hostile one may cost before it is refused with
// one line, and what stands where the program writes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "program.hpp"
#include "schism/base/file.hpp"
#include "tests/places/places.hpp"

namespace schism::e2e {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

const bool kSanitized = !std::string_view(places::kSanitize).empty();

void expect_refused(const Outcome& o, const std::string& what) {
  EXPECT_EQ(o.code, 2) << what << ": " << o.err.substr(0, 300);
  EXPECT_EQ(lines_of(o.err).size(), 1U) << what;
  EXPECT_LT(o.err.size(), 10'000U) << what;
  EXPECT_THAT(o.out, IsEmpty()) << what;
  if (kSanitized) return;  // they take both several times over
  EXPECT_LT(o.memory_mb, 200U) << what;
  EXPECT_LT(o.cpu_s, 2) << what;
}

std::string repeat(const std::string& part, std::size_t n) {
  std::string out;
  for (std::size_t i = 0; i < n; ++i) out += part;
  return out;
}

std::string many_keys(std::size_t n) {
  std::string out = "{";
  for (std::size_t i = 0; i < n; ++i) out += (i > 0 ? ",\"k" : "\"k") + std::to_string(i) + "\":0";
  return out + "}";
}

const std::string kHead =
    R"({"schism":"trace","version":3,"system":"toy-consensus","parameters":{"rounds":"1"},)"
    R"("bugs":[],"nodes":3,"world":{},"faults":{},"time":"untimed","explorer":"random",)"
    R"("max_steps":1000,"tail":"60s","run":0,"seed":"1","node_seed":"1")";
const std::string kStart = R"({"step":0,"do":"nothing","events":[)";

std::string many_steps(std::size_t n) {
  std::string out = kHead + "}\n" + kStart + "]}\n";
  for (std::size_t i = 1; i < n; ++i)
    out += "{\"step\":" + std::to_string(i) + ",\"do\":\"crash\",\"node\":0,\"events\":[]}\n";
  return out;
}

TEST(OutsideFiles, HostileTracesAreRefusedCheaply) {
  const Folder folder;
  const std::size_t kMany = 2'000'000;
  const std::pair<std::string, std::string> files[] = {
      {"keys", many_keys(300'000)},
      {"keys in an event",
       kHead + "}\n" + kStart + "{\"event\":\"x\",\"a\":" + many_keys(300'000) + "}]}\n"},
      {"list", "[" + repeat("0,", kMany) + "0]"},
      {"list in the head", kHead + ",\"x\":[" + repeat("0,", kMany) + "0]}\n"},
      {"empty objects", "[" + repeat("{},", kMany) + "0]"},
      {"events", kHead + "}\n" + kStart + repeat("{\"event\":\"\"},", 400'000) + "0]}\n"},
      {"events that are none", kHead + "}\n" + kStart + repeat("0,", kMany) + "0]}\n"},
      {"lines", repeat("{}\n", kMany)},
      {"steps", many_steps(100'000)},
      {"a long line", std::string(9'000'000, ' ')},
      {"a long text", "\"" + std::string(5'000'000, 'x')},
      {"a long number", std::string(5'000'000, '1')},
      {"a long name",
       R"({"schism":"trace","version":1,"system":")" + std::string(5'000'000, 'x') + "\"}\n"},
      {"deep", repeat("[", kMany)},
      {"requests", kHead + ",\"requests\":[" + repeat("{},", 900'000) + "0]}\n"},
      {"frames of a death",
       kHead + R"(,"death":{"how":"x","said":"x","step":1,"call":1,"inside":true,"frames":[)" +
           repeat("\"\",", 900'000) + "0]}}\n"},
      {"a late death",
       kHead +
           R"(,"death":{"how":"x","said":"x","step":4294967296,"call":1,"inside":true,"frames":[]}})" +
           "\n"},
      {"parameters of an explorer",
       R"({"schism":"trace","version":1,"system":"toy-consensus","parameters":{},"bugs":[],"nodes":3,"world":{},"faults":{},"time":"untimed","explorer":"random:)" +
           [] {
             std::string s;
             for (int i = 0; i < 300'000; ++i) s += "k" + std::to_string(i) + "=1,";
             return s;
           }() +
           R"(","max_steps":1,"tail":"1s","run":0,"seed":"1","node_seed":"1"})" + "\n"},
  };
  for (const auto& [what, text] : files) {
    folder.write("x.trace", text);
    expect_refused(folder.run({"replay", "x.trace"}), what);
    if (what != "list") continue;  // they share a reader
    for (const Words& words :
         {Words{"show", "x.trace"}, Words{"shrink", "x.trace"}, Words{"sort", "."},
          Words{"step", "--from", "x.trace"}, Words{"check", "--from", "x.trace"}})
      expect_refused(folder.run(words), words[0]);
  }
  folder.write("x.trace", "[" + repeat("0,", 15'000'000) + "0]");
  expect_refused(folder.run({"replay", "x.trace"}), "30 MB list");
}

TEST(OutsideFiles, HostileZstdIsRefusedCheaply) {
  const Folder folder;
  // Frame after frame, as `cat` makes them: this process must stay small itself, because what it
  // holds when it forks is counted as the child's.
  const auto huge = [](char c) {
    return repeat(compress(std::string(std::size_t{16} << 20, c)), 40);
  };
  const std::string packed[] = {huge('0'), huge('\n'), compress(many_steps(800'000))};
  folder.write("schema.toml", "processes = 2\n[[verb]]\nname = \"A\"\nfields = []\n");
  for (const std::string& bytes : packed) {
    folder.write("x.trace.zst", bytes);
    folder.write("x.zst", bytes);
    const std::string what = std::to_string(bytes.size()) + " bytes";
    expect_refused(folder.run({"replay", "x.trace.zst"}), "trace of " + what);
    expect_refused(folder.run({"linearize", "x.zst"}), "history of " + what);
    expect_refused(folder.run({"hunt", "tokens", "--config", "x.zst"}), "config of " + what);
    expect_refused(folder.run({"isolate", "x.zst", "--schema", "schema.toml"}), "log of " + what);
  }
}

TEST(OutsideFiles, HostileHistoriesAreRefusedCheaply) {
  const Folder folder;
  const std::pair<std::string, std::string> files[] = {
      {"keys", many_keys(300'000) + "\n"},
      {"list", "{\"process\":0,\"type\":\"invoke\",\"f\":\"write\",\"value\":[" +
                   repeat("0,", 2'000'000) + "0]}"},
      {"events", repeat("{}\n", 1'500'000)},
      {"operations", repeat("{\"process\":0,\"type\":\"invoke\",\"f\":\"read\"}\n{\"process\":0,"
                            "\"type\":\"fail\"}\n",
                            40'000) +
                         "{"},
      {"deep", repeat("[", 2'000'000)},
      {"EDN set", "{:process #{" +
                      [] {
                        std::string s;
                        for (int i = 0; i < 500'000; ++i) s += std::to_string(i) + " ";
                        return s;
                      }() +
                      "}}"},
      {"EDN list", "{:process [" + repeat("0 ", 2'000'000) + "]}"},
      {"EDN tags", "{:process " + repeat("#a ", 1'000'000)},
      {"EDN events", repeat("{}", 2'000'000)},
  };
  for (const auto& [what, text] : files) {
    folder.write("x", text);
    for (const char* format : {"json", "edn"})
      expect_refused(folder.run({"linearize", "x", "--format", format}), what + " as " + format);
  }
}

TEST(OutsideFiles, HostileLogsAndSchemasAreRefusedCheaply) {
  const Folder folder;
  folder.write("schema.toml", "processes = 2\n[[verb]]\nname = \"A\"\nfields = []\n");
  for (const std::string& text :
       {many_keys(300'000), "[" + repeat("0,", 2'000'000) + "0]", repeat("[", 2'000'000),
        "{\"run\":\"x\",\"failed\":true,\"inbox\":[[[\"A\",0," + repeat("0,", 2'000'000) +
            "0]],[]]}",
        "{\"run\":\"x\",\"failed\":true,\"inbox\":[" + repeat("[],", 1'000'000) + "[]]}",
        repeat("{\"run\":\"x\",\"failed\":true,\"inbox\":[[],[]]}\n", 60'000) + "{",
        std::string(9'000'000, ' ')}) {
    folder.write("x.jsonl", text);
    expect_refused(folder.run({"isolate", "x.jsonl", "--schema", "schema.toml"}),
                   text.substr(0, 40));
  }
  folder.write("x.jsonl", "{}\n");
  std::string kinds = "processes = 2\n[kind]\n", fields = "[[verb]]\nname = \"A\"\nfields = [";
  for (int i = 0; i < 15'000; ++i) {
    kinds += "k" + std::to_string(i) + " = { type = \"text\" }\n";
    fields += "{ name = \"f\", at = 2, kind = \"k14999\" },";
  }
  for (const std::string& text :
       {kinds + fields + "]\n", repeat("[[verb]]\nname = \"A\"\n", 40'000),
        repeat("a.", 300'000) + "a = 1", "[" + repeat("a.", 300'000) + "a]",
        std::string(3'000'000, '\n')}) {
    folder.write("hostile.toml", text);
    expect_refused(folder.run({"isolate", "x.jsonl", "--schema", "hostile.toml"}),
                   text.substr(0, 40));
  }
}

TEST(OutsideFiles, HostileConfigurationsAreRefusedCheaply) {
  const Folder folder;
  std::string strategies = "[strategies]\n", cases, explorers = "[case.explorers]\n";
  for (int i = 0; i < 15'000; ++i) {
    strategies += "s" + std::to_string(i) + " = \"random\"\n";
    explorers += "s" + std::to_string(i) + " = \"random\"\n";
  }
  for (int i = 0; i < 20'000; ++i) cases += "[[case]]\nname = \"x\"\nsystem = \"tokens\"\n";
  for (const std::string& text :
       {repeat("a.", 300'000) + "a = 1", "[" + repeat("a.", 300'000) + "a]",
        "a = " + repeat("[", 900'000), "bug = [" + repeat("\"a\",", 200'000) + "]",
        "system = \"" + std::string(900'000, 'x') + "\"", std::string(900'000, 'x') + " = 1",
        std::string(5'000'000, '#'),
        strategies + "[[case]]\nname = \"x\"\nsystem = \"tokens\"\n" + explorers,
        "[strategies]\nr = \"random\"\n" + cases}) {
    folder.write("x.toml", text);
    expect_refused(folder.run({"hunt", "--config", "x.toml"}),
                   "configuration " + text.substr(0, 40));
    expect_refused(folder.run({"compare", "x.toml"}), "experiment " + text.substr(0, 40));
  }
}

TEST(OutsideFiles, HostileScenariosAreRefusedCheaply) {
  const Folder folder;
  const std::string head = "scenario \"x\"\nsystem toy-consensus\n";
  const std::string filter = "filter \"f\"\n  if sent Proposal and from 0\n  then drop\n";
  std::string machine = "machine\n";
  for (int i = 0; i < 20'000; ++i)
    machine +=
        "  s" + std::to_string(i) + " -> s" + std::to_string(i + 1) + " when sent Proposal\n";
  const std::pair<std::string, std::string> files[] = {
      {"100,000 filters", head + repeat(filter, 100'000)},
      {"a MiB of filters", head + repeat(filter, 15'000)},
      {"transitions", head + machine},
      {"conditions", head + "filter if " + repeat("from 0 and ", 80'000) + "from 0 then drop\n"},
      {"nots", head + "filter if " + repeat("not ", 200'000) + "from 0 then drop\n"},
      {"parentheses", head + "filter if " + repeat("(", 900'000)},
      {"scenarios", repeat(head, 20'000)},
      {"a long name", head + "filter \"" + std::string(900'000, 'x') + "\"\n"},
      {"bugs", head + repeat("bug x\n", 150'000)},
      {"empty lines", std::string(900'000, '\n')},
  };
  for (const auto& [what, text] : files) {
    folder.write("x.scenario", text);
    expect_refused(folder.run({"test", "x.scenario"}), what);
  }
}

TEST(OutsideFiles, HostileSpecificationsAreRefusedCheaply) {
  const Folder folder;
  const std::string head =
      "---- MODULE M ----\nEXTENDS Naturals, Sequences, FiniteSets\nVARIABLE x\n";
  const std::string next = "\nNext == x' = x\n====\n";
  std::string numbers;
  for (int i = 0; i < 500'000; ++i) numbers += std::to_string(i) + ",";
  const std::pair<std::string, std::string> modules[] = {
      {"an operator that calls itself", "RECURSIVE F(_)\nF(n) == 1 + F(n + 1)\nInit == x = F(0)"},
      {"a set that holds itself", "RECURSIVE F(_)\nF(n) == {F(n)}\nInit == x = F(0)"},
      {"two that call each other",
       "RECURSIVE F(_)\nRECURSIVE G(_)\nF(n) == G(n)\nG(n) == F(n)\nInit == x = F(0)"},
      {"a function of itself", "f[n \\in Nat] == f[n + 1]\nInit == x = f[0]"},
      {"initial states", "Init == x \\in 0..2000000000"},
      {"a set of results", "Init == x = {i + 1 : i \\in 0..2000000000}"},
      {"a filter", "Init == x = {i \\in 0..2000000000 : i > 3}"},
      {"some", "Init == x = 0 /\\ \\E i \\in 0..2000000000 : i < 0"},
      {"all", "Init == x = 0 /\\ \\A i \\in 0..2000000000 : i >= 0"},
      {"one", "Init == x = CHOOSE i \\in 0..2000000000 : i < 0"},
      {"a function", "Init == x = [i \\in 0..2000000000 |-> i]"},
      {"subsets", "Init == x = SUBSET (1..25)"},
      {"the naturals", "Init == x \\in Nat"},
      {"a power", "Init == x = 10^2000000000"},
      {"an instance of itself", "INSTANCE M\nInit == x = 1"},
      {"parentheses", "Init == x = " + repeat("(", 500'000)},
      {"negations", "Init == x = " + repeat("~", 500'000) + "TRUE"},
      {"conjunctions", "Init == x = 1" + repeat(" /\\ TRUE", 100'000)},
      {"fields", "Init == x = x" + repeat(".a", 400'000)},
      {"a long set", "Init == x = {" + numbers + "0}"},
      {"a string without end", "Init == x = \"" + std::string(900'000, 'a')},
      {"comments", repeat("(*", 400'000)},
  };
  folder.write("M.cfg", "INIT Init\nNEXT Next\n");
  for (const auto& [what, body] : modules) {
    folder.write("M.tla", head + body + next);
    expect_refused(folder.run({"model", "M.tla"}), what);
  }
  folder.write("M.tla", head + "CONSTANT C\nInit == x = C" + next);
  for (const auto& [what, text] :
       {std::pair<std::string, std::string>{"sets", repeat("{", 900'000)},
        {"a long set", "{" + numbers + "0}"},
        {"a string without end", "\"" + std::string(900'000, 'a')}}) {
    folder.write("M.cfg", "INIT Init\nNEXT Next\nCONSTANT C = " + text + "\n");
    expect_refused(folder.run({"model", "M.tla"}), what + " in a configuration");
  }
  // What is looked for among many and found early is no reason to refuse.
  folder.write("M.cfg", "INIT Init\nNEXT Next\n");
  folder.write("M.tla", head + "Init == x = CHOOSE i \\in 0..2000000000 : i > 9" + next);
  EXPECT_EQ(folder.run({"model", "M.tla"}).code, 0);
}

// ---- writing -------------------------------------------------------------------------------

const Words kHunt = {"hunt", "toy-consensus", "--bug", "distrust-commits", "--seed", "5"};

struct Found {
  Folder folder;
  std::string trace;
  Found() {
    EXPECT_EQ(folder.run(kHunt).code, 1);
    trace = folder.traces().front();
  }
};

TEST(OutsideFiles, DevicesLinksAndModesSurviveEveryWriter) {
  const Found found;
  const Folder& folder = found.folder;
  fs::create_symlink("/dev/full", folder / "full");
  const std::size_t before = folder.files().size();
  Words hunt = kHunt;
  hunt.insert(hunt.end(), {"--junit", "full"});
  for (const Words& words :
       {Words{"show", found.trace, "-o", "full"},
        Words{"show", found.trace, "--format", "html", "-o", "full"},
        Words{"shrink", found.trace, "-o", "full"}, Words{"replay", found.trace, "--junit", "full"},
        hunt, Words{"run", "tokens", "--for", "10ms", "--quiet", "-o", "full"}}) {
    const Outcome o = folder.run(words);
    EXPECT_EQ(o.code, 2) << words[0] << o;
    EXPECT_EQ(o.err, "schism: full: No space left on device\n") << words[0];
    EXPECT_TRUE(fs::is_symlink(folder / "full")) << words[0];
  }
  EXPECT_EQ(folder.files().size(), before);

  folder.write("secret", "old");
  fs::permissions(folder / "secret", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("secret", folder / "link");
  EXPECT_EQ(folder.run({"show", found.trace, "-o", "link"}).code, 0);
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(fs::status(folder / "secret").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_THAT(folder.read("secret"), HasSubstr("toy-consensus"));

  const Outcome through = folder.run({"shrink", found.trace, "-o", "/proc/self/fd/1", "--json"});
  EXPECT_EQ(through.code, 0) << through;
  EXPECT_THAT(through.out, HasSubstr("\"schism\":\"trace\""));
}

TEST(OutsideFiles, StandardOutputThatFailsDecidesTheExitCode) {
  const Found found;
  for (const std::string command :
       {"schism list", "schism list --json", "schism --help", "schism hunt --help",
        "schism --version", "schism hunt tokens --runs 3", "schism replay T", "schism show T",
        "schism show T --format html", "schism shrink T -o -", "schism shrink T -o small.trace",
        "schism sort schism-out", "schism check tokens --depth 3",
        "schism hunt toy-consensus --bug distrust-commits --seed 5 --json"}) {
    std::string line = command;
    if (const auto at = line.find(" T"); at != std::string::npos)
      line.replace(at + 1, 1, found.trace);
    for (const auto& [where, says] :
         {std::pair<std::string, std::string>{" >/dev/full", "No space left on device"},
          {" >&-", "Bad file descriptor"}}) {
      const Outcome o = found.folder.shell(line + where, places::kProgram);
      EXPECT_EQ(o.code, 2) << line << where << o;
      EXPECT_EQ(o.err, "schism: standard output: " + says + "\n") << line << where;
    }
  }
}

// A closed number would be that of the next file, and the trace would hold what was said.
TEST(OutsideFiles, ClosedStandardFilesAreNotReused) {
  const Found found;
  const Outcome o = found.folder.shell("schism shrink " + found.trace + " -o small.trace >&- 2>&-",
                                       places::kProgram);
  EXPECT_EQ(o.code, 2) << o;
  EXPECT_EQ(found.folder.run({"replay", "small.trace"}).code, 1);
}

}  // namespace
}  // namespace schism::e2e
