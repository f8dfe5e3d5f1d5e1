// A learner that goes on from episode to episode: the next one depends on what the last one taught.
// It lives where its episodes are played, because a message between processes costs as much as an
// episode. episode = f(configuration, agent's number and seed, how-manieth): the number of workers
// does not come into it, and an agent whose process died is taken up from what it had saved.
#pragma once

#include "schism/explore/explorer.hpp"
#include "schism/schedule/scheduler.hpp"

namespace schism {

class Agent {
 public:
  virtual ~Agent() = default;
  // Who plays its episodes. It may read the agent's memory; only learn() changes that.
  virtual Scheduler& scheduler() = 0;
  virtual RunPlan plan(std::uint64_t episode) = 0;
  virtual void learn(const RunPlan& plan, const RunResult& result) = 0;
  virtual std::string save() const = 0;
  virtual Status load(std::string_view state) = 0;
};

}  // namespace schism
