// The end of a run, served fairly: links heal, nodes resume and restart, then everything happens in
// due order with one latency, until nothing is left or the time is over. `eventually` is judged
// after it.
#pragma once

#include <memory>

#include "schism/schedule/scheduler.hpp"

namespace schism {

std::unique_ptr<Scheduler> make_fair_tail(Micros bound);

}  // namespace schism
