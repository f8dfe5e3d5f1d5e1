// A scenario as a unit test: so many runs, goal and violation counted apart, expectations judged,
// and warnings about filters and states that did not do what they look like.
#pragma once

#include <atomic>
#include <map>
#include <optional>

#include "schism/scenario/staged.hpp"
#include "schism/trace/trace.hpp"

namespace schism::scenario {

struct TestOptions {
  std::uint64_t runs = 0;     // 0: as the scenario says
  std::string explorer = {};  // empty: as the scenario says
  bool story = true;          // of a failure
  bool shrinks = true;
};

struct FilterCount {
  std::string name;
  std::uint64_t matches = 0;
};
struct Standstill {  // a line of the script that runs did not come beyond
  std::string line;
  std::uint64_t runs = 0;
};

struct Outcome {
  std::string scenario, explorer;
  std::uint64_t runs = 0, steps = 0;
  bool has_goal = false;
  std::uint64_t goals = 0, violated = 0;
  std::map<std::string, std::uint64_t> violations;  // by property
  std::vector<FilterCount> filters;
  std::vector<FilterCount> steps_done;  // of the script
  std::vector<Standstill> stands;
  std::vector<std::string> warnings;
  std::vector<std::string> unmet;  // expectations, each a sentence; empty: passed
  std::optional<Trace> example;    // of what was not expected, shrunk if it can be

  bool passed() const { return unmet.empty(); }
};

// The scenario with what the options say instead.
Result<Scenario> with_options(Scenario scenario, const TestOptions& options);
// The seeds of its how-manieth run.
RunPlan plan_of(const Scenario& scenario, std::uint64_t run);

Result<Outcome> run_test(const Scenario& scenario, const TestOptions& options,
                         const std::atomic<bool>& stop);

// "goal in 87 of 100 runs (79% to 92%), violation in none"
std::string summary(const Outcome& outcome);
// All of it, for people: what failed, filters with their counts, warnings, the story.
std::string report(const Outcome& outcome);

}  // namespace schism::scenario
