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

TEST(LogReplay, RefusesWhatItCannotRead) {
  EXPECT_THAT(replay("{\"event\":\"registered\",\"wroker\":2}\n").error(),
              HasSubstr("line 1: no field \"worker\"; did you mean \"wroker\"?"));
  EXPECT_THAT(replay("{\"event\":\n").error(), HasSubstr("line 1"));
  EXPECT_THAT(
      replay("", "system = \"raft\"\n[[event]]\non = \"crashed\"\ndo = [\"Next\"]\n").error(),
      HasSubstr("not for a log"));
}

}  // namespace
}  // namespace schism::model
