// A violation told as briefly as it can be: fewer nodes, faults, client operations and actions,
// deliveries in the order of sending, small values; in this order, until nothing can be left out.
//
//   Result<Shrunk> s = shrink(trace, {}, stop);     // stop: an atomic, true where time is over
//   const bool minimal = s->certificate.minimal;    // s->trace, s->before, s->after
#pragma once

#include <atomic>

#include "schism/shrink/certificate.hpp"

namespace schism {

struct ShrinkOptions {
  std::uint64_t replays_max = 200'000;  // then it stops with what it has
  double seconds = 0;                   // the same; 0: no limit
};

struct Shrunk {
  Trace trace;
  OutlineSize before, after;
  std::uint64_t replays = 0;
  Certificate certificate;
  std::vector<Trace> others;  // other violations met on the way, one of each kind
  // Links may deliver in any order. Does it also happen where they keep order and copy nothing, as
  // over TCP? In this run; or else in another one; or none was found.
  bool any_order = false, in_order = false;
  std::optional<Trace> fifo;  // the other one
  bool out_of_time = false;   // there was more to try

  FIELDS(trace, before, after, replays, certificate, others, any_order, in_order, fifo, out_of_time)
};

// An error where the trace does not violate its property any more. Interrupted, it returns the
// smallest run so far, without a certificate.
Result<Shrunk> shrink(const Trace& trace, const ShrinkOptions& options,
                      const std::atomic<bool>& stop);

// «shrunk: 187 -> 9 actions, 5 -> 3 nodes (812 replays); nothing can be left out (15 replays ...)»
std::string describe(const Shrunk& shrunk);
// «with links that keep order: the same run»; empty where links keep order anyway.
std::string describe_order(const Shrunk& shrunk);

}  // namespace schism
