// Plans in stages: where a message stands; what is held back and comes in the end; who is told
// what, by whom; that what somebody else said can be said as one's own.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "schism/byzantine/lies.hpp"
#include "schism/byzantine/stages.hpp"
#include "schism/run/config.hpp"
#include "schism/schism.hpp"
#include "schism/sim/sim_world.hpp"

namespace schism::byzantine {
namespace {

struct Mark {
  int value = 0;
  FIELDS(value)
};
struct Ballot {
  int view = 0, number = 0, verb = 0;
  Signed<Mark> mine, other;
  FIELDS(view, number, verb, mine, other)
};
struct Note {
  int value = 0;
  FIELDS(value)
};

// Each goes on to the next round when it has heard two others; and talks beside that.
struct Minister : Node<Minister, Ballot, Note> {
  int round = 0;
  std::map<int, NodeSet> heard;
  FIELDS(round, heard)

  void say(Context& c) {
    const int by = (c.self + 1) % 4;
    c.broadcast(Ballot{round / 4, round / 2 % 2, 1 + round % 2, c.sign(Mark{c.self}),
                       signed_by(by, Mark{by})});
    c.broadcast(Note{round});
  }
  void start(Context& c) { say(c); }
  void on(Context&, NodeId, const Note&) {}
  void on(Context& c, NodeId from, const Ballot& m) {
    const int of = 4 * m.view + 2 * m.number + m.verb - 1;
    heard[of].insert(from);
    while (round < 12 && heard[round].size() >= 2) {
      ++round;
      say(c);
    }
  }
};

void convene() {
  [[maybe_unused]] static const Registration registered =
      system<Minister>("test-cabinet", "for tests: ballots by rounds")
          .nodes(4, 4, 4)
          .steps(400)
          .liars([](const schism::Setup&) { return 1; })
          .order(2,
                 [](const TypeInfo& type, const void* content) -> std::optional<OrderKey> {
                   if (&type != &type_info<Ballot>()) return std::nullopt;
                   const auto& m = *static_cast<const Ballot*>(content);
                   return OrderKey{m.view, m.number, m.verb};
                 })
          .nil_vote<Ballot>([](Ballot& m) { m.mine.value.value = -1; })
          .oracle(eventually("ends", [](const World& world) {
            for (NodeId id = 0; id < 4; ++id)
              if (const auto* m = world.as<Minister>(id); m && m->round < 12) return false;
            return true;
          }));
}

RunConfig config_of(const std::string& scheduler) {
  convene();
  RunText text;
  text.system = {"test-cabinet", {}};
  text.world = {{"liars", "0"}};
  text.explorer = *parse_spec(scheduler);
  auto config = make_config(text);
  EXPECT_TRUE(config) << config.error();
  return *std::move(config);
}

class Cabinet : public testing::Test {
 protected:
  Cabinet() : config(config_of("random")) { world.reset(config.setup); }
  const Flight& flight(NodeId from, NodeId to, int type, std::uint32_t nth = 0) const {
    const Pending& p = world.pending();
    for (std::uint32_t i = 0; i < p.deliverable.size(); ++i)
      if (p.flights[p.deliverable[i]].name == Name(from, to, type, nth))
        return p.flights[p.deliverable[i]];
    ADD_FAILURE() << "no such message";
    return p.flights[0];
  }
  void deliver(NodeId from, NodeId to, std::uint32_t nth) {
    ASSERT_EQ(world.apply(make_action(Do::deliver, Name(from, to, 0, nth))), Refusal::none);
  }
  // The stages of node 1's ballots, and of a note after each: two rounds a number, two numbers a
  // view; every step ends a stage.
  std::string stages_by(Stride stride) {
    world.reset(config.setup);
    Stages stages;
    stages.begin(config.setup, stride, {1, 2, 3, 4, 5, 6, 7, 8, 9});
    for (std::uint32_t round = 0; round < 5; ++round) {
      deliver(2, 1, round);
      deliver(3, 1, round);
      for (const NodeId other : {2, 3}) {
        deliver(1, other, round);
        deliver(other == 2 ? 3 : 2, other, round);
      }
    }
    std::string out;
    for (std::uint32_t round = 0; round < 6; ++round)
      for (const int type : {0, 1})
        out += std::to_string(stages.of(flight(1, 0, type, round))) + (type == 1 ? " " : "");
    return out;
  }
  RunConfig config;
  SimWorld world;
};

TEST_F(Cabinet, StagesGoByViewsPlacesOrVerbs) {
  EXPECT_EQ(stages_by(Stride::view), "00 00 00 00 11 11 ");
  EXPECT_EQ(stages_by(Stride::place), "00 00 11 11 22 22 ");
  EXPECT_EQ(stages_by(Stride::verb), "01 21 31 41 51 61 ") << "notes are a step of their own";
}

TEST_F(Cabinet, WhoHearsOfAStepIsAsFar) {
  deliver(2, 1, 0);
  deliver(3, 1, 0);
  Stages stages;
  stages.begin(config.setup, Stride::place, {1});
  EXPECT_EQ(stages.of(flight(2, 0, 0)), 0U);
  EXPECT_EQ(stages.of(flight(3, 0, 1)), 0U);
  deliver(1, 2, 0);
  deliver(3, 2, 0);
  deliver(1, 2, 1);
  stages.begin(config.setup, Stride::verb, {1});
  EXPECT_EQ(stages.of(flight(3, 0, 0)), 0U);
  EXPECT_EQ(stages.of(flight(2, 0, 0, 1)), 1U) << "the second verb";
  EXPECT_EQ(stages.of(flight(3, 2, 1)), 1U) << "a note comes after both";
}

TEST_F(Cabinet, WhatAnotherSaidIsSaidAsOnesOwn) {
  const Flight& f = flight(1, 0, 0);
  const Value theirs = f.body->type->to_value(f.body->content());
  const Value own = as_own(*f.body->type, theirs, 1, 0);
  EXPECT_EQ(*own.find("mine")->find("signer"), Value(0));
  EXPECT_EQ(*own.find("mine")->find("value"), *theirs.find("mine")->find("value"));
  EXPECT_EQ(*own.find("other"), *theirs.find("other")) << "which somebody else signed";
  const Action said = invention(world, 0, 2, 0, own);
  ASSERT_EQ(world.apply(said), Refusal::forged) << "it has not heard that item yet";
  deliver(1, 0, 0);
  EXPECT_EQ(world.apply(invention(world, 0, 2, 0, own)), Refusal::none);
}

TEST_F(Cabinet, APartOfAnEarlierMessageStandsInThisOne) {
  const Flight& now = flight(0, 1, 0);
  const Flight& other = flight(1, 0, 0);
  const Value truth = now.body->type->to_value(now.body->content());
  const Value earlier = other.body->type->to_value(other.body->content());
  std::set<std::string> parts;
  for (std::uint64_t which = 0; which < 5; ++which) {
    const auto lie = spliced(now, earlier, which);
    if (!lie) continue;  // it says the same
    for (const char* part : {"view", "number", "verb", "mine", "other"})
      if (*lie->find(part) != *truth.find(part)) {
        EXPECT_EQ(*lie->find(part), *earlier.find(part));
        parts.insert(part);
      }
  }
  EXPECT_EQ(parts, (std::set<std::string>{"mine", "other"})) << "one at a time";
}

// What was done in a run: by kind; and in which kinds of ways receivers were told apart.
struct Deeds {
  std::map<Do, int> kinds;
  std::set<NodeId> lied_to;
  bool violated = false;
  std::string text;
};
Deeds deeds_of(const RunConfig& config, std::uint64_t seed) {
  Runner runner(config.setup, config.limits);
  const auto scheduler = make_scheduler(config);
  Deeds out;
  out.violated = runner.run(*scheduler, {seed, seed}).violated;
  for (const Action& action : runner.world().decisions()) {
    ++out.kinds[action.kind];
    const bool lie =
        action.kind == Do::mutate || action.kind == Do::omit || action.kind == Do::inject;
    if (!lie) continue;
    EXPECT_EQ(action.name.from(), 0) << "only the liar lies";
    out.lied_to.insert(action.name.to());
    out.text +=
        fmt::format("{}>{}:{} ", action_name(action.kind), action.name.to(), action.name.type());
  }
  return out;
}

TEST(Intrigue, TellsNobodySomeOrAllSomethingElse) {
  const RunConfig config = config_of("intrigue(timed)");
  std::map<std::size_t, int> told;
  std::map<Do, int> kinds;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Deeds deeds = deeds_of(config, seed);
    ++told[deeds.lied_to.size()];
    for (const auto& [kind, count] : deeds.kinds) kinds[kind] += count;
    EXPECT_EQ(deeds.text, deeds_of(config, seed).text) << "the same seed, the same lies";
  }
  for (std::size_t count = 0; count <= 3; ++count) EXPECT_GT(told[count], 10) << count;
  for (const Do kind : {Do::mutate, Do::omit, Do::inject}) EXPECT_GT(kinds[kind], 100);
  for (const Do kind : {Do::drop, Do::crash, Do::cut}) EXPECT_EQ(kinds[kind], 0);
}

// Two others are enough to go on, and what is held back comes in the fair tail: nobody stays behind
// whom the liar and its network kept in the dark.
TEST(Intrigue, WhatIsHeldBackComesInTheEnd) {
  const RunConfig config = config_of("intrigue(timed)");
  int held = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Deeds deeds = deeds_of(config, seed);
    EXPECT_FALSE(deeds.violated) << seed;
    held += deeds.kinds.contains(Do::calm) ? 1 : 0;
  }
  EXPECT_GT(held, 50) << "runs that needed the fair tail";
}

TEST(Intrigue, NeedsALiar) {
  convene();
  RunText text;
  text.system = {"test-cabinet", {}};
  text.explorer = *parse_spec("intrigue");
  const auto config = make_config(text);
  ASSERT_FALSE(config);
  EXPECT_NE(config.error().find("--liars 1"), std::string::npos);
}

}  // namespace
}  // namespace schism::byzantine
