// Budgets are spent, partitions cut both ways, and states with other futures have other digests.
#include <gtest/gtest.h>

#include "schism/schedule/faults.hpp"
#include "schism/testing/checked.hpp"

namespace schism {
namespace {

using testing_tools::config_of;

// One fault of a kind that is possible now.
Action fault_of(const World& world, Fault kind) {
  const Pending& pending = world.pending();
  switch (kind) {
    case Fault::drop: return pending.nth(Do::drop, 0);
    case Fault::duplicate: return pending.nth(Do::duplicate, 0);
    case Fault::crash: return pending.nth(Do::crash, 0);
    case Fault::pause: return pending.nth(Do::pause, 0);
    case Fault::cut: return pending.nth(Do::cut, 0);
    default: return make_action(Do::begin, Name(), static_cast<std::uint32_t>(Macro::partition));
  }
}

// One of that kind that only an empty budget stands in the way of.
Action another(const World& world, Fault kind) {
  const Pending& pending = world.pending();
  const NodeId n = world.setup().nodes;
  NodeId node = 0;
  switch (kind) {
    case Fault::drop:
    case Fault::duplicate: {
      Action action = pending.nth(Do::deliver, 0);
      action.kind = kind == Fault::drop ? Do::drop : Do::duplicate;
      return action;
    }
    case Fault::crash:
      while (node < n && !world.up(node)) ++node;
      return node_action(Do::crash, node);
    case Fault::pause: return node_action(Do::pause, static_cast<NodeId>(pending.live[0]));
    case Fault::cut:
      while (node + 1 < n && world.cut(node, node + 1)) ++node;
      return link_action(Do::cut, node, node + 1);
    default: return fault_of(world, Fault::partition);
  }
}

TEST(Budget, EveryFaultIsPaidForUntilNothingIsLeft) {
  for (const Fault kind :
       {Fault::drop, Fault::duplicate, Fault::crash, Fault::pause, Fault::cut, Fault::partition}) {
    SCOPED_TRACE(fault_name(kind));
    constexpr std::uint32_t kBudget = 3;
    SimWorld world;
    world.reset(config_of("tokens:tokens=20", {.faults = {{fault_name(kind), "3"}}}).setup);
    for (std::uint32_t spent = 0; spent < kBudget; ++spent) {
      ASSERT_EQ(budget_of(world.pending().left, kind), kBudget - spent);
      const Action fault = fault_of(world, kind);
      ASSERT_EQ(world.apply(fault), Refusal::none);
      if (fault.kind == Do::begin) {
        ASSERT_EQ(world.apply(make_action(Do::end, Name(), fault.arg())), Refusal::none);
      }
    }
    EXPECT_EQ(budget_of(world.pending().left, kind), 0U);
    // Nothing is offered any more, and what is asked for all the same is refused.
    EXPECT_EQ(world.apply(another(world, kind)), Refusal::out_of_budget);
  }
}

TEST(Budget, APartitionCutsBothWaysAndNothingElse) {
  SimWorld world;
  world.reset(
      config_of("tokens:tokens=20", {.nodes = 5, .faults = {{"partition", "1"}, {"cut", "1"}}})
          .setup);
  // One of the cuts is there already.
  ASSERT_EQ(world.apply(link_action(Do::cut, 0, 3)), Refusal::none);
  const std::vector<bool> side = {true, false, true, false, false};
  Script script;
  partition(world, side, script);
  for (const Action& action : script) ASSERT_EQ(world.apply(action), Refusal::none);
  for (NodeId from = 0; from < 5; ++from)
    for (NodeId to = 0; to < 5; ++to)
      EXPECT_EQ(world.cut(from, to),
                side[static_cast<std::size_t>(from)] != side[static_cast<std::size_t>(to)])
          << from << " to " << to;
  EXPECT_EQ(world.pending().left.partition, 0U);
  EXPECT_EQ(world.pending().left.cut, 0U);  // the one before, not those of the partition
}

// ---- digests -------------------------------------------------------------------------------

struct Note {
  FIELDS()
};
struct Question {
  int about = 0;
  FIELDS(about)
};

// Takes requests and shows nothing of them.
struct Silent : Node<Silent, Note> {
  using Requests = Types<Question>;
  int nothing = 0;
  FIELDS(nothing)
  void on(Context&, NodeId, const Note&) {}
  void on_request(Context&, RequestId, const Question&) {}
};

const Registration registered =
    system<Silent>("test-unanswered", "takes requests and shows nothing of them")
        .nodes(2, 2, 4)
        .workload([](Workload& w) {
          w.request<Silent>(0, kAnyNode, Question{1});
          w.request<Silent>(0, kAnyNode, Question{2});
        })
        .thread_safe();

const Registration registered_pair =
    system<Silent>("test-unanswered-pair", "takes a request of each of two clients")
        .nodes(2, 2, 4)
        .workload([](Workload& w) {
          for (int client = 0; client < 2; ++client)
            w.request<Silent>(client, kAnyNode, Question{client});
        })
        .thread_safe();

// Each node has one request: which client waits where is all the difference.
TEST(Digest, TellsWhoWaitsWhere) {
  const schism::Setup setup = config_of("test-unanswered-pair").setup;
  SimWorld worlds[2];
  for (NodeId first = 0; first < 2; ++first) {
    SimWorld& world = worlds[first];
    world.keep_digest(true);
    world.reset(setup);
    for (NodeId client = 0; client < 2; ++client) {
      Action submit = world.pending().nth(Do::submit, 0);
      const NodeId at = submit.name.from() == 0 ? first : 1 - first;
      submit = make_action(Do::submit, submit.name, static_cast<std::uint32_t>(at), submit.hint);
      ASSERT_EQ(world.apply(submit), Refusal::none);
    }
    ASSERT_EQ(world.pending().count(Do::submit), 0U);
  }
  EXPECT_NE(worlds[0].digest(), worlds[1].digest());
  EXPECT_NE(worlds[0].digest_from_scratch(), worlds[1].digest_from_scratch());
  const Renaming same;
  EXPECT_NE(worlds[0].renamed_digest(same), worlds[1].renamed_digest(same));
}

// The client waits at one node or the other: if the first crashes it goes on, or it does not.
TEST(Digest, TellsWhereARequestWaitsForItsAnswer) {
  const schism::Setup setup = config_of("test-unanswered", {.faults = {{"crash", "1"}}}).setup;
  SimWorld worlds[2];
  for (NodeId at = 0; at < 2; ++at) {
    SimWorld& world = worlds[at];
    world.keep_digest(true);
    world.reset(setup);
    ASSERT_EQ(world.pending().count(Do::submit), 2U);
    Action submit = world.pending().nth(Do::submit, 0);
    submit = make_action(Do::submit, submit.name, static_cast<std::uint32_t>(at), submit.hint);
    ASSERT_EQ(world.apply(submit), Refusal::none);
    ASSERT_EQ(world.pending().count(Do::submit), 0U);
  }
  EXPECT_NE(worlds[0].digest(), worlds[1].digest());
  EXPECT_NE(worlds[0].digest_from_scratch(), worlds[1].digest_from_scratch());
  const Renaming same;
  EXPECT_NE(worlds[0].renamed_digest(same), worlds[1].renamed_digest(same));
  // With the nodes called otherwise they are alike.
  EXPECT_EQ(worlds[0].renamed_digest({{1, 0}, {}}), worlds[1].renamed_digest(same));
  for (SimWorld& world : worlds) ASSERT_EQ(world.apply(node_action(Do::crash, 0)), Refusal::none);
  EXPECT_EQ(worlds[0].pending().count(Do::submit), 1U);
  EXPECT_EQ(worlds[1].pending().count(Do::submit), 0U);
}

}  // namespace
}  // namespace schism
