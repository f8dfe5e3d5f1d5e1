// CPU time of this process: what budgets are counted in where others share the machine. It decides
// nothing within a run.
#pragma once

#include <cstdint>
#include <ctime>

namespace schism {

inline double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// Lap after lap, for whoever wants it: else every lap takes no time.
class StopWatch {
 public:
  explicit StopWatch(bool on) : on_(on), last_(on ? cpu_seconds() : 0) {}
  std::uint64_t lap_us() {
    if (!on_) return 0;
    const double now = cpu_seconds();
    const double lap = now - last_;
    last_ = now;
    return static_cast<std::uint64_t>(lap * 1e6);
  }

 private:
  bool on_;
  double last_;
};

}  // namespace schism
