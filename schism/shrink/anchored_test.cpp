// Kept traces against changed code: versions of one protocol that send more, in another order, with
// other types and field names; and the repaired one.
#include "schism/shrink/anchored.hpp"

#include <gtest/gtest.h>

#include "schism/campaign/assert.hpp"
#include "schism/campaign/hunt.hpp"
#include "schism/schism.hpp"

namespace schism {
namespace {

struct Hello {
  int times = 0;
  FIELDS(times)
};
struct Request {
  int round = 0;
  FIELDS(round)
};
struct Grant {
  int round = 0;
  FIELDS(round)
};

enum class Version { first, chatty, renamed, repaired, asserting };

template <Version V>
struct GrantOf {
  using Type = Grant;
};
namespace later {
struct Grant {
  int epoch = 0;  // was: round
  FIELDS(epoch)
};
}  // namespace later
template <>
struct GrantOf<Version::renamed> {
  using Type = later::Grant;
};

// Everybody asks everybody twice; whoever has all grants of the second round is inside.
template <Version V>
struct Locker : Node<Locker<V>, Hello, Request, typename GrantOf<V>::Type> {
  using Base = Node<Locker<V>, Hello, Request, typename GrantOf<V>::Type>;
  using Context = typename Base::Context;
  using Granted = typename GrantOf<V>::Type;
  struct Config {};
  int grants = 0;
  bool inside = false;
  FIELDS(grants, inside)

  void start(Context& c) {
    if (V == Version::chatty) {
      c.broadcast(Hello{1});
      c.broadcast(Request{0});  // one that the first version did not send
    }
    c.broadcast(Request{1});
  }
  void on(Context&, NodeId, const Hello&) {}
  void on(Context& c, NodeId from, const Request& request) {
    const bool mine_first = V == Version::repaired && c.self < from;
    if (V == Version::asserting) c.require(c.self != 0, "nobody asks node 0");
    if (inside || mine_first) return;
    if (V == Version::chatty) c.send(from, Hello{2});
    c.send(from, Granted{request.round});
  }
  void on(Context& c, NodeId, const Granted&) {
    if (++grants == c.nodes() - 1) inside = true;
  }
};

template <Version V>
Registration locks(const char* name) {
  return system<Locker<V>>(name, "for tests: a version of a lock")
      .nodes(3, 2, 5)
      .oracle(world_invariant("one inside", [](const World& w) -> std::string {
        int inside = 0;
        for (NodeId id = 0; id < w.setup().nodes; ++id) {
          const auto* node = w.as<Locker<V>>(id);
          inside += node && node->inside ? 1 : 0;
        }
        return inside > 1 ? "two nodes are inside" : "";
      }));
}
const Registration first = locks<Version::first>("test-anchor-first");
const Registration chatty = locks<Version::chatty>("test-anchor-chatty");
const Registration renamed = locks<Version::renamed>("test-anchor-renamed");
const Registration repaired = locks<Version::repaired>("test-anchor-repaired");
const Registration asserting = locks<Version::asserting>("test-anchor-asserting");

Trace found(bool small) {
  RunText text;
  text.system = *parse_spec("test-anchor-first");
  HuntOptions options;
  options.runs = 1000;
  const std::atomic<bool> stop{false};
  auto result = hunt(*make_config(text), options, {}, stop);
  return small ? result->finds.at(0).small->trace : result->finds.at(0).trace;
}

// The trace as if its system had always been the other version.
Trace under(const Trace& trace, const std::string& version) {
  std::string text = to_text(trace);
  const std::string name = "test-anchor-first";
  text.replace(text.find(name), name.size(), version);
  auto changed = parse_trace(text, "changed");
  if (!changed) ADD_FAILURE() << changed.error();
  return *changed;
}

TEST(Anchored, TheSameCodeMatchesEveryAnchor) {
  for (const bool small : {true, false}) {
    const Trace trace = found(small);
    const AnchoredReplay r = replay_by_meaning(trace);
    EXPECT_EQ(r.reached, Reached::reproduced);
    EXPECT_EQ(r.matched, trace.steps.size() - 1);
    EXPECT_FALSE(r.in_neighbour);
  }
}

TEST(Anchored, MoreMessagesAndTypesAndOtherFieldsAreNoObstacle) {
  for (const bool small : {true, false})
    for (const char* version : {"test-anchor-chatty", "test-anchor-renamed"}) {
      SCOPED_TRACE(version);
      const AnchoredReplay r = replay_by_meaning(under(found(small), version));
      EXPECT_EQ(r.reached, Reached::reproduced);
      ASSERT_TRUE(r.now && r.now->violation);
      EXPECT_EQ(r.now->violation->property, "one inside");
      EXPECT_FALSE(replay(*r.now).difference) << "what it kept is a trace of the new code";
    }
}

TEST(Anchored, TheRepairedOneIsNotReproduced) {
  for (const bool small : {true, false})
    EXPECT_NE(replay_by_meaning(under(found(small), "test-anchor-repaired")).reached,
              Reached::reproduced);
}

// What ends the run before its last anchor is not a missing anchor, and no proof of anything.
TEST(Anchored, AnotherViolationOnTheWayIsTold) {
  for (const bool small : {true, false}) {
    const AnchoredReplay r = replay_by_meaning(under(found(small), "test-anchor-asserting"));
    if (r.reached == Reached::reproduced) continue;  // node 0 is not asked in time
    ASSERT_EQ(r.reached, Reached::another);
    ASSERT_TRUE(r.now && r.now->violation);
    EXPECT_EQ(r.now->violation->property, "assertion");
    EXPECT_LT(r.matched, r.anchors);
  }
}

// Every anchor that is said to be missing is: the code does not send it where it was sent.
TEST(Anchored, AMissingAnchorIsNamed) {
  Trace trace = under(found(true), "test-anchor-repaired");
  const AnchoredReplay r = replay_by_meaning(trace);
  ASSERT_EQ(r.reached, Reached::unreachable);
  const Action& missing = trace.steps.at(r.missing).action;
  EXPECT_EQ(missing.kind, Do::deliver);
  EXPECT_EQ(trace.config.setup.system->message(missing.name.type()).name, "Grant");
  EXPECT_LT(r.matched, r.anchors);
}

// Without the bug, no trace of a seeded Raft bug is reproduced; with it, every one is.
TEST(Anchored, RepairedRaftDoesNotReproduce) {
  int tried = 0;
  for (const char* bug : {"quorum-third", "conflict-not-truncated", "vote-without-log-check",
                          "deposed-leader-read", "retry-applied-twice"}) {
    RunText text;
    text.system = *parse_spec("raft:progress=false");
    text.bugs = {bug};
    text.faults = {{"partition", "3"}, {"duplicate", "5"}};
    HuntOptions options;
    options.runs = 500;
    const std::atomic<bool> stop{false};
    const auto result = hunt(*make_config(text), options, {}, stop);
    if (!result || result->finds.empty()) continue;
    Trace trace = result->finds[0].small->trace;
    EXPECT_EQ(replay_by_meaning(trace).reached, Reached::reproduced) << bug;
    std::string mended = to_text(trace);
    const std::string planted = std::string("[\"") + bug + "\"]";
    mended.replace(mended.find(planted), planted.size(), "[]");
    EXPECT_NE(replay_by_meaning(*parse_trace(mended, "mended")).reached, Reached::reproduced)
        << bug;
    ++tried;
  }
  EXPECT_GE(tried, 4);
}

TEST(Assertions, AFailedHuntTellsItsStory) {
  HuntSpec spec;
  spec.system = "test-anchor-first";
  spec.out = "";
  const auto failure = hunt_failure(spec);
  ASSERT_TRUE(failure);
  EXPECT_NE(failure->find("one inside is violated at step "), std::string::npos) << *failure;
  EXPECT_NE(failure->find("shrunk: "), std::string::npos);
  EXPECT_NE(failure->find("receives Grant"), std::string::npos);
  EXPECT_NE(failure->find("anew:       schism hunt test-anchor-first"), std::string::npos);
  spec.system = "test-anchor-frist";
  EXPECT_NE(hunt_failure(spec)->find("did you mean \"test-anchor-first\"?"), std::string::npos);
  spec.system = "toy-consensus";
  EXPECT_FALSE(hunt_failure(spec));
}

}  // namespace
}  // namespace schism
