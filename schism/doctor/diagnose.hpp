// Which circumstance makes runs differ: each one changed alone while all others are held fast.
#pragma once

#include "schism/doctor/doctor.hpp"

namespace schism::doctor {

struct Suspects {
  std::vector<int> runs;  // numbers of runs, those that differed first
  // What was seen when all runs were played.
  std::uint64_t clock_reads = 0, threads = 0;
};

// `request` has the configuration and the seed; everything else is set here.
Result<Diagnosis> diagnose(const Launcher& launcher, Request request, const Suspects& suspects,
                           const std::function<void(const std::string&)>& doing);

}  // namespace schism::doctor
