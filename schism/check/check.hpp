// Every schedule of a system within bounds, and what that proves. The verdict is one of six, and
// nothing else:
//
//   holds          all runs were explored
//   holds to depth all runs, as far as the bound that was asked for
//   holds for seed all runs with what one node seed drew (large random draws, a random workload),
//                  as far as the bound that was asked for
//   safe           where runs may go on for ever, round through the same states or because liars
//                  speak: every state was met and breaks nothing; what must happen in the end was
//                  not judged of them, and is named
//   violated       with a counterexample that replays; a death of the process is one too
//   inconclusive   not finished, or something could not be judged; the reason says what
//
// The system's code runs in processes of their own, so that nothing it does ends this one.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "schism/check/estimate.hpp"
#include "schism/check/graph.hpp"
#include "schism/check/parts.hpp"
#include "schism/trace/trace.hpp"

namespace schism::check {

SCHISM_ENUM(Verdict, holds, holds_to_depth, holds_for_seed, safe, violated, inconclusive);

struct CheckOptions {
  Spec search = {"dpor", {}};
  Crashing crashing = Crashing::each;
  std::uint32_t depth = 0;   // steps a run; 0: no bound
  std::uint32_t events = 0;  // steps a node; 0: no bound
  std::uint32_t delays = kNever;
  std::uint32_t restarts = 0;  // of each node that crashes
  bool deepen = false;         // depths 1, 2, 4, ... up to `depth`, or until nothing is cut
  std::uint64_t runs = 0;      // at most so many; 0: no limit
  double seconds = 0;
  std::uint32_t probes = 4000;    // random runs for the estimate; 0: none
  int jobs = 1;                   // worker processes
  std::vector<Action> beginning;  // how every run begins, and then it is explored
  bool in_process = false;        // for debuggers: a death of the system is then ours too
  std::string graph;              // where states and steps are written to; empty: nowhere
  GraphFormat graph_format = GraphFormat::json;
};

struct CheckProgress {
  SearchTotals totals;  // so far
  std::size_t part = 0, parts = 0;
  double seconds = 0;
  std::optional<Estimate> estimate;  // of the whole
  FIELDS(totals, part, parts, seconds, estimate)
};

struct CheckSummary {
  Verdict verdict = Verdict::inconclusive;
  std::string reason;  // why it is inconclusive
  bool interrupted = false;
  bool bounded = false;  // some runs were not followed to their end
  SearchTotals totals;
  std::vector<Part> parts;
  std::uint32_t depth = 0;  // of the last search
  double seconds = 0;
  std::optional<Estimate> estimate;
  std::vector<std::string> unjudged;  // `eventually`: no run ended by itself
  std::vector<std::string> vacuous;   // `sometimes`: no run showed it
  std::vector<std::string> untested;  // what they judge happened in no run: nobody decided
  double collision_odds = 0;          // that two states had one key
  FIELDS(verdict, reason, interrupted, bounded, totals, parts, depth, seconds, estimate, unjudged,
         vacuous, untested, collision_odds)
};

struct CheckResult : CheckSummary {
  std::optional<Trace> counterexample;
};

using CheckListener = std::function<void(const CheckProgress&)>;

// The errors are bad input: what was asked for cannot be checked.
Result<CheckResult> check(const RunConfig& config, const CheckOptions& options,
                          const CheckListener& listener, const std::atomic<bool>& stop);

// The actions of a trace up to a step, with the choices made in them, for `beginning`; an error: it
// has some that are not explored systematically.
Result<std::vector<Action>> beginning_of(const Trace& trace, std::uint32_t steps);

}  // namespace schism::check
