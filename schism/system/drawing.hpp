// What somebody who draws configurations (explore/swarm.cpp) must know of a system beside its
// ranges: which parameters are no workload, how its transport orders messages, whether it needs a
// clock.
//
//   .judgement({"progress", "early"}).settled({"members"}).streams()
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "schism/base/time.hpp"

namespace schism {

// What may be done with a parameter. Those of which nothing is said are workload.
enum class Purpose : unsigned char {
  workload,   // what is asked of the protocol, and its variants: drawn
  judgement,  // what counts as wrong: a draw must not change the verdict
  timing,     // lengths counted in ticks: drawn where nobody judges progress
  settled,    // neither: other values mean another protocol, or nothing
};

struct Drawing {
  std::map<std::string, Purpose, std::less<>> purposes;  // by parameter
  bool restless = false;  // it goes on for ever: a fair tail costs most of a run, so few have one
  bool streams = false;   // written for links that keep order
  bool clock = false;     // written for a clock and bounded delays: timed runs, no held links
  Micros latency_low = 2'000, latency_high = 400'000;  // of the longest latency of a timed run
  // Properties are violated without a seeded bug, too; why. Empty: not that anybody knows.
  std::string fails_itself;

  Purpose purpose(std::string_view parameter) const {
    const auto own = purposes.find(parameter);
    return own == purposes.end() ? Purpose::workload : own->second;
  }
  void put(const std::vector<std::string>& parameters, Purpose as) {
    for (const std::string& name : parameters) purposes[name] = as;
  }
};

}  // namespace schism
