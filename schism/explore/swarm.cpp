// `swarm`: every group of runs has a configuration of its own, drawn within what the system
// declares (Groce, Zhang, Eide, Chen, Regehr, "Swarm Testing", ISSTA 2012). What `schism hunt` does
// without any flag. A draw is a function of the hunt's seed, its number, and what was learnt: where
// a hunt goes on after a find, what leads to it is drawn less.
#include <fmt/format.h>

#include <optional>

#include "schism/explore/draw.hpp"
#include "schism/explore/lifts.hpp"
#include "schism/explore/registry.hpp"

namespace schism {
namespace {

// The hunt's seed, then what is drawn less, a line each.
struct Policy {
  std::uint64_t seed = 0;
  Damping damping;
  FIELDS(seed, damping)
};

class Swarm final : public Explorer {
 public:
  struct Options {
    std::int64_t group = 8, first = 24, batch = 128;
    double slow = 0.04;
    bool damp = true;
  };

  explicit Swarm(const Options& options) : options_(options) {}

  // Of the configuration as it was asked for, before anything is drawn.
  std::vector<Spec> arms() const override { return {{"random", {}}}; }
  std::size_t lag() const override { return 1; }
  bool draws() const override { return true; }
  void ask(const RunText& asked) override { draw_.emplace(asked, options_.slow); }

  std::vector<RunPlan> propose(std::uint64_t first_seed, std::uint64_t first_run) override {
    policy_.seed = first_seed;
    if (options_.damp) policy_.damping = lifts_.damping();
    const auto group = static_cast<std::uint64_t>(options_.group);
    std::vector<RunPlan> plans(static_cast<std::size_t>(options_.batch * options_.group));
    for (std::size_t i = 0; i < plans.size(); ++i) {
      plans[i].seed = plans[i].node_seed = first_seed + first_run + i;
      plans[i].world = static_cast<std::uint32_t>((first_run + i) / group) + 1;
    }
    return plans;
  }

  std::string policy() const override { return encode(policy_); }

  DrawnText draw(std::uint32_t world, std::string_view policy, int attempt) const override {
    const Policy known = decode<Policy>(policy).value_or(Policy{});
    const std::uint32_t number = world - 1;
    Rng random(keyed(known.seed, number, static_cast<std::uint64_t>(attempt)));
    // In the beginning two of three are plain: what is shallow is found in a few runs. The first
    // of them have a fair tail, so that also a short hunt judges progress.
    const auto& walks = draw_->schedulers();
    if (attempt > 3) return draw_->plain(walks.front(), true);
    if (number < options_.first && number % 3 == 0)
      return draw_->plain(walks[walks.size() > 1 ? 1 : 0], number == 0);
    if (number < options_.first && number % 3 == 1) return draw_->plain(walks[0], number == 1);
    return draw_->wild(random, known.damping);
  }

  void learn(std::span<const RunPlan> plans, std::span<const RunResult> results) override {
    for (std::size_t i = 0; i < results.size();) {
      const std::size_t begin = i;
      std::uint64_t steps = 0;
      std::vector<std::uint32_t> hits;
      for (; i < results.size() && plans[i].world == plans[begin].world; ++i) {
        const RunSummary& summary = results[i].summary;
        steps += summary.steps;
        if (summary.violated && std::find(hits.begin(), hits.end(), summary.oracle) == hits.end())
          hits.push_back(summary.oracle);
      }
      lifts_.add(results[begin].report, steps, hits);
    }
  }

  std::vector<Lift> lifts() const override { return lifts_.table(); }
  std::string save() const override { return lifts_.save(); }
  Status load(std::string_view state) override { return lifts_.load(state); }

 private:
  Options options_;
  std::optional<Draw> draw_;
  Lifts lifts_;
  Policy policy_;
};

const Registration registered =
    explorer<Swarm>("swarm", "a configuration drawn for every few runs: the default of hunt")
        .param<&Swarm::Options::group>("group", 1, 1000, "runs of each configuration")
        .param<&Swarm::Options::first>("first", 0, 1'000'000,
                                       "groups in the beginning of which two in three are plain")
        .param<&Swarm::Options::batch>("batch", 1, 10'000, "groups that are planned at once")
        .param<&Swarm::Options::slow>("slow", 0.0, 1.0,
                                      "share of the walks with slow links, senders or disks")
        .param<&Swarm::Options::damp>(
            "damp", "with --keep-going, what leads to a known find is drawn less");

}  // namespace
}  // namespace schism
