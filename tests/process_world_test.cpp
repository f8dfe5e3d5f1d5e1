// Nodes as processes, as a person runs them: a seeded bug is found, told as k of n repetitions, and
// whoever needs exact replay or a virtual clock says so in one line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.hpp"

namespace schism::e2e {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

const Words kToy = {"toy-consensus", "--bug", "distrust-commits", "--world", "place=processes"};

Words with(std::string verb, Words more = {}) {
  Words out = {std::move(verb)};
  out.insert(out.end(), kToy.begin(), kToy.end());
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

TEST(ProcessWorldProgram, FindsASeededBugAndSaysHowOftenItRepeats) {
  for (const char* explorer : {"random", "pctcp"}) {
    const Folder folder;
    const Outcome o = folder.run(with("hunt", {"--explorer", explorer, "--seed", "5"}));
    EXPECT_EQ(o.code, 1) << o;
    EXPECT_THAT(o.out, HasSubstr("agreement is violated"));
    EXPECT_THAT(o.out, HasSubstr("10 of 10 repetitions violate it: a world of processes"));
    EXPECT_THAT(o.out, testing::Not(HasSubstr("nondeterministic")));
    std::string trace;
    for (const std::string& file : folder.files())
      if (file.ends_with("bug.trace")) trace = file;
    ASSERT_FALSE(trace.empty());
    EXPECT_THAT(folder.read(trace), HasSubstr(R"("repeated":{"times":10,"of":10})"));
    const Outcome again = folder.run({"replay", trace});
    EXPECT_EQ(again.code, 1) << again;
    EXPECT_THAT(again.out, HasSubstr("is violated in 10 of 10 repetitions"));
    const Outcome small = folder.run({"shrink", trace});
    EXPECT_EQ(small.code, 2) << small;
    EXPECT_EQ(lines_of(small.err).size(), 1U) << small;
    EXPECT_THAT(small.err, HasSubstr("shrinking needs exact replay"));
  }
}

TEST(ProcessWorldProgram, FindsItWithSeveralWorkers) {
  const Folder folder;
  const Outcome o = folder.run(with("hunt", {"--explorer", "random", "--jobs", "2"}));
  EXPECT_EQ(o.code, 1) << o;
  EXPECT_THAT(o.out, HasSubstr("of 10 repetitions violate it"));
}

TEST(ProcessWorldProgram, FindsNothingInWhatIsCorrect) {
  const Folder folder;
  const Outcome o = folder.run({"hunt", "toy-consensus", "--world", "place=processes", "--explorer",
                                "random", "--runs", "30", "--faults", "drop=2,duplicate=2"});
  EXPECT_THAT(o.err, IsEmpty()) << o;
  EXPECT_THAT(o.out, HasSubstr("30 runs"));
}

TEST(ProcessWorldProgram, RefusesWhoNeedsMoreInOneLine) {
  const Folder folder;
  const std::string lacks = ", which a world of processes does not have (--world place=processes)";
  const std::pair<Words, std::string> refused[] = {
      {with("check"), "check needs exact replay" + lacks},
      {with("doctor"), "doctor needs exact replay" + lacks},
      {with("step"), "step needs exact replay" + lacks},
      {with("run"), "needs a virtual clock" + lacks},
      {with("hunt", {"--explorer", "timed"}), "timed needs a virtual clock" + lacks},
      {with("hunt", {"--explorer", "stepped"}), "stepped needs a virtual clock" + lacks},
      {with("hunt", {"--faults", "pause=1"}), "has no faults of the kinds pause and inject"},
  };
  for (const auto& [words, says] : refused) {
    const Outcome o = folder.run(words);
    EXPECT_EQ(o.code, 2) << o;
    EXPECT_EQ(lines_of(o.err).size(), 1U) << o;
    EXPECT_THAT(o.err, HasSubstr(says));
  }
}

}  // namespace
}  // namespace schism::e2e
