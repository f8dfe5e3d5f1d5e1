// Oracles by example and by definition: each is shown events of a run that never was.
#include <gtest/gtest.h>

#include "schism/linearize/testing/brute_force.hpp"
#include "schism/oracle/consensus.hpp"
#include "schism/oracle/eventually.hpp"
#include "schism/oracle/linearizability.hpp"
#include "schism/oracle/property.hpp"
#include "schism/sim/sim_world.hpp"
#include "schism/testing/checked.hpp"

namespace schism {
namespace {

struct Decided {
  int instance = 0, value = 0;
  FIELDS(instance, value)
};
struct Shown {
  int value = 0;
  FIELDS(value)
};

// What an oracle is shown: a decision of a node, or its restart.
struct Tale {
  int node = 0;
  bool restart = false;
  Decided decided = {};
};

template <class O>
class Told {
 public:
  explicit Told(O& oracle) : oracle_(oracle) {
    world_.reset(testing_tools::config_of("toy-consensus").setup);
    oracle_.begin(world_);
  }
  Told& hears(const std::vector<Tale>& tales) {
    for (const Tale& tale : tales) {
      Event e;
      e.kind = tale.restart ? Happened::restarted : Happened::announced;
      e.node = static_cast<std::uint16_t>(tale.node);
      if (!tale.restart) e.body = &tale.decided, e.type = &type_info<Decided>();
      oracle_.look(world_, std::span(&e, 1));
    }
    return *this;
  }
  Told& shows(std::vector<int> values) {  // in one step
    std::vector<Shown> bodies;
    for (const int value : values) bodies.push_back({value});
    std::vector<Event> events(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      events[i].kind = Happened::announced;
      events[i].body = &bodies[i], events[i].type = &type_info<Shown>();
    }
    oracle_.look(world_, events);
    return *this;
  }
  bool ends(bool fair) {
    oracle_.finish(world_, {fair});
    return !oracle_.violation();
  }

 private:
  O& oracle_;
  SimWorld world_;
};

std::vector<Tale> any_tales(Rng& rng) {
  std::vector<Tale> out;
  const auto n = rng.below(6);
  for (std::uint64_t i = 0; i < n; ++i)
    out.push_back({static_cast<int>(rng.below(3)),
                   rng.chance(0.2),
                   {static_cast<int>(rng.below(2)), static_cast<int>(rng.below(2))}});
  return out;
}

TEST(Verdicts, AgreementIsOneValueAnInstance) {
  std::size_t fine = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    Rng rng(seed);
    const auto tales = any_tales(rng);
    std::map<int, std::set<int>> values;
    for (const Tale& t : tales)
      if (!t.restart) values[t.decided.instance].insert(t.decided.value);
    bool agree = true;
    for (const auto& [instance, all] : values) agree = agree && all.size() == 1;
    auto oracle = agreement<Decided>(&Decided::instance, &Decided::value);
    ASSERT_EQ(Told(oracle).hears(tales).ends(true), agree) << seed;
    fine += agree ? 1 : 0;
  }
  EXPECT_GT(fine, 200U);
  EXPECT_LT(fine, 1800U);
}

// By definition: a second decision of a node and instance is the same one, and there was a restart
// since the last.
bool keeps_integrity(const std::vector<Tale>& tales) {
  for (std::size_t i = 0; i < tales.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      if (tales[i].restart || tales[j].restart || tales[i].node != tales[j].node) continue;
      if (tales[i].decided.instance != tales[j].decided.instance) continue;
      if (tales[i].decided.value != tales[j].decided.value) return false;
      bool restarted = false;
      for (std::size_t k = j + 1; k < i; ++k)
        restarted = restarted || (tales[k].restart && tales[k].node == tales[i].node);
      if (!restarted) return false;
    }
  return true;
}

TEST(Verdicts, IntegrityIsDecidingOnceALife) {
  std::size_t fine = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    Rng rng(seed);
    const auto tales = any_tales(rng);
    auto oracle = integrity<Decided>(&Decided::instance, &Decided::value);
    ASSERT_EQ(Told(oracle).hears(tales).ends(true), keeps_integrity(tales)) << seed;
    fine += keeps_integrity(tales) ? 1 : 0;
  }
  EXPECT_GT(fine, 200U);
  EXPECT_LT(fine, 1800U);
}

TEST(Verdicts, OneLeaderIsOneNodeATerm) {
  std::size_t fine = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    Rng rng(seed);
    const auto tales = any_tales(rng);
    std::map<int, std::set<int>> leaders;
    for (const Tale& t : tales)
      if (!t.restart && t.decided.value == 1) leaders[t.decided.instance].insert(t.node);
    bool one = true;
    for (const auto& [term, all] : leaders) one = one && all.size() == 1;
    auto oracle =
        one_leader<Decided>("one", "term", [](const Decided& d) -> std::optional<std::uint64_t> {
          if (d.value != 1) return std::nullopt;
          return static_cast<std::uint64_t>(d.instance);
        });
    ASSERT_EQ(Told(oracle).hears(tales).ends(true), one) << seed;
    fine += one ? 1 : 0;
  }
  EXPECT_GT(fine, 200U);
  EXPECT_LT(fine, 1800U);
}

TEST(Verdicts, OneLeaderNamesBothAndTheTerm) {
  auto oracle = one_leader<Decided>("one", "view", &Decided::instance);
  EXPECT_EQ(oracle.name(), "one");
  EXPECT_FALSE(Told(oracle).hears({{1, false, {4, 1}}, {2, false, {4, 1}}}).ends(true));
  EXPECT_EQ(oracle.violation()->message, "nodes 1 and 2 both lead in view 4");
}

TEST(Verdicts, SeveralAgreementsHaveNames) {
  EXPECT_EQ((agreement<Decided>(&Decided::instance, &Decided::value).name()), "agreement");
  auto order = agreement<Decided>(&Decided::instance, &Decided::value, "order");
  EXPECT_FALSE(Told(order).hears({{1, false, {4, 1}}, {2, false, {4, 2}}}).ends(true));
  EXPECT_EQ(order.violation()->property, "order");
}

TEST(Verdicts, EventuallyIsJudgedAtFairEndsOnly) {
  for (const bool true_at_last : {false, true})
    for (const bool fair : {false, true}) {
      Eventually oracle = eventually("in the end", [&](const World&) { return true_at_last; });
      EXPECT_EQ(Told(oracle).ends(fair), true_at_last || !fair);
      EXPECT_EQ(oracle.judged(), fair);
    }
}

TEST(Verdicts, SometimesIsMetByAnyOfTheEvents) {
  const std::vector<std::pair<std::vector<int>, bool>> cases = {
      {{}, false}, {{1}, false}, {{5}, true}, {{5, 1}, true}, {{1, 5}, true}, {{1, 5, 2}, true}};
  for (const auto& [values, met] : cases) {
    Sometimes oracle = sometimes<Shown>("five", [](const Shown& s) { return s.value == 5; });
    Told(oracle).shows(values).ends(true);
    EXPECT_EQ(oracle.met(), met);
    Told told(oracle);  // anew
    EXPECT_EQ(oracle.met(), false);
    told.shows(values).shows({1});
    EXPECT_EQ(oracle.met(), met);
  }
}

Condition shown(int value) {
  return announced<Shown>([value](const Shown& s) { return s.value == value; });
}

// 1 then 2 is the goal, 3 after 1 fails; a 3 before it does not matter, nor does a 2.
Property machine() {
  Property out("in order", "done");
  out.on("start", shown(1), "ready").on("ready", shown(2), "done").on("ready", shown(3), "failing");
  return out;
}

TEST(Verdicts, APropertyIsItsStateMachine) {
  for (int word = 0; word < 4 * 4 * 4 * 4; ++word) {
    std::vector<int> values;
    for (int rest = word, i = 0; i < 4; ++i, rest /= 4)
      if (rest % 4 > 0) values.push_back(rest % 4);
    std::string state = "start";  // the machine, by hand
    for (const int v : values) {
      if (state == "start" && v == 1) state = "ready";
      else if (state == "ready" && v == 2) state = "done";
      else if (state == "ready" && v == 3) state = "failing";
      if (state == "failing") break;
    }
    for (const bool fair : {false, true}) {
      Property at_once = machine(), one_by_one = machine();
      EXPECT_EQ(Told(at_once).shows(values).ends(fair),
                state != "failing" && (!fair || state == "done"));
      Told told(one_by_one);
      for (const int v : values)
        if (!one_by_one.violation()) told.shows({v});
      EXPECT_EQ(one_by_one.violation().has_value(), state == "failing");
      EXPECT_EQ(one_by_one.state(), state);
      EXPECT_EQ(at_once.judged(), fair);
    }
  }
}

// Against all machines of three states by definition: what a walk from the start can come to.
TEST(Verdicts, APropertyIsBlindWhereNothingLeadsToItsStates) {
  const std::vector<std::string> names = {"start", "failing", "a", "b"};
  std::size_t blind = 0, all = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    Rng rng(seed);
    const std::string goal = rng.chance(0.5) ? names[rng.below(4)] : std::string();
    Property oracle("machine", goal);
    std::vector<std::pair<std::string, std::string>> edges;
    for (std::uint64_t i = rng.below(4); i > 0; --i)
      edges.emplace_back(names[rng.below(4)], names[rng.below(4)]);
    for (const auto& [from, to] : edges) oracle.on(from, shown(1), to);
    std::set<std::string> reached = {"start"};
    for (std::size_t round = 0; round < names.size(); ++round)
      for (const auto& [from, to] : edges)
        if (reached.contains(from)) reached.insert(to);
    bool can_object = reached.contains(goal.empty() ? "failing" : goal);
    for (const auto& [from, to] : edges) can_object = can_object && reached.contains(from);
    ASSERT_EQ(oracle.blind_to({}).empty(), can_object) << seed << ": " << oracle.blind_to({});
    blind += can_object ? 0 : 1, ++all;
  }
  EXPECT_GT(blind, 300U);
  EXPECT_LT(blind, all - 200U);
}

TEST(Verdicts, WhatWasPutToTheTest) {
  const auto tested = [](auto oracle, const std::vector<Tale>& tales) {
    Told(oracle).hears(tales).ends(true);
    return oracle.tested();
  };
  const std::vector<Tale> nothing, restart = {{0, true, {}}}, decision = {{0, false, {1, 1}}};
  const auto all = [&](const std::vector<Tale>& tales) {
    const bool agree = tested(agreement<Decided>(&Decided::instance, &Decided::value), tales);
    EXPECT_EQ(tested(integrity<Decided>(&Decided::instance, &Decided::value), tales), agree);
    EXPECT_EQ(tested(one_leader<Decided>("one", "term", &Decided::instance), tales), agree);
    EXPECT_EQ(tested(validity<Decided, Shown>(&Decided::value, &Shown::value), tales), agree);
    return agree;
  };
  EXPECT_FALSE(all(nothing));
  EXPECT_FALSE(all(restart));
  EXPECT_TRUE(all(decision));
}

// ---- what clients saw --------------------------------------------------------------------------

struct Put {
  int value = 0;
  FIELDS(value)
};
struct Get {
  FIELDS()
};
struct Answer {
  int value = 0;
  FIELDS(value)
};

Linearizability one_register() {
  return Linearizability(
      {.call = [](const World&, const Event& e) -> std::optional<linearize::Call> {
         if (const auto* put = e.as<Put>()) return linearize::write("x", put->value);
         return linearize::read("x");
       },
       .answer =
           [](linearize::History& h, linearize::OpId op, const Event& e) {
             const int value = e.as<Answer>()->value;
             if (h[op].function == linearize::Function::read) h.saw(op, value);
             else h.done(op);
           },
       .initial = 0});
}

// Clients that put and get at the same time; what they read is what some order would give them, or
// anything.
TEST(Verdicts, LinearizabilityIsThatOfBruteForce) {
  std::size_t fine = 0;
  SimWorld world;
  world.reset(testing_tools::config_of("toy-consensus").setup);
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    Rng rng(seed);
    Linearizability oracle = one_register();
    oracle.begin(world);
    linearize::History there;
    linearize::OpId first =
        there.invoke(9, linearize::write("x", 0));  // the value at the beginning
    there.done(first);
    std::map<int, std::pair<Name, linearize::OpId>> open;
    std::map<int, bool> reads;
    int last = 0;
    std::uint32_t nth = 0;
    const auto show = [&](Happened kind, Name name, const auto& body) {
      Event e;
      e.kind = kind;
      e.value = name.bits();
      e.body = &body, e.type = &type_info<std::decay_t<decltype(body)>>();
      oracle.look(world, std::span(&e, 1));
    };
    for (int i = 0; i < 12; ++i) {
      const int client = static_cast<int>(rng.below(3));
      if (open.count(client) == 0) {
        const Name name(client, 0, 0, nth++);
        reads[client] = rng.chance(0.5);
        const Put put{1 + static_cast<int>(rng.below(3))};
        if (reads[client]) show(Happened::invoked, name, Get{});
        else show(Happened::invoked, name, put);
        if (!reads[client]) last = put.value;
        open[client] = {name,
                        there.invoke(client, reads[client] ? linearize::read("x")
                                                           : linearize::write("x", put.value))};
      } else if (rng.chance(0.8)) {
        const auto [name, op] = open[client];
        const int value = rng.chance(0.8) ? last : static_cast<int>(rng.below(4));
        show(Happened::answered, name, Answer{value});
        if (reads[client]) there.saw(op, value);
        else there.done(op);
        open.erase(client);
      }
    }
    oracle.finish(world, {false});
    ASSERT_TRUE(oracle.judged());
    const bool expected = linearize::brute_force(there);
    ASSERT_EQ(!oracle.violation(), expected) << seed;
    fine += expected ? 1 : 0;
  }
  EXPECT_GT(fine, 100U);
  EXPECT_LT(fine, 500U);
}

struct Swap {
  int from = 0, to = 0;
  FIELDS(from, to)
};

// So many clients swap at once, each with success: the swaps must be a trail from 0 through the
// values that uses every one of them, and there is none, because 1 and 2 are left too often.
Linearizability judged_swaps(int swaps) {
  Linearizability oracle(
      {.call = [](const World&, const Event& e) -> std::optional<linearize::Call> {
         return linearize::cas("x", e.as<Swap>()->from, e.as<Swap>()->to);
       },
       .answer = [](linearize::History& h, linearize::OpId op, const Event&) { h.done(op); },
       .initial = 0});
  SimWorld world;
  world.reset(testing_tools::config_of("toy-consensus").setup);
  oracle.begin(world);
  const auto show = [&](Happened kind, int client, const auto& body) {
    Event e;
    e.kind = kind;
    e.value = Name(client, 0, 0, 0).bits();
    e.body = &body, e.type = &type_info<std::decay_t<decltype(body)>>();
    oracle.look(world, std::span(&e, 1));
  };
  std::vector<Swap> all = {{0, 1}, {1, 0}, {1, 0}, {0, 2}, {2, 0}, {2, 0}};
  Rng rng(1);
  for (int from = 0; static_cast<int>(all.size()) < swaps;) {  // and a trail of any others
    const int to = static_cast<int>(rng.below(9));
    if (to != from) all.push_back({from, to}), from = to;
  }
  for (int i = 0; i < swaps; ++i) show(Happened::invoked, i, all[static_cast<std::size_t>(i)]);
  for (int i = 0; i < swaps; ++i) show(Happened::answered, i, Answer{});
  oracle.finish(world, {true});
  return oracle;
}

// What the checker gives up on is no violation, and nobody says that it was looked at.
TEST(Verdicts, WhatIsTooLongToBeJudgedIsNotJudged) {
  const Linearizability small = judged_swaps(6);
  EXPECT_TRUE(small.judged());
  EXPECT_TRUE(small.violation());
  const Linearizability large = judged_swaps(40);
  EXPECT_FALSE(large.judged());
  EXPECT_FALSE(large.violation());
}

// What clients asked was no operation, whoever answered: that says nothing.
TEST(Verdicts, AHistoryOfNothingIsNotJudged) {
  const auto call = [](const World&, const Event&) -> std::optional<linearize::Call> {
    return std::nullopt;
  };
  Linearizability oracle({call, [](linearize::History&, linearize::OpId, const Event&) {}, {}});
  SimWorld world;
  world.reset(testing_tools::config_of("toy-consensus").setup);
  oracle.begin(world);
  oracle.finish(world, {true});
  EXPECT_TRUE(oracle.judged()) << "nobody asked";
  Shown content;
  Event asked;
  asked.kind = Happened::invoked;
  asked.body = &content, asked.type = &type_info<Shown>();
  oracle.begin(world);
  oracle.look(world, std::span(&asked, 1));
  oracle.finish(world, {true});
  EXPECT_FALSE(oracle.judged());
}

}  // namespace
}  // namespace schism
