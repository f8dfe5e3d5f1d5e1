// A trace as a space-time diagram for the terminal: a lane a node, time downwards, an arrow for
// each delivery, what happened beside it. Steps that do not matter for the violation are dimmed and
// marked with a dot behind their number; what repeats is told once and counted (fold.hpp).
#pragma once

#include <string>
#include <string_view>

#include "schism/trace/trace.hpp"

namespace schism {

struct StoryOptions {
  int width = 100;
  bool color = false;
  bool sends = true;           // what a step sends
  bool states = false;         // how its node changes; the trace is played again for it
  bool fold = true;            // what repeats is one line
  std::uint32_t rows_max = 0;  // 0: all; else the middle is left out
  std::uint32_t from = 0, to = UINT32_MAX;  // the steps shown
};

std::string tell(const Trace& trace, const StoryOptions& options);
bool folds(const StoryOptions& options);  // whether what repeats is one line
// The colours that it uses, up to an empty one; whatever else a story holds is harmless text.
const std::string_view* story_palette();

}  // namespace schism
