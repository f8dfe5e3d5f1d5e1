// What a find looks like when names are taken away: the hash of its causal graph, each step
// labelled with what happened in it. Nodes have no numbers there, and counters such as terms only
// their rank, so that the same story between other nodes in later terms has the same shape.
#pragma once

#include "schism/shrink/outline.hpp"

namespace schism {

struct Look {
  std::string evidence;  // signature of the violation
  Hash128 shape;
  FIELDS(evidence, shape)
};

// An error where the trace does not violate its property any more.
Result<Look> look_of(const Trace& trace);

}  // namespace schism
