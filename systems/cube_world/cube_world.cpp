#include "systems/cube_world/cube_world.hpp"

#include <algorithm>

namespace schism::cube_world {

Cell moved(const Cell& from, Move move, const Config& config) {
  Cell to = from;
  const bool door = from.w == config.width / 2 && from.b == config.breadth / 2;
  switch (move) {
    case Move::up: to.b = std::min(from.b + 1, config.breadth - 1); break;
    case Move::down: to.b = std::max(from.b - 1, 0); break;
    case Move::right: to.w = std::min(from.w + 1, config.width - 1); break;
    case Move::left: to.w = std::max(from.w - 1, 0); break;
    case Move::below: to.d = std::min(from.d + 1, config.depth - 1); break;
    case Move::above: to.d = std::max(from.d - 1, 0); break;
    case Move::into:
      if (door && from.cube + 1 < config.cubes) to = {from.cube + 1, 0, 0, 0};
      break;
    case Move::reset_depth: to.d = 0; break;
  }
  return to;
}

void Walker::on_request(Context& c, RequestId id, const Go& go) {
  const Cell to = moved(cell(), go.move, c.config());
  if (to.cube != cube) c.announce(Entered{to.cube});
  cube = to.cube;
  w = to.w;
  b = to.b;
  d = to.d;
  c.answer(id, to);
}

namespace {

void workload(Workload& work) {
  for (int i = 0; i < work.config<Walker>().moves; ++i)
    for (int move = 0; move < kMoves; ++move)
      work.request<Walker>(move, 0, Go{static_cast<Move>(move)});
}

const Registration registered =
    system<Walker>("cube-world", "a walker in a row of cubes with doors: for learning explorers")
        .nodes(1, 1, 1)
        // Without messages; a crash puts the walker back to where it began.
        .survives(kBenignFaults)
        .colour<Walker>([](const Walker& node, Paint& paint) {
          paint.role(node.cube);
          paint.is(node.w);
          paint.is(node.b);
          paint.is(node.d);
        })
        .param<&Config::cubes>("cubes", 1, 1000, "in a row")
        .param<&Config::width>("width", 1, 1000, "cells of a cube")
        .param<&Config::breadth>("breadth", 1, 1000, "cells of a cube")
        .param<&Config::depth>("depth", 1, 1000, "cells of a cube")
        .param<&Config::moves>("moves", 0, 1'000'000, "of each kind that can be asked for")
        .oracle(invariant<Walker>("inside",
                                  [](const Walker& walker) {
                                    return walker.cube >= 0 && walker.w >= 0 && walker.b >= 0 &&
                                           walker.d >= 0;
                                  }))
        .lessons([] {
          Lessons out;
          out.ticks = 0;
          out.each_request = true;
          out.predicates = {"reach(g): any(cube >= g) via reach(1..g-1)"};
          return out;
        }())
        .workload(workload)
        .steps(80)
        .thread_safe();

}  // namespace
}  // namespace schism::cube_world
