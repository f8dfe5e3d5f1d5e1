// Waypoints that the tool proposes. A waypoint should hold on every way to the target and be met
// more often than what comes after it: so conditions over the nodes' declared fields are tried on
// episodes that got there, and on episodes at random.
//
// Ways are episodes that reached a target, up to its first moment; or finds, up to their violation.
// Without either, the target is the rarest condition that random episodes meet at all.
#pragma once

#include <atomic>

#include "schism/learn/predicate.hpp"
#include "schism/run/config.hpp"
#include "schism/trace/trace.hpp"

namespace schism::learn {

// Conditions that can be made of what nodes declare: words, flags, and numbers up to a few.
std::vector<std::string> conditions(const System& system);

struct ProposeOptions {
  std::uint64_t episodes = 1000;  // at random
  std::size_t most = 4;           // waypoints, the target among them
  std::uint64_t seed = 1;
};

struct Proposed {
  struct Waypoint {
    std::string text;
    std::uint64_t episodes = 0;  // of those at random in which it held
  };
  std::vector<Waypoint> waypoints;  // the last is the target
  std::size_t tried = 0;            // conditions
  std::uint64_t ways = 0, episodes = 0;

  std::string text() const;  // as a learner is told: "a; b; c"
};

// `target`: a predicate, a name of the system's library without what leads there, or nothing.
Result<Proposed> propose(const RunConfig& config, const std::string& target,
                         const ProposeOptions& options, const std::atomic<bool>& stop);
// All of one system.
Result<Proposed> propose(const std::vector<Trace>& finds, const ProposeOptions& options,
                         const std::atomic<bool>& stop);

// Through the steps of a scenario's script (scenario/progress.hpp).
Result<Proposed> propose_along(const RunConfig& config, const std::string& path,
                               const ProposeOptions& options, const std::atomic<bool>& stop);

// The choice itself. Of each condition, on each way: the first moment that it held, or kNever; a
// way ends with its last moment. `met`: in how many of the episodes each held; `target`: one of
// the conditions, or kNever, and then the rarest that all ways have is the last.
inline constexpr std::size_t kNever = ~std::size_t{0};
struct Way {
  std::vector<std::size_t> first;
  std::size_t last = 0;
};
std::vector<std::size_t> choose_waypoints(const std::vector<Way>& ways,
                                          const std::vector<std::uint64_t>& met,
                                          std::uint64_t episodes, std::size_t target,
                                          std::size_t most);

}  // namespace schism::learn
