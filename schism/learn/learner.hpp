// An agent that learns in the environment: a policy, and the scheduler that it decides for. It is
// strictly sequential; its tables are a function of the configuration, its number and seed, and how
// many episodes it has played.
#pragma once

#include <map>

#include "schism/explore/agent.hpp"
#include "schism/learn/environment.hpp"
#include "schism/run/config.hpp"

namespace schism::learn {

class Learner final : public Agent {
 public:
  Learner(const EnvironmentOptions& options, std::unique_ptr<Policy> policy, std::uint64_t seed)
      : options_(options),
        seed_(seed),
        policy_(std::move(policy)),
        environment_(options, policy_.get()) {}

  Scheduler& scheduler() override { return environment_; }
  RunPlan plan(std::uint64_t episode) override;
  void learn(const RunPlan&, const RunResult&) override { policy_->learn(environment_.episode()); }
  std::string save() const override { return policy_->save(); }
  Status load(std::string_view state) override { return policy_->load(state); }

  const Environment& environment() const { return environment_; }
  const Policy& policy() const { return *policy_; }

 private:
  EnvironmentOptions options_;
  std::uint64_t seed_;
  std::unique_ptr<Policy> policy_;
  Environment environment_;
};

// What all explorers of this folder have: agents, and an account of the waypoints.
class LearningExplorer : public Explorer {
 public:
  LearningExplorer(const EnvironmentOptions& options, std::int64_t agents);

  std::vector<Spec> arms() const override;
  std::vector<RunPlan> propose(std::uint64_t, std::uint64_t) override { return {}; }
  std::uint32_t agents() const override { return static_cast<std::uint32_t>(agents_); }
  std::unique_ptr<Agent> make_agent(std::uint32_t number, std::uint64_t seed) const override;
  Status begin(const Setup& setup) override;
  void learn(std::span<const RunPlan> plans, std::span<const RunResult> results) override;
  std::vector<std::pair<std::string, std::string>> account() const override;

  // A policy of its kind, which knows nothing yet.
  virtual std::unique_ptr<Policy> make_policy() const = 0;
  const EnvironmentOptions& environment() const { return options_; }

 protected:
  EnvironmentOptions options_;

 private:
  struct Reached {
    std::string text;
    bool initially = false;
    std::uint64_t first = 0, episodes = 0;  // the first in which it held, from 1; how many
  };
  std::int64_t agents_;
  std::vector<Reached> reached_;
  std::uint64_t episodes_ = 0;
};

// How the macro steps of a configuration are played: of an explorer of this folder, or of
// random-steps.
Result<EnvironmentOptions> environment_of(const RunConfig& config);

}  // namespace schism::learn
