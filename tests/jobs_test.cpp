// The same bytes on any number of workers, wherever memory lies; and what signals do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "processes.hpp"
#include "program.hpp"
#include "tests/places/places.hpp"

namespace schism::e2e {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

struct Found {
  std::map<std::string, std::string> files;
  nlohmann::json json;
  friend bool operator==(const Found&, const Found&) = default;
};

// What a hunt found, without what may differ: time.
Found found(const std::string& program, const Words& arguments, const Words& around = {}) {
  const Folder folder;
  Words command = around;
  command.push_back(program);
  command.insert(command.end(), arguments.begin(), arguments.end());
  const Outcome o = Process(folder.path(), command, {}).finish();
  Found result;
  EXPECT_EQ(o.code, 1) << o;
  if (o.code != 1) return result;
  for (const std::string& name : folder.files()) result.files[name] = folder.read(name);
  result.json = nlohmann::json::parse(o.out);
  result.json.erase("seconds");
  return result;
}

// Long enough that workers overtake each other; several properties, in different runs.
const Words kHunt = {"hunt",     "toy-consensus", "--bug",        "distrust-commits",
                     "--runs",   "3000",          "--keep-going", "--json",
                     "--faults", "drop=3",        "--explorer",   "timed"};
const Words kBusy = {"hunt",       "busy",  "--bug",        "forgetful",
                     "--runs",     "700",   "--faults",     "crash=1,mutate=1",
                     "--liars",    "1",     "--keep-going", "--json",
                     "--explorer", "random"};

Words with_jobs(Words arguments, const char* jobs) {
  arguments.insert(arguments.end(), {"--jobs", jobs});
  return arguments;
}

TEST(JobsProgram, AnyNumberOfWorkersWritesTheSameBytes) {
  for (const auto& [program, arguments] :
       {std::pair(places::kProgram, kHunt), std::pair(places::kOddProgram, kBusy)}) {
    const Found one = found(program, with_jobs(arguments, "1"));
    EXPECT_FALSE(one.files.empty());
    for (const char* jobs : {"2", "7"}) {
      const Found more = found(program, with_jobs(arguments, jobs));
      EXPECT_EQ(more.json, one.json) << jobs;
      EXPECT_TRUE(more.files == one.files) << jobs;
    }
  }
}

TEST(JobsProgram, TheFirstFindIsTheSameOneWithAnyNumber) {
  // A rare one, so that workers have gone far beyond it when it comes to be counted.
  const Words arguments = {"hunt",     "busy",    "--bug",      "forgetful",
                           "--faults", "crash=1", "--explorer", "random:fire=500,restart=1",
                           "--json"};
  const Found one = found(places::kOddProgram, with_jobs(arguments, "1"));
  ASSERT_THAT(one.files.size(),
              testing::AnyOf(4U, 5U));  // one more where FIFO links need another run
  EXPECT_GT(one.json.at("runs"), 100);
  for (const char* jobs : {"2", "7"})
    EXPECT_TRUE(found(places::kOddProgram, with_jobs(arguments, jobs)) == one) << jobs;
}

TEST(JobsProgram, AddressRandomisationChangesNothing) {
  const Folder folder;
  const Words fixed = {"setarch", "-R"};
  if (Process(folder.path(), {"setarch", "-R", "true"}, {}).finish().code != 0)
    GTEST_SKIP() << "address randomisation cannot be switched off here";
  for (const auto& [program, arguments] :
       {std::pair(places::kProgram, kHunt), std::pair(places::kOddProgram, kBusy)})
    for (const char* jobs : {"1", "2"}) {
      const Found here = found(program, with_jobs(arguments, jobs), fixed);
      EXPECT_FALSE(here.files.empty());
      EXPECT_TRUE(here == found(program, with_jobs(arguments, jobs))) << jobs;
    }
}

// ---- signals -------------------------------------------------------------------------------

Words endless(const char* jobs) {
  return {places::kProgram, "hunt", "tokens", "--runs", "1000000000000", "--jobs", jobs};
}

TEST(JobsProgram, InterruptedWithNothingFoundIs130) {
  for (const char* jobs : {"1", "2"})
    for (const int number : {SIGINT, SIGTERM}) {
      const Folder folder;
      Process process(folder.path(), endless(jobs), {});
      ASSERT_TRUE(soon([&] { return minds(process.pid(), number); }));
      process.signal(number);
      const Outcome o = process.finish();
      EXPECT_EQ(o.code, 130) << o;
      EXPECT_THAT(o.out, HasSubstr("interrupted after "));
      EXPECT_THAT(folder.files(), IsEmpty());
    }
}

TEST(JobsProgram, InterruptedKeepsWhatWasFound) {
  for (const char* jobs : {"1", "2"}) {
    const Folder folder;
    Process process(folder.path(),
                    {places::kProgram, "hunt", "toy-consensus", "--bug", "distrust-commits",
                     "--keep-going", "--runs", "1000000000000", "--jobs", jobs},
                    {});
    ASSERT_TRUE(soon([&] { return process.out().find("written:") != std::string::npos; }));
    process.signal(SIGINT);
    const Outcome o = process.finish();
    EXPECT_EQ(o.code, 1) << o;
    EXPECT_THAT(o.out, HasSubstr("interrupted after "));
    EXPECT_THAT(o.out, HasSubstr("agreement: violated in "));
    ASSERT_FALSE(folder.files().empty());
    EXPECT_EQ(folder.run({"replay", folder.traces()[0]}).code, 1);
  }
}

TEST(JobsProgram, AnInterruptToTheWholeGroupIsTheSame) {
  // As a terminal does it: workers get the signal too.
  const Folder folder;
  Process process(folder.path(), endless("2"), {});
  ASSERT_TRUE(soon([&] { return players_of(process.pid()).size() >= 2; }));
  for (const pid_t worker : players_of(process.pid()))
    ASSERT_TRUE(soon([&] { return minds(worker, SIGINT); }));
  for (const pid_t worker : players_of(process.pid())) ::kill(worker, SIGINT);
  process.signal(SIGINT);
  const Outcome o = process.finish();
  EXPECT_EQ(o.code, 130) << o;
  EXPECT_THAT(o.err, IsEmpty());
}

TEST(JobsProgram, ASecondInterruptEndsAProtocolThatHangs) {
  const Folder folder;
  Process process(folder.path(), {places::kOddProgram, "hunt", "deadly", "--bug", "hangs"}, {});
  ASSERT_TRUE(soon([&] { return minds(process.pid(), SIGINT); }));
  process.signal(SIGINT);
  // Two that arrive together are one.
  ASSERT_TRUE(soon([&] { return !is_pending(process.pid(), SIGINT); }));
  process.signal(SIGINT);
  EXPECT_EQ(process.finish().code, 130);
}

TEST(JobsProgram, WorkersThatHangDoNotKeepItFromEnding) {
  const Folder folder;
  Process process(folder.path(),
                  {places::kOddProgram, "hunt", "deadly", "--bug", "hangs", "--jobs", "2"}, {});
  ASSERT_TRUE(soon([&] { return players_of(process.pid()).size() >= 2; }));
  const auto workers = players_of(process.pid());
  process.signal(SIGINT);
  EXPECT_EQ(process.finish().code, 130);
  for (const pid_t worker : workers) EXPECT_FALSE(alive(worker));
}

TEST(JobsProgram, AKilledParentLeavesNoWorkerAndNoHalfFile) {
  const Folder folder;
  Process process(folder.path(),
                  {places::kProgram, "hunt", "toy-consensus", "--bug", "distrust-commits",
                   "--keep-going", "--runs", "1000000000000", "--jobs", "3"},
                  {});
  ASSERT_TRUE(soon([&] { return players_of(process.pid()).size() >= 3; }));
  ASSERT_TRUE(soon([&] { return !folder.files().empty(); }));
  const auto workers = players_of(process.pid());
  process.signal(SIGKILL);
  EXPECT_EQ(process.finish().code, 128 + SIGKILL);
  for (const pid_t worker : workers) EXPECT_TRUE(soon([&] { return !alive(worker); }));
  for (const std::string& name : folder.traces()) {
    if (name.ends_with(".part")) continue;  // of the write that the kill fell into
    EXPECT_EQ(folder.run({"replay", name}).code, 1) << name;
  }
}

}  // namespace
}  // namespace schism::e2e
