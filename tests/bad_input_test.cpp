// Bad usage and bad input: exit code 2, one line that says what and names the nearest choice,
// nothing on standard output, no file left.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.hpp"

namespace schism::e2e {
namespace {

struct Row {
  const char *arguments, *says;
};

constexpr Row kRows[] = {
    // Verbs and flags.
    {"lst", "no command \"lst\"; did you mean \"list\"?"},
    {"Hunt", "did you mean \"hunt\"?"},
    {"reply x", "did you mean \"replay\"?"},
    {"frobnicate", "no command \"frobnicate\"; there is list, hunt, "},
    {"--versio", "did you mean \"--version\"?"},
    {"--hlep", "did you mean \"--help\"?"},
    {"-x", "no flag \"-x\""},
    {"hunt -z", "no flag \"-z\""},
    {"hunt toy-consensus --sed 1", "did you mean \"--seed\"?"},
    {"hunt toy-consensus --explore random", "did you mean \"--explorer\"?"},
    {"hunt toy-consensus --max-step 5", "did you mean \"--max-steps\"?"},
    {"hunt toy-consensus --fault=crash=1", "did you mean \"--faults\"?"},
    {"list --jsn", "did you mean \"--json\"?"},
    {"show x --widht 80", "did you mean \"--width\"?"},
    {"replay x --jso", "did you mean \"--json\"?"},
    {"hunt toy-consensus extra", "more words than this command takes"},
    {"list random extra", "more words"},
    {"replay a b", "more words"},
    {"hunt toy-consensus --runs", "--runs"},
    {"hunt --config", "--config"},
    {"hunt toy-consensus --jobs 2 --jobs 3", "--jobs is given more than once"},
    {"hunt toy-consensus --faults crash=1 --faults crash=2", "--faults: \"crash\" is given twice"},
    {"check toy-consensus --world down=waits --world down=lost", "\"down\" is given twice"},
    {"hunt toy-consensus --color blue", "auto,always,never"},
    {"show x --color green", "auto,always,never"},
    {"show x --width 10", "40 to 400"},
    {"show x --width wide", "wide"},
    {"replay", "trace"},
    {"show", "trace"},
    {"list nosuch", "no system, scheduler or explorer \"nosuch\""},
    {"list tokns", "did you mean \"tokens\"?"},
    {"list tmed", "did you mean \"timed\"?"},
    // Numbers and times.
    {"hunt toy-consensus --runs 0", "runs is a whole number from 1"},
    {"hunt toy-consensus --runs many", "not \"many\""},
    {"hunt toy-consensus --runs 1e3", "not \"1e3\""},
    {"hunt toy-consensus --runs 99999999999999999999", "runs is a whole number"},
    {"hunt toy-consensus --seed -1", "seed is a whole number from 0"},
    {"hunt toy-consensus --jobs 0", "jobs is a whole number from 1 to 1024"},
    {"hunt toy-consensus --jobs 1025", "jobs is a whole number from 1 to 1024"},
    {"hunt toy-consensus --time 5", "time is a time such as 150ms, not \"5\""},
    {"hunt toy-consensus --time 0s", "time is more than 0"},
    {"hunt toy-consensus --time -3s", "not \"-3s\""},
    {"hunt toy-consensus --time 9e99h", "not \"9e99h\""},
    {"hunt toy-consensus --tail 5x", "tail is a time such as 150ms, not \"5x\""},
    {"hunt toy-consensus --max-steps 0", "max-steps is a whole number from 1"},
    {"hunt toy-consensus --max-steps 9999999999", "max-steps is a whole number"},
    {"hunt toy-consensus --nodes 0", "toy-consensus: nodes is a whole number from 2 to 64"},
    {"hunt toy-consensus --nodes 65", "not \"65\""},
    // Systems, bugs, parameters.
    {"hunt", "which system? `schism list` shows them"},
    {"hunt toy", "did you mean \"toy-consensus\"?"},
    {"hunt TOKENS", "no system \"TOKENS\""},
    {"hunt :x=1", "a name is missing"},
    {"hunt toy-consensus:", "not of the form parameter=value"},
    {"hunt toy-consensus:rounds", "\"rounds\" in \"toy-consensus:rounds\" is not of the form"},
    {"hunt toy-consensus:=3", "not of the form"},
    {"hunt toy-consensus:rouns=3",
     "toy-consensus has no parameter \"rouns\"; did you mean "
     "\"rounds\"?"},
    {"hunt toy-consensus:rounds=65", "toy-consensus: rounds is a whole number from 1 to 64"},
    {"hunt toy-consensus:rounds=", "rounds is a whole number"},
    {"hunt toy-consensus:rounds=1,rounds=2", "\"rounds\" stands twice"},
    {"hunt toy-consensus --bug distrust", "did you mean \"distrust-commits\"?"},
    {"hunt tokens --bug any", "tokens has no bug \"any\"; there is none"},
    // Strategies.
    {"hunt toy-consensus --explorer rando", "did you mean \"random\"?"},
    {"hunt toy-consensus --explorer replay:x", "\"x\" in \"replay:x\""},
    {"hunt toy-consensus --explorer random:drp=1", "random has no parameter \"drp\"; did you mean"},
    {"hunt toy-consensus --explorer random:drop=-1", "drop is a whole number from 0"},
    {"hunt toy-consensus --explorer random:timer.foo=3", "no timer \"foo\""},
    {"hunt toy-consensus --explorer timed:shape=round", "no choice \"round\""},
    {"hunt toy-consensus --explorer timed:loss=2", "loss is a number from 0 to 1, not \"2\""},
    {"hunt toy-consensus --explorer timed:loss=nan", "not \"nan\""},
    {"hunt toy-consensus --explorer timed:min=5s,max=1s", "min is at most max, not 5s and 1s"},
    {"hunt toy-consensus --explorer seeds:scheduler=tmed", "did you mean \"timed\"?"},
    {"hunt toy-consensus --explorer seeds:batch=0", "batch is a whole number from 1"},
    // Faults and worlds, and what contradicts itself.
    {"hunt toy-consensus --faults crsh=1", "faults has no parameter \"crsh\"; did you mean"},
    {"hunt toy-consensus --faults crash", "--faults: \"crash\" is not of the form"},
    {"hunt toy-consensus --faults crash=-1", "crash is a whole number from 0"},
    {"hunt toy-consensus --faults mutate=1", "mutate is what liars do, and nobody lies here"},
    {"hunt toy-consensus --world liars=7", "liars names node 7, but there are nodes 0 to 2"},
    {"hunt toy-consensus --explorer liar", "nobody lies in these runs"},
    {"hunt toy-consensus --liars 1 --explorer byzzfuzz", "does not declare the order"},
    {"hunt toy-consensus --liars 1 --faults inject=1",
     "random never makes a fault of the kind inject"},
    {"hunt toy-consensus --liars 1 --explorer timed --faults mutate=1",
     "timed never makes a fault"},
    {"hunt toy-consensus --world down=gone", "down has no choice \"gone\"; there is lost"},
    {"hunt toy-consensus --world lnks=fifo", "did you mean \"links\"?"},
    {"hunt toy-consensus --world time=timed", "world has no parameter \"time\""},
    {"hunt toy-consensus --world may-crash=3", "names node 3, but there are nodes 0 to 2"},
    {"hunt toy-consensus --world may-crash=1/x", "is a list such as 0/250/0, not \"1/x\""},
    {"hunt toy-consensus --world skew-us=1/2/3/4", "at most a number a node, 3 here"},
    {"hunt toy-consensus --world drift-ppm=-1000000", "drift-ppm is more than -1000000"},
    // Files.
    {"hunt toy-consensus --config nosuch.toml", "nosuch.toml: No such file"},
    {"hunt toy-consensus --config /", "/: it is a directory"},
    {"replay nosuch.trace", "nosuch.trace: No such file"},
    {"show nosuch.trace", "nosuch.trace: No such file"},
    {"replay /", "/: it is a directory"},
    {"replay /dev/null", "/dev/null, line 1: "},
    {"replay -", "standard input, line 1: "},
    {"show -", "standard input, line 1: "},
};

TEST(BadInputProgram, EachIsOneLineWithExitCodeTwo) {
  const Folder folder;
  for (const Row& row : kRows) {
    const Outcome o = folder.run(words_of(row.arguments));
    EXPECT_EQ(o.code, 2) << "schism " << row.arguments << o;
    EXPECT_EQ(lines_of(o.err).size(), 1U) << "schism " << row.arguments << o;
    EXPECT_TRUE(o.err.ends_with("\n")) << o;
    EXPECT_THAT(o.err, testing::StartsWith("schism: "));
    EXPECT_THAT(o.err, testing::HasSubstr(row.says)) << "schism " << row.arguments;
    EXPECT_THAT(o.out, testing::IsEmpty()) << "schism " << row.arguments;
    EXPECT_THAT(folder.files(), testing::IsEmpty()) << "schism " << row.arguments;
  }
}

TEST(BadInputProgram, WordsThatSpacesCannotSeparate) {
  const Folder folder;
  for (const Words& arguments :
       {Words{"hunt", ""}, Words{""}, Words{"hunt", "toy consensus"}, Words{"hunt", "two\nlines"},
        Words{"replay", "two\nlines"}, Words{"hunt", "tokens", "--bug", "\x1b[31m"},
        Words{"hunt", "\xff\xfe"}, Words{"hunt", std::string(100'000, 'x')}, Words{"two\nlines"},
        Words{"--two\nlines"}, Words{"hunt", "--two\nlines"}}) {
    const Outcome o = folder.run(arguments);
    EXPECT_EQ(o.code, 2) << o;
    EXPECT_EQ(lines_of(o.err).size(), 1U) << o;
    EXPECT_THAT(o.out, testing::IsEmpty());
  }
}

}  // namespace
}  // namespace schism::e2e
