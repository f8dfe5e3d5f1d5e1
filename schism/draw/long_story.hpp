// The story of a run that does not fit into memory: its file is read twice, once to see what
// repeats, once to tell, and row by row is given away. It is the story that `tell` tells, but for
// one thing: whether a step matters is not asked, because replays of such a run are too long.
#pragma once

#include <functional>
#include <string>

#include "schism/base/lines.hpp"
#include "schism/draw/fold.hpp"
#include "schism/draw/story.hpp"

namespace schism::draw {

// From so many steps on.
inline constexpr std::size_t kLongStory = 100'000;

// The run without its events, and what its steps are compared by.
struct Skimmed {
  Trace trace;
  std::vector<Likeness> likenesses;
};
Result<Skimmed> skim(const Source& source);

// The first step that goes differently when the run is played now; nothing: none does.
using Differs = std::optional<std::uint32_t>;
Result<Differs> tell_long(const Source& source, Skimmed skimmed, const StoryOptions& options,
                          const std::function<void(std::string row)>& give);

}  // namespace schism::draw
