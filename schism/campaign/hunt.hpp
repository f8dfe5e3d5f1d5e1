// Many runs of one configuration, until the budget is used or a violation is found. The same runs
// are counted and the same finds reported whatever the number of workers: results are taken in the
// order of the plans, and a stop yields a prefix of the sequence. This process directs; players
// play (campaign/company.hpp), so that nothing a system does can end a hunt.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <vector>

#include "schism/coverage/book.hpp"
#include "schism/explore/explorer.hpp"
#include "schism/finds/find.hpp"
#include "schism/measure/distinct.hpp"
#include "schism/run/order.hpp"
#include "schism/run/runner.hpp"
#include "schism/world/counting.hpp"

namespace schism {

struct HuntOptions {
  std::uint64_t runs = 0;  // 0: no limit
  double seconds = 0;      // 0: no limit; of everything, shrinking included
  double cpu_seconds = 0;  // 0: no limit; of players and director, closer looks apart
  // The same of what runs do: the run that would go beyond no longer counts. 0: no limit.
  std::uint64_t steps = 0, deliveries = 0, simulated_us = 0;
  bool clocked = false;  // CPU time is counted also without a limit of it
  std::uint64_t seed = 1;
  int jobs = 1;
  bool in_process = false;  // runs play here: for debuggers
  bool keep_going = false;  // else the first violation ends it
  bool shrink = true;
  double shrink_seconds = 30;  // a find; 0: no limit
  // So many violations of a property are looked at closely: repeated, shrunk and grouped. The rest
  // is counted.
  std::uint64_t closely = 20;
  Pictures pictures;
  std::vector<Watcher*> watchers;  // of this process: runs play here, too
  // What runs cover is counted, beside what the explorer learns from (coverage/coverage.hpp).
  std::vector<Spec> coverage;
  int coverage_bits = Book::kBitsByDefault;  // so large are its maps: 2^bits keys
  // Where what was learnt and found is saved now and then, so that a hunt that was killed goes on
  // from there with `resume`; empty: nowhere.
  std::string state;
  bool resume = false;
  double save_seconds = 5;
};

// A run that went differently when it was repeated.
struct Nondeterminism {
  std::uint64_t run = 0;
  RunPlan plan;
  Difference difference;
};

// A run that died or violated something in its process, and not alone: something of the runs before
// it was left there, or it writes where it should not.
struct Leak {
  std::uint64_t run = 0, first = 0;  // of the process
  RunPlan plan;
  std::string what;                      // what happened to it
  std::optional<std::uint64_t> left_by;  // one earlier run suffices
  FIELDS(run, first, plan, what, left_by)
};

struct HuntProgress {
  std::uint64_t runs = 0, steps = 0, deliveries = 0, simulated_us = 0;
  std::uint64_t violated = 0;
  Distinct classes;
  std::uint64_t distinct() const { return std::min(classes.estimate(), runs); }
  double seconds = 0, seconds_since_new = 0;
  std::vector<Covered> covered;
  double cpu_seconds = 0;  // where it is counted; of runs up to here, not of closer looks
};

struct HuntResult {
  HuntProgress totals;
  std::vector<Find> finds;  // in order of discovery
  std::optional<Nondeterminism> nondeterminism;
  std::vector<Leak> leaks;              // the first few
  std::vector<std::string> unexamined;  // violations that could not be looked at, and why
  std::vector<std::string> vacuous;     // `sometimes` that no run showed
  std::vector<std::string> untested;    // what they judge happened in no run: nobody decided
  std::vector<std::string> unjudged;    // `eventually` that no run could judge
  std::vector<std::pair<std::string, std::uint64_t>> muted;  // properties, and in how many runs
  NamedCounts counts;  // of those who looked on, over all runs
  std::string learnt;  // what the explorer or its agents know at the end
  std::vector<std::pair<std::string, std::string>> account;  // and says of it
  std::vector<KeptRun> kept;                                 // schedules that the explorer keeps
  std::vector<Lift> lifts;  // where worlds were drawn: which draws led to finds
  bool interrupted = false;
  bool out_of_time = false;
  std::string problem;  // it ended because of that: a full disk, no more processes; empty: nothing

  // Runs in which nothing can happen show nothing: a workload or a timer was forgotten.
  bool idle() const { return totals.runs > 0 && totals.steps == 0 && finds.empty(); }
};

struct HuntListener {
  std::function<void(const HuntProgress&, std::size_t finds)> progress;  // a few times a second
  // Every run that counts, in the order of the plans. The totals are those up to it, but for what
  // is only measured now and then (seconds, `covered`): the book has that. The fitness is what its
  // explorer says of it.
  std::function<void(const HuntProgress&, const RunSummary&, const Book&,
                     std::optional<double> fitness)>
      counted;
  // A violation, before anything else is done with it.
  std::function<Status(const Original&)> recorded;
  // It was not the same when it was repeated: nothing of it is believed.
  std::function<void(const Original&)> taken_back;
  // At once, so that nothing found is lost; again when a bug has a smaller trace or a new shape.
  std::function<Status(const Find&, Bugs::News)> found;
};

Result<HuntResult> hunt(const RunConfig& config, const HuntOptions& options,
                        const HuntListener& listener, const std::atomic<bool>& stop);

}  // namespace schism
