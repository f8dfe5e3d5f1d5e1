// Several workers come to the same as one, and one that dies is noticed.
#include "schism/check/crew.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "schism/check/check.hpp"
#include "schism/schism.hpp"

namespace schism::check {
namespace {

const std::atomic<bool> kGoOn{false};

// ---- a system that can end its process ---------------------------------------------------------

struct Spark {
  FIELDS()
};

struct Fuse : Node<Fuse, Spark> {
  struct Config {
    bool deadly = false;
  };
  int sparks = 0;
  FIELDS(sparks)

  void start(Context& c) { c.broadcast(Spark{}); }
  void on(Context& c, NodeId, const Spark&) {
    if (++sparks == 2 && c.config().deadly) ::raise(SIGKILL);
  }
};

const Registration fuse = system<Fuse>("test-fuse", "nodes that may end the process they run in")
                              .nodes(3, 2, 8)
                              .param<&Fuse::Config::deadly>("deadly", "whether they do");

RunConfig config_of(const std::string& system, int nodes, Pairs faults = {},
                    std::vector<std::string> bugs = {}) {
  RunText text;
  text.system = *parse_spec(system);
  text.nodes = std::to_string(nodes);
  text.faults = std::move(faults);
  text.bugs = std::move(bugs);
  auto config = make_config(text);
  EXPECT_TRUE(config) << (config ? "" : config.error());
  return *config;
}

CheckOptions with(const std::string& search, int jobs) {
  CheckOptions o;
  o.search = *parse_spec(search);
  o.probes = 0;
  o.jobs = jobs;
  return o;
}

CheckResult checked(const RunConfig& config, const CheckOptions& options) {
  auto result = check(config, options, {}, kGoOn);
  EXPECT_TRUE(result) << (result ? "" : result.error());
  return *result;
}

struct Job {
  std::string system;
  int nodes;
  Pairs faults;
};
const Job kJobs[] = {
    {"hierarchical-consensus", 4, {{"crash", "1"}}},
    {"reliable-broadcast", 4, {{"crash", "1"}}},
    {"reliable-broadcast", 3, {{"duplicate", "1"}}},
    {"paxos:proposers=2", 4, {}},
    {"two-phase-commit", 5, {}},
    {"two-phase-commit", 3, {{"crash", "1"}}},
};

TEST(Crew, OptimalHasTheSameRunsWithAnyNumberOfWorkers) {
  for (const Job& job : kJobs) {
    const RunConfig config = config_of(job.system, job.nodes, job.faults);
    const CheckResult alone = checked(config, with("dpor", 1));
    for (const int jobs : {2, 3, 4}) {
      const CheckResult r = checked(config, with("dpor", jobs));
      EXPECT_EQ(r.verdict, alone.verdict) << job.system << jobs << r.reason;
      EXPECT_EQ(r.totals.executions, alone.totals.executions) << job.system << jobs;
      EXPECT_EQ(r.totals.steps, alone.totals.steps) << job.system << jobs;
      EXPECT_EQ(r.totals.blocked, 0U) << job.system << jobs;
      ASSERT_EQ(r.parts.size(), alone.parts.size());
      for (std::size_t i = 0; i < r.parts.size(); ++i)
        EXPECT_EQ(r.parts[i].totals.executions, alone.parts[i].totals.executions);
    }
  }
}

TEST(Crew, OtherSearchesToo) {
  for (const char* search : {"prefix", "dpor:mode=source", "dpor:mode=sleep", "dfs", "bfs"}) {
    SCOPED_TRACE(search);
    for (const Job& job :
         {Job{"hierarchical-consensus", 3, {{"crash", "1"}}}, Job{"two-phase-commit", 3, {}}}) {
      const RunConfig config = config_of(job.system, job.nodes, job.faults);
      const CheckResult alone = checked(config, with(search, 1));
      for (const int jobs : {2, 4}) {
        const CheckResult r = checked(config, with(search, jobs));
        EXPECT_EQ(r.verdict, alone.verdict) << r.reason;
        EXPECT_EQ(r.totals.executions, alone.totals.executions);
        EXPECT_EQ(r.totals.states, alone.totals.states);
      }
    }
  }
}

TEST(Crew, WithinBoundsToo) {
  const RunConfig config = config_of("paxos:proposers=2", 4);
  CheckOptions deep = with("dpor", 1);
  deep.depth = 8;
  const auto runs = [&](CheckOptions options, int jobs) {
    options.jobs = jobs;
    return checked(config, options).totals.executions;
  };
  EXPECT_EQ(runs(deep, 1), runs(deep, 3));
  CheckOptions delays = with("prefix", 1);
  delays.delays = 2;
  EXPECT_EQ(runs(delays, 1), runs(delays, 3));
  CheckOptions deepening = with("dpor", 1);
  deepening.deepen = true, deepening.depth = 8;
  EXPECT_EQ(runs(deepening, 1), runs(deepening, 2));
}

TEST(Crew, FindsTheSameCounterexampleWithTwoOrMore) {
  const std::tuple<std::string, int, Pairs, std::string> planted[] = {
      {"hierarchical-consensus", 3, {{"crash", "1"}}, "advance-once"},
      {"two-phase-commit", 4, {}, "commit-early"},
      {"paxos", 5, {}, "own-value"},
      {"reliable-broadcast", 3, {}, "deliver-twice"}};
  for (const auto& [system, nodes, faults, bug] : planted)
    for (const char* search : {"dpor", "prefix", "dfs"}) {
      if (system == "paxos" && search != std::string("dpor")) continue;
      const RunConfig config = config_of(system, nodes, faults, {bug});
      const CheckResult two = checked(config, with(search, 2));
      ASSERT_EQ(two.verdict, Verdict::violated) << bug << search << two.reason;
      EXPECT_EQ(checked(config, with(search, 1)).verdict, Verdict::violated) << bug << search;
      for (const int jobs : {3, 4}) {
        const CheckResult more = checked(config, with(search, jobs));
        ASSERT_EQ(more.verdict, Verdict::violated) << bug << search;
        EXPECT_EQ(to_text(*more.counterexample), to_text(*two.counterexample)) << bug << search;
      }
    }
}

TEST(Crew, LimitsAreInconclusive) {
  CheckOptions few = with("prefix", 2);
  few.runs = 1000;
  const CheckResult r = checked(config_of("paxos", 5), few);
  EXPECT_EQ(r.verdict, Verdict::inconclusive);
  EXPECT_EQ(r.reason, "the allowed number of runs is used up");
  EXPECT_GE(r.totals.executions, 1000U);
  const CheckResult endless = checked(config_of("tokens", 3), with("dpor", 2));
  EXPECT_EQ(endless.verdict, Verdict::inconclusive);
  EXPECT_THAT(endless.reason, ::testing::HasSubstr("--depth"));
}

TEST(Crew, AWorkerThatDiesIsNoVerdict) {
  for (const char* search : {"dpor", "dfs"}) {
    const CheckResult r = checked(config_of("test-fuse:deadly=true", 3), with(search, 2));
    ASSERT_EQ(r.verdict, Verdict::violated) << search << " " << r.reason;
    EXPECT_EQ(r.counterexample->violation->property, "crash") << search;
  }
  EXPECT_EQ(checked(config_of("test-fuse", 3), with("dpor", 2)).verdict, Verdict::holds);
}

TEST(Pool, AnswersInTheOrderOfTheQuestions) {
  Pool pool(3, 1'000'000, [](std::string_view q) { return std::string(q) + "!"; }, {});
  std::vector<std::string> questions;
  for (int i = 0; i < 50; ++i) questions.push_back(std::string(static_cast<std::size_t>(i), 'x'));
  for (int round = 0; round < 3; ++round) {
    const auto answers = pool.ask(questions, {});
    ASSERT_TRUE(answers);
    for (std::size_t i = 0; i < questions.size(); ++i) EXPECT_EQ((*answers)[i], questions[i] + "!");
  }
}

TEST(Pool, ADeathIsAnAnswerAndTheRestGoesOn) {
  Pool pool(
      2, 1'000'000,
      [](std::string_view q) -> std::string {
        if (q == "die") ::_exit(3);
        return std::string(q);
      },
      [](const guard::Fallen& fallen) { return fallen.death.how; });
  const auto answers = pool.ask({"a", "die", "b", "die", "die", "c"}, {});
  ASSERT_TRUE(answers) << answers.error();
  EXPECT_THAT(*answers, ::testing::ElementsAre("a", "exit(3)", "b", "exit(3)", "exit(3)", "c"));
}

TEST(Pool, IsStoppedInTheMiddle) {
  Pool pool(2, 1'000'000,
            [](std::string_view) -> std::string {
              for (;;) ::pause();
            },
            {});
  int asked = 0;
  const auto answers = pool.ask({"a", "b", "c"}, [&] { return ++asked > 2; });
  ASSERT_TRUE(answers);
  EXPECT_EQ((*answers)[0], "");
}

}  // namespace
}  // namespace schism::check
