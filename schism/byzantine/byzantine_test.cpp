// What liars may say, and to whom: changes that stay within a message's types and never touch what
// somebody else has signed; the named ways to lie; and rounds.
#include <gtest/gtest.h>

#include <set>

#include "schism/byzantine/lies.hpp"
#include "schism/byzantine/rounds.hpp"
#include "schism/byzantine/ways.hpp"
#include "schism/run/config.hpp"
#include "schism/schism.hpp"
#include "schism/sim/sim_world.hpp"

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
}

}  // namespace
}  // namespace schism::byzantine
