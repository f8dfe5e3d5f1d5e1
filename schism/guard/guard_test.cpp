// Runs that take their process with them: found, replayed, shrunk and shown like any other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "schism/campaign/hunt.hpp"
#include "schism/guard/child.hpp"
#include "schism/guard/last_words.hpp"
#include "schism/guard/stack.hpp"
#include "schism/testing/brittle.hpp"
#include "schism/trace/timeline.hpp"

namespace schism {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using namespace guard;

const Registration registered = testing_only::brittle("brittle");

RunConfig brittle(const std::string& way, const std::string& pokes = "3") {
  RunText text;
  text.system = {"brittle", {{"way", way}, {"pokes", pokes}}};
  text.explorer = {"random", {}};
  text.world = {{"hang", "100ms"}};
  auto config = make_config(text);
  EXPECT_TRUE(config) << config.error();
  return *std::move(config);
}

HuntResult hunt_for(const RunConfig& config, std::uint64_t runs, int jobs = 1) {
  HuntOptions options;
  options.runs = runs;
  options.jobs = jobs;
  options.keep_going = true;
  options.closely = 1;
  const std::atomic<bool> stop{false};
  auto result = hunt(config, options, {}, stop);
  EXPECT_TRUE(result) << result.error();
  return result ? *std::move(result) : HuntResult{};
}

struct Expected {
  const char* way;
  const char* message;  // its beginning
};
void PrintTo(const Expected& e, std::ostream* out) { *out << e.way; }

class Deaths : public testing::TestWithParam<Expected> {};

TEST_P(Deaths, AreFindsThatReplayShrinkAndShow) {
  const auto result = hunt_for(brittle(GetParam().way), 10);
  EXPECT_EQ(result.totals.runs, 10U) << "the hunt goes on";
  ASSERT_EQ(result.finds.size(), 1U);
  EXPECT_TRUE(result.leaks.empty());
  EXPECT_FALSE(result.nondeterminism);
  const Find& find = result.finds[0];
  EXPECT_EQ(find.trace.violation->property, "crash");
  EXPECT_THAT(find.trace.violation->message, StartsWith(GetParam().message));
  EXPECT_EQ(find.count, result.totals.violated);

  ASSERT_TRUE(find.small);
  const Trace& small = find.small->trace;
  EXPECT_EQ(small.steps.size(), 3U) << "the start and two messages, the later one first";
  EXPECT_TRUE(find.small->certificate.minimal);

  const auto read = parse_trace(to_text(small), "small");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(to_text(*read), to_text(small));
  const ReplayReport report = replay(*read);
  EXPECT_FALSE(report.difference) << report.difference->recorded << "\n" << report.difference->now;
  ASSERT_TRUE(report.now.violation);
  EXPECT_EQ(report.now.violation->message, small.violation->message);

  Timeline line(*read);
  EXPECT_EQ(line.seek(line.length()).step(), 2U);
  EXPECT_EQ(line.seek(0).step(), 0U);
  EXPECT_EQ(line.seek(2).step(), 2U);
}

INSTANTIATE_TEST_SUITE_P(Ways, Deaths,
                         testing::Values(Expected{"segfault", "SIGSEGV at step"},
                                         Expected{"aborts", "SIGABRT at step"},
                                         Expected{"exits", "exit(3) at step"},
                                         Expected{"throws", "std::out_of_range: overtaken"},
                                         Expected{"hangs", "hang at step"},
                                         Expected{"sleeps", "hang at step"},
                                         Expected{"overflows", "SIGSEGV at step"},
                                         Expected{"destructor", "SIGABRT after step"}),
                         [](const auto& each) { return std::string(each.param.way); });

TEST(GuardedHunt, NamesTheFunctionWhereThereAreSymbols) {
  const auto result = hunt_for(brittle("segfault"), 5);
  ASSERT_EQ(result.finds.size(), 1U);
  EXPECT_THAT(result.finds[0].trace.violation->message, HasSubstr("Brittle::write_nowhere"));
  EXPECT_THAT(result.finds[0].evidence, HasSubstr("Brittle::write_nowhere"));
}

// The process notices for itself that it hangs, before others do, because it can tell where.
TEST(GuardedHunt, TellsWhereItHangs) {
  const auto result = hunt_for(brittle("hangs"), 3);
  ASSERT_EQ(result.finds.size(), 1U);
  const auto& death = result.finds[0].trace.config.setup.death;
  ASSERT_TRUE(death);
  EXPECT_EQ(death->how, "hang");
  EXPECT_FALSE(death->frames.empty());
}

TEST(GuardedHunt, IsTheSameOnAnyNumberOfWorkers) {
  const auto print = [](const HuntResult& r) {
    std::string out = fmt::format("{} {} {} {} {}", r.totals.runs, r.totals.steps,
                                  r.totals.deliveries, r.totals.violated, r.totals.distinct());
    for (const Find& find : r.finds) out += fmt::format("\n{} {}", find.count, to_text(find.trace));
    return out;
  };
  const RunConfig config = brittle("aborts", "2");  // half of its runs survive
  const std::string alone = print(hunt_for(config, 300, 1));
  EXPECT_EQ(print(hunt_for(config, 300, 2)), alone);
  EXPECT_EQ(print(hunt_for(config, 300, 3)), alone);
}

TEST(GuardedHunt, FindsNothingInWhatSurvives) {
  const auto result = hunt_for(brittle("none"), 500, 2);
  EXPECT_EQ(result.totals.runs, 500U);
  EXPECT_THAT(result.finds, IsEmpty());
}

TEST(GuardedHunt, ACrashOnlyAfterOtherRunsIsStateThatLeaks) {
  const auto result = hunt_for(brittle("leaks", "2"), 64);
  EXPECT_THAT(result.finds, IsEmpty());
  EXPECT_FALSE(result.nondeterminism);
  ASSERT_FALSE(result.leaks.empty());
  const Leak& leak = result.leaks[0];
  EXPECT_THAT(leak.what, StartsWith("SIGSEGV at step"));
  EXPECT_LT(leak.first, leak.run);
  ASSERT_TRUE(leak.left_by);
  EXPECT_LT(*leak.left_by, leak.run);
  EXPECT_GE(*leak.left_by, leak.first);
}

// ---- parts ---------------------------------------------------------------------------------

TEST(BlackBoxTest, HasWhatTheChildDecidedAndWhereItDied) {
  BlackBox box;
  std::vector<Action> wanted;
  for (int i = 0; i < 1000; ++i)
    wanted.push_back(make_action(Do::deliver, Name(i % 3, 1, 2, i), i * 7));
  const auto death = scout(box, 1'000'000, [&] {
    for (std::uint32_t i = 0; i < wanted.size(); ++i) {
      box.begin_step(i + 1, wanted[i]);
      box.enter(i + 10);
      if (i == 999) ::raise(SIGILL);
      box.leave();
    }
  });
  ASSERT_TRUE(death);
  EXPECT_EQ(death->how, "SIGILL");
  EXPECT_EQ(death->step, 1000U);
  EXPECT_EQ(death->call, 1009U);
  EXPECT_TRUE(death->inside);
  EXPECT_TRUE(box.intact());
  const auto decisions = box.decisions();
  EXPECT_TRUE(std::equal(decisions.begin(), decisions.end(), wanted.begin(), wanted.end()));
}

TEST(BlackBoxTest, NoticesThatItWasOverwritten) {
  BlackBox box;
  const auto death = scout(box, 1'000'000, [&] {
    box.begin_step(1, make_action(Do::crash, Name(1, 0, 0, 0)));
    const_cast<Action&>(box.decisions()[0]).arg_low ^= 4;
    ::raise(SIGSEGV);
  });
  EXPECT_FALSE(box.intact());
  ASSERT_TRUE(death);
  EXPECT_THAT(death->how, HasSubstr("destroyed its own record"));
  EXPECT_EQ(death->step, 0U);
}

TEST(BlackBoxTest, HasPagesAroundItThatNobodyMayTouch) {
  BlackBox box;
  const auto death = scout(box, 1'000'000, [&] {
    auto* at = reinterpret_cast<volatile char*>(const_cast<LastWords*>(&box.last_words()));
    for (int i = 0; i < 64 * 1024; ++i) {
      const char same = *--at;
      *at = same;
    }
  });
  ASSERT_TRUE(death);
  EXPECT_EQ(death->how, "SIGSEGV");
}

TEST(ChildTest, KeepsItsLastWordsWithoutWhatDiffers) {
  BlackBox box;
  const auto death = scout(box, 1'000'000, [] {
    fmt::print(stderr, "first\n==[{}]== at 0x7ffe1234 failed\n\n", ::getpid());
    ::_exit(7);
  });
  ASSERT_TRUE(death);
  EXPECT_EQ(death->how, "exit(7)");
  EXPECT_EQ(death->said, "==[PID]== at 0x... failed");
}

TEST(ChildTest, ASummaryIsWorthMoreThanTheLastLine) {
  BlackBox box;
  const auto death = scout(box, 1'000'000, [] {
    fmt::print(stderr, "much\nSUMMARY: heap-use-after-free in f()\n==ABORTING\n");
    ::_exit(7);
  });
  ASSERT_TRUE(death);
  EXPECT_EQ(death->said, "heap-use-after-free in f()");
}

TEST(ChildTest, GivesBackTextOfAnySize) {
  const std::atomic<bool> stop{false};
  for (const std::size_t size : {0, 1, 70'000, 3'000'000}) {
    const auto text = in_child([&] { return std::string(size, 'x'); }, stop);
    ASSERT_TRUE(text) << text.error();
    EXPECT_EQ(text->size(), size);
  }
  const auto dead = in_child([]() -> std::string { std::abort(); }, stop);
  ASSERT_FALSE(dead);
  EXPECT_THAT(dead.error(), HasSubstr("SIGABRT"));
}

TEST(ChildTest, DoesNotOutliveItsOwner) {
  int pid_pipe[2];
  ASSERT_EQ(::pipe(pid_pipe), 0);
  {
    guard::Child child([&](int) {
      const pid_t pid = ::getpid();
      ASSERT_EQ(::write(pid_pipe[1], &pid, sizeof pid), static_cast<ssize_t>(sizeof pid));
      for (;;) ::pause();
    });
    ASSERT_TRUE(child.started());
    pid_t pid = 0;
    ASSERT_EQ(::read(pid_pipe[0], &pid, sizeof pid), static_cast<ssize_t>(sizeof pid));
    EXPECT_EQ(::kill(pid, 0), 0);
  }
  ::close(pid_pipe[0]);
  ::close(pid_pipe[1]);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "no child is left";
}

}  // namespace
}  // namespace schism
