// How much of a system's abstract states a policy sees, and how much behind a target: what the
// published tables count. A trial is one learner and all its episodes.
//
// A state is the multiset of all nodes' colours; blocks, counters and who is who do not matter. It
// counts at the beginning and after every macro step. Behind a target: from the first state of an
// episode in which it holds to the end of that episode, whether or not it still holds.
#pragma once

#include <atomic>

#include "schism/learn/learner.hpp"
#include "schism/run/config.hpp"

namespace schism::learn {

inline constexpr std::uint64_t kCurvePoints = 40;  // at equal parts of all episodes' macro steps

struct TargetScore {
  std::uint64_t states = 0;               // seen behind it
  std::uint64_t episodes = 0;             // that reached it
  std::uint64_t first = 0;                // of them, from 1; 0: none
  std::vector<std::uint64_t> curve = {};  // states, a point each
};

// What else is counted.
struct Also {
  std::vector<Spec> coverages = {};      // their keys
  std::vector<std::string> places = {};  // states in which each of these predicates holds
};

struct TrialScore {
  std::uint64_t episodes = 0, steps = 0, primitive = 0;  // macro steps; actions in them
  std::uint64_t states = 0;
  std::uint64_t planned = 0;         // steps, if no episode ended early: the curve is over these
  std::vector<std::uint64_t> curve;  // states, a point each, as far as its steps reach
  std::uint64_t violated = 0;        // episodes that ended so
  std::map<std::string, std::uint64_t> muted;  // properties, and in how many episodes
  std::uint64_t wrong = 0;                     // episodes with any of these, or a violation
  std::map<std::string, std::uint64_t>
      shown;                                 // violations by their signature, deaths by their stack
  std::uint64_t pairs = 0, table_bytes = 0;  // of the policy
  std::vector<TargetScore> targets;
  std::vector<std::uint64_t> covered, places;  // as they were asked for
};

// `config` is of an explorer of this folder, or of random-steps.
Result<TrialScore> score(const RunConfig& config, std::uint64_t seed, std::uint64_t episodes,
                         const std::vector<std::string>& targets, const std::atomic<bool>& stop,
                         const Also& also = {});

}  // namespace schism::learn
