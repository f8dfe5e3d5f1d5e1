// The numbers of states of the repository's own protocols, counted by `dfs` and `bfs` and by going
// through everything in a world that shares nothing with ours (reference_world.hpp): with crashes,
// restarts, losses, copies and links in order, to a depth, with few delays, and with nodes that are
// interchangeable.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <numeric>

#include "schism/check/search.hpp"
#include "schism/check/symmetry.hpp"
#include "schism/check/testing/reference_search.hpp"
#include "schism/run/config.hpp"

namespace schism::check {
namespace {

struct Small {
  std::string system;
  int nodes;
  std::string world = "";
  Bounds bounds = {};
};

Bounds crashes(std::vector<NodeId> who, std::uint32_t restarts = 0) {
  Bounds out;
  out.may_crash = std::move(who);
  out.restarts = restarts;
  return out;
}

Bounds fates(std::uint32_t drops, std::uint32_t duplicates) {
  Bounds out;
  out.drops = drops, out.duplicates = duplicates;
  return out;
}

Bounds events(std::uint32_t each) {
  Bounds out;
  out.events = each;
  return out;
}

// So that the slow world gets through: those with more states are left out.
constexpr std::size_t kMost = 1500;
const std::vector<Small>& small_ones() {
  static const std::vector<Small> all = {
      {"two-phase-commit", 2},
      {"two-phase-commit", 3},
      {"two-phase-commit", 3, "links=fifo"},
      {"two-phase-commit:patience=true", 4},
      {"two-phase-commit", 3, "", crashes({0})},
      {"two-phase-commit", 2, "down=waits", crashes({1}, 1)},
      {"two-phase-commit", 2, "", fates(1, 0)},
      {"two-phase-commit", 2, "", fates(0, 1)},
      {"reliable-broadcast", 3},
      {"reliable-broadcast", 3, "links=fifo"},
      {"reliable-broadcast", 3, "", crashes({0})},
      {"reliable-broadcast", 3, "", crashes({1, 2})},
      {"reliable-broadcast", 3, "", fates(1, 0)},
      {"reliable-broadcast:piecewise=true", 3, "", crashes({0})},
      {"reliable-broadcast:broadcasts=2", 2, "", fates(0, 1)},
      {"hierarchical-consensus", 3},
      {"hierarchical-consensus", 3, "", crashes({0})},
      {"hierarchical-consensus", 3, "links=fifo", crashes({1})},
      {"hierarchical-consensus", 2, "down=empty", crashes({0}, 1)},
      {"paxos:proposers=1", 3},
      {"paxos:proposers=1", 4},
      {"paxos:proposers=1", 3, "", crashes({1})},
      {"paxos:proposers=1", 3, "", fates(1, 0)},
      {"paxos:proposers=2", 4, "", events(3)},
      {"multipaxos:proposals=1", 2, "", events(4)},
      {"regular-register", 3, "", events(3)},
      {"toy-consensus", 3, "", events(3)},
      {"toy-consensus", 4, "links=fifo", events(2)},
      {"atomic-broadcast:broadcasts=1", 3, "", events(3)},
      {"tokens", 2, "", events(4)},
      {"test-relay:requests=2", 2, "", {}},
      {"test-relay:requests=2", 3, "", {}},
      {"test-relay:requests=2", 3, "", crashes({1})},
      {"test-relay", 2, "down=empty", crashes({0}, 1)},
      {"raft", 2, "", events(2)},
      {"cube-world:cubes=2,width=2,breadth=2,depth=2,moves=1", 1},
  };
  return all;
}

std::string text_of(const Small& s) {
  std::string who;
  for (const NodeId id : s.bounds.may_crash) who += std::to_string(id);
  return fmt::format("{} --nodes {} {} crash {} restarts {} drops {} duplicates {} events {}",
                     s.system, s.nodes, s.world, who, s.bounds.restarts, s.bounds.drops,
                     s.bounds.duplicates, s.bounds.events);
}

Setup setup_of(const Small& s) {
  RunText text;
  text.system = *parse_spec(s.system);
  text.nodes = std::to_string(s.nodes);
  if (!s.world.empty()) text.world = parse_spec("x:" + s.world)->values;
  const auto config = make_config(text);
  EXPECT_TRUE(config) << (config ? "" : config.error());
  // Without what its oracles remember: that is part of a state, too, but not of the protocol's.
  static std::map<std::string, std::shared_ptr<System>> plain;
  Setup setup = config->setup;
  auto& own = plain[setup.system->name];
  if (!own) own = std::make_shared<System>(*setup.system);
  own->oracles.clear();
  setup.system = own.get();
  return setup;
}

// What a search says, or why it cannot.
struct Here {
  SearchTotals totals;
  std::string problem;
};

Here search_here(const Setup& setup, const Bounds& bounds, const char* name,
                 std::uint32_t depth = 0, std::uint32_t delays = kNever) {
  Here out;
  WorldModel model(setup, bounds, false);
  Search::Limits limits;
  limits.depth = depth, limits.delays = delays, limits.most = 100'000;
  limits.stop = [](const SearchTotals& so_far) { return so_far.states > 2 * kMost; };
  auto made = searches().make(*parse_spec(name), "explorer");
  const Finished ending = (*made)->run(model, limits, out.totals);
  out.problem = model.problem();
  EXPECT_TRUE(ending == Finished::all || out.totals.states > kMost || !out.problem.empty());
  return out;
}

TEST(StateCounts, OfTheRepositorysOwnSystemsAreThoseOfAnotherWorld) {
  std::size_t compared = 0, states = 0;
  for (const Small& s : small_ones()) {
    const schism::Setup setup = setup_of(s);
    const Here first = search_here(setup, s.bounds, "dfs");
    ASSERT_EQ(first.problem, "") << text_of(s);
    if (first.totals.states > kMost) continue;
    const auto there = reference_states(setup, s.bounds, kMost);
    ASSERT_TRUE(there) << text_of(s) << " has more; dfs says " << first.totals.states;
    for (const char* search : {"dfs", "bfs", "bfs:bits=128"}) {
      const Here here = search_here(setup, s.bounds, search);
      EXPECT_EQ(here.totals.states, there->states.size()) << search << " " << text_of(s);
      EXPECT_EQ(here.totals.executions, there->terminal.size()) << search << " " << text_of(s);
    }
    ++compared, states += there->states.size();
  }
  fmt::print("{} of {} configurations, {} states\n", compared, small_ones().size(), states);
  EXPECT_GE(compared, 20U);
}

// ---- bounds ------------------------------------------------------------------------------------

// What a scheduler without imagination does: messages before requests, disks, timers; then by node,
// sender and content.
std::size_t plain_choice(const ReferenceWorld& world, const std::vector<Action>& enabled) {
  const auto rank = [&](const Action& a) {
    constexpr Do order[] = {Do::deliver, Do::submit, Do::complete, Do::fire};
    const auto kind = std::find(std::begin(order), std::end(order), a.kind) - std::begin(order);
    const Name n = a.name;
    const bool here = a.kind == Do::fire || a.kind == Do::complete;
    const std::uint64_t what = a.kind == Do::submit ? n.bits()
                               : here               ? Name(0, n.to(), n.type(), 0).bits()
                                                    : Name(n.from(), n.to(), n.type(), 0).bits();
    const Hash128 content = a.kind == Do::deliver ? world.content_hash(n) : Hash128{};
    return std::tuple(kind, place_of(a), what, content);
  };
  std::size_t best = 0;
  for (std::size_t i = 1; i < enabled.size(); ++i)
    if (rank(enabled[i]) < rank(enabled[best])) best = i;
  return best;
}

// Every state that some run with so many steps and so many delays reaches.
std::set<std::string> reached_within(const Setup& setup, const Bounds& bounds, std::uint32_t depth,
                                     std::uint32_t delays, bool clocks) {
  struct Way {
    std::vector<ReferenceWorld::Step> path;
    std::uint32_t delays;
  };
  ReferenceWorld world(setup, bounds, true);
  std::set<std::string> states;
  // A way is gone on with unless another one to the same state had as much left of both.
  std::map<std::string, std::vector<std::pair<std::uint32_t, std::uint32_t>>> left;
  std::vector<Way> open = {{{}, delays}};
  while (!open.empty()) {
    const Way way = std::move(open.front());
    open.erase(open.begin());
    world.play(way.path);
    const std::string state = world.state(clocks);
    const auto used = static_cast<std::uint32_t>(way.path.size());
    states.insert(state);
    auto& earlier = left[state];
    if (std::any_of(earlier.begin(), earlier.end(), [&](const auto& other) {
          return other.first <= used && other.second >= way.delays;
        }))
      continue;
    earlier.emplace_back(used, way.delays);
    if (used >= depth) continue;
    const std::vector<Action> enabled = world.enabled();
    if (enabled.empty()) continue;
    const Action plain = enabled[plain_choice(world, enabled)];
    each_step(world, way.path, [&](const ReferenceWorld::Step& step) {
      const bool costs = delays != kNever && !(step.front() == plain);
      if (costs && way.delays == 0) return true;
      Way longer = way;
      longer.path.push_back(step);
      if (costs) --longer.delays;
      open.push_back(std::move(longer));
      return true;
    });
  }
  return states;
}

TEST(StateCounts, ToADepthAreThoseOfAnotherWorld) {
  for (const Small& s : small_ones()) {
    const schism::Setup setup = setup_of(s);
    const std::uint64_t whole = search_here(setup, s.bounds, "dfs").totals.states;
    if (whole > kMost) continue;
    const auto all = reference_states(setup, s.bounds, kMost);
    ASSERT_TRUE(all) << text_of(s);
    for (const std::uint32_t depth : {1U, 3U, 6U}) {
      const auto there = reached_within(setup, s.bounds, depth, kNever, all->clocks);
      if (there.size() > 400) continue;  // the slow world is slow
      for (const char* search : {"dfs", "bfs"})
        EXPECT_EQ(search_here(setup, s.bounds, search, depth).totals.states, there.size())
            << search << " to " << depth << " " << text_of(s) << ", in all " << whole;
    }
  }
}

TEST(StateCounts, WithFewDelaysAreThoseOfAnotherWorld) {
  std::size_t compared = 0;
  for (const Small& s : small_ones()) {
    const bool faults = !s.bounds.may_crash.empty() || s.bounds.drops + s.bounds.duplicates > 0;
    if (faults) continue;  // whose order is not in the documents
    const schism::Setup setup = setup_of(s);
    if (search_here(setup, s.bounds, "dfs").totals.states > kMost) continue;
    const auto all = reference_states(setup, s.bounds, kMost);
    ASSERT_TRUE(all) << text_of(s);
    for (const std::uint32_t delays : {0U, 1U, 2U}) {
      const auto there = reached_within(setup, s.bounds, kNever, delays, all->clocks);
      for (const char* search : {"dfs", "bfs"})
        EXPECT_EQ(search_here(setup, s.bounds, search, 0, delays).totals.states, there.size())
            << search << " with " << delays << " delays " << text_of(s);
      ++compared;
    }
  }
  EXPECT_GE(compared, 20U);
}

// ---- symmetry ----------------------------------------------------------------------------------

Action renamed(const Action& a, const Renaming& r) {
  const Name n = a.name;
  switch (a.kind) {
    case Do::deliver:
    case Do::drop:
    case Do::duplicate: return make_action(a.kind, renamed_message(n, r), a.arg());
    case Do::submit:
      return make_action(a.kind, renamed_request(n, r),
                         static_cast<std::uint32_t>(r.node(static_cast<int>(a.arg()))));
    case Do::choose: return a;
    default:
      return make_action(a.kind, Name(r.node(n.from()), n.to(), n.type(), n.nth(), n.copy()),
                         a.arg());
  }
}

// Where two interchangeable nodes change places in a run, its state goes into one with them: how
// many states there are if such two are one.
std::size_t orbits(const Setup& setup, const Bounds& bounds, const Symmetry& symmetry) {
  ReferenceWorld world(setup, bounds, true);
  std::map<std::string, std::size_t> numbers;
  std::vector<std::vector<ReferenceWorld::Step>> paths = {{}};
  world.play({});
  numbers.emplace(world.state(false), 0);
  for (std::size_t at = 0; at < paths.size(); ++at) {
    const auto path = paths[at];
    each_step(world, path, [&](const ReferenceWorld::Step& step) {
      if (!numbers.emplace(world.state(false), paths.size()).second) return true;
      paths.push_back(path);
      paths.back().push_back(step);
      return true;
    });
  }
  std::vector<std::size_t> of(paths.size());
  std::iota(of.begin(), of.end(), 0U);
  const auto root = [&](std::size_t i) {
    while (of[i] != i) i = of[i];
    return i;
  };
  const auto& groups = symmetry.groups();
  for (std::size_t a = 0; a < groups.size(); ++a)
    for (std::size_t b = a + 1; b < groups.size(); ++b) {
      if (groups[a] != groups[b]) continue;
      std::vector<int> names(groups.size());
      std::iota(names.begin(), names.end(), 0);
      std::swap(names[a], names[b]);
      const Renaming renaming = symmetry.renaming(names);
      for (std::size_t i = 0; i < paths.size(); ++i) {
        world.begin();
        for (ReferenceWorld::Step step : paths[i]) {
          for (Action& action : step) action = renamed(action, renaming);
          EXPECT_TRUE(world.can(step.front()));
          world.apply(step);
        }
        const auto found = numbers.find(world.state(false));
        EXPECT_TRUE(found != numbers.end());
        if (found != numbers.end()) of[root(i)] = root(found->second);
      }
    }
  std::size_t out = 0;
  for (std::size_t i = 0; i < of.size(); ++i) out += of[i] == i ? 1 : 0;
  return out;
}

TEST(StateCounts, WithSymmetryAreThoseOfAnotherWorld) {
  std::size_t compared = 0, fewer = 0;
  for (const Small& s : small_ones()) {
    const schism::Setup setup = setup_of(s);
    const auto symmetry = Symmetry::of(setup, s.bounds);
    if (!symmetry || !symmetry->any()) continue;
    if (search_here(setup, s.bounds, "dfs").totals.states > kMost) continue;
    const std::size_t there = orbits(setup, s.bounds, *symmetry);
    const std::uint64_t all = search_here(setup, s.bounds, "dfs").totals.states;
    for (const char* search : {"dfs:symmetry=true", "bfs:symmetry=true"})
      EXPECT_EQ(search_here(setup, s.bounds, search).totals.states, there)
          << search << " " << text_of(s) << ", all " << all;
    ++compared, fewer += there < all ? 1 : 0;
  }
  EXPECT_GE(compared, 8U);
  EXPECT_GE(fewer, 8U);
}

}  // namespace
}  // namespace schism::check
