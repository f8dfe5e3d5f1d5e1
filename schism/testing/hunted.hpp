// Hunts whose results are compared: all violations counted, one of each looked at, none shrunk.
#pragma once

#include "schism/campaign/hunt.hpp"

namespace schism::testing_tools {

inline HuntOptions comparable_hunt(std::uint64_t runs, int jobs, bool in_process = false) {
  HuntOptions o;
  o.runs = runs;
  o.jobs = jobs;
  o.in_process = in_process;
  o.keep_going = true;
  o.shrink = false;
  o.closely = 1;
  return o;
}

}  // namespace schism::testing_tools
