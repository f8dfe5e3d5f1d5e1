// What a learner (schism/learn/) must know of a system: how time passes in its steps, which nodes
// clients ask, when numbers have grown far enough, and what may be worth reaching. All of it is
// text over the nodes' declared fields, checked when it is read.
//
//   .lessons({.tick = 10_ms,
//             .asked = "role = leader",
//             .bound = "any(term > 9)",
//             .predicates = {"log_diff(x): max(log.size) - min(log.size) >= x "
//                            "via log_diff(1..x-1)"}})
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schism/base/hash.hpp"
#include "schism/base/time.hpp"
#include "schism/words/name.hpp"

namespace schism {

struct Lessons {
  Micros tick = 10'000;    // by which the clock advances at once
  int ticks = 4;           // of a step; 0: time does not pass, only requests are made
  std::string asked = {};  // whom clients ask, a condition over a node's fields; empty: anybody
  // Each request that waits is a step of its own, told apart by its content; else the next one is.
  bool each_request = false;
  std::string bound = {};  // a predicate after which an episode is over; empty: none
  // A line each: "NAME(x): PREDICATE", and perhaps " via NAME(...), ..." (learn/library.hpp).
  std::vector<std::string> predicates = {};
};

// From whose side a node is painted closely: what it says of others must not depend on how they
// are numbered, unless somebody wants just that.
struct Sitter {
  NodeId self = 0;
  bool raw = false;  // ids as they are

  // A node that it knows: nobody, itself, or another.
  std::uint64_t knows(NodeId other) const {
    if (raw) return static_cast<std::uint64_t>(other) + 2;
    return other < 0 ? 0 : other == self ? 1 : 2;
  }
};

}  // namespace schism
