// CPU time of this process: what budgets are counted in where others share the machine. It decides
// nothing within a run.
#pragma once

#include <ctime>

namespace schism {

inline double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace schism
