// A run against what its system claims to survive. A violation under other faults is told with that
// next to it: it may be nothing that anybody promised.
#pragma once

#include <span>
#include <string>

#include "schism/system/faults.hpp"
#include "schism/trace/trace.hpp"

namespace schism {

// Counts the faults among actions as budgets do: the cuts of a partition are a part of it, and what
// is free is not charged. A claim is about what happens, whoever pays.
class FaultCount {
 public:
  void see(const Action& action);
  const Faults& used() const { return used_; }          // of budgets
  const Faults& happened() const { return happened_; }  // free ones included

 private:
  void count(const Action& action, Faults& out) const;

  Faults used_, happened_;
  std::vector<Macro> macros_;  // that have begun
};

FaultKinds kinds_of(const Faults& budgets);  // of which there may be any
FaultKinds faults_in(const Trace& trace);    // that happen in it

// Those of them that the system does not claim to survive; none where it does not say. Cuts that
// hold messages back are delays, which no asynchronous protocol can exclude.
FaultKinds beyond_claim(const Setup& setup, FaultKinds kinds);
// The same in words, of a run: "drop", "2 liars". Empty: nothing is.
std::string beyond_claim(const Trace& trace);
// More of them lie than it claims to survive, if it claims anything of liars.
bool too_many_liars(const Setup& setup);
// Whether it claims the same in both; also where it does not say.
bool same_claim(const Setup& a, const Setup& b);

// One line, without an end: "beyond its claim: multipaxos is built to survive crash; this run has
// drop". Empty where that is not so.
std::string claim_note(const Trace& trace);
// The same for many runs; also that no faults were tried at all.
std::string claim_note(const Setup& setup);

}  // namespace schism
