// The grid against a definition of its own, and how far a random walk gets in it.
#include "systems/cube_world/cube_world.hpp"

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <map>
#include <set>
#include <tuple>

#include "schism/registry.hpp"
#include "schism/world/sim_world.hpp"

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

// Cells seen a cube, in 5,000 episodes of 80 moves each.
std::array<std::size_t, 6> random_coverage(std::uint64_t seed) {
  Setup setup;
  setup.system = systems().find("cube-world");
  setup.config = std::make_shared<Config>();
  setup.nodes = 1;
  SimWorld world;
  Rng rng(seed);
  std::set<Key> seen;
  for (int episode = 0; episode < 5000; ++episode) {
    world.reset(setup);
    seen.insert(key_of(world.as<Walker>(0)->cell()));
    for (int step = 0; step < 80; ++step) {
      const Pending& pending = world.pending();
      EXPECT_EQ(pending.count(Do::submit), 8U);
      const auto pick = static_cast<std::uint32_t>(rng.below(8));
      EXPECT_EQ(world.apply(pending.nth(Do::submit, pick)), Refusal::none);
      seen.insert(key_of(world.as<Walker>(0)->cell()));
    }
  }
  std::array<std::size_t, 6> out{};
  for (const Key& key : seen) ++out[static_cast<std::size_t>(std::get<0>(key))];
  return out;
}

// An independent trial of the same rules had 585 to 589 cells of the first cube, 139 to 166 of the
// second and none beyond, over three seeds.
TEST(CubeWorld, ARandomWalkCoversWhatAnotherImplementationCovered) {
  std::size_t first = 0, second = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const auto covered = random_coverage(seed);
    first += covered[0];
    second += covered[1];
    EXPECT_EQ(covered[2] + covered[3] + covered[4] + covered[5], 0U) << seed;
  }
  EXPECT_GE(first, 3U * 580);
  EXPECT_LE(first, 3U * 594);
  EXPECT_GE(second, 3U * 125);
  EXPECT_LE(second, 3U * 180);
}

}  // namespace
}  // namespace schism::cube_world
