// A way to go through all runs of a world within bounds. Searches register under a name with typed
// parameters, like schedulers; `schism check --explorer NAME` picks one.
#pragma once

#include <functional>

#include "schism/base/registry.hpp"
#include "schism/check/dpor.hpp"
#include "schism/check/world_model.hpp"

namespace schism::check {

class GraphPart;

struct SearchTotals {
  std::uint64_t executions = 0;  // whole runs, or runs to the bound
  std::uint64_t cut = 0;         // of them at the depth bound
  std::uint64_t blocked = 0;     // runs that ended because the rest was known
  std::uint64_t steps = 0;       // of runs; those played only to come back are not counted
  std::uint64_t withheld = 0;    // steps that the bound of delays did not allow
  std::uint64_t states = 0;      // distinct, where they are stored
  std::uint64_t longest = 0;     // run
  std::uint64_t wakeup_peak = 0;
  std::uint64_t endless = 0;  // sets of states that fair runs go round for ever (rounds.hpp)

  SearchTotals& operator+=(const SearchTotals& o);
  FIELDS(executions, cut, blocked, steps, withheld, states, longest, wakeup_peak, endless)
};
SearchTotals totals_of(const DporTotals& t);

class Search {
 public:
  struct Limits {
    std::uint32_t depth = 0;        // steps a run may have, as asked for; 0: no bound
    std::uint32_t most = 0;         // where a run is given up in any case
    std::uint32_t delays = kNever;  // how often a run may deviate from the model's default
    std::uint32_t from = 0;         // so many steps of the model's run are given
    // Asked now and then, with what was done so far; true: stop.
    std::function<bool(const SearchTotals&)> stop;
    GraphPart* graph = nullptr;  // what is met is written there

    std::uint32_t end() const { return depth > 0 ? depth : most; }
  };

  virtual ~Search() = default;
  // Whether processes that can no longer happen must stay known.
  virtual bool reducing() const = 0;
  // Whether it goes through everything, so that finding nothing says something.
  virtual bool exhaustive() const { return true; }
  // Whether states that differ in the names of interchangeable nodes count as one.
  virtual bool symmetric() const { return false; }
  // Whether it meets states, each with a key.
  virtual bool by_state() const { return false; }
  // Where it can be divided among workers (division.hpp): how.
  virtual const DporOptions* divisible() const { return nullptr; }
  virtual Status check(const Limits& limits) const;
  virtual Finished run(WorldModel& model, const Limits& limits, SearchTotals& totals) = 0;
};

Table<Search>& searches();

template <class S>
StrategyBuilder<Search, S> search(std::string name, std::string description) {
  return {searches(), std::move(name), std::move(description)};
}

}  // namespace schism::check
