// Two copies of a node with one name and one key: what each has of its own, what others see of
// them, and that nobody judges them; partitions by rounds; and a liar that goes back to an older
// disk.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "schism/byzantine/partitions.hpp"
#include "schism/run/config.hpp"
#include "schism/schism.hpp"
#include "schism/shrink/outline.hpp"
#include "schism/sim/sim_world.hpp"
#include "schism/system/liars.hpp"
#include "schism/trace/trace.hpp"

namespace schism::byzantine {
namespace {

struct Mark {
  int value = 0;
  FIELDS(value)
};
struct Hello {
  int number = 0;
  Signed<Mark> mark;
  FIELDS(number, mark)
};
struct Aside {  // to oneself
  FIELDS()
};
struct Heard {
  int from = 0;
  FIELDS(from)
};
SCHISM_ENUM(Bell, ring);

// Says hello to all others at the start and whenever its bell rings, and keeps on disk how often.
struct Guest : Node<Guest, Hello, Aside> {
  using Timers = Bell;
  int drawn = 0, rings = 0, asides = 0;
  std::vector<int> from;
  bool forged = false;
  FIELDS(drawn, rings, asides, from, forged)

  void start(Context& c) {
    drawn = static_cast<int>(c.random_below(1'000'000));
    const auto kept = c.disk().load<Mark>(0);
    if (!kept.empty()) rings = kept.back().value.value;
    greet(c);
    c.send(c.self, Aside{});
    c.set_timer(Bell::ring, 10_ms);
  }
  void on(Context& c, NodeId who, const Hello& m) {
    from.push_back(who);
    forged = forged || !c.verified(m.mark) || m.mark.signer != who;
    c.announce(Heard{who});
  }
  void on(Context& c, NodeId who, const Aside&) { asides += who == c.self ? 1 : 1000; }
  void on_timer(Context& c, Bell) {
    ++rings;
    c.disk().write_now(0, Mark{rings});
    greet(c);
    c.set_timer(Bell::ring, 10_ms);
  }

 private:
  void greet(Context& c) { c.broadcast(Hello{rings, c.sign(Mark{rings})}); }
};

void invite() {
  [[maybe_unused]] static const Registration registered =
      system<Guest>("test-guests", "for tests: everybody says hello")
          .nodes(4, 2, 8)
          .steps(200)
          .liars([](const schism::Setup&) { return 1; })
          .order(1, [](const TypeInfo& type, const void* content) -> std::optional<OrderKey> {
            if (&type != &type_info<Hello>()) return std::nullopt;
            return OrderKey{0, static_cast<const Hello*>(content)->number, 1};
          });
}

RunConfig config_of(const std::string& scheduler, Pairs world, Pairs faults = {}) {
  invite();
  RunText text;
  text.system = {"test-guests", {}};
  text.world = std::move(world);
  text.faults = std::move(faults);
  text.explorer = *parse_spec(scheduler);
  auto config = make_config(text);
  EXPECT_TRUE(config) << config.error();
  return *std::move(config);
}

class Twins : public testing::Test {
 protected:
  static constexpr NodeId kLiar = 2, kTwin = 4;

  Twins() {
    world.listen(kEveryEvent);
    world.reset(config_of("random", {{"liars", "2"}, {"twins", "true"}}).setup);
  }
  std::map<std::pair<NodeId, NodeId>, int> ways() const {
    std::map<std::pair<NodeId, NodeId>, int> out;
    const auto& flights = world.pending().flights;
    for (std::uint32_t i = 0; i < flights.size(); ++i)
      if (flights[i].alive()) ++out[{flights[i].name.from(), flights[i].name.to()}];
    return out;
  }
  void deliver_all() {
    while (world.pending().deliverable.size() > 0)
      ASSERT_EQ(world.apply(world.pending().nth_deliver(0)), Refusal::none);
  }
  Value field(NodeId place, const char* name) const { return *world.inspect(place).find(name); }

  SimWorld world;
};

TEST_F(Twins, AreTwoPlacesOfOneNode) {
  EXPECT_EQ(world.setup().nodes, 4);
  EXPECT_EQ(world.setup().places(), 5);
  EXPECT_EQ(world.identity(kTwin), kLiar);
  EXPECT_EQ(world.identity(3), 3);
  EXPECT_EQ(place_text(world.setup(), kTwin), "2'");
  EXPECT_EQ(place_text(world.setup(), 3), "3");
  EXPECT_EQ(world.liars(), std::vector<NodeId>{kLiar});  // one liar
}

// What is said to the liar is said to both, each says what it says to all others, and neither hears
// the other.
TEST_F(Twins, HaveLinksOfTheirOwn) {
  const auto all = ways();
  for (const NodeId other : {0, 1, 3})
    for (const NodeId copy : {kLiar, kTwin}) {
      EXPECT_EQ((all.count({other, copy})), 1U) << other << " to " << copy;
      EXPECT_EQ((all.count({copy, other})), 1U) << copy << " to " << other;
    }
  EXPECT_EQ((all.count({kLiar, kTwin})), 0U);
  EXPECT_EQ((all.count({kTwin, kLiar})), 0U);
  EXPECT_EQ((all.at({kTwin, kTwin})), 1);  // what it tells itself
}

TEST_F(Twins, SpeakUnderOneNameAndSignWithOneKey) {
  deliver_all();
  for (const NodeId correct : {0, 1, 3}) {
    const auto* guest = world.as<Guest>(correct);
    ASSERT_NE(guest, nullptr);
    EXPECT_EQ(std::count(guest->from.begin(), guest->from.end(), kLiar), 2) << correct;
    EXPECT_EQ(std::count(guest->from.begin(), guest->from.end(), kTwin), 0) << correct;
    EXPECT_FALSE(guest->forged);
  }
  for (const NodeId copy : {kLiar, kTwin}) {
    EXPECT_EQ(field(copy, "asides").as_int() ? *field(copy, "asides").as_int() : -1, 1);
    EXPECT_EQ(field(copy, "from").as_array()->size(), 3U);
  }
}

TEST_F(Twins, AreNotJudged) {
  for (const NodeId copy : {kLiar, kTwin}) {
    EXPECT_TRUE(world.liar(copy));
    EXPECT_EQ(world.node(copy), nullptr);
    EXPECT_FALSE(world.up(copy));
    EXPECT_TRUE(world.runs(copy));
  }
  while (world.pending().deliverable.size() > 0) {
    const Action action = world.pending().nth_deliver(0);
    ASSERT_EQ(world.apply(action), Refusal::none);
    for (const Event& event : world.events())
      if (event.kind == Happened::announced) {
        EXPECT_FALSE(world.liar(event.node));
      }
  }
}

TEST_F(Twins, HaveStateDiskTimersAndDrawsOfTheirOwn) {
  EXPECT_NE(field(kLiar, "drawn"), field(kTwin, "drawn"));
  ASSERT_EQ(world.apply(make_action(Do::fire, Name(kTwin, 0, 0, 0))), Refusal::none);
  EXPECT_EQ(*field(kTwin, "rings").as_int(), 1);
  EXPECT_EQ(*field(kLiar, "rings").as_int(), 0);
  EXPECT_EQ(world.syncs(kTwin), 1U);
  EXPECT_EQ(world.syncs(kLiar), 0U);
  ASSERT_EQ(world.apply(make_action(Do::fire, Name(kLiar, 0, 0, 0))), Refusal::none);
}

// What is on its disk is what it had after so many syncs.
TEST_F(Twins, ALiarGoesBackToAnOlderDisk) {
  const auto setup = config_of("random", {{"liars", "2"}}).setup;
  world.reset(setup);
  for (std::uint32_t n = 0; n < 3; ++n)
    ASSERT_EQ(world.apply(make_action(Do::fire, Name(kLiar, 0, 0, n))), Refusal::none);
  EXPECT_EQ(world.syncs(kLiar), 3U);
  EXPECT_EQ(world.syncs(0), 0U);  // of others nothing is kept
  EXPECT_EQ(world.apply(node_action(Do::restart, kLiar, 4)), Refusal::not_allowed);
  EXPECT_EQ(world.apply(node_action(Do::restart, 0, 1)), Refusal::node_up);
  const std::uint32_t left = world.pending().left.inject;
  for (const std::uint32_t syncs : {1U, 3U, 0U, 2U}) {
    ASSERT_EQ(world.apply(node_action(Do::restart, kLiar, syncs)), Refusal::none);
    EXPECT_EQ(*field(kLiar, "rings").as_int(), static_cast<std::int64_t>(syncs));
  }
  EXPECT_EQ(world.pending().left.inject, left - 4);  // each of them is a lie
}

TEST_F(Twins, AStoryWithoutThemHasNothingThatTheyDid) {
  Outline outline;
  outline.config = config_of("twins(random)", {{"liars", "2/0"}});
  outline.config.setup.requests = std::make_shared<const std::vector<ClientRequest>>();
  const auto add = [&](Name name) {
    Move move;
    move.id = static_cast<std::uint32_t>(outline.moves.size()) + 1;
    move.step.action = make_action(Do::deliver, name);
    outline.moves.push_back(move);
  };
  add(Name(4, 1, 0, 0)), add(Name(1, 5, 0, 0)), add(Name(0, 3, 0, 0)), add(Name(5, 3, 0, 0));
  const Outline alone = without_twins(outline);
  ASSERT_EQ(alone.moves.size(), 1U);
  EXPECT_FALSE(alone.config.setup.options.twins);
  // Without its first liar the second one's twin has another number.
  const Outline fewer = without_node(outline, 2);
  ASSERT_EQ(fewer.moves.size(), 3U);
  EXPECT_EQ(fewer.config.setup.places(), 4);
  EXPECT_EQ(fewer.moves[0].step.action.name, Name(1, 3, 0, 0));
  EXPECT_EQ(fewer.moves[1].step.action.name, Name(0, 2, 0, 0));
  EXPECT_EQ(fewer.moves[2].step.action.name, Name(3, 2, 0, 0));
  const Outline honest = without_liar(outline, 1);
  EXPECT_EQ(honest.config.setup.options.liars, std::vector<std::int64_t>{2});
  EXPECT_EQ(honest.moves.size(), 2U);
  EXPECT_EQ(size_of(outline).liars, 4U);
  EXPECT_EQ(size_of(alone).liars, 2U);
}

TEST(TwinsStrategy, MakesTwinsOfLiarsAndTellsNoOtherLies) {
  const RunConfig config = config_of("twins(random)", {{"liars-drawn", "1"}});
  EXPECT_TRUE(config.setup.options.twins);
  EXPECT_EQ(config.setup.places(), 5);
  EXPECT_EQ(config.setup.options.faults.mutate, 0U);
  // The same again from its text, which a trace stores.
  const auto again = make_config(to_text(config));
  ASSERT_TRUE(again) << again.error();
  EXPECT_EQ(again->setup.places(), 5);
  EXPECT_EQ(again->setup.options.faults.omit, 0U);
  const RunConfig more = config_of("twins(random)", {{"liars-drawn", "1"}}, {{"mutate", "3"}});
  EXPECT_EQ(more.setup.options.faults.mutate, 3U);

  invite();
  RunText text;
  text.system = {"test-guests", {}};
  text.explorer = *parse_spec("twins");
  EXPECT_FALSE(make_config(text));  // nobody lies
  text.explorer = *parse_spec("random");
  text.world = {{"twins", "true"}};
  EXPECT_FALSE(make_config(text));
}

// In the rounds that have a partition, nothing passes between blocks; and the same seed gives the
// same run, of which the recording is played again.
TEST(TwinsStrategy, HoldsBackWhatCrossesAndReplays) {
  for (const char* scheduler : {"twins(random)", "twins(timed)", "twins:blocks=3(pos)",
                                "twins:rounds=0(random)", "twins:leaders=twins(pctcp)"}) {
    const RunConfig config = config_of(scheduler, {{"liars-drawn", "1"}});
    Runner runner(config.setup, config.limits), other(config.setup, config.limits);
    const auto by = make_scheduler(config), same = make_scheduler(config);
    bool held = false;
    runner.on_step(
        [&](const World& world) { held = held || world.pending().any_held_by(Holder::scheduler); });
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const RunPlan plan{seed, seed};
      const RunSummary first = runner.run(*by, plan);
      EXPECT_EQ(first.run_class, other.run(*same, plan).run_class) << scheduler << " " << seed;
      const auto steps = record(runner.world().decisions(), runner.world().contents());
      Replay replay(steps, config.setup.options.time);
      EXPECT_EQ(other.replay(replay, plan, FairEnd::never).run_class, first.run_class)
          << scheduler << " " << seed;
    }
    EXPECT_EQ(held, std::string_view(scheduler) != "twins:rounds=0(random)") << scheduler;
  }
}

// Each of the S(5, 2) = 15 partitions of five into two blocks, as often as any other.
TEST(Partitions, AreAllEquallyLikely) {
  Rng random(7);
  std::map<std::vector<int>, int> seen;
  const int draws = 15'000;
  for (int i = 0; i < draws; ++i) ++seen[random_partition(random, {0, 1, 2, 3, 4}, 5, 2)];
  ASSERT_EQ(seen.size(), 15U);
  double chi = 0;
  for (const auto& [partition, count] : seen) chi += (count - 1000.0) * (count - 1000.0) / 1000.0;
  EXPECT_LT(chi, 36.1);  // 14 degrees of freedom, one in a thousand
  std::set<std::vector<int>> all;
  for (int i = 0; i < 5000; ++i) all.insert(random_partition(random, {0, 2, 3, 5}, 6));
  EXPECT_EQ(all.size(), 14U);  // all but the one that separates nobody
  for (const auto& partition : all) EXPECT_EQ(partition[1] + partition[4], 0);
}

}  // namespace
}  // namespace schism::byzantine
