// What the nodes of a system announce and answer, where it brought no vocabulary: found by looking
// at a few runs, so that a rare announcement may be missing. The run under test is not touched.
#pragma once

#include <vector>

#include "schism/world/world.hpp"

namespace schism::scenario {

void probe(const Setup& setup, std::vector<const TypeInfo*>& announcements,
           std::vector<const TypeInfo*>& answers);

}  // namespace schism::scenario
