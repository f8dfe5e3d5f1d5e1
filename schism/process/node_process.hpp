// The inside of a node's process: the native node class behind a Host that speaks over a socket.
// It waits for its world, runs the handler that it is told to, says what the handler asks for as it
// goes along, and ends when its world is gone.
#pragma once

#include <cstdint>

#include "schism/base/time.hpp"
#include "schism/world/world.hpp"

namespace schism::process {

// Since a time that all processes of a world agree on.
Micros wall_clock();

struct NodeLife {
  const Setup* setup = nullptr;
  NodeId id = 0;
  int restarts = 0;
  Micros began = 0;  // the run, on the wall clock
};

// Until the channel closes.
void live(const NodeLife& life, int channel);

}  // namespace schism::process
