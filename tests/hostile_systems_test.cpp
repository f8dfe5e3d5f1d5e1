// Systems that do what no system should: whatever it is, it is a find or one clear line, the hunt
// goes on to its last run, and the totals are told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "processes.hpp"
#include "program.hpp"
#include "tests/places/places.hpp"

namespace schism::e2e {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

struct Hostile {
  const char* way;
  int runs;          // hangs take their time
  const char* told;  // of what it does; nothing: it harms nobody
};

std::ostream& operator<<(std::ostream& out, const Hostile& h) { return out << h.way; }

class HostileSystems : public testing::TestWithParam<std::tuple<const char*, Hostile>> {};

TEST_P(HostileSystems, AreFindsAndTheHuntGoesOn) {
  const auto& [system, hostile] = GetParam();
  const Folder folder;
  const Outcome o =
      folder.run_odd({"hunt", std::string(system) + ":pokes=2,way=" + hostile.way, "--runs",
                      std::to_string(hostile.runs), "--keep-going", "--no-shrink", "--jobs", "2",
                      "--world", "hang=200ms", "--max-steps", "200", "--quiet"});
  EXPECT_THAT(o.out, HasSubstr(std::to_string(hostile.runs) + " runs, ")) << o;
  EXPECT_EQ(o.err, "") << o;
  if (hostile.told) {
    EXPECT_EQ(o.code, 1) << o;
    EXPECT_THAT(o.out, HasSubstr(hostile.told)) << o;
  } else {
    EXPECT_EQ(o.code, 0) << o;
  }
}

constexpr Hostile kWays[] = {
    {"segfault", 60, "SIGSEGV"},   {"aborts", 60, "SIGABRT"},
    {"exits", 60, "exit(3)"},      {"throws", 60, "overtaken"},
    {"overflows", 60, "SIGSEGV"},  {"destructor", 60, "SIGABRT"},
    {"smashes", 60, "SIG"},        {"hangs", 2, "hang"},
    {"sleeps", 2, "hang"},         {"masks", 2, "hang"},
    {"stops", 2, "hang"},          {"scribbles", 20, "destroyed its own record"},
    {"closes", 20, "not its own"}, {"swallows", 2, "crash is violated"},
    {"forks", 60, nullptr},        {"breeds", 60, nullptr},
    {"floods", 6, nullptr},        {"journals", 6, nullptr},
    {"talks", 20, nullptr},
};

INSTANTIATE_TEST_SUITE_P(Each, HostileSystems,
                         testing::Combine(testing::Values("brittle", "reckless"),
                                          testing::ValuesIn(kWays)),
                         [](const auto& tested) {
                           return std::string(std::get<0>(tested.param)) + "_" +
                                  std::get<1>(tested.param).way;
                         });

// Until it is so, or time is over.
template <class F>
bool becomes(const F& condition) {
  for (int i = 0; i < 1000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

// What is being shrunk when the end comes was written before.
TEST(EndOfAHunt, ATermSignalLosesNoFind) {
  const Folder folder;
  Process hunter(folder.path(),
                 {places::kOddProgram, "hunt", "brittle:way=sleeps", "--shrink-time", "1h",
                  "--world", "hang=1s", "--quiet"},
                 {});
  EXPECT_TRUE(becomes([&] { return !folder.traces().empty(); }));
  hunter.signal(SIGTERM);
  const auto begun = std::chrono::steady_clock::now();
  const Outcome o = hunter.finish();
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(20)) << "it waits";
  EXPECT_EQ(o.code, 1) << o;
  EXPECT_THAT(o.out, HasSubstr("crash: violated in 1 run")) << o;
  const Outcome replayed = folder.run_odd({"replay", folder.traces().front()});
  EXPECT_EQ(replayed.code, 1) << replayed;
}

TEST(EndOfAHunt, KilledItLosesNoFind) {
  const Folder folder;
  Process hunter(folder.path(),
                 {places::kOddProgram, "hunt", "brittle:way=sleeps", "--shrink-time", "1h",
                  "--world", "hang=1s", "--quiet"},
                 {});
  EXPECT_TRUE(becomes([&] { return !folder.traces().empty(); }));
  hunter.signal(SIGKILL);
  static_cast<void>(hunter.finish());
  EXPECT_EQ(folder.run_odd({"replay", folder.traces().front()}).code, 1);
}

TEST(EndOfAHunt, ShrinkingHasALimitAndSaysWhatWasNotTried) {
  const Folder folder;
  const Outcome o = folder.run_odd({"hunt", "brittle:way=sleeps,pokes=6", "--shrink-time", "100ms",
                                    "--world", "hang=400ms", "--quiet"});
  EXPECT_EQ(o.code, 1) << o;
  EXPECT_THAT(o.out, HasSubstr("out of time")) << o;
}

// The same numbers on any day: what leaks from run to run is bound to the numbers of the runs.
TEST(GuardedRuns, LeakTheSameWayOnAnyNumberOfWorkers) {
  const auto counted = [](const char* jobs) {
    const Folder folder;
    const Outcome o = folder.run_odd({"hunt", "brittle:way=leaks,pokes=2", "--keep-going",
                                      "--no-shrink", "--runs", "1000", "--jobs", jobs, "--json"});
    const auto at = o.out.find("\"violated\":");
    return at == std::string::npos ? o.out + o.err : o.out.substr(at, 16);
  };
  const std::string one = counted("1");
  EXPECT_THAT(one, HasSubstr("violated"));
  EXPECT_EQ(counted("1"), one);
  EXPECT_EQ(counted("4"), one);
}

TEST(FoldersOfFinds, HuntsShareOneAndLoseNothing) {
  const Folder folder;
  const auto hunted = [&](const char* system, const char* bug, const char* seed) {
    return folder.run({"hunt", system, "--bug", bug, "--seed", seed, "--quiet"});
  };
  EXPECT_EQ(hunted("toy-consensus", "distrust-commits", "1").code, 1);
  const Words first = folder.traces();
  EXPECT_EQ(hunted("toy-consensus", "distrust-commits", "5000").code, 1);
  EXPECT_EQ(hunted("raft", "quorum-third", "1").code, 1);
  for (const std::string& trace : first) {
    EXPECT_TRUE(exists(folder / trace)) << trace;
    EXPECT_THAT(folder.run({"replay", trace}).code, AnyOf(0, 1)) << trace;
  }
  const Words folders = folder.files();
  EXPECT_THAT(folders, testing::Contains(HasSubstr("raft-")));
  // Another bug with the same property never overwrites the first.
  EXPECT_THAT(hunted("raft", "vote-without-log-check", "1").out, Not(HasSubstr("cannot")));
}

// Somebody who kills players says nothing about the system.
TEST(EndOfAHunt, AKilledPlayerIsReplacedAndItsRunsArePlayedAgain) {
  const Folder folder;
  const Words hunt = {"hunt",   "toy-consensus", "--explorer", "random", "--runs",
                      "100000", "--jobs",        "2",          "--quiet"};
  Words command = {places::kProgram};
  command.insert(command.end(), hunt.begin(), hunt.end());
  Process hunter(folder.path(), command, {});
  int killed = 0;
  while (killed < 5 && alive(hunter.pid())) {
    const auto players = players_of(hunter.pid());
    if (!players.empty()) killed += ::kill(players.front(), SIGKILL) == 0 ? 1 : 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  const Outcome o = hunter.finish();
  EXPECT_GT(killed, 0);
  EXPECT_EQ(o.code, 0) << o;
  // The same runs and steps as undisturbed.
  const auto counted = [](const Outcome& of) { return of.out.substr(0, of.out.find(" in ")); };
  EXPECT_EQ(counted(o), counted(folder.run(hunt)));
}

// A frequent bug that is known need not end every run.
TEST(Mute, AMutedViolationIsCountedAndTheRunGoesOn) {
  const Folder folder;
  const Words bug = {"hunt", "toy-consensus", "--bug",       "distrust-commits", "--runs",
                     "200",  "--keep-going",  "--no-shrink", "--quiet"};
  const Outcome loud = folder.run(bug);
  EXPECT_EQ(loud.code, 1) << loud;
  Words muted = bug;
  muted.insert(muted.end(), {"--mute", "agreement"});
  const Outcome silent = folder.run(muted);
  EXPECT_THAT(silent.out, HasSubstr("muted: agreement in ")) << silent;
  EXPECT_THAT(silent.out, HasSubstr("nothing else wrong found")) << silent;
  EXPECT_THAT(silent.out, Not(HasSubstr("agreement is violated"))) << silent;
  muted.back() = "agreement=no such words";
  EXPECT_EQ(folder.run(muted).code, 1);
  muted.back() = "agreemint";
  const Outcome wrong = folder.run(muted);
  EXPECT_EQ(wrong.code, 2) << wrong;
  EXPECT_THAT(wrong.err, HasSubstr("agreement")) << wrong;
  // What dies is counted as well.
  const Outcome dead = folder.run_odd(
      {"hunt", "brittle:way=segfault", "--runs", "30", "--mute", "crash=SIGSEGV", "--quiet"});
  EXPECT_EQ(dead.code, 0) << dead;
  EXPECT_THAT(dead.out, HasSubstr("muted: crash in ")) << dead;
}

}  // namespace
}  // namespace schism::e2e
