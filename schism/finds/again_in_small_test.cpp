#include "schism/finds/again_in_small.hpp"

#include <gtest/gtest.h>

#include "schism/campaign/hunt.hpp"
#include "schism/oracle/invariant.hpp"
#include "schism/testing/checked.hpp"

namespace schism {
namespace {

struct Token {
  int hops = 0;
  FIELDS(hops)
};

// A token goes round; whoever gets it after seven hops has a token too many. Without one of the
// nodes the ring of a recorded run is broken, but any ring shows it.
struct Ring : Node<Ring, Token> {
  int most = 0;
  FIELDS(most)
  void start(Context& c) {
    if (c.self == 0) c.send(1 % c.nodes(), Token{1});
  }
  void on(Context& c, NodeId, const Token& token) {
    most = token.hops;
    c.send((c.self + 1) % c.nodes(), Token{token.hops + 1});
  }
};

const Registration registered =
    system<Ring>("test-ring", "a token goes round")
        .nodes(5, 2, 9)
        .oracle(invariant<Ring>("few-hops", [](const Ring& r) { return r.most < 7; }))
        .steps(50)
        .thread_safe();

// The same with as many nodes as there are, but the token may pass a node several times.
struct Laps : Node<Laps, Token> {
  struct Config {
    int laps = 6;
  };
  int seen = 0;
  FIELDS(seen)
  void start(Context& c) {
    if (c.self == 0) c.send(1, Token{1});
  }
  void on(Context& c, NodeId, const Token&) {
    ++seen;
    c.send((c.self + 1) % c.nodes(), Token{0});
    if (c.self == 0) c.require(seen < c.config().laps, "one lap too many");
  }
};

const Registration laps = system<Laps>("test-laps", "a token goes round until it is stopped")
                              .nodes(4, 4, 4)
                              .param<&Laps::Config::laps>("laps", 1, 9, "until it is stopped")
                              .steps(60)
                              .thread_safe();

Find find_of(const std::string& system, int jobs = 1) {
  static const std::atomic<bool> go_on{false};
  HuntOptions options;
  options.runs = 10;
  options.jobs = jobs;
  const auto result = hunt(testing_tools::config_of(system, {}), options, {}, go_on);
  if (!result || result->finds.empty()) throw std::runtime_error("nothing found");
  return result->finds.front();
}

TEST(AgainInSmall, ARunOfWhichNoNodeCanBeLeftOutIsFoundWithFewer) {
  const Find find = find_of("test-ring");
  ASSERT_TRUE(find.small);
  EXPECT_EQ(find.trace.config.setup.nodes, 5);
  EXPECT_EQ(find.small->before.nodes, 5);
  EXPECT_EQ(find.small->after.nodes, 2);
  EXPECT_EQ(find.small->after.actions, 7U);
  EXPECT_TRUE(find.small->certificate.minimal);
  const ReplayReport again = replay(find.small->trace);
  EXPECT_FALSE(again.difference);
  ASSERT_TRUE(again.now.violation);
  EXPECT_EQ(again.now.violation->property, "few-hops");
}

TEST(AgainInSmall, IsTheSameOnAnyNumberOfWorkers) {
  EXPECT_EQ(to_text(find_of("test-ring").small->trace),
            to_text(find_of("test-ring", 3).small->trace));
}

TEST(AgainInSmall, ALongRunIsFoundWithSmallerParameters) {
  const Find find = find_of("test-laps");
  ASSERT_TRUE(find.small);
  EXPECT_EQ(find.small->before.actions, 24U);
  EXPECT_EQ(find.small->after.actions, 4U);
  EXPECT_EQ(to_text(find.small->trace.config).system.values, (Pairs{{"laps", "1"}}));
  EXPECT_TRUE(find.small->certificate.minimal);
  ASSERT_TRUE(replay(find.small->trace).now.violation);
}

}  // namespace
}  // namespace schism
