// Requests that another node answers than the one that was asked, as the tail of a chain does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schism/check/check.hpp"
#include "schism/testing/checked.hpp"

namespace schism {
namespace {

struct Write {
  int value = 0;
  FIELDS(value)
};
struct Written {
  FIELDS()
};
struct Forward {
  RequestId request;
  FIELDS(request)
};

// The head is asked, the tail answers: twice, because the head says everything twice.
struct Chain : Node<Chain, Forward> {
  using Requests = Types<Write>;
  int served = 0;
  FIELDS(served)
  void on_request(Context& c, RequestId request, const Write&) {
    for (int i = 0; i < 2; ++i) c.send(c.nodes() - 1, Forward{request});
  }
  void on(Context& c, NodeId, const Forward& forward) {
    ++served;
    c.answer(forward.request, Written{});
  }
};

SystemBuilder<Chain> chain(const char* name) {
  return system<Chain>(name, "the tail answers")
      .nodes(3, 2, 5)
      .workload([](Workload& w) {
        for (int i = 0; i < 4; ++i) w.request<Chain>(0, 0, Write{i});
      })
      .thread_safe();
}
const Registration declared = chain("test-chain").answers_anywhere();
const Registration undeclared = chain("test-chain-undeclared");

struct Seen {
  int answered = 0, invoked = 0;
  std::optional<Violation> violation;
};

Seen run(const std::string& system, std::uint64_t seed, const Pairs& faults = {}) {
  const RunConfig config = testing_tools::config_of(system, {.faults = faults});
  Runner runner(config.setup, config.limits);
  Seen seen;
  const auto count = watch(mask_of(Happened::answered) | mask_of(Happened::invoked),
                           [&](const World&, std::span<const Event> events) {
                             for (const Event& e : events) {
                               seen.invoked += e.kind == Happened::invoked ? 1 : 0;
                               if (e.kind != Happened::answered) continue;
                               ++seen.answered;
                               EXPECT_EQ(e.node, 2);
                             }
                           });
  runner.attach(*count);
  RunPlan plan;
  plan.seed = plan.node_seed = seed;
  runner.run(*make_scheduler(config, 0), plan);
  seen.violation = runner.violation();
  return seen;
}

TEST(AnswersAnywhere, EachRequestIsAnsweredOnceAndItsClientGoesOn) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const Seen seen = run("test-chain", seed);
    EXPECT_FALSE(seen.violation) << seen.violation->message;
    EXPECT_EQ(seen.invoked, 4);
    EXPECT_EQ(seen.answered, 4);
  }
}

// When the node that was asked crashes, its client goes on; what then comes is too late.
TEST(AnswersAnywhere, LateAnswersGetLost) {
  int unanswered = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Seen seen = run("test-chain", seed, {{"crash", "3"}});
    EXPECT_FALSE(seen.violation) << seen.violation->message;
    EXPECT_LE(seen.answered, seen.invoked);
    unanswered += seen.invoked - seen.answered;
  }
  EXPECT_GT(unanswered, 0);
}

TEST(AnswersAnywhere, MustBeDeclared) {
  const Seen seen = run("test-chain-undeclared", 1);
  ASSERT_TRUE(seen.violation);
  EXPECT_THAT(seen.violation->message, testing::HasSubstr("not open at this node"));
}

TEST(AnswersAnywhere, AreNotExploredSystematically) {
  const RunConfig config = testing_tools::config_of("test-chain");
  const std::atomic<bool> go_on{false};
  const auto result = check::check(config, {}, {}, go_on);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error(), testing::HasSubstr("are not explored"));
}

}  // namespace
}  // namespace schism
