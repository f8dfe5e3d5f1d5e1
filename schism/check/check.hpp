// Every schedule of a system within bounds, and what that proves. The verdict is one of four, and
// nothing else:
//
//   holds          all runs were explored
//   holds to depth all runs, as far as the bound that was asked for
//   violated       with a counterexample that replays
//   inconclusive   not finished, or something could not be judged; the reason says what
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "schism/check/estimate.hpp"
#include "schism/check/search.hpp"
#include "schism/trace/trace.hpp"

namespace schism::check {

SCHISM_ENUM(Verdict, holds, holds_to_depth, violated, inconclusive);

// Who crashes, where some may: `each` set of so many or fewer, nobody included, in a search of its
// own; `any`: nobody, then one search in which the crashes compete for a common budget; `exactly`
// those that may, in every run. A run in which a crash is still to come is not over, so runs
// without one are explored only where nobody may crash.
SCHISM_ENUM(Crashing, each, any, exactly);

struct CheckOptions {
  Spec search = {"dpor", {}};
  Crashing crashing = Crashing::each;
  std::uint32_t depth = 0;     // steps a run; 0: no bound
  std::uint32_t events = 0;    // steps a node; 0: no bound
  std::uint32_t restarts = 0;  // of each node that crashes
  bool deepen = false;         // depths 1, 2, 4, ... up to `depth`, or until nothing is cut
  std::uint64_t runs = 0;      // at most so many; 0: no limit
  double seconds = 0;
  std::uint32_t probes = 200;  // random runs for the estimate; 0: none
};

// One search of the outer loop.
struct Part {
  std::vector<NodeId> crashing;
  bool any = false;  // one of them, not all
  std::uint32_t depth = 0;
  SearchTotals totals;
};

struct CheckProgress {
  SearchTotals totals;  // so far
  std::size_t part = 0, parts = 0;
  double seconds = 0;
  std::optional<Estimate> estimate;  // of the whole
};

struct CheckResult {
  Verdict verdict = Verdict::inconclusive;
  std::string reason;  // why it is inconclusive
  bool interrupted = false;
  SearchTotals totals;
  std::vector<Part> parts;
  std::uint32_t depth = 0;  // of the last search
  double seconds = 0;
  std::optional<Estimate> estimate;
  std::optional<Trace> counterexample;
  std::vector<std::string> unjudged;  // `eventually`: no run ended by itself
  std::vector<std::string> vacuous;   // `sometimes`: no run showed it
  double collision_odds = 0;          // that two states had one key
};

using CheckListener = std::function<void(const CheckProgress&)>;

// The errors are bad input: what was asked for cannot be checked.
Result<CheckResult> check(const RunConfig& config, const CheckOptions& options,
                          const CheckListener& listener, const std::atomic<bool>& stop);

}  // namespace schism::check
