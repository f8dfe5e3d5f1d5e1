// What a person sees who asks for help, or types something that is not meant.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.hpp"
#include "tests/places/places.hpp"

namespace schism::e2e {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<std::string> verbs(const std::string& help) {
  std::vector<std::string> out;
  bool below = false;
  for (const std::string& line : lines_of(help)) {
    below = below || line.starts_with("Subcommands:");
    if (below && line.starts_with("  ") && line[2] != ' ')
      out.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return out;
}

TEST(Help, EveryVerbHasTwoExamplesThatItUnderstands) {
  const Folder folder;
  const auto all = verbs(folder.run({"--help"}).out);
  EXPECT_GE(all.size(), 14U);
  for (const std::string& verb : all) {
    const Outcome o = folder.run({verb, "--help"});
    EXPECT_EQ(o.code, 0) << o;
    int examples = 0;
    for (const std::string& line : lines_of(o.out)) {
      if (!line.starts_with("  schism " + verb)) continue;
      ++examples;
      // Files are missing here, but its flags are known.
      const Outcome tried = folder.shell(line + " --help", places::kProgram);
      EXPECT_EQ(tried.code, 0) << line << tried;
    }
    EXPECT_GE(examples, 2) << verb;
  }
}

TEST(Help, NamesWhatExists) {
  const Folder folder;
  for (const char* verb : {"hunt", "check", "doctor", "step"}) {
    const Outcome o = folder.run({verb, "--help"});
    for (const char* name : {"toy-consensus", "raft", "pctcp", "random", "seeds"})
      EXPECT_THAT(o.out, HasSubstr(name)) << verb;
  }
}

TEST(Help, MistakesGetALineThatSaysWhatIsAllowed) {
  const Folder folder;
  const auto refused = [&](const Words& words, const std::string& why) {
    const Outcome o = folder.run(words);
    EXPECT_EQ(o.code, 2) << o;
    EXPECT_THAT(o.err, HasSubstr(why)) << o;
    EXPECT_EQ(lines_of(o.err).size(), 1U) << o;
    EXPECT_EQ(o.out, "") << o;
  };
  refused({"hunt", "raft", "--faults", "crash=1,crash=2"}, "\"crash\" stands twice");
  refused({"shrink", "x.trace", "--replays", "0"}, "0 is not a whole number from 1 on");
  refused({"show", "x.trace", "--width", "7"}, "7 is not a whole number from 40 to");
  // Before the hunt, not after it.
  refused({"hunt", "toy-consensus", "--junit", "no/such/folder/x.xml"}, "no/such/folder/x.xml: ");
  folder.write("odd.toml", "system = \"raft\"\nnodes = [3]\n");
  refused({"hunt", "--config", "odd.toml"}, "odd.toml, line 2: \"nodes\" is ");
}

}  // namespace
}  // namespace schism::e2e
