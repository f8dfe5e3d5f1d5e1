// A kept trace against code that has changed. Its actions are anchors: each is matched by meaning,
// as the message, timer or request that the matched step before it brought about, not by number.
// What the trace does not mention is held back. The answer is one of five:
//   reproduced        the same property is violated
//   another           not here and not in neighbouring schedules, but another one is, here, before
//                     all anchors were played: what comes after it is not known
//   not reproduced    every anchor was matched and nothing happened, here and in neighbouring
//                     schedules
//   not judged        every anchor was matched, but the run has no fair end, which its property
//                     needs, or the system has no such property any more
//   unreachable       some anchor has no counterpart any more
#pragma once

#include "schism/base/enum.hpp"
#include "schism/shrink/stage.hpp"

namespace schism {

SCHISM_ENUM(Reached, reproduced, another, not_reproduced, not_judged, unreachable);

struct AnchoredReplay {
  Reached reached = Reached::unreachable;
  std::size_t anchors = 0, matched = 0;
  std::size_t missing = 0;       // the first anchor without a counterpart: a step of the trace
  std::uint64_t neighbours = 0;  // schedules tried besides
  bool in_neighbour = false;     // it was reproduced in one of them
  std::optional<Trace> now;      // the run that violates it, or another property
};

AnchoredReplay replay_by_meaning(const Trace& trace, std::uint64_t neighbours_max = 200);

// The outline of a trace as it was recorded, without playing it. A fair tail is left out, to be
// found anew after the moves, unless it is asked for.
Outline recorded_outline(const Trace& trace, bool with_tail = false);

}  // namespace schism
