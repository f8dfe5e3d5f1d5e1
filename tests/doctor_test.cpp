// `schism doctor`: clean systems are clean, and each way of not being deterministic is named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "processes.hpp"
#include "program.hpp"
#include "schism/registry.hpp"
#include "schism/system/system.hpp"
#include "tests/places/places.hpp"

namespace schism::e2e {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

bool sanitized() { return std::string_view(places::kSanitize) != ""; }

nlohmann::json examine(const Words& more) {
  const Folder folder;
  Words words = {"doctor", "--json"};
  words.insert(words.end(), more.begin(), more.end());
  const Outcome o = folder.run_odd(words);
  EXPECT_EQ(o.code, 1) << o;
  EXPECT_THAT(o.err, IsEmpty());
  EXPECT_THAT(folder.files(), IsEmpty());
  return nlohmann::json::parse(o.out, nullptr, false);
}

// The trials that made a difference.
Words guilty(const nlohmann::json& result) {
  Words out;
  for (const auto& trial : result.at("trials"))
    if (trial.at("differing") > 0) out.push_back(trial.at("setting"));
  return out;
}

TEST(DoctorProgram, AllCorrectSystemsAreClean) {
  const Folder folder;
  for (const auto& system : systems().sorted()) {
    const char* faults = system->is_service ? "crash=1" : "crash=1,drop=2,duplicate=2";
    const Outcome o = folder.run(
        {"doctor", system->name, "--runs", "20", "--max-steps", "300", "--faults", faults});
    EXPECT_EQ(o.code, 0) << system->name << o;
    EXPECT_THAT(o.out, MatchesRegex("deterministic: 20 seeds, [0-9,]+ steps, 7 settings, no "
                                    "difference\n(.|\n)*"))
        << system->name;
    EXPECT_THAT(o.err, IsEmpty());
  }
  EXPECT_THAT(folder.files(), IsEmpty());
}

TEST(DoctorProgram, UsesTheFlagsOfARun) {
  const Folder folder;
  const Outcome timed = folder.run({"doctor", "raft", "--runs", "5", "--explorer", "timed:loss=0.1",
                                    "--nodes", "5", "--world", "links=fifo"});
  EXPECT_EQ(timed.code, 0) << timed;
  folder.write("doctor.toml", "system = \"toy-consensus\"\nruns = 7\nseed = 100\n");
  const Outcome file = folder.run({"doctor", "--config", "doctor.toml"});
  EXPECT_EQ(file.code, 0) << file;
  EXPECT_THAT(file.out, StartsWith("deterministic: 7 seeds, "));
}

TEST(DoctorProgram, NamesUninitialisedMemory) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the thread sanitizer's allocator cannot be told to fill memory";
#endif
  const auto result = examine({"bad-uninitialised", "--runs", "20"});
  EXPECT_EQ(result.at("cause"), "uninitialised") << result;
  EXPECT_THAT(guilty(result), Contains("fresh memory holds another byte"));
  EXPECT_EQ(result.at("one").at("handler"), "on(Pass)");
  EXPECT_NE(result.at("one").at("state"), result.at("other").at("state"));
}

TEST(DoctorProgram, NamesAMemberThatAConstructorForgets) {
  const auto result = examine({"bad-constructor", "--runs", "20"});
  EXPECT_EQ(result.at("cause"), "uninitialised") << result;
  EXPECT_EQ(result.at("one").at("handler"), "start");
  EXPECT_EQ(result.at("step"), 0);
}

TEST(DoctorProgram, NamesAddressDependentOrder) {
  if (sanitized()) GTEST_SKIP() << "the sanitizers' allocators do not hand out blocks again";
  const auto result = examine({"bad-address-order", "--runs", "20"});
  EXPECT_EQ(result.at("cause"), "address_order") << result;
  EXPECT_THAT(guilty(result), AllOf(Contains("the allocator's free blocks are shuffled"),
                                    Not(Contains("addresses are randomised"))));
}

TEST(DoctorProgram, NamesHashOrder) {
  if (sanitized()) GTEST_SKIP() << "the sanitizers put memory at addresses of their own";
  const auto result = examine({"bad-hash-order", "--runs", "20"});
  EXPECT_EQ(result.at("cause"), "hash_order") << result;
  EXPECT_THAT(guilty(result), Contains("addresses are randomised"));
}

TEST(DoctorProgram, NamesTheClock) {
  for (const char* system : {"bad-clock", "bad-calendar"}) {
    const auto result = examine({system, "--runs", "20"});
    EXPECT_EQ(result.at("cause"), "clock") << result;
    EXPECT_THAT(guilty(result), testing::ElementsAre("the clock runs")) << system;
  }
}

TEST(DoctorProgram, NamesThreads) {
  const auto result = examine({"bad-threads", "--runs", "10"});
  EXPECT_EQ(result.at("cause"), "threads") << result;
}

TEST(DoctorProgram, NamesStateKeptAcrossRuns) {
  const auto result = examine({"bad-kept-state", "--runs", "20"});
  EXPECT_EQ(result.at("cause"), "kept_state") << result;
  EXPECT_EQ(result.at("step"), 1);
  EXPECT_EQ(result.at("one").at("node"), 1);
}

TEST(DoctorProgram, NamesWhatComesFromOutside) {
  const auto result = examine({"bad-random-device", "--runs", "20"});
  EXPECT_EQ(result.at("cause"), "outside") << result;
}

TEST(DoctorProgram, ACrashIsAnEventLikeOthers) {
  const Folder folder;
  const Outcome same = folder.run_odd({"doctor", "deadly", "--runs", "120"});
  EXPECT_EQ(same.code, 0) << same;
  EXPECT_THAT(same.out, HasSubstr("ended the process, the same way each time"));
  const Outcome thrown = folder.run_odd({"doctor", "deadly", "--bug", "throws", "--runs", "120"});
  EXPECT_EQ(thrown.code, 0) << thrown;
  const auto result = examine({"bad-kept-crash", "--runs", "20"});
  EXPECT_EQ(result.at("cause"), "kept_state") << result;
  EXPECT_EQ(result.at("other").at("ending"), "crashes (SIGABRT)");
}

TEST(DoctorProgram, ARunThatHangsIsGivenUp) {
  const Folder folder;
  const Outcome o =
      folder.run_odd({"doctor", "deadly", "--bug", "hangs", "--runs", "60", "--hang", "250ms"});
  EXPECT_EQ(o.code, 0) << o;
  EXPECT_THAT(o.out, HasSubstr("ended the process, the same way each time"));
}

TEST(DoctorProgram, TellsBothVersionsOfTheFirstStepThatDiffers) {
  const Folder folder;
  const Outcome o = folder.run_odd({"doctor", "flaky", "--runs", "10"});
  EXPECT_EQ(o.code, 1) << o;
  EXPECT_THAT(o.out, StartsWith("flaky is not deterministic\n"));
  EXPECT_THAT(o.out, HasSubstr("in the run of seed 2: step 1, node 1, on(Ping)\n"));
  EXPECT_THAT(o.out, HasSubstr("    deliver Ping 0->1 #0\n"));
  EXPECT_THAT(o.out, HasSubstr("most likely cause: state kept across runs\n"));
  EXPECT_THAT(o.out, HasSubstr("other runs come before, in the same process   differs in "));
}

TEST(DoctorProgram, ATimeLimitIsKept) {
  const Folder folder;
  const Outcome o = folder.run({"doctor", "toy-consensus", "--time", "1s"});
  // On a busy machine not everything is tried: then it does not say that it was.
  EXPECT_THAT(o.out, StartsWith(o.code == 0 ? "deterministic: " : "inconclusive: ")) << o;
  EXPECT_THAT(o.code, AnyOf(0, 3)) << o;
}

TEST(DoctorProgram, WhatWasNotTriedIsNoVerdict) {
  const Folder folder;
  const Outcome o = folder.run({"doctor", "raft", "--time", "1ms"});
  EXPECT_EQ(o.code, 3) << o;
  EXPECT_THAT(o.out, StartsWith("inconclusive: ")) << o;
  EXPECT_THAT(o.out, HasSubstr("out of time")) << o;
}

TEST(DoctorProgram, AnInterruptEndsIt) {
  const Folder folder;
  Process process(folder.path(), {places::kProgram, "doctor", "raft", "--runs", "400000"}, "");
  ASSERT_TRUE(soon([&] { return minds(process.pid(), SIGINT); }));
  process.signal(SIGINT);
  EXPECT_EQ(process.finish().code, 130);
}

TEST(DoctorProgram, BadInputIsOneLine) {
  const Folder folder;
  for (const Words& bad :
       {Words{"doctor"}, Words{"doctor", "nonsense"}, Words{"doctor", "paxos", "--runs", "0"},
        Words{"doctor", "paxos", "--seed", "x"}, Words{"doctor", "paxos", "--time", "0s"},
        Words{"doctor", "paxos", "--jobs", "1"}, Words{"doctor", "paxos", "--hang", "no"},
        Words{"doctor", "paxos:x=1"}, Words{"doctor", "--play"}}) {
    const Outcome o = folder.run(bad);
    EXPECT_EQ(o.code, 2) << bad.back() << o;
    EXPECT_THAT(o.out, IsEmpty()) << bad.back();
    EXPECT_EQ(lines_of(o.err).size(), 1U) << bad.back() << o;
  }
  EXPECT_THAT(folder.run({"doctor", "--help"}).out, Not(HasSubstr("--play")));
}

}  // namespace
}  // namespace schism::e2e
