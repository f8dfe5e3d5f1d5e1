// Puts itself between the system and the C library's clocks and threads, in this process only: the
// entries of those functions in the tables by which loaded objects call each other are replaced.
// So a clock can be held still or shifted, threads can be made to run one after the other, and
// both are counted. Statically linked code and the processor's own counters stay out of reach.
#pragma once

#include <atomic>
#include <cstdint>

#include "schism/doctor/setting.hpp"

namespace schism::doctor {

struct HookCounts {
  std::atomic<std::uint64_t>*clock_reads, *threads;
  std::atomic<std::uint32_t>* impatient;
};

// False where it cannot be done; nothing is changed then.
bool install_hooks(ClockUse clock, bool one_thread, const HookCounts& counts);
// A held clock begins anew with each run.
void rewind_clock();
// Real seconds, whatever the hooks say.
double real_seconds();

}  // namespace schism::doctor
