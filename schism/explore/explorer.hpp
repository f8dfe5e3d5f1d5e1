// Decides across runs: which run next, learning from the last ones. Plans are made in batches whose
// size is the explorer's own, and whole batches come back in the order in which they were proposed,
// so that the same runs happen on any number of workers, guarded or not, and after a hunt was
// killed and taken up again.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "schism/base/params.hpp"
#include "schism/base/result.hpp"
#include "schism/words/plan.hpp"
#include "schism/words/run_text.hpp"

namespace schism {

class Agent;
struct Setup;

// A schedule worth going on from.
struct KeptRun {
  std::uint64_t run = 0;
  RunPlan plan;
  std::vector<Action> decisions;
  std::vector<Value> contents;
};

// What was drawn for some runs.
struct DrawnText {
  RunText text;
  std::string about;  // its features, a word each
};

// How a feature of what was drawn, a kind of fault, a parameter, a scheduler, goes with finds.
struct Lift {
  std::string feature;
  std::uint64_t draws = 0, hits = 0;  // that had it; those of them that violated something
  std::uint64_t steps = 0;            // in them
  double lift = 1;                    // finds a step with it, against all draws
};

class Explorer {
 public:
  virtual ~Explorer() = default;
  // Which scheduler plays its runs; more than one: a plan's `arm` says which.
  virtual std::vector<Spec> arms() const = 0;
  // The next runs, numbered from `first_run` on; none: it is finished.
  virtual std::vector<RunPlan> propose(std::uint64_t seed, std::uint64_t first_run) = 0;
  // A batch that was played, or, when a hunt is stopped, its beginning.
  virtual void learn(std::span<const RunPlan>, std::span<const RunResult>) {}
  // How many batches may be out while it proposes the next: its memory is so far behind.
  virtual std::size_t lag() const { return 0; }
  // What all schedulers must know to play the plans that it proposes now: told to each before.
  virtual std::string policy() const { return {}; }

  // All that it has learnt, between two batches, and back. An explorer that keeps nothing in mind
  // has nothing to say.
  virtual std::string save() const { return {}; }
  virtual Status load(std::string_view) { return {}; }

  // Looks at the set-up before the first proposal; one sentence if it cannot work with it.
  virtual Status begin(const Setup&) { return {}; }
  // Coverage that it learns from: RunResult::fresh and rare then have the keys of each of these.
  virtual std::vector<Spec> coverage() const { return {}; }
  // Whether it wants the decisions of runs that showed something new.
  virtual bool keeps_schedules() const { return false; }
  // Runs that another explorer of the same hunt proposed.
  virtual void overhear(std::span<const RunPlan>, std::span<const RunResult>) {}
  // What a step of its runs costs, compared with one under `random`.
  virtual double price() const { return 1; }
  // How good a run was, where it judges runs by a number and the more the better: for curves.
  virtual std::optional<double> fitness(const RunResult&) const { return {}; }
  // What a person may want to know at the end: (what, a sentence) each.
  virtual std::vector<std::pair<std::string, std::string>> account() const { return {}; }
  // Runs that it keeps, for people and later hunts.
  virtual std::vector<KeptRun> kept() const { return {}; }
  // ---- worlds of its own: a plan's `world`, where it is not 0, is the number of a configuration
  // that this explorer draws, here and in the processes that play. It is a function of what was
  // asked for, the number and the policy.
  virtual bool draws() const { return false; }
  // What was asked for: told before anything else. No draw changes what is in it.
  virtual void ask(const RunText&) {}
  // `attempt`: so many drawn before it were refused.
  virtual DrawnText draw(std::uint32_t /*world*/, std::string_view /*policy*/,
                         int /*attempt*/) const {
    return {};
  }
  // Which draws led to finds.
  virtual std::vector<Lift> lifts() const { return {}; }

  // A strictly sequential learner, which lives in the process that plays it, instead of proposals.
  // So many of them play side by side, each its own runs; 0: it proposes.
  virtual std::uint32_t agents() const { return 0; }
  virtual std::unique_ptr<Agent> make_agent(std::uint32_t, std::uint64_t /*seed*/) const;
  // Episodes that an agent plays between two looks of the director.
  virtual std::uint32_t episodes() const { return 256; }
};

}  // namespace schism
