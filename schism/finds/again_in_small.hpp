// A find looked for again where it would be smaller from the start. Out of a run whose quorums or
// rounds depend on the number of nodes no node can be left out: the rest would mean something else.
// But the same bug may be there with fewer nodes, or with smaller parameters of the system, and a
// short hunt finds it.
#pragma once

#include "schism/shrink/shrink.hpp"

namespace schism {

// The first find that such hunts come across and that is smaller, made small: with the fewest nodes
// first, then, where the story is long, one smaller parameter at a time; nothing: none. A function
// of its arguments as long as nobody says `over` and the time in the options is enough.
std::optional<Shrunk> again_in_small(const Trace& original, const Shrunk& small,
                                     const ShrinkOptions& options, const std::atomic<bool>& over);

}  // namespace schism
