// Many runs of one configuration, until the budget is used or a violation is found. The same runs
// are counted and the same finds reported whatever the number of workers: results are taken in the
// order of the plans, and a stop yields a prefix of the sequence.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <vector>

#include "schism/finds/bugs.hpp"
#include "schism/finds/examine.hpp"
#include "schism/measure/distinct.hpp"

namespace schism {

struct HuntOptions {
  std::uint64_t runs = 0;  // 0: no limit
  double seconds = 0;      // 0: no limit
  std::uint64_t seed = 1;
  int jobs = 1;
  bool keep_going = false;  // else the first violation ends it
  bool shrink = true;
  // So many violations of a property are looked at closely: repeated, shrunk and grouped. The rest
  // is counted.
  std::uint64_t closely = 20;
};

// A bug: violations of one property with the same kinds of evidence.
struct Find {
  Trace trace;                     // the first, as it happened, replayed twice with the same events
  std::optional<Shrunk> small;     // the smallest of them, unless told not to shrink
  std::string evidence;            // its signature
  std::vector<ShapeGroup> shapes;  // smallest first
  std::uint32_t oracle = 0;        // which one was violated
  // Runs that violated it; those that were not looked at closely count for the first bug of their
  // property. 0: met only while another find was shrunk.
  std::uint64_t count = 1;

  const Trace& smallest() const { return small ? small->trace : trace; }
};

// A run that went differently when it was repeated.
struct Nondeterminism {
  std::uint64_t run = 0;
  RunPlan plan;
  Difference difference;
};

// A run that died or violated something in a batch, and not alone: something of the runs before it
// was left in the process.
struct Leak {
  std::uint64_t run = 0, first = 0;  // of the batch
  RunPlan plan;
  std::string what;                      // what happened to it
  bool repeats = false;                  // the batch does it again
  std::optional<std::uint64_t> left_by;  // one earlier run suffices
};

struct HuntProgress {
  std::uint64_t runs = 0, steps = 0, deliveries = 0, simulated_us = 0;
  std::uint64_t violated = 0;
  Distinct classes;
  std::uint64_t distinct() const { return std::min(classes.estimate(), runs); }
  double seconds = 0, seconds_since_new = 0;
};

struct HuntResult {
  HuntProgress totals;
  std::vector<Find> finds;  // in order of discovery
  std::optional<Nondeterminism> nondeterminism;
  std::vector<Leak> leaks;            // the first few
  std::vector<std::string> vacuous;   // `sometimes` that no run showed
  std::vector<std::string> unjudged;  // `eventually` that no run could judge
  bool interrupted = false;
  bool out_of_time = false;
};

struct HuntListener {
  std::function<void(const HuntProgress&, std::size_t finds)> progress;  // a few times a second
  // At once, so that nothing found is lost; again when a bug has a smaller trace or a new shape.
  std::function<Status(const Find&, Bugs::News)> found;
};

Result<HuntResult> hunt(const RunConfig& config, const HuntOptions& options,
                        const HuntListener& listener, const std::atomic<bool>& stop);

}  // namespace schism
