// What can be switched: the rules, the workload, and the seeded bugs.
#pragma once

#include "schism/base/enum.hpp"
#include "schism/base/time.hpp"

namespace schism::rsl {

// `published`: the rules to the letter of the program that the published numbers come from, which
// is safe but gets stuck. What `corrected` changes is said where it does, and in docs/rsl.md.
SCHISM_ENUM(As, corrected, published);

struct Config {
  As as = As::corrected;
  bool quit = false;    // a replica without progress does nothing more, as in the original program
  bool forward = true;  // a replica that is no primary passes commands on; else it refuses them

  // Lengths of time are counted in ticks of the replica's own.
  Micros tick = 10'000;
  int heartbeat = 3;
  int no_progress = 15;
  int election = 10;  // without a word of the primary
  int spread = 10;    // drawn and added, so that candidates do not meet for ever
  int grace = 15;     // for a new primary
  int retry = 5;      // of a status request, a prepare request, an accept request

  // Workload.
  int clients = 2;
  int requests = 10;  // a client
  int patience = 60;  // ticks after which a command's fate is called unknown

  bool progress = true;  // judge liveness in the fair tail

  // Bugs. What each does is said where it is registered (rsl.cpp).
  bool execute_twice = false;
  bool answer_equal_ballot = false;
  bool ignore_prepared = false;
  bool minority = false;
  bool gap_execute = false;
  bool forget = false;

  bool published() const { return as == As::published; }
};

}  // namespace schism::rsl
