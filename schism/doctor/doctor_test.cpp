#include "schism/doctor/doctor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <map>
#include <mutex>
#include <thread>

#include "schism/campaign/hunt.hpp"
#include "schism/doctor/fingerprint.hpp"
#include "schism/doctor/hooks.hpp"
#include "schism/doctor/memory.hpp"
#include "schism/doctor/player.hpp"
#include "schism/schism.hpp"
#include "schism/sim/sim_world.hpp"
#include "schism/testing/recorded.hpp"

namespace schism::doctor {
namespace {

using testing::Each;
using testing::SizeIs;

const std::atomic<bool> kGoOn{false};

RunConfig config_of(const std::string& system, const std::string& scheduler = "random") {
  RunText text;
  text.system = {system, {}};
  text.explorer = {scheduler, {}};
  text.steps = "60";
  text.faults = {{"crash", "1"}, {"drop", "2"}};
  auto config = make_config(text);
  EXPECT_TRUE(config) << config.error();
  return *std::move(config);
}

Request request_of(const RunConfig& config, int runs) {
  Trace head;
  head.config = config;
  Request r;
  r.config = schism::to_text(head);
  r.seed = "1";
  for (int i = 0; i < runs; ++i) r.runs.push_back(i);
  return r;
}

// In copies of this process: what needs a program of its own is tried end to end.
Played played(const Request& request) {
  const Launcher launcher({}, kGoOn, {});
  auto out = launcher.play(request);
  EXPECT_TRUE(out) << out.error();
  return out ? *std::move(out) : Played{};
}

// What a child process says, by its exit code.
template <class Body>
int in_child(Body body) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(body());
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(DoctorSetting, ARequestSurvivesItsText) {
  Request r = request_of(config_of("toy-consensus"), 3);
  r.setting = all_held();
  r.setting.shuffle = 7;
  r.seed = "18446744073709551615";
  r.words = true;
  r.seconds = 0.25;
  const auto again = parse_request(to_text(r));
  ASSERT_TRUE(again) << again.error();
  EXPECT_EQ(to_text(*again), to_text(r));
  EXPECT_FALSE(parse_request("{}"));
  EXPECT_FALSE(parse_request("nonsense"));
}

TEST(DoctorFingerprint, TwoRunsHaveOneFingerprintIfTheyHaveOneTrace) {
  const RunConfig config = config_of("toy-consensus");
  constexpr int kRuns = 60;
  const Played all = played(request_of(config, kRuns));
  // The slow definition: the text of the trace. Seeds stand in its first line: without it.
  std::map<std::string, Hash128> by_trace;
  std::map<Hash128, std::string> by_hash;
  for (std::uint64_t i = 0; i < kRuns; ++i) {
    std::string text = schism::to_text(testing_tools::recorded(config, {i + 1, i + 1}, i));
    text.erase(0, text.find('\n'));
    text.erase(text.rfind("\"class\""));  // begins with the seed
    const Hash128 hash = all.prints[i].hash;
    EXPECT_EQ(by_trace.emplace(text, hash).first->second, hash) << "seed " << i + 1;
    EXPECT_EQ(by_hash.emplace(hash, text).first->second, text) << "seed " << i + 1;
  }
  EXPECT_GT(by_hash.size(), 20U);
}

// A system that goes as this process tells it to: players are copies of it.
SCHISM_ENUM(Whim, none, state, content, draws, clock, verdict, counts, chooses, dies, hangs);
Whim whim = Whim::none;
int played_before = 0;           // runs, in this process
std::atomic<int>& sleeps_in() {  // so many runs, in whatever process
  static auto* const shared = static_cast<std::atomic<int>*>(
      ::mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
             -1, 0));
  return *shared;
}

struct Rumour {
  int value = 0;
  FIELDS(value)
};
SCHISM_ENUM(Gong, gong);
struct Whimsical : Node<Whimsical, Rumour> {
  using Timers = Gong;
  int kept = 0;
  FIELDS(kept)
  void start(Context& c) {
    if (c.self != 0) return;
    c.send(1, Rumour{whim == Whim::content ? 1 : 0});
    c.set_timer(Gong::gong, whim == Whim::clock ? 2'000'000 : 1'000'000);
  }
  void on(Context& c, NodeId, const Rumour&) {
    ++played_before;
    if (whim == Whim::state) kept = 7;
    if (whim == Whim::draws) static_cast<void>(c.random_below(5));
    if (whim == Whim::counts) kept = played_before;
    if (whim == Whim::chooses) static_cast<void>(c.choose(2));
    if (whim == Whim::dies && played_before == 3) std::abort();
    for (volatile bool hangs = whim == Whim::hangs; hangs;) continue;
    if (sleeps_in().fetch_sub(1) == 1) std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
  void on_timer(Context&, Gong) {}
};
RunConfig config_of_whims() {
  [[maybe_unused]] static const Registration whimsical =
      system<Whimsical>("test-whims", "for tests: goes as it is told to")
          .nodes(2, 2, 2)
          .oracle(eventually("content", [](const World&) { return whim != Whim::verdict; }));
  RunText text;
  text.system = {"test-whims", {}};
  text.explorer = {"stepped", {}};
  auto config = make_config(text);
  EXPECT_TRUE(config) << config.error();
  return *std::move(config);
}

Played as_told(Whim how, Setting setting = {}, int runs = 6) {
  Request r = request_of(config_of_whims(), runs);
  r.setting = setting;
  r.hang_seconds = 0.25;
  whim = how;
  const Played out = played(r);
  whim = Whim::none;
  return out;
}

// Each difference is in nothing else: the same actions, events, states but for the one.
TEST(DoctorFingerprint, TellsApartWhatDiffersInOneThingOnly) {
  const Hash128 plain = as_told(Whim::none).prints[0].hash;
  EXPECT_EQ(as_told(Whim::none).prints[0].hash, plain);
  for (const Whim how :
       {Whim::state, Whim::content, Whim::draws, Whim::clock, Whim::verdict, Whim::counts})
    EXPECT_NE(as_told(how).prints[0].hash, plain) << enum_name(how);
}

TEST(DoctorFingerprint, KnowsDecisionsThatChangeNothing) {
  const auto after = [](const Action& action) {
    SimWorld world;
    world.listen(kEveryEvent);
    world.reset(config_of("toy-consensus").setup);
    Fingerprint print;
    print.begin();
    print.take(world);
    EXPECT_EQ(world.apply(action), Refusal::none);
    print.take(world);
    return print.hash();
  };
  EXPECT_NE(after(begin_macro(Macro::other)), after(begin_macro(Macro::scenario)));
}

// A choice that the node forgets at once: nothing else tells the two runs apart.
TEST(DoctorFingerprint, KnowsWhatWasChosen) {
  struct Chooser final : Attendant {
    std::uint32_t answer = 0;
    void on_pending(World&, Do, std::uint32_t) override {}
    std::uint32_t on_choice(World&, std::uint32_t) override { return answer; }
  };
  const RunConfig config = config_of_whims();
  const auto after = [&](std::uint32_t answer) {
    whim = Whim::chooses;
    Chooser chooser;
    chooser.answer = answer;
    SimWorld world;
    world.listen(kEveryEvent);
    world.attend(&chooser, false);
    world.reset(config.setup);
    Fingerprint print;
    print.begin();
    print.take(world);
    EXPECT_EQ(world.apply(world.pending().nth(Do::deliver, 0)), Refusal::none);
    print.take(world);
    whim = Whim::none;
    return print.hash();
  };
  EXPECT_EQ(after(1), after(1));
  EXPECT_NE(after(0), after(1));
}

// What a run finds left over from others says in which order they were played.
TEST(DoctorPlayer, PlaysForwardsBackwardsAndAlone) {
  const auto places = [](Order order) {
    std::vector<Hash128> out;
    for (const RunPrint& print : as_told(Whim::counts, {.order = order}).prints)
      out.push_back(print.hash);
    return out;
  };
  const auto forwards = places(Order::forwards), alone = places(Order::alone);
  auto backwards = places(Order::backwards);
  EXPECT_EQ(std::set(forwards.begin(), forwards.end()).size(), 6U);
  std::reverse(backwards.begin(), backwards.end());
  EXPECT_EQ(backwards, forwards);
  EXPECT_THAT(alone, Each(forwards[0]));
}

TEST(DoctorPlayer, ARunThatDiesOrHangsIsNotedAndTheOthersArePlayed) {
  const auto endings = [](Whim how, Setting setting, int runs) {
    std::vector<Ending> out;
    for (const RunPrint& print : as_told(how, setting, runs).prints) out.push_back(print.ending);
    return out;
  };
  constexpr Ending good = Ending::ended, dead = Ending::signalled;
  EXPECT_THAT(endings(Whim::dies, {}, 6), testing::ElementsAre(good, good, dead, good, good, dead));
  EXPECT_THAT(endings(Whim::dies, {.order = Order::alone}, 6), Each(good));
  EXPECT_THAT(endings(Whim::hangs, {}, 1), Each(Ending::hung));
}

TEST(DoctorPlayer, NoSettingMattersToADeterministicSystem) {
  for (const char* scheduler : {"random", "timed", "pctcp"}) {
    Request r = request_of(config_of("raft", scheduler), 25);
    const Played first = played(r);
    EXPECT_THAT(first.prints, Each(testing::Field(&RunPrint::ending, Ending::ended)));
    for (const Setting& setting :
         {Setting{.order = Order::backwards}, Setting{.order = Order::alone}, Setting{.workers = 3},
          Setting{.fresh_runner = true}, Setting{.shuffle = 5}, Setting{.clock = ClockUse::shifted},
          all_held()}) {
      r.setting = setting;
      EXPECT_EQ(played(r).prints, first.prints) << to_text(r);
    }
  }
}

TEST(DoctorPlayer, OtherSeedsGiveOtherFingerprints) {
  Request r = request_of(config_of("raft"), 25);
  const Played first = played(r);
  r.seed = "26";
  const Played others = played(r);
  for (std::size_t i = 0; i < first.prints.size(); ++i)
    EXPECT_NE(first.prints[i].hash, others.prints[i].hash);
}

TEST(DoctorPlayer, TheWordsSayWhatTheFingerprintSays) {
  Request r = request_of(config_of("toy-consensus"), 10);
  r.words = true;
  const Played p = played(r);
  ASSERT_THAT(p.words, SizeIs(10));
  for (std::size_t i = 0; i < 10; ++i) {
    ASSERT_THAT(p.words[i], SizeIs(p.prints[i].steps + 2));  // the start and the end
    EXPECT_EQ(p.words[i].front().handler, "start");
    EXPECT_EQ(p.words[i].back().hash, to_hex(p.prints[i].hash));
  }
}

TEST(DoctorPlayer, ATimeLimitLeavesRunsOut) {
  Request r = request_of(config_of("raft"), 5000);
  r.seconds = 1e-9;
  const Played p = played(r);
  EXPECT_EQ(p.prints.back().ending, Ending::not_played);
}

TEST(DoctorLauncher, SaysWhenThisProgramIsNoPlayer) {
  // GoogleTest's main takes no verbs: it lists its tests and ends.
  const Launcher launcher({"unit_tests", "--gtest_list_tests", "--gtest_filter=none"}, kGoOn, {});
  const int out = ::dup(STDOUT_FILENO);
  ::close(STDOUT_FILENO);
  const auto p = launcher.play(request_of(config_of("toy-consensus"), 1));
  ::dup2(out, STDOUT_FILENO);
  ::close(out);
  ASSERT_FALSE(p);
  EXPECT_THAT(p.error(), testing::HasSubstr("could not start itself again"));
}

TEST(DoctorHooks, AHeldClockShowsEachRunTheSame) {
  EXPECT_EQ(in_child([] {
              static std::atomic<std::uint64_t> reads{0}, threads{0};
              static std::atomic<std::uint32_t> impatient{0};
              if (!install_hooks(ClockUse::held, false, {&reads, &threads, &impatient})) return 1;
              const auto read = [] {
                rewind_clock();
                const auto a = std::chrono::steady_clock::now().time_since_epoch().count();
                const auto b = std::chrono::system_clock::now().time_since_epoch().count();
                return std::pair(a, b);
              };
              const auto once = read();
              std::this_thread::sleep_for(std::chrono::milliseconds(2));
              if (read() != once) return 2;
              if (once.second <= once.first) return 3;  // waiting for time to pass must end
              return reads == 4 ? 0 : 4;
            }),
            0);
}

TEST(DoctorHooks, AShiftedClockIsElsewhereAndRuns) {
  EXPECT_EQ(in_child([] {
              static std::atomic<std::uint64_t> reads{0}, threads{0};
              static std::atomic<std::uint32_t> impatient{0};
              const auto before = std::time(nullptr);
              if (!install_hooks(ClockUse::shifted, false, {&reads, &threads, &impatient}))
                return 1;
              return std::time(nullptr) - before > 86'400 ? 0 : 2;
            }),
            0);
}

TEST(DoctorHooks, ThreadsCanBeMadeToRunOneAfterTheOther) {
  EXPECT_EQ(in_child([] {
              static std::atomic<std::uint64_t> reads{0}, threads{0};
              static std::atomic<std::uint32_t> impatient{0};
              if (!install_hooks(ClockUse::real, true, {&reads, &threads, &impatient})) return 1;
              std::mutex mutex;
              std::vector<int> order;
              std::vector<std::thread> all;
              for (int i = 0; i < 20; ++i)
                all.emplace_back([&, i] {
                  for (int k = i; k < 20; ++k) std::this_thread::yield();
                  const std::lock_guard lock(mutex);
                  order.push_back(i);
                });
              for (std::thread& thread : all) thread.join();
              if (threads != 20 || impatient != 0) return 2;
              return std::is_sorted(order.begin(), order.end()) ? 0 : 3;
            }),
            0);
}

TEST(DoctorMemory, TheEnvironmentIsAsLongWhateverTheFill) {
  const auto a = fill_environment(kOneFill), b = fill_environment(kOtherFill);
  const auto none = fill_environment(0);
  ASSERT_EQ(a.size(), none.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].size(), b[i].size());
    EXPECT_EQ(a[i].size(), none[i].size());
    EXPECT_NE(a[i], b[i]);
    EXPECT_TRUE(is_fill_variable(a[i]));
  }
  EXPECT_FALSE(is_fill_variable("PATH=/bin"));
}

TEST(DoctorMemory, AShuffledHeapHandsOutBlocksInAnotherOrder) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizers' allocators do not hand out blocks again";
#endif
  // Which of 5 new blocks is the lowest, and so on, as one number.
  const auto order = [](std::uint64_t seed) {
    return in_child([seed] {
      shuffle_heap(seed);
      void* blocks[5];
      for (void*& block : blocks) block = std::malloc(24);
      int code = 0;
      for (void* a : blocks) {
        int below = 0;
        for (void* b : blocks) below += std::less<>()(b, a) ? 1 : 0;
        code = (code * 5 + below) % 251;
      }
      return code;
    });
  };
  std::set<int> orders;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    EXPECT_EQ(order(seed), order(seed));
    orders.insert(order(seed));
  }
  EXPECT_GE(orders.size(), 5U);
}

TEST(Doctor, FindsNothingInADeterministicSystem) {
  Options options;
  options.runs = 50;
  const auto checkup = examine(config_of("toy-consensus"), options, {}, kGoOn);
  ASSERT_TRUE(checkup) << checkup.error();
  EXPECT_TRUE(checkup->clean());
  EXPECT_EQ(checkup->runs, 50U);
  EXPECT_GT(checkup->steps, 50U);
  EXPECT_THAT(checkup->sweeps, SizeIs(6));
  EXPECT_THAT(checkup->sweeps, Each(testing::Field(&Trial::differing, 0U)));
  EXPECT_THAT(checkup->sweeps, Each(testing::Field(&Trial::runs, 50U)));
}

// Two runs for the first time, twice in one process, and then one sleeps until there is no time for
// the other.
TEST(Doctor, ARunThatThereWasNoTimeForSaysNothing) {
  const RunConfig config = config_of_whims();
  Options options;
  options.runs = 2;
  options.seconds = 3;
  sleeps_in() = 2 + 4 + 1;
  const auto checkup = examine(config, options, {}, kGoOn);
  ASSERT_TRUE(checkup) << checkup.error();
  EXPECT_TRUE(checkup->clean());
  EXPECT_THAT(checkup->sweeps, Each(testing::Field(&Trial::differing, 0U)));
}

TEST(Doctor, EachCauseHasWordsAndAHint) {
  for (std::size_t i = 0; i < enum_count<Cause>(); ++i) {
    EXPECT_FALSE(cause_words(static_cast<Cause>(i)).empty());
    EXPECT_FALSE(cause_hint(static_cast<Cause>(i)).empty());
  }
}

}  // namespace
}  // namespace schism::doctor
