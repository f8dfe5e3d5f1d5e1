// Histories out of thin air, for tests and benchmarks: clients work on registers that really are
// linearizable, each operation taking effect at some moment between its invocation and its answer.
//
//   History h = generate({.clients = 20, .operations = 2000}, 7);            // linearizable
//   History w = generate({.stale = 0.01}, 7);                                // perhaps not
#pragma once

#include <cstdint>

#include "schism/linearize/history.hpp"

namespace schism::linearize {

struct Workload {
  int clients = 5;
  int operations = 100;
  int keys = 1;        // numbered from 0
  int values = 5;      // to write, numbered from 0; 0: each write has a value of its own
  double busy = 0.9;   // how much of their time clients wait for an answer: 1 keeps all in flight
  double write = 0.4;  // shares; the rest reads
  double cas = 0.2;
  double missed = 0.5;  // of the cas that find another value: the share that says so, the rest fail
  double fail = 0;      // shares of operations that end so; an info takes effect in half of cases
  double info = 0;
  double pending = 0;
  double stale = 0;  // of reads: an answer from the past
};

History generate(const Workload& workload, std::uint64_t seed);

}  // namespace schism::linearize
