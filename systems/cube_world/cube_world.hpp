// `cube-world`: a grid to learn exploration on (Figure 4.1 of BonusMaxRL and WaypointRL). Six cubes
// of 10 x 10 x 6 cells; a walker starts in a corner of the first. A door in the middle of a cube's
// floor plan, at every depth, leads to the corner of the next one, and not back.
//
// Each move has a client of its own that asks for it again and again, so in every state each of the
// eight is pending once: what a scheduler submits next is the walk.
#pragma once

#include "schism/schism.hpp"

namespace schism::cube_world {

SCHISM_ENUM(Move, up, down, left, right, above, below, into, reset_depth);
inline constexpr int kMoves = 8;

struct Config {
  int cubes = 6, width = 10, breadth = 10, depth = 6;
  int moves = 80;  // of each kind that a run may make
};

struct Cell {
  int cube = 0, w = 0, b = 0, d = 0;
  FIELDS(cube, w, b, d)
  friend bool operator==(const Cell&, const Cell&) = default;
};

// Where a move leads: into a wall, or into a door that is not there, nowhere.
Cell moved(const Cell& from, Move move, const Config& config);

struct Go {
  Move move;
  FIELDS(move)
};
struct Entered {  // announced at a door
  int cube;
  FIELDS(cube)
};

struct Walker : Node<Walker> {
  using Config = cube_world::Config;
  using Requests = Types<Go>;

  int cube = 0, w = 0, b = 0, d = 0;
  FIELDS(cube, w, b, d)

  void on_request(Context& c, RequestId id, const Go& go);
  Cell cell() const { return {cube, w, b, d}; }
};

}  // namespace schism::cube_world
