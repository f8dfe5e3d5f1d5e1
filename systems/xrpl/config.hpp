// What can be switched: the rules in force, whom nodes trust, the test case, what is judged, and
// the seeded bugs.
#pragma once

#include <memory>
#include <string>

#include "systems/xrpl/parameters.hpp"
#include "systems/xrpl/test_case.hpp"
#include "systems/xrpl/unl.hpp"

namespace schism::xrpl {

struct Config {
  Config();  // DiscoTest's case

  RuleSet rules = RuleSet::v2_4;
  std::string unl = "all";
  TrustGroups trust;  // what `unl` says
  std::shared_ptr<const TestCase> test_case;

  int quorum = 80;         // percent; another one has no floor of 60 either
  int load = 0;            // payments that each node makes up when a round begins
  Micros stagger = 1_s;    // a node's first heartbeat comes after up to this
  Micros apply = 0;        // how long an accepted ledger is being built
  bool send_sets = false;  // whole, as rippled's own simulation does; else they are asked for
  int ledgers = 0;         // validated, after which a node stops; 0: when its payments have ended
  Micros linger = 20_s;    // how long it goes on before that
  Micros duration = 0;     // when it stops anyway; 0: never
  int heal = 0;  // ledgers of the fair end after which all must have the same; 0: not judged
  bool judge_sets = false,
       judge_ledgers = false;  // A1: correct code breaks it when messages are late
  bool judge_progress = true;
  int judge_compatible = 0;   // from which ledger on nobody refuses to validate what it built
  bool judge_stalls = false;  // all reach `ledgers`, as ByzzFuzz and ISOLATION judge

  // Bugs. What each does is said where it is registered (xrpl.cpp).
  bool stale_proposal = false;      // B1
  bool quorum_40 = false;           // B2
  bool quorum_60 = false;           // Groot's question
  bool dead_acquisition = false;    // B3
  bool validation_by_hash = false;  // B4
  bool stuck_threshold_40 = false;  // B6
  bool self_counted_once = false;   // B7

  int quorum_for(int listed) const {
    if (quorum_40) return quorum_of(listed, listed, 40, 40);
    if (quorum_60) return quorum_of(listed, listed, 60, 60);
    return quorum == 80 ? quorum_of(listed, listed) : quorum_of(listed, listed, quorum, quorum);
  }
  int stuck_threshold() const { return stuck_threshold_40 ? 40 : 95; }
};

}  // namespace schism::xrpl
