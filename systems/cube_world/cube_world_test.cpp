// The grid against a definition of its own, and how far a random walk gets in it.
#include "systems/cube_world/cube_world.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <deque>
#include <map>
#include <set>
#include <tuple>

#include "schism/registry.hpp"
#include "schism/sim/sim_world.hpp"

namespace schism::cube_world {
namespace {

using Key = std::tuple<int, int, int, int>;
Key key_of(const Cell& cell) { return {cell.cube, cell.w, cell.b, cell.d}; }

// The text of the figure's section, move by move.
Cell as_written(Cell cell, Move move) {
  const auto inside = [](int at, int size) { return at >= 0 && at < size; };
  Cell next = cell;
  if (move == Move::up) ++next.b;
  if (move == Move::down) --next.b;
  if (move == Move::left) --next.w;
  if (move == Move::right) ++next.w;
  if (move == Move::above) --next.d;
  if (move == Move::below) ++next.d;
  if (move == Move::reset_depth) next.d = 0;
  if (move == Move::into && cell.w == 5 && cell.b == 5 && cell.cube < 5)
    next = {cell.cube + 1, 0, 0, 0};
  return inside(next.w, 10) && inside(next.b, 10) && inside(next.d, 6) ? next : cell;
}

TEST(CubeWorld, EveryMoveFromEveryCellIsAsWritten) {
  for (int cube = 0; cube < 6; ++cube)
    for (int w = 0; w < 10; ++w)
      for (int b = 0; b < 10; ++b)
        for (int d = 0; d < 6; ++d)
          for (int move = 0; move < kMoves; ++move) {
            const Cell cell{cube, w, b, d};
            ASSERT_EQ(moved(cell, static_cast<Move>(move), {}),
                      as_written(cell, static_cast<Move>(move)));
          }
}

TEST(CubeWorld, TheShortestWayToTheFourthCubeHasThirtyThreeSteps) {
  std::map<Key, int> distance = {{key_of({}), 0}};
  std::deque<Cell> next = {Cell{}};
  std::array<int, 6> first{};
  while (!next.empty()) {
    const Cell cell = next.front();
    next.pop_front();
    for (int move = 0; move < kMoves; ++move) {
      const Cell to = moved(cell, static_cast<Move>(move), {});
      if (!distance.emplace(key_of(to), distance[key_of(cell)] + 1).second) continue;
      int& reached = first[static_cast<std::size_t>(to.cube)];
      if (to.cube > 0 && reached == 0) reached = distance[key_of(to)];
      next.push_back(to);
    }
  }
  EXPECT_EQ(distance.size(), 3600U);
  EXPECT_EQ(first[3], 33);
}

// Of episodes of 80 moves at random: cells seen a cube, and how many entered the second cube.
struct Coverage {
  std::array<std::size_t, 6> cells{};
  int entered = 0;
};
constexpr int kEpisodes = 5000, kSteps = 80;

Coverage random_coverage(std::uint64_t seed) {
  Setup setup;
  setup.system = systems().find("cube-world");
  setup.config = std::make_shared<Config>();
  setup.nodes = 1;
  SimWorld world;
  Rng rng(seed);
  std::set<Key> seen;
  Coverage out;
  for (int episode = 0; episode < kEpisodes; ++episode) {
    world.reset(setup);
    seen.insert(key_of(world.as<Walker>(0)->cell()));
    for (int step = 0; step < kSteps; ++step) {
      const Pending& pending = world.pending();
      EXPECT_EQ(pending.count(Do::submit), 8U);
      const auto pick = static_cast<std::uint32_t>(rng.below(8));
      EXPECT_EQ(world.apply(pending.nth(Do::submit, pick)), Refusal::none);
      seen.insert(key_of(world.as<Walker>(0)->cell()));
    }
    out.entered += world.as<Walker>(0)->cube > 0;
  }
  for (const Key& key : seen) ++out.cells[static_cast<std::size_t>(std::get<0>(key))];
  return out;
}

// The chance that an episode enters the second cube, by the distribution over the floor plan:
// depth has no part in it.
double chance_to_enter() {
  std::map<std::pair<int, int>, double> at = {{{0, 0}, 1.0}};
  double entered = 0;
  for (int step = 0; step < kSteps; ++step) {
    std::map<std::pair<int, int>, double> next;
    for (const auto& [cell, p] : at)
      for (int move = 0; move < kMoves; ++move) {
        const Cell to = as_written({0, cell.first, cell.second, 0}, static_cast<Move>(move));
        if (to.cube > 0) entered += p / kMoves;
        else next[{to.w, to.b}] += p / kMoves;
      }
    at = std::move(next);
  }
  return entered;
}

// An independent trial of the same rules had 585 to 589 cells of the first cube and 139 to 166 of
// the second, over three seeds. The fourth is entered in one of 10^9 episodes.
TEST(CubeWorld, ARandomWalkCoversWhatAnotherImplementationCovered) {
  const double chance = chance_to_enter();
  std::size_t first = 0, second = 0;
  int entered = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Coverage covered = random_coverage(seed);
    first += covered.cells[0];
    second += covered.cells[1];
    entered += covered.entered;
    EXPECT_EQ(covered.cells[3] + covered.cells[4] + covered.cells[5], 0U) << seed;
  }
  const double trials = 3.0 * kEpisodes;
  EXPECT_NEAR(entered, trials * chance, 5 * std::sqrt(trials * chance * (1 - chance)));
  EXPECT_GE(first, 3U * 580);
  EXPECT_LE(first, 3U * 594);
  EXPECT_GE(second, 3U * 125);
  EXPECT_LE(second, 3U * 180);
}

}  // namespace
}  // namespace schism::cube_world
