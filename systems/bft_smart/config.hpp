// What can be switched: the workload, what the library does and should not, and the seeded bugs.
#pragma once

#include "schism/base/enum.hpp"

namespace bft_smart {

// `library`: as BFT-SMaRt does it today, with all of the first group below at once. `repaired`: the
// control, in which a hunt finds nothing. Each of the group is a bug to plant by its name, too.
SCHISM_ENUM(As, repaired, library);

struct Config {
  As as = As::repaired;
  int clients = 2, requests = 2;
  bool read_only = true;  // clients wait for a quorum of equal replies; else for f + 1

  // The library's own behaviours. What each is, is said where it is registered (bft_smart.cpp).
  bool epoch_zero_unbound = false;
  bool highest_cid_unproved = false;
  bool left_epoch_votes = false;
  bool present_epoch_claimed = false;
  bool later_collects_empty = false;
  bool collects_not_distinct = false;
  bool entries_certify = false;
  bool sync_unchecked = false;
  bool sync_batch_early = false;
  bool asks_unproposed_only = false;
  bool proposed_for_good = false;

  // Bugs that it has had.
  bool decide_own_proposal = false;
  bool old_collects = false;
  bool proof_mixes = false;
  bool leader_replay = false;
  bool accept_before_propose = false;
  bool timer_dies = false;
  bool quorum_ceil = false;
  bool transfer_leader = false;

  // Whether one of the first group is there: Config::has(&Config::sync_unchecked).
  bool has(bool Config::*habit) const { return as == As::library || this->*habit; }
};

}  // namespace bft_smart
