// TOML files: the same keys as the flags, and errors that name the line and the nearest key.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace schism::e2e {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kEverything = R"(
system = "busy:requests=6"
bug = ["forgetful"]
nodes = 4
explorer = "random:deliver=7"
max-steps = 70
tail = "2s"
seed = 3
runs = 50
time = "100s"
jobs = 2
out = "traces"
keep-going = true

[faults]
crash = 2
drop = 1

[world]
down = "waits"
may-crash = "0/1"
)";

const Words kSameAsFlags = {"hunt",
                            "busy:requests=6",
                            "--bug",
                            "forgetful",
                            "--nodes",
                            "4",
                            "--tail",
                            "2s",
                            "--max-steps",
                            "70",
                            "--seed",
                            "3",
                            "--runs",
                            "50",
                            "--time",
                            "100s",
                            "--jobs",
                            "2",
                            "--out",
                            "traces",
                            "--faults",
                            "crash=2,drop=1",
                            "--keep-going",
                            "--world",
                            "down=waits,may-crash=0/1",
                            "--explorer",
                            "random:deliver=7",
                            "--json"};

nlohmann::json without_time(const std::string& text) {
  auto json = nlohmann::json::parse(text);
  json.erase("seconds");
  return json;
}

TEST(ConfigProgram, AFileSaysTheSameAsFlags) {
  const Folder by_file, by_flags;
  by_file.write("hunt.toml", kEverything);
  const Outcome file = by_file.run_odd({"hunt", "--config", "hunt.toml", "--json"});
  const Outcome flags = by_flags.run_odd(kSameAsFlags);
  ASSERT_EQ(file.code, 1) << file;
  ASSERT_EQ(flags.code, 1) << flags;
  EXPECT_EQ(without_time(file.out), without_time(flags.out));
  for (const std::string& name : by_flags.files())
    EXPECT_EQ(by_file.read(name), by_flags.read(name));
}

TEST(ConfigProgram, FlagsOverrideTheFile) {
  const Folder folder;
  folder.write("hunt.toml", kEverything);
  const auto command = [&](const Words& flags) {
    Words all = {"hunt", "--config", "hunt.toml", "--json", "--runs", "2"};
    all.insert(all.end(), flags.begin(), flags.end());
    const Outcome o = folder.run_odd(all);
    EXPECT_THAT(o.code, testing::AnyOf(0, 1)) << o;
    return nlohmann::json::parse(o.out).at("command").get<std::string>();
  };
  EXPECT_THAT(command({"--nodes", "5"}), HasSubstr("--nodes 5"));
  EXPECT_THAT(command({"busy:requests=9"}), HasSubstr("busy:requests=9"));
  EXPECT_THAT(command({"--explorer", "timed"}), HasSubstr("--explorer timed"));
  EXPECT_THAT(command({"--tail", "7s"}), HasSubstr("--tail 7s"));
  EXPECT_THAT(command({"--max-steps", "71"}), HasSubstr("--max-steps 71"));
  // Of tables only the names given.
  EXPECT_THAT(command({"--faults", "crash=3"}), HasSubstr("--faults drop=1,crash=3"));
  EXPECT_THAT(command({"--world", "down=empty"}), HasSubstr("down=empty,may-crash=0/1"));
}

TEST(ConfigProgram, OneBugNeedsNoList) {
  const Folder folder;
  folder.write("hunt.toml", "system = \"toy-consensus\"\nbug = \"distrust-commits\"\n");
  EXPECT_EQ(folder.run({"hunt", "--config", "hunt.toml"}).code, 1);
}

struct Bad {
  const char *text, *where, *what;
};

TEST(ConfigProgram, ErrorsNameTheLineAndTheNearestKey) {
  const Bad rows[] = {
      {"system = \"toy-consensus\"\nrnus = 5\n", "line 2", "did you mean \"runs\"?"},
      {"\n\nmax_steps = 5\n", "line 3", "did you mean \"max-steps\"?"},
      {"system = \"toy-consensus\"\nfault = { crash = 1 }\n", "line 2", "\"faults\""},
      {"system = \"toy-consensus\"\nfaults = 3\n", "line 2", "a table"},
      {"system = \"toy-consensus\"\nworld = \"down=waits\"\n", "line 2", "a table"},
      {"system = \"toy-consensus\"\n\nnodes = [3]\n", "line 3", "\"nodes\" is a text, a number"},
      {"system = \"toy-consensus\"\nbug = [[\"x\"]]\n", "line 2", "\"bug\" is a text"},
      {"system = \"toy-consensus\"\nseed = 2001-01-01\n", "line 2", "\"seed\""},
      {"system = { name = \"x\" }\n", "line 1", "\"system\" is a text"},
      {"system = \":rounds=2\"\n", "line 1", "a name is missing"},
      {"system = \"toy-consensus\"\nruns = \n", "line 2", ""},
      {"system = \"toy-consensus\"\nruns = 1\nruns = 2\n", "line 3", "runs"},
      {"system = \"toy-consensus\n", "line 1", ""},
      {"[faults\ncrash = 1\n", "line 1", ""},
      {"\xff\xfe", "line 1", ""},
      // What is well-formed but wrong is an error like that of the flag.
      {"system = \"toy-consensus\"\nruns = 0\n", "", "runs is a whole number"},
      {"system = \"toy-consensus\"\nruns = 1.5\n", "", "line 2: runs is a whole number"},
      {"system = \"toy-consensus\"\ntime = 60\n", "", "time is a time such as"},
      {"system = \"toy-consensus\"\nkeep-going = \"often\"\n", "",
       "line 2: keep-going is true or false"},
      {"system = \"toy-consensus\"\n\nfaults = { crash = \"x\" }\n", "",
       "line 3: faults: crash is a whole number"},
      {"system = \"toy-consensus\"\ntail = \"soon\"\n", "", "line 2: tail is a time such as 150ms"},
      {"system = \"toy-consensus\"\n[faults]\ncrsh = 1\n", "", "did you mean \"crash\"?"},
      {"system = \"toy-consensus\"\n[faults]\ncrash = true\n", "", "crash is a whole number"},
      {"system = \"toy-consensuss\"\n", "", "did you mean \"toy-consensus\"?"},
      {"runs = 5\n", "", "which system?"},
  };
  for (const Bad& row : rows) {
    const Folder folder;
    folder.write("bad.toml", row.text);
    const Outcome o = folder.run({"hunt", "--config", "bad.toml"});
    EXPECT_EQ(o.code, 2) << row.text << o;
    EXPECT_EQ(lines_of(o.err).size(), 1U) << row.text << o;
    EXPECT_THAT(o.err, HasSubstr(row.what)) << row.text;
    if (*row.where) {
      EXPECT_THAT(o.err, HasSubstr(std::string("bad.toml, ") + row.where + ":")) << row.text;
    }
    EXPECT_THAT(o.out, IsEmpty());
    EXPECT_THAT(folder.files(), testing::ElementsAre("bad.toml"));
  }
}

TEST(ConfigProgram, StandardInputIsAFileToo) {
  const Folder folder;
  const Outcome o = folder.run({"hunt", "--config", "-", "--json"},
                               "system = \"toy-consensus\"\nruns = 5\njobs = 1\n");
  ASSERT_EQ(o.code, 0) << o;
  EXPECT_EQ(nlohmann::json::parse(o.out).at("runs"), 5);
}

}  // namespace
}  // namespace schism::e2e
