// A trace as a space-time diagram for the terminal: a lane a node, time downwards, an arrow for
// each delivery, what happened beside it.
#pragma once

#include <string>

#include "schism/trace/trace.hpp"

namespace schism {

struct StoryOptions {
  int width = 100;
  bool color = false;
  bool sends = true;           // what a step sends
  std::uint32_t rows_max = 0;  // 0: all; else the middle is left out
};

std::string tell(const Trace& trace, const StoryOptions& options);

}  // namespace schism
