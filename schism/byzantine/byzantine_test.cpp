// What liars may say, and to whom: changes that stay within a message's types and never touch what
// somebody else has signed; the named ways to lie; rounds; and who is lied to in whole runs.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "schism/byzantine/lies.hpp"
#include "schism/byzantine/rounds.hpp"
#include "schism/byzantine/ways.hpp"
#include "schism/run/config.hpp"
#include "schism/schism.hpp"
#include "schism/sim/sim_world.hpp"
#include "schism/system/audience.hpp"
#include "schism/testing/recorded.hpp"

namespace schism::byzantine {
namespace {

struct Mark {
  int value = 0;
  FIELDS(value)
};
struct Bill {
  std::int8_t number = 0;
  std::vector<int> pages;
  std::optional<std::vector<int>> notes;
  Signed<Mark> own, other;
  FIELDS(number, pages, notes, own, other)
};
struct Motion {
  int hops = 0;
  FIELDS(hops)
};

// Everybody broadcasts a bill, and passes motions on for ever: each is a round of its own.
struct Member : Node<Member, Bill, Motion> {
  FIELDS()
  void start(Context& c) {
    c.broadcast(Bill{127,
                     {1, 2, 3},
                     std::vector<int>{4, 5},
                     c.sign(Mark{5}),
                     signed_by((c.self + 1) % 4, Mark{6})});
    if (c.self < 2) c.broadcast(Motion{1});
  }
  void on(Context&, NodeId, const Bill&) {}
  void on(Context& c, NodeId from, const Motion& m) {
    if (from == (c.self + 1) % c.nodes()) c.broadcast(Motion{m.hops + 1});
  }
};

// Registered by whoever needs it: tests that play every system change contents in their own way,
// which a number of eight bits does not survive.
void convene() {
  [[maybe_unused]] static const Registration registered =
      system<Member>("test-parliament", "for tests: bills and motions")
          .nodes(4, 4, 4)
          .steps(60)
          .liars([](const schism::Setup&) { return 1; })
          .order(1,
                 [](const TypeInfo& type, const void* content) -> std::optional<OrderKey> {
                   if (&type != &type_info<Motion>()) return std::nullopt;
                   return OrderKey{0, static_cast<const Motion*>(content)->hops, 1};
                 })
          .lie<Motion>("one more", [](Motion& m, Rng&) { return m.hops += 1, true; })
          .lie<Motion>("two more", [](Motion& m, Rng&) { return m.hops += 2, true; })
          .far_lie<Motion>("far", [](Motion& m, Rng&) { return m.hops += 1000, true; });
  [[maybe_unused]] static const Registration parties =
      trusts("test-parliament", [](const schism::Setup&) {
        return std::vector<std::vector<NodeId>>{{0, 1}, {0, 2, 3}};
      });
}

RunConfig config_of(const std::string& scheduler, Pairs faults = {}) {
  convene();
  RunText text;
  text.system = {"test-parliament", {}};
  text.world = {{"liars", "0"}};
  text.faults = std::move(faults);
  text.explorer = *parse_spec(scheduler);
  auto config = make_config(text);
  EXPECT_TRUE(config) << config.error();
  return *std::move(config);
}

class Lies : public testing::Test {
 protected:
  Lies() { world.reset(config_of("random").setup); }
  // Of the first message of that type on that link.
  std::uint32_t slot_of(NodeId from, NodeId to, int type) const {
    const Pending& p = world.pending();
    for (std::uint32_t i = 0; i < p.deliverable.size(); ++i)
      if (p.flights[p.deliverable[i]].name == Name(from, to, type, 0)) return p.deliverable[i];
    ADD_FAILURE() << "no such message";
    return 0;
  }
  const Flight& flight(NodeId from, NodeId to, int type) const {
    return world.pending().flights[slot_of(from, to, type)];
  }
  Value bill() const {
    const Flight& f = flight(0, 1, 0);
    return f.body->type->to_value(f.body->content());
  }
  SimWorld world;
};

int count_of(const Value& value, std::string_view field) {
  return static_cast<int>(value.find(field)->as_array()->size());
}

TEST_F(Lies, LeaveAloneWhatOthersHaveSigned) {
  const Value truth = bill();
  std::set<std::string> changed;
  const auto expect_allowed = [&](const std::optional<Value>& lie) {
    if (!lie) return;
    Bill readable;
    EXPECT_TRUE(from_value(*lie, readable)) << to_json(*lie) << ": within the types";
    EXPECT_EQ(*lie->find("other"), *truth.find("other"));
    for (const char* part : {"signer", "seal"})
      EXPECT_EQ(*lie->find("own")->find(part), *truth.find("own")->find(part));
    for (const char* part : {"number", "pages", "notes", "own"})
      if (*lie->find(part) != *truth.find(part)) changed.insert(part);
  };
  const Flight& f = flight(0, 1, 0);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    for (const Scope scope : {Scope::near, Scope::any})
      expect_allowed(lie_about(world, f, scope, mix64(seed)));
    for (const std::int64_t by : {-1, 1, 100}) expect_allowed(shifted(world, f, seed, by));
    expect_allowed(shortened(world, f, seed));
  }
  EXPECT_EQ(changed.size(), 4U) << "and everything else is lied about";
}

TEST_F(Lies, OneNumberOrOneElement) {
  const Flight& f = flight(0, 1, 0);
  std::set<std::string> less;
  std::set<std::pair<int, int>> lists;
  for (std::uint64_t which = 0; which < 100; ++which) {
    const auto lower = shifted(world, f, which, -1), shorter = shortened(world, f, which);
    ASSERT_TRUE(lower && shorter);
    less.insert(to_json(*lower));
    lists.emplace(count_of(*shorter, "pages"), count_of(*shorter, "notes"));
  }
  EXPECT_EQ(less.size(), 7U) << "its number, three pages, two notes, its own mark";
  EXPECT_EQ(lists, (std::set<std::pair<int, int>>{{2, 2}, {3, 1}}));
}

TEST_F(Lies, AreThoseThatTheSystemDeclares) {
  const System& system = *world.setup().system;
  const Flight& f = flight(0, 1, 1);
  EXPECT_EQ(lies_declared(system, type_info<Motion>(), Scope::near), 2U);
  EXPECT_EQ(lies_declared(system, type_info<Motion>(), Scope::any), 1U);
  EXPECT_EQ(lies_declared(system, type_info<Bill>(), Scope::near), 0U);
  const auto hops = [&](Scope scope, std::size_t which) {
    const auto lie = declared_lie(world, f, scope, which, 1);
    return lie ? *lie->find("hops")->as_int() : -1;
  };
  EXPECT_EQ(hops(Scope::near, 0), 2);
  EXPECT_EQ(hops(Scope::near, 1), 3);
  EXPECT_EQ(hops(Scope::near, 2), -1);
  EXPECT_EQ(hops(Scope::any, 0), 1001);
  std::set<std::int64_t> any;
  for (std::uint64_t seed = 0; seed < 40; ++seed)
    any.insert(*lie_about(world, f, Scope::near, seed)->find("hops")->as_int());
  EXPECT_EQ(any, (std::set<std::int64_t>{2, 3}));
}

TEST_F(Lies, EachWayMeetsThoseWhomItIsFor) {
  bool both = false;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    LiarMemory memory;
    memory.begin(world.setup(), seed);
    std::set<bool> halves;
    for (NodeId to = 1; to < 4; ++to) {
      const bool other = memory.other_half(to);
      halves.insert(other);
      const std::uint32_t slot = slot_of(0, to, 1);
      const auto kind = [&](Way way) {
        const auto action = lie_by(world, slot, way, memory, seed);
        if (action) {
          EXPECT_EQ(action->name.to(), to);
          EXPECT_EQ(action->name.from(), 0);
        }
        return action ? action->kind : Do::nothing;
      };
      EXPECT_EQ(kind(Way::truth), Do::nothing);
      EXPECT_EQ(kind(Way::silent), Do::omit);
      EXPECT_EQ(kind(Way::choosy), other ? Do::omit : Do::nothing);
      EXPECT_EQ(kind(Way::two_faced), other ? Do::mutate : Do::nothing);
      EXPECT_EQ(kind(Way::double_voter), Do::inject);
      EXPECT_EQ(kind(Way::future), Do::mutate);
      EXPECT_EQ(kind(Way::boaster), Do::mutate);
      EXPECT_EQ(kind(Way::forgetful), Do::nothing) << "it has no list";
      EXPECT_EQ(kind(Way::declared), Do::mutate);
      EXPECT_EQ(kind(Way::archivist), Do::nothing) << "it remembers nothing";
    }
    both = both || halves.size() == 2;
  }
  EXPECT_TRUE(both);
}

TEST_F(Lies, AreRememberedByThoseWhoWereThere) {
  LiarMemory memory;
  memory.begin(world.setup(), 1);
  memory.keep(world, flight(1, 2, 0));
  EXPECT_TRUE(memory.heard().empty()) << "between honest nodes";
  memory.keep(world, flight(1, 0, 1));
  ASSERT_EQ(memory.heard().size(), 1U);
  EXPECT_EQ(memory.heard()[0].type, 1);
  memory.keep(world, flight(0, 2, 0));
  EXPECT_EQ(memory.heard().size(), 2U);
}

TEST(Rounds, GoForwardWithViewsNumbersAndVerbs) {
  Rounds rounds;
  convene();
  System system = *systems().find("test-parliament");
  system.verbs = 3;
  schism::Setup setup;
  setup.system = &system;
  setup.nodes = 2;
  rounds.begin(setup);
  const auto after = [&](const OrderKey& key) {
    rounds.pass(1, key);
    return rounds.of(1);
  };
  EXPECT_EQ(after({0, 0, 1}), 1);
  EXPECT_EQ(after({0, 0, 3}), 3);
  EXPECT_EQ(after({0, 0, 2}), 3) << "never back";
  EXPECT_EQ(after({0, 1, 1}), 4) << "the next number after the last verb";
  EXPECT_EQ(after({0, 0, 3}), 4);
  EXPECT_EQ(after({1, 0, 2}), 5) << "a view is one round further, whatever the verb";
  EXPECT_EQ(after({0, 7, 3}), 5);
  EXPECT_EQ(after({1, 0, 3}), 6);
  EXPECT_EQ(after({1, 2, 2}), 8);
  EXPECT_EQ(rounds.of(0), 0) << "each node has its own";
  rounds.begin(setup);
  rounds.pass_together(0, {0, 1, 1});
  const std::int64_t first = rounds.of(0);
  rounds.pass_together(0, {0, 1, 3});
  EXPECT_EQ(rounds.of(0), first + 2);
  rounds.pass_together(0, {0, 4, 3});
  EXPECT_EQ(rounds.of(0), first + 2) << "nobody has begun it";
  rounds.pass_together(0, {0, 2, 1});
  EXPECT_EQ(rounds.of(0), first + 3);
}

// Who lies and loses nothing on its own account.
const std::string kHonest = "(random:mutate=0,omit=0,drop=0)";

// The lies of whole runs: by the how-manieth message of a type, what each receiver is told instead.
using Told = std::map<std::pair<int, std::uint32_t>, std::map<NodeId, std::string>>;

Told told_in(const RunConfig& config, std::uint64_t seed) {
  Runner runner(config.setup, config.limits);
  const auto scheduler = make_scheduler(config);
  runner.run(*scheduler, {seed, seed});
  EXPECT_FALSE(runner.first_refusal()) << "nothing is said that cannot be: seed " << seed;
  Told out;
  const World& world = runner.world();
  for (const Action& action : world.decisions()) {
    const bool omits = action.kind == Do::omit;
    if (!omits && action.kind != Do::mutate) continue;
    EXPECT_EQ(action.name.from(), 0) << "only the liar lies";
    out[{action.name.type(), action.name.nth()}][action.name.to()] =
        omits ? "nothing" : to_json(world.contents()[content_index(action)]);
  }
  return out;
}

// How many broadcasts were lied about to all three, and to some; all alike, or not.
struct Kinds {
  int whole = 0, part = 0, unlike = 0;
};
Kinds kinds_of(const RunConfig& config) {
  Kinds out;
  for (std::uint64_t seed = 1; seed <= 100; ++seed)
    for (const auto& [message, told] : told_in(config, seed)) {
      std::set<std::string> texts;
      for (const auto& [to, text] : told) texts.insert(text);
      ++(told.size() == 3 ? out.whole : out.part);
      out.unlike += texts.size() > 1 ? 1 : 0;
    }
  return out;
}

TEST(LyingRuns, ABroadcastIsLiedAboutInOneWay) {
  const Kinds declared = kinds_of(config_of("liar:declared=1,truth=0" + kHonest));
  EXPECT_GT(declared.whole, 50);
  EXPECT_LT(10 * declared.part, declared.whole) << "to all; a run may end between them";
  EXPECT_EQ(declared.unlike, 0);
  const Kinds faces = kinds_of(config_of("liar:two-faced=1,truth=0" + kHonest));
  EXPECT_GT(faces.part, 50) << "to one half";
}

// What is made up is no message of the liar's own: there is no second voice beside it.
TEST(LyingRuns, WhatIsMadeUpIsNotLiedAbout) {
  const RunConfig config = config_of("liar:double-voter=1,truth=0" + kHonest);
  std::uint64_t all = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    std::uint64_t sent = 0, made_up = 0;
    for (const Recorded& step : testing_tools::recorded(config, {seed, seed}).steps) {
      made_up += step.action.kind == Do::inject ? 1 : 0;
      for (const RecordedEvent& event : step.events)
        sent += event.kind == Happened::sent && event.node == 0 ? 1 : 0;
    }
    EXPECT_LE(made_up, sent) << "seed " << seed;
    all += made_up;
  }
  EXPECT_GT(all, 100U);
}

TEST(LyingRuns, ByzzFuzzLiesToItsReceiversInItsRounds) {
  const Kinds often = kinds_of(config_of("byzzfuzz:c=4,r=8" + kHonest));
  EXPECT_GT(often.part, 50);
  EXPECT_GT(often.whole, 5);
  const Kinds seldom = kinds_of(config_of("byzzfuzz:c=1,r=1000000" + kHonest));
  EXPECT_LT(seldom.part + seldom.whole, 5) << "in one round of many";
}

TEST(LyingRuns, ByzzFuzzLosesWhatCrossesItsPartitionsInTheirRounds) {
  const auto lost = [](const std::string& scheduler) {
    const RunConfig config = config_of(scheduler, {{"drop", "1000"}});
    int out = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      Runner runner(config.setup, config.limits);
      const auto by = make_scheduler(config);
      runner.run(*by, {seed, seed});
      EXPECT_FALSE(runner.first_refusal());
      for (const Action& action : runner.world().decisions()) out += action.kind == Do::drop;
    }
    return out;
  };
  EXPECT_GT(lost("byzzfuzz:c=0,d=4,r=8" + kHonest), 60);
  EXPECT_LT(lost("byzzfuzz:c=0,d=1,r=1000000" + kHonest), 10);
}

// Of what has a place in the order, and to its time.
TEST(LyingRuns, TheBaselineInjectorLosesAQuarterUntilItEnds) {
  struct Lost {
    int bills = 0, early = 0, late = 0, motions = 0;
  };
  const auto lost = [](const std::string& scheduler) {
    const RunConfig config = config_of(scheduler, {{"drop", "1000"}});
    Lost out;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      Runner runner(config.setup, config.limits);
      runner.listen_to(mask_of(Happened::sent) | mask_of(Happened::dropped));
      runner.on_step([&](const World& world) {
        for (const Event& event : world.events()) {
          if (event.kind == Happened::sent) out.motions += event.as<Motion>() ? 1 : 0;
          if (event.kind != Happened::dropped) continue;
          if (event.as<Bill>()) ++out.bills;
          else ++(world.clock() < 20'000 ? out.early : out.late);
        }
      });
      const auto by = make_scheduler(config);
      runner.run(*by, {seed, seed});
      EXPECT_FALSE(runner.first_refusal());
    }
    return out;
  };
  const Lost all = lost("byzzfuzz:scope=baseline");
  EXPECT_EQ(all.bills, 0);
  EXPECT_GT(all.late, 50);
  EXPECT_NEAR(1.0 * (all.early + all.late) / all.motions, 0.25, 0.03);
  const Lost begun = lost("byzzfuzz:scope=baseline,lasts=20ms");
  EXPECT_EQ(begun.bills, 0);
  EXPECT_GT(begun.early, 50);
  EXPECT_EQ(begun.late, 0);
}

// Nothing is lost, and no budget for it is needed; a message is held in its round alone.
TEST(LyingRuns, ByzzFuzzHoldsWhatCrossesUntilTheNextRound) {
  const RunConfig config = config_of("byzzfuzz:c=0,d=4,r=8,crossing=held,rounds=common" + kHonest);
  std::size_t held = 0, late = 0, longest = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Runner runner(config.setup, config.limits);
    std::map<std::uint64_t, std::size_t> rounds;  // in how many of them a message was held
    int furthest = 0;
    runner.listen_to(kEveryEvent);
    runner.on_step([&](const World& world) {
      bool next = false;
      for (const Event& event : world.events()) {
        const auto* motion = event.kind == Happened::sent ? event.as<Motion>() : nullptr;
        next = next || (motion && motion->hops > furthest);
        furthest = motion ? std::max(furthest, motion->hops) : furthest;
        late += event.kind == Happened::delivered && rounds.contains(event.value) ? 1 : 0;
      }
      for (std::uint32_t i = 0; i < world.pending().flights.size(); ++i) {
        const Flight& flight = world.pending().flights[i];
        if (!flight.alive() || !flight.held_by(Holder::scheduler)) continue;
        std::size_t& count = rounds[flight.name.bits()];
        count += count == 0 || next ? 1 : 0;
        longest = std::max(longest, count);
      }
    });
    const auto by = make_scheduler(config);
    runner.run(*by, {seed, seed});
    EXPECT_FALSE(runner.first_refusal());
    for (const Action& action : runner.world().decisions()) EXPECT_NE(action.kind, Do::drop);
    held += rounds.size();
  }
  EXPECT_GT(held, 20U);
  EXPECT_GT(late, 10U) << "what was held arrives";
  EXPECT_EQ(longest, 1U) << "and may arrive from the next round on";
}

TEST(LyingRuns, ByzzFuzzLiesToOneListInWordsThatAreDeclared) {
  const RunConfig config =
      config_of("byzzfuzz:c=1,r=4,to=list,about=declared,omit=false" + kHonest);
  std::set<std::set<NodeId>> hearers;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    std::set<NodeId> to;
    for (const auto& [message, told] : told_in(config, seed))
      for (const auto& [node, text] : told) {
        EXPECT_NE(text, "nothing");
        to.insert(node);
      }
    if (!to.empty()) hearers.insert(to);
  }
  EXPECT_EQ(hearers, (std::set<std::set<NodeId>>{{1}, {2}, {3}, {2, 3}}))
      << "the liar, 0, is in both lists and hears no lie";
}

}  // namespace
}  // namespace schism::byzantine
