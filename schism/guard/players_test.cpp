#include "schism/guard/players.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <thread>

#include "schism/guard/child.hpp"
#include "schism/guard/said.hpp"

namespace schism::guard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr Micros kHang = 300'000;

// Words that a player obeys. The system's code is what happens inside of a call.
void obey(std::string_view order, Outbox& out, const std::atomic<bool>& over) {
  BlackBox* const box = BlackBox::active();
  if (box) box->begin_run(7);
  const auto inside = [&](auto&& act) {
    if (box) box->begin_step(1, Action{});
    if (box) box->enter(1);
    act();
    if (box) box->leave();
  };
  if (order.starts_with("say ")) out.put(order.substr(4));
  if (order == "twice") out.put("one"), out.put("two");
  if (order == "large") out.put(std::string(5'000'000, 'x')), out.put("end");
  if (order == "segfault") {
    out.put("before");
    inside([] { ::raise(SIGSEGV); });
  }
  if (order == "exit") inside([] { ::_exit(3); });
  if (order == "spin masked")
    inside([] {
      sigset_t all;
      ::sigfillset(&all);
      ::sigprocmask(SIG_BLOCK, &all, nullptr);
      volatile bool forever = true;
      while (forever) continue;
    });
  if (order == "stop") inside([] { ::raise(SIGSTOP); });
  if (order == "sleep") inside([] { ::pause(); });
  if (order == "close")
    inside([] {
      for (int fd = 3; fd < 1000; ++fd) ::close(fd);
    });
  if (order == "fork") {
    inside([] { static_cast<void>(::fork()); });  // both come back; one of them goes no further
    out.put("once");
  }
  if (order == "leave somebody behind")
    inside([&] {
      const pid_t child = ::fork();
      if (child == 0) {
        ::setsid();
        for (;;) ::pause();
      }
      out.put(std::to_string(child));
    });
  if (order == "scribble")
    inside([] {
      // Everything that is shared and writable.
      std::ifstream maps("/proc/self/maps");
      std::vector<std::pair<unsigned long, unsigned long>> shared;
      for (std::string line; std::getline(maps, line);) {
        unsigned long begin = 0, end = 0;
        char mode[5] = {};
        if (std::sscanf(line.c_str(), "%lx-%lx %4s", &begin, &end, mode) == 3 &&
            std::string(mode) == "rw-s")
          shared.emplace_back(begin, end);
      }
      for (const auto& [begin, end] : shared)
        for (unsigned long at = begin; at < end && at < begin + (64 << 20); at += 8)
          *reinterpret_cast<unsigned long*>(at) = 0x5a5a5a5a5a5a5a5a;
    });
  if (order == "wait") {
    while (!over) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    out.put("over");
  }
  if (order == "allocate")
    inside([] {
      std::vector<std::string> all;
      for (;;) all.emplace_back(std::size_t{1} << 20, 'x');
    });
  if (order == "talk") {
    const std::string line(1000, 'z');
    for (int i = 0; i < 100'000; ++i) static_cast<void>(!::write(1, line.data(), line.size()));
  }
}

// Under the sanitizers a process begins with a third of a gigabyte.
std::uint64_t resident() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t size = 0, pages = 0;
  file >> size >> pages;
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::unique_ptr<Players> players(int count = 1, bool in_process = false, Micros hang = kHang) {
  auto made = Players::start({.count = count,
                              .hang = hang,
                              .memory = resident() + (std::uint64_t{1} << 28),
                              .in_process = in_process},
                             obey);
  if (!made) ADD_FAILURE() << made.error();
  return made ? *std::move(made) : nullptr;
}

Report report_of(Players& all) {
  for (int i = 0; i < 300; ++i) {
    auto report = all.wait(100);
    if (!report) {
      ADD_FAILURE() << report.error();
      return {};
    }
    if (*report) return **std::move(report);
  }
  ADD_FAILURE() << "no report";
  return {};
}

Report told(Players& all, const std::string& order) {
  EXPECT_TRUE(all.give(*all.idle(), order));
  return report_of(all);
}

TEST(Players, CarryOutOrdersHereAndElsewhere) {
  for (const bool in_process : {true, false}) {
    const auto all = players(1, in_process);
    EXPECT_THAT(told(*all, "say hello").letters, ElementsAre("hello"));
    EXPECT_THAT(told(*all, "nothing").letters, IsEmpty());
    EXPECT_THAT(told(*all, "twice").letters, ElementsAre("one", "two"));
    const Report large = told(*all, "large");
    EXPECT_THAT(large.letters, ElementsAre(std::string(5'000'000, 'x'), "end"));
    EXPECT_FALSE(large.fallen);
  }
}

TEST(Players, ADeathIsAReportAndThePlayerIsReplaced) {
  const auto all = players();
  for (int i = 0; i < 3; ++i) {
    const Report dead = told(*all, "segfault");
    EXPECT_THAT(dead.letters, ElementsAre("before"));
    ASSERT_TRUE(dead.fallen);
    EXPECT_EQ(dead.fallen->death.how, "SIGSEGV");
    EXPECT_EQ(dead.fallen->run, 7U);
    EXPECT_EQ(dead.fallen->decisions.size(), 1U);
    EXPECT_FALSE(dead.fallen->lost);
    EXPECT_EQ(told(*all, "exit").fallen->death.how, "exit(3)");
    EXPECT_THAT(told(*all, "say again").letters, ElementsAre("again"));
  }
}

TEST(Players, WhoDoesNotComeBackIsKilledWhateverItMasks) {
  const auto all = players();
  for (const char* order : {"spin masked", "stop", "sleep"}) {
    const Report dead = told(*all, order);
    ASSERT_TRUE(dead.fallen) << order;
    EXPECT_EQ(dead.fallen->death.how, "hang") << order;
  }
  EXPECT_THAT(told(*all, "say again").letters, ElementsAre("again"));
}

TEST(Players, MemoryIsBounded) {
  // On a busy machine so many new pages may cost more than the time of a hang.
  const auto all = players(1, false, 60 * 1'000'000);
  const Report dead = told(*all, "allocate");
  ASSERT_TRUE(dead.fallen);
  EXPECT_EQ(dead.fallen->death.how, "too much memory");
}

TEST(Players, WhatASystemPrintsIsKeptBounded) {
  const auto all = players();
  const Report talked = told(*all, "talk");
  EXPECT_FALSE(talked.fallen);
  EXPECT_THAT(told(*all, "say again").letters, ElementsAre("again"));
}

TEST(Players, AForkOfTheSystemGoesNoFurther) {
  const auto all = players();
  EXPECT_THAT(told(*all, "fork").letters, ElementsAre("once"));
}

bool alive(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(file, text);
  return file && text.find(") Z") == std::string::npos;
}

// Until it is so, or time is over.
template <class F>
bool becomes(const F& condition) {
  for (int i = 0; i < 1000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

TEST(Players, WhatASystemLeavesBehindEnds) {
  const auto all = players();
  const Report left = told(*all, "leave somebody behind");
  ASSERT_EQ(left.letters.size(), 1U);
  const pid_t behind = std::stoi(left.letters[0]);
  EXPECT_TRUE(told(*all, "segfault").fallen);
  EXPECT_TRUE(becomes([&] { return !alive(behind); }));
}

TEST(Players, AllEndWithTheirDirectorHoweverThatEnds) {
  Child director([](int channel) {
    const auto all = players();
    const Report left = told(*all, "leave somebody behind");
    EXPECT_TRUE(all->give(0, "sleep"));
    const pid_t behind = left.letters.empty() ? 0 : std::stoi(left.letters[0]);
    static_cast<void>(!::write(channel, &behind, sizeof behind));
    for (;;) ::pause();
  });
  pid_t behind = 0;
  ASSERT_EQ(::read(director.channel(), &behind, sizeof behind), ssize_t{sizeof behind});
  ASSERT_GT(behind, 0);
  EXPECT_TRUE(alive(behind));
  director.kill();
  director.wait();
  EXPECT_TRUE(becomes([&] { return !alive(behind); }));
}

TEST(Players, StrayWritesAreNoticed) {
  const auto all = players();
  for (int i = 0; i < 3; ++i) {
    const Report spoilt = told(*all, "scribble");
    ASSERT_TRUE(spoilt.fallen);
    EXPECT_TRUE(spoilt.fallen->lost);
    EXPECT_THAT(told(*all, "say again").letters, ElementsAre("again"));
  }
}

TEST(Players, ClosedDescriptorsAreNoticed) {
  const auto all = players();
  const Report mute = told(*all, "close");
  ASSERT_TRUE(mute.fallen);
  EXPECT_TRUE(mute.fallen->lost);
  EXPECT_THAT(mute.fallen->death.how, HasSubstr("closed descriptors"));
  EXPECT_THAT(told(*all, "say again").letters, ElementsAre("again"));
}

TEST(Players, AnOrderCanBeGivenUpOrCutOff) {
  const auto all = players(2);
  EXPECT_TRUE(all->give(0, "wait", {.stepping = false}));
  EXPECT_TRUE(all->give(1, "wait", {.stepping = false}));
  all->give_up(1);
  const Report over = report_of(*all);
  EXPECT_EQ(over.player, 1);
  EXPECT_THAT(over.letters, ElementsAre("over"));
  all->kill(0);
  EXPECT_FALSE(all->any_busy());
  EXPECT_TRUE(becomes([&] {
    EXPECT_TRUE(all->wait(10));
    return all->idle() == 0;
  }));
  EXPECT_THAT(told(*all, "say again").letters, ElementsAre("again"));
}

TEST(Players, WhoLivesForOneOrderIsAnotherProcessEachTime) {
  const auto made = Players::start({.hang = kHang}, [](std::string_view, Outbox& out, auto&) {
    out.put(std::to_string(::getpid()));
  });
  ASSERT_TRUE(made);
  std::map<std::string, int> seen;
  for (int i = 0; i < 4; ++i) {
    while (!(*made)->idle()) ASSERT_TRUE((*made)->wait(10));
    ASSERT_TRUE((*made)->give(0, "", {.last = true}));
    ++seen[report_of(**made).letters.at(0)];
  }
  EXPECT_EQ(seen.size(), 4U);
}

TEST(Players, TooFewDescriptorsAreALineAndNotAHang) {
  Child child([](int channel) {
    const rlimit few{8, 8};
    ::setrlimit(RLIMIT_NOFILE, &few);
    const auto made = Players::start({.count = 4}, obey);
    if (!made && made.error().find("could be") != std::string::npos) tell(channel);
  });
  EXPECT_TRUE(hear(child.channel()));
}

TEST(Letters, AWrongSumEndsTheStream) {
  Stream stream;
  Outbox out(stream, [] { return false; });
  out.put("first");
  const std::size_t after_first = stream.used;
  out.put("second");
  stream.bytes[after_first + 20] ^= 1;
  Inflow in;
  in.collect(stream);
  EXPECT_THAT(in.letters(), ElementsAre("first"));
  EXPECT_FALSE(in.intact());
  EXPECT_FALSE(in.complete());
}

TEST(Letters, AnUnfinishedOneIsLeftOut) {
  Stream stream;
  Outbox out(stream, [] { return false; });
  out.put("first");
  const std::size_t whole = stream.used;
  out.put("second");
  for (std::size_t cut = whole; cut < whole + 20; ++cut) {
    stream.used = cut;
    Inflow in;
    in.collect(stream);
    EXPECT_THAT(in.letters(), ElementsAre("first"));
    EXPECT_TRUE(in.intact());
    EXPECT_EQ(in.complete(), cut == whole);
  }
}

}  // namespace
}  // namespace schism::guard
