// `delays`: a message waits for as long as the gene of its (sender, receiver, class) says before it
// leaves; the rest is the network's, which is `timed` (van Meerten, Ozkan and Panichella:
// "Evolutionary Approach for Concurrency Testing of Ripple Blockchain Consensus Algorithm", 2023).
#include <algorithm>
#include <cmath>

#include "schism/evolve/obedient.hpp"
#include "schism/schedule/registry.hpp"

namespace schism::evolve {
namespace {

class Delays final : public Obedient {
 public:
  struct Options {
    std::string classes, gauges;
    Micros max = 4'000'000;
  };

  Delays(const Options& options, std::vector<Child<Scheduler>> children)
      : Obedient(options.classes, options.gauges), options_(options) {
    child_ = children.empty() ? std::move(*schedulers().make({"timed", {}}, "scheduler"))
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
    settle(setup, seed, {0, 0, static_cast<double>(options_.max) * 1e-3, false});
    child_->begin(setup, seed);
  }
  Action next(World& world) override { return child_->next(world); }

  void on_pending(World& world, Do kind, std::uint32_t slot) override {
    if (kind == Do::deliver) {
      const double ms = gene_of(world.pending().flights[slot], 0);
      const auto delay = static_cast<Micros>(std::clamp(std::floor(ms + 0.5), 0.0, 3.6e6)) * 1000;
      world.stamp_due(slot, world.clock() + delay);
    }
    if (child_->sees_pending()) child_->on_pending(world, kind, slot);
  }
  std::uint32_t on_choice(World& world, std::uint32_t n) override {
    return child_->on_choice(world, n);
  }

 private:
  Options options_;
  std::unique_ptr<Scheduler> child_;
};

using O = Delays::Options;
const Registration registered =
    scheduler<Delays>("delays",
                      "messages leave late, each (sender, receiver, class) by its own delay, drawn "
                      "or evolved; then timed, or what is in parentheses")
        .children(schedulers(), "scheduler", 0, 1)
        .duration<&O::max>("max", 0, 60_s, "longest delay that is drawn")
        .param<&O::classes>("classes", "which messages share a delay; none: as the system says")
        .param<&O::gauges>("gauges", "what is measured, such as time/steps");

}  // namespace
}  // namespace schism::evolve
