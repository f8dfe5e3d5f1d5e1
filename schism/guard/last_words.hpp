// In a process that may die: what it still says when it does. A signal leaves its number and the
// stack in the black box; so does a handler that goes on for too long without finishing a step.
#pragma once

#include "schism/guard/black_box.hpp"

namespace schism::guard {

// Called once in the child. `hang`: CPU time that one handler may take.
void prepare_to_die(BlackBox& box, Micros hang);

}  // namespace schism::guard
