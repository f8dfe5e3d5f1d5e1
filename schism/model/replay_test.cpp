// Logs of other systems are followed line by line.
#include "schism/model/replay.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "schism/base/file.hpp"
#include "tests/places/places.hpp"

namespace schism::model {
namespace {

using testing::HasSubstr;

const std::string kPool = std::string(places::kSource) + "/models/worker_pool";
constexpr const char* kMapping = R"toml(
ignore = ["heartbeat"]
[[event]]
on = "register"
do = ["WorkerRegister($who.worker)"]
[[event]]
on = "registered"
do = ["MasterRegisterWorker($worker)"]
)toml";

Result<LogReport> replay(const std::string& log, const std::string& mapping = kMapping) {
  // Tests run side by side, each in a process of its own.
  const std::string file = fmt::format("{}/replay-{}", testing::TempDir(), ::getpid());
  EXPECT_TRUE(write_file(file + ".jsonl", log));
  EXPECT_TRUE(write_file(file + ".toml", mapping));
  return replay_log(kPool + ".tla", kPool + ".cfg", file + ".toml", file + ".jsonl", nullptr);
}

TEST(LogReplay, FollowsALog) {
  const auto report = replay(
      "{\"event\":\"register\",\"who\":{\"worker\":1}}\n\n{\"event\":\"heartbeat\"}\n"
      "{\"event\":\"registered\",\"worker\":1}\n{\"event\":\"pause\"}\n");
  ASSERT_TRUE(report) << report.error();
  EXPECT_EQ(report->failed_at, 0U);
  EXPECT_EQ(report->lines, 5U);
  EXPECT_EQ(report->mapped, 2U);
  EXPECT_EQ(report->ignored, 1U);
  EXPECT_EQ(report->unknown, 1U);
  EXPECT_EQ(report->states, 3U);
  EXPECT_THAT(report->last, HasSubstr("registeredWorkers = {1}"));
}

TEST(LogReplay, NamesTheFirstEventThatIsNotPossible) {
  const auto report = replay("{\"event\":\"registered\",\"worker\":2}\n");
  ASSERT_TRUE(report) << report.error();
  EXPECT_EQ(report->failed_at, 1U);
  EXPECT_THAT(report->why, HasSubstr("worker = 2: the guard at"));
}

// Numbers that no integer of the evaluator holds are equal to themselves and to nothing else.
TEST(LogReplay, ComparesLargeNumbersWhole) {
  const auto same = [](const std::string& a, const std::string& b) {
    const auto report = replay(fmt::format(R"({{"event":"same","a":{},"b":{}}})", a, b), R"toml(
[[event]]
on = "same"
do = ['$a = $b /\ UNCHANGED vars']
)toml");
    EXPECT_TRUE(report) << report.error();
    return report && report->failed_at == 0;
  };
  EXPECT_TRUE(same("4611686018427387905", "4611686018427387905"));
  EXPECT_FALSE(same("4611686018427387905", "6917529027641081857")) << "their last 61 bits are";
  EXPECT_TRUE(same("1.5", "1.5"));
  EXPECT_FALSE(same("1.5", "2.5"));
  EXPECT_FALSE(same("1.5", "null"));
}

// A log that counts workers from another number than the model does.
TEST(LogReplay, SaysWhereAnEventChangesNothing) {
  const auto report = replay(R"({"event":"flush","worker":9})", R"toml(
define = '''
Flushed(w) == /\ worker' = [worker EXCEPT ![w].state = "flushed"]
              /\ UNCHANGED <<master, registeredWorkers, registeredTerminator, workerBuffer,
                             terminator, curExecute, msgs>>
'''
[[event]]
on = "flush"
do = ["Flushed($worker)"]
)toml");
  ASSERT_TRUE(report) << report.error();
  ASSERT_EQ(report->warnings.size(), 1U);
  EXPECT_THAT(report->warnings[0], HasSubstr("9 is outside the domain"));
}

TEST(LogReplay, CountsEventsThatLeaveAChoice) {
  const auto report = replay("{\"event\":\"one\"}\n{\"event\":\"none\"}\n", R"toml(
[[event]]
on = "one"
do = ['\E w \in M : WorkerRegister(w)']
[[event]]
on = "none"
do = ["UNCHANGED vars"]
)toml");
  ASSERT_TRUE(report) << report.error();
  EXPECT_EQ(report->ambiguous, 1U) << "what follows a choice need not be one";
  EXPECT_EQ(report->last_of, 2U);
}

TEST(LogReplay, RefusesWhatItCannotRead) {
  EXPECT_THAT(replay("{\"event\":\"registered\",\"wroker\":2}\n").error(),
              HasSubstr("line 1: no field \"worker\"; did you mean \"wroker\"?"));
  EXPECT_THAT(replay("{\"event\":\n").error(), HasSubstr("line 1"));
  const std::string event = "[[event]]\non = \"pause\"\ndo = [\"Next\"]\n";
  EXPECT_THAT(replay("", event + "when = \"x = 1\"\n").error(), HasSubstr("are for runs"));
  EXPECT_THAT(replay("", event + event).error(), HasSubstr("is said before"));
  EXPECT_THAT(replay("", "ignore = [\"pause\"]\n" + event).error(), HasSubstr("is said before"));
  EXPECT_THAT(replay("", "view = \"1\"\n" + event).error(), HasSubstr("not for a log"));
  EXPECT_THAT(
      replay("", "system = \"raft\"\n[[event]]\non = \"crashed\"\ndo = [\"Next\"]\n").error(),
      HasSubstr("not for a log"));
}

}  // namespace
}  // namespace schism::model
