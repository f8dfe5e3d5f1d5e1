// Another schedule, not far from a given one, by changes that mean something: a message later, a
// timer twice, a crash elsewhere, the beginning of one run and the end of another. Whatever comes
// out can be followed; what does not apply is skipped there.
#pragma once

#include "schism/base/random.hpp"
#include "schism/fuzz/schedule.hpp"
#include "schism/words/options.hpp"

namespace schism::fuzz {

SCHISM_ENUM(Mutation, cut_short, move, drop, repeat, splice, change_fault, starve);

// What a run of this hunt may do.
struct Terms {
  int nodes = 1;
  Faults faults;
};

// One change; false: there was nothing to change in that way. `other` is for splice.
bool apply(Mutation mutation, Schedule& schedule, const Schedule& other, const Terms& terms,
           Rng& random);

// One or a few of them.
Schedule mutate(const Schedule& schedule, const Schedule& other, const Terms& terms, Rng& random);

}  // namespace schism::fuzz
