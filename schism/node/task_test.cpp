// Handlers that wait inside: each time they go on is an event of its own, in whatever order; a
// crash forgets what waits; late returns are nobody's.
#include <gtest/gtest.h>

#include "schism/check/check.hpp"
#include "schism/run/config.hpp"
#include "schism/schism.hpp"

namespace schism {
namespace {

struct Got {
  int value = 0;
  FIELDS(value)
};
struct Get {
  int key = 0;
  using Reply = Got;
  FIELDS(key)
};
struct Sum {
  int total = 0;
  FIELDS(total)
};

SCHISM_ENUM(Beat, beat);

// Node 0 adds up what the others return, one after the other.
struct Adder : Node<Adder, Rpc<Get>, Sum>, Waits {
  struct Config {
    bool timed = false, slow = false, throws = false;
  };
  using Timers = Beat;
  int total = 0, asked = 0, missed = 0, beats = 0;
  bool done = false;
  FIELDS(total, asked, missed, beats, done)

  Task<> start(Context& c) {
    c.set_timer(Beat::beat, 100_ms);
    if (c.self != 0) co_return;
    co_await c.sleep(between(5_ms, 10_ms));
    for (NodeId to = 1; to < c.nodes(); ++to) co_await add(c, to);
    done = true;
    c.broadcast(Sum{total});
  }
  Task<> add(Context& c, NodeId to) {
    if (c.config().timed) {
      const auto got = co_await c.call(to, Get{to}, 50_ms);
      if (got) total += got->value;
      else ++missed;
    } else {
      total += (co_await c.call(to, Get{to})).value;
    }
  }
  Task<Got> on_call(Context& c, NodeId, const Get& get) {
    ++asked;
    if (c.config().slow) co_await c.sleep(20_ms);
    if (c.config().throws) throw std::runtime_error("no such key");
    co_return Got{static_cast<int>(10U * static_cast<unsigned>(get.key))};  // some keys are lies
  }
  void on(Context&, NodeId, const Sum& sum) { total = sum.total; }
  void on_timer(Context&, Beat) { ++beats; }
};

const Registration adder =
    system<Adder>("test-adder", "adds up what others return")
        .nodes(3, 2, 4)
        .param<&Adder::Config::timed>("timed", "calls have a limit")
        .param<&Adder::Config::slow>("slow", "returns take a while")
        .param<&Adder::Config::throws>("throws", "a call fails")
        .oracle(world_invariant("adds up", [](const World& w) -> std::string {
          const Adder* first = w.as<Adder>(0);
          if (!first || !first->done) return "";
          const int all = w.setup().nodes == 3 ? 30 : 10;
          return first->total + first->missed * 1000 < all ? "something is missing" : "";
        }));

RunConfig config_of(const std::string& system, const Pairs& faults = {}, int nodes = 3,
                    const std::string& explorer = "random") {
  RunText text;
  text.system = *parse_spec(system);
  text.nodes = std::to_string(nodes);
  text.faults = faults;
  text.explorer = *parse_spec(explorer);
  auto config = make_config(text);
  EXPECT_TRUE(config) << (config ? "" : config.error());
  return *config;
}

// Every run of a hunt, and what node 0 came to.
template <class Look>
void each_run(const RunConfig& config, int runs, Look look) {
  Runner runner(config.setup, config.limits);
  const auto scheduler = make_scheduler(config);
  for (int i = 0; i < runs; ++i) {
    const auto seed = static_cast<std::uint64_t>(i);
    runner.run(*scheduler, {seed, seed});
    look(runner);
  }
}

TEST(Task, CallsReturnInTheEnd) {
  for (const char* explorer : {"random", "pos", "timed", "stepped", "pctcp"}) {
    int done = 0;
    each_run(config_of("test-adder:slow=true", {}, 3, explorer), 50, [&](Runner& runner) {
      EXPECT_FALSE(runner.violation());
      const Adder* first = runner.world().as<Adder>(0);
      ASSERT_TRUE(first);
      if (!first->done) return;
      ++done;
      EXPECT_EQ(first->total, 30);
    });
    EXPECT_GT(done, 40) << explorer;
  }
}

TEST(Task, WithoutAnAnswerInTimeItGoesOn) {
  int missed = 0, whole = 0;
  each_run(config_of("test-adder:timed=true,slow=true"), 200, [&](Runner& runner) {
    EXPECT_FALSE(runner.violation());
    const Adder* first = runner.world().as<Adder>(0);
    missed += first->missed > 0 ? 1 : 0;
    whole += first->done && first->missed == 0 ? 1 : 0;
  });
  EXPECT_GT(missed, 10);
  EXPECT_GT(whole, 10);
}

TEST(Task, ACrashForgetsWhatWaits) {
  int restarted = 0;
  each_run(config_of("test-adder:slow=true", {{"crash", "3"}, {"drop", "3"}, {"duplicate", "3"}}),
           500, [&](Runner& runner) {
             EXPECT_FALSE(runner.violation()) << runner.violation()->message;
             restarted += runner.world().step() > 20 ? 1 : 0;
           });
  EXPECT_GT(restarted, 0);
}

TEST(Task, WhatItThrowsIsACrash) {
  each_run(config_of("test-adder:throws=true"), 5, [&](Runner& runner) {
    ASSERT_TRUE(runner.violation());
    EXPECT_EQ(runner.violation()->property, "crash");
  });
}

TEST(Task, AllSchedulesAreExploredByClassesNotByStates) {
  check::CheckOptions options;
  const std::atomic<bool> stop = false;
  auto result = check::check(config_of("test-adder:timed=true", {}, 2), options, {}, stop);
  ASSERT_TRUE(result) << result.error();
  EXPECT_EQ(result->verdict, check::Verdict::holds) << result->reason;
  EXPECT_GT(result->totals.executions, 10U);
  options.search = *parse_spec("dfs");
  result = check::check(config_of("test-adder", {}, 2), options, {}, stop);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->verdict, check::Verdict::inconclusive);
  EXPECT_NE(result->reason.find("co_await"), std::string::npos) << result->reason;
}

TEST(Task, CallsShowUnderTheirOwnNames) {
  const System& system = *config_of("test-adder").setup.system;
  EXPECT_EQ(system.message(0).name, "Get");
  EXPECT_EQ(system.message(1).name, "Got");
  EXPECT_EQ(system.timer_name(1), "sleep");
}

}  // namespace
}  // namespace schism
