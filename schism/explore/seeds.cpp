// `seeds`: runs with the seeds s, s+1, s+2, … of one scheduler. Learns nothing.
#include "schism/explore/explorer.hpp"
#include "schism/explore/registry.hpp"
#include "schism/schedule/registry.hpp"

namespace schism {
namespace {

class Seeds final : public Explorer {
 public:
  struct Options {
    std::string scheduler = "random";
    std::int64_t batch = 4096;
  };

  Seeds(const Options& options, std::vector<Child<Scheduler>> children)
      : options_(options),
        scheduler_(children.empty() ? Spec{options.scheduler} : children[0].spec) {}

  std::vector<Spec> arms() const override { return {scheduler_}; }
  double price() const override {
    const auto made = schedulers().make(scheduler_, "scheduler");
    return made ? (*made)->price() : 1;
  }
  std::size_t lag() const override { return 1; }  // it learns nothing: nobody need wait

  std::vector<RunPlan> propose(std::uint64_t first_seed, std::uint64_t first_run) override {
    std::vector<RunPlan> plans(static_cast<std::size_t>(options_.batch));
    for (std::size_t i = 0; i < plans.size(); ++i) {
      const std::uint64_t seed = first_seed + first_run + i;
      plans[i].seed = plans[i].node_seed = seed;
    }
    return plans;
  }

 private:
  Options options_;
  Spec scheduler_;
};

const Registration registered =
    explorer<Seeds>("seeds", "runs of one scheduler with one seed after the other")
        .children(schedulers(), "scheduler", 0, 1)
        .param<&Seeds::Options::scheduler>("scheduler",
                                           "which one plays the runs, if none is in parentheses")
        .param<&Seeds::Options::batch>("batch", 1, 1'000'000, "runs that are planned at once");

}  // namespace
}  // namespace schism
