// Interchangeable nodes: what is declared is true, what is not is caught, and keys tell states
// apart exactly where they differ in more than names.
#include "schism/check/symmetry.hpp"

#include <gtest/gtest.h>

#include <set>

#include "schism/check/check.hpp"
#include "schism/schism.hpp"

namespace schism::check {
namespace {

const std::atomic<bool> kGoOn{false};

// ---- a system that keeps its nodes' numbers where they can be renamed -------------------------

struct Vote {
  NodeRef candidate;
  FIELDS(candidate)
};
struct Won {
  NodeRef who;
  FIELDS(who)
};

// `compare`, `draw` and `hide` each break the symmetry that is declared.
struct Elector : Node<Elector, Vote> {
  struct Config {
    bool compare = false, draw = false, hide = false, prefer = false;
  };
  NodeRef choice;
  NodeSet supporters;
  PerNode<int> heard;
  int last = 0;
  FIELDS(choice, supporters, heard, last)

  void start(Context& c) {
    heard.assign(static_cast<std::size_t>(c.nodes()), 0);
    c.broadcast(Vote{c.self});
  }
  void on(Context& c, NodeId from, const Vote& v) {
    ++heard[static_cast<std::size_t>(from)];
    if (c.config().hide) last = from;
    if (c.config().draw) last = static_cast<int>(c.random_below(1000));
    if (v.candidate == c.self) {
      supporters.insert(from);
      if (static_cast<int>(supporters.size()) + 1 >= c.majority()) c.announce(Won{c.self});
      return;
    }
    const bool better = c.config().compare ? from > choice : choice < 0;
    if (!better) return;
    choice = from;
    c.send(from, Vote{from});
  }
};

bool nobody_won_but_2(const World& world) {
  for (NodeId id = 0; id < world.setup().nodes; ++id)
    if (id != 2 && world.as<Elector>(id)->supporters.size() >= 2) return false;
  return true;
}

const Registration electors =
    system<Elector>("test-electors", "who hears of somebody first supports that one")
        .nodes(3, 2, 8)
        .param<&Elector::Config::compare>("compare", "numbers decide")
        .param<&Elector::Config::draw>("draw", "chance decides")
        .param<&Elector::Config::hide>("hide", "a node's number is kept as a plain one")
        .param<&Elector::Config::prefer>("prefer", "an oracle knows a node by its number")
        .oracle(agreement<Won>([](const Won& w) { return w.who; }, &Won::who))
        .oracle([](const Setup& s) -> std::unique_ptr<Oracle> {
          const bool prefer = static_cast<const Elector::Config*>(s.config.get())->prefer;
          return std::make_unique<Eventually>("preference", [prefer](const World& world) {
            return !prefer || nobody_won_but_2(world);
          });
        })
        .symmetric();

RunConfig config_of(const std::string& system, int nodes, Pairs faults = {},
                    std::vector<std::string> bugs = {}) {
  RunText text;
  text.system = *parse_spec(system);
  if (nodes > 0) text.nodes = std::to_string(nodes);
  text.faults = std::move(faults);
  text.bugs = std::move(bugs);
  auto config = make_config(text);
  EXPECT_TRUE(config) << (config ? "" : config.error());
  return *config;
}

CheckOptions with(const std::string& search) {
  CheckOptions o;
  o.search = *parse_spec(search);
  o.probes = 0;
  return o;
}

// ---- declarations ------------------------------------------------------------------------------

TEST(Symmetry, EveryDeclarationIsTrue) {
  std::size_t declared = 0;
  for (const auto& system : systems().sorted()) {
    if (!system->symmetry) continue;
    ++declared;
    for (const bool crash : {false, true})
      for (std::size_t bug = 0; bug <= system->bugs.size(); ++bug) {
        const RunConfig config = config_of(
            system->name, 0, {},
            bug > 0 ? std::vector{system->bugs[bug - 1].name} : std::vector<std::string>{});
        Bounds bounds;
        bounds.events = 40;
        if (crash) bounds.may_crash = {config.setup.nodes - 1, config.setup.nodes - 2};
        const Status s = test_symmetry(config.setup, bounds, 40, 7);
        EXPECT_TRUE(s) << s.error();
      }
  }
  EXPECT_GE(declared, 3U) << "two-phase-commit, reliable-broadcast, test-electors";
}

TEST(Symmetry, FalseDeclarationsAreCaught) {
  for (const char* wrong : {"compare", "draw", "hide", "prefer"}) {
    const RunConfig config = config_of(std::string("test-electors:") + wrong + "=true", 3);
    const Status s = test_symmetry(config.setup, {}, 40, 7);
    ASSERT_FALSE(s) << wrong;
    EXPECT_THAT(s.error(), ::testing::HasSubstr("declares nodes interchangeable that are not"));
    const auto refused = check(config, with("dfs:symmetry=true"), {}, kGoOn);
    EXPECT_FALSE(refused) << wrong;
  }
}

TEST(Symmetry, IsRefusedWhereNoneIsDeclared) {
  const auto refused =
      check(config_of("hierarchical-consensus", 3), with("dfs:symmetry=true"), {}, kGoOn);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(),
            "hierarchical-consensus does not declare which of its nodes are interchangeable: no "
            "symmetry");
}

TEST(Symmetry, GroupsAreSplitByWhatNodesDifferIn) {
  const RunConfig tpc = config_of("two-phase-commit", 5);
  EXPECT_THAT(Symmetry::of(tpc.setup, {})->groups(), ::testing::ElementsAre(0, 1, 1, 1, 1));
  Bounds bounds;
  bounds.may_crash = {2, 4};
  EXPECT_THAT(Symmetry::of(tpc.setup, bounds)->groups(), ::testing::ElementsAre(0, 1, 2, 1, 2));
  const RunConfig rb = config_of("reliable-broadcast:broadcasts=2", 5);
  EXPECT_THAT(Symmetry::of(rb.setup, {})->groups(), ::testing::ElementsAre(0, 1, 2, 2, 2));
}

// ---- keys --------------------------------------------------------------------------------------

// All states of a system, and for each the smallest digest over all renamings: the slow definition
// of what a state is up to names.
struct Orbits {
  std::set<Hash128> states, orbits, keys;
};

Orbits orbits_of(const RunConfig& config) {
  Orbits out;
  WorldModel model(config.setup, {}, false);
  const Symmetry symmetry = *Symmetry::of(config.setup, {});
  std::vector<std::vector<std::uint32_t>> level = {{}};
  while (!level.empty()) {
    std::vector<std::vector<std::uint32_t>> next;
    for (const auto& path : level) {
      model.rewind(0);
      for (const std::uint32_t i : path) model.execute(i);
      if (!out.states.insert(*model.renamed_digest({})).second) continue;
      out.keys.insert(symmetry.key([&](const Renaming& r) { return *model.renamed_digest(r); }));
      std::vector<int> names(static_cast<std::size_t>(config.setup.nodes));
      for (std::size_t i = 0; i < names.size(); ++i) names[i] = static_cast<int>(i);
      std::optional<Hash128> least;
      do {
        bool within = true;
        for (std::size_t i = 0; i < names.size(); ++i)
          within = within &&
                   symmetry.groups()[i] == symmetry.groups()[static_cast<std::size_t>(names[i])];
        if (!within) continue;
        const Hash128 h = *model.renamed_digest(symmetry.renaming(names));
        if (!least || h < *least) least = h;
      } while (std::next_permutation(names.begin(), names.end()));
      out.orbits.insert(*least);
      for (std::uint32_t i = 0; i < model.pends().size(); ++i)
        if (model.pends()[i].enabled()) {
          auto longer = path;
          longer.push_back(i);
          next.push_back(std::move(longer));
        }
    }
    level = std::move(next);
  }
  return out;
}

TEST(Symmetry, KeysAreAsManyAsStatesUpToNames) {
  for (const RunConfig& config :
       {config_of("two-phase-commit", 4), config_of("reliable-broadcast", 4),
        config_of("test-electors", 3)}) {
    const Orbits o = orbits_of(config);
    EXPECT_EQ(o.keys.size(), o.orbits.size()) << config.system.name;
    EXPECT_LT(o.orbits.size(), o.states.size()) << config.system.name;
    // The search finds the same numbers.
    CheckOptions plain = with("dfs:bits=128"), folded = with("dfs:bits=128,symmetry=true");
    EXPECT_EQ(check(config, plain, {}, kGoOn)->totals.states, o.states.size());
    EXPECT_EQ(check(config, folded, {}, kGoOn)->totals.states, o.orbits.size());
    folded.search = *parse_spec("bfs:symmetry=true");
    EXPECT_EQ(check(config, folded, {}, kGoOn)->totals.states, o.orbits.size());
  }
}

TEST(Symmetry, ChangesNoVerdict) {
  const std::tuple<std::string, int, Pairs, std::vector<std::string>> cases[] = {
      {"two-phase-commit", 4, {}, {}},
      {"two-phase-commit", 4, {{"crash", "1"}}, {}},
      {"two-phase-commit", 4, {}, {"commit-early"}},
      {"two-phase-commit", 4, {}, {"change-mind"}},
      {"two-phase-commit", 4, {}, {"forget-outcome"}},
      {"reliable-broadcast", 4, {{"crash", "1"}}, {}},
      {"reliable-broadcast", 3, {{"drop", "1"}}, {}},
      {"reliable-broadcast", 4, {}, {"deliver-twice"}},
  };
  for (const auto& [system, nodes, faults, bugs] : cases)
    for (const char* search : {"dfs", "bfs"}) {
      const RunConfig config = config_of(system, nodes, faults, bugs);
      const auto plain = check(config, with(search), {}, kGoOn);
      const auto folded = check(config, with(std::string(search) + ":symmetry=true"), {}, kGoOn);
      ASSERT_TRUE(plain && folded) << system;
      EXPECT_EQ(folded->verdict, plain->verdict) << system << folded->reason;
      if (plain->verdict == Verdict::holds) {
        EXPECT_LT(folded->totals.states, plain->totals.states) << system;
      }
      if (std::string(search) == "bfs" && plain->counterexample) {
        EXPECT_EQ(folded->counterexample->violation->step, plain->counterexample->violation->step);
      }
    }
}

TEST(Symmetry, OfCrashesThatAreAlikeOneIsEnough) {
  const RunConfig config = config_of("two-phase-commit", 5, {{"crash", "2"}});
  std::vector<Part> parts = *parts_of(config, Crashing::each, 0, true);
  EXPECT_EQ(parts.size(), 1U + 5U + 10U);
  join_alike(parts, *Symmetry::of(config.setup, {}));
  std::uint32_t sum = 0;
  for (const Part& part : parts) sum += part.alike;
  EXPECT_EQ(parts.size(), 5U) << "nobody; 0; 1; 0 and 1; 1 and 2";
  EXPECT_EQ(sum, 16U);
}

}  // namespace
}  // namespace schism::check
