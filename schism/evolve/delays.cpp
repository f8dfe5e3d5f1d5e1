// `delays`: a message waits for as long as the gene of its (sender, receiver, class) says before it
// leaves; the rest is the network's, which is `timed` (van Meerten, Ozkan and Panichella:
// "Evolutionary Approach for Concurrency Testing of Ripple Blockchain Consensus Algorithm", 2023).
#include <algorithm>
#include <cmath>

#include "schism/evolve/fault_genes.hpp"
#include "schism/evolve/obedient.hpp"
#include "schism/schedule/registry.hpp"

namespace schism::evolve {
namespace {

class Delays final : public Obedient {
 public:
  struct Options {
    std::string classes, gauges;
    Micros max = 4'000'000, horizon = 60'000'000;
    std::int64_t partitions = 0, crashes = 0, duplicates = 0;
    FaultCounts counts() const { return {partitions, crashes, duplicates}; }
  };

  Delays(const Options& options, std::vector<Child<Scheduler>> children)
      : Obedient(options.classes, options.gauges), options_(options) {
    // Where faults are genes the network makes none of its own.
    Spec network{"timed", {}};
    if (options_.counts().genes() > 0)
      network.values = {
          {"crash-every", "3600s"}, {"partition-every", "3600s"}, {"duplication", "0"}};
    child_ = children.empty() ? std::move(*schedulers().make(network, "scheduler"))
                              : std::move(children[0].made);
  }

  TimeUse time_use() const override { return child_->time_use(); }
  bool plays(Do fault) const override { return child_->plays(fault); }
  bool sees_pending() const override { return true; }
  void heed(std::string_view policy) override { child_->heed(policy); }

  Status check(const Setup& setup) const override {
    if (time_use() != TimeUse::timed)
      return error("delays: a message that is late is late by a clock, and what plays here is {}",
                   enum_name(time_use()));
    if (auto good = Obedient::check(setup); !good) return good;
    return child_->check(setup);
  }

  void begin(const Setup& setup, std::uint64_t seed) override {
    const double high = static_cast<double>(options_.max) * 1e-3;
    settle(setup, seed, {0, 0, high, false}, options_.counts().genes());
    std::vector<double> shares(other_genes().begin(), other_genes().end());
    for (double& share : shares) share = high > 0 ? share / high : 0;
    faults_.begin(options_.counts(), shares, setup.nodes, options_.horizon);
    child_->begin(setup, seed);
  }
  Action next(World& world) override {
    const Action fault = faults_.next(world);
    return fault.kind == Do::nothing ? child_->next(world) : fault;
  }

  void on_pending(World& world, Do kind, std::uint32_t slot) override {
    if (kind == Do::deliver) {
      const double ms = gene_of(world.pending().flights[slot], 0);
      const auto delay = static_cast<Micros>(std::clamp(std::floor(ms + 0.5), 0.0, 3.6e6)) * 1000;
      world.stamp_due(slot, world.clock() + delay);
      faults_.sent(world, slot);
    }
    if (child_->sees_pending()) child_->on_pending(world, kind, slot);
  }
  std::uint32_t on_choice(World& world, std::uint32_t n) override {
    return child_->on_choice(world, n);
  }

 private:
  Options options_;
  FaultGenes faults_;
  std::unique_ptr<Scheduler> child_;
};

using O = Delays::Options;
const Registration registered =
    scheduler<Delays>("delays",
                      "messages leave late, each (sender, receiver, class) by its own delay, drawn "
                      "or evolved; then timed, or what is in parentheses")
        .children(schedulers(), "scheduler", 0, 1)
        .duration<&O::max>("max", 0, 60_s, "longest delay that is drawn")
        .param<&O::partitions>("partitions", 0, 100, "that are genes, within the budget of faults")
        .param<&O::crashes>("crashes", 0, 100, "the same of crashes")
        .param<&O::duplicates>("duplicates", 0, 100, "links that double messages for a while")
        .duration<&O::horizon>("horizon", 1_ms, 3600_s, "by when these faults have begun")
        .param<&O::classes>("classes", "which messages share a delay; none: as the system says")
        .param<&O::gauges>("gauges", "what is measured, such as time/steps");

}  // namespace
}  // namespace schism::evolve
