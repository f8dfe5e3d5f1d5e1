// What the schedulers that obey a genome have in common: they read it from the plan, know the gene
// of a message, and measure the run. Without a genome they draw one from the run's seed, so that
// each is also a random search by itself.
#pragma once

#include "schism/evolve/gauge.hpp"
#include "schism/evolve/genome.hpp"
#include "schism/evolve/message_classes.hpp"
#include "schism/schedule/scheduler.hpp"

namespace schism::evolve {

// Which gene is whose: (sender, receiver, class), senders outermost.
class Layout {
 public:
  Layout() = default;
  Layout(int nodes, std::size_t classes)
      : nodes_(static_cast<std::size_t>(nodes)), classes_(classes) {}

  std::size_t genes() const { return nodes_ * (nodes_ - 1) * classes_; }
  static constexpr std::size_t kNone = SIZE_MAX;  // a message of a node to itself has no gene
  std::size_t gene(NodeId from, NodeId to, std::size_t type) const {
    const auto f = static_cast<std::size_t>(from), t = static_cast<std::size_t>(to);
    if (f == t || f >= nodes_ || t >= nodes_ || type >= classes_) return kNone;
    return (f * (nodes_ - 1) + (t < f ? t : t - 1)) * classes_ + type;
  }

 private:
  std::size_t nodes_ = 1, classes_ = 0;
};

class Obedient : public Scheduler {
 public:
  Obedient(std::string classes, std::string_view gauges)
      : scheme_(std::move(classes)), gauges_(gauges) {}

  Status check(const Setup& setup) const override;
  void prepare(const RunPlan& plan) override { genome_ = unpack(plan.gene); }
  Watcher* watcher() override { return &gauges_; }
  std::string report() const override;

 protected:
  // Before a run: finds its classes, and a genome if the plan had none that fits.
  void settle(const Setup& setup, std::uint64_t seed, Space space);
  std::size_t genes() const { return layout_.genes(); }
  // The gene of a message; `otherwise` for one that has none.
  double gene_of(const Flight& flight, double otherwise) const;

 private:
  std::string scheme_;
  Gauges gauges_;
  const System* known_ = nullptr;  // whose classes these are
  MessageClasses classes_;
  Layout layout_;
  Genome genome_;
};

}  // namespace schism::evolve
