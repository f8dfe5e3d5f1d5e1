// `ranks`: another scheduler, untimed, that sees of all messages only the few with the best genes;
// timers, disks, clients and faults are its own affair. The priorities of DiscoTest and Groot for
// runs without a clock.
#include <algorithm>
#include <cmath>

#include "schism/evolve/obedient.hpp"
#include "schism/schedule/registry.hpp"

namespace schism::evolve {
namespace {

class Ranks final : public Obedient {
 public:
  struct Options {
    std::string classes, gauges;
    std::int64_t window = 1;
    double high = 300, aging = 0;
  };

  Ranks(const Options& options, std::vector<Child<Scheduler>> children)
      : Obedient(options.classes, options.gauges), options_(options) {
    child_ = children.empty() ? std::move(*schedulers().make({"random", {}}, "scheduler"))
                              : std::move(children[0].made);
  }

  TimeUse time_use() const override { return child_->time_use(); }
  bool plays(Do fault) const override { return child_->plays(fault); }
  bool sees_pending() const override { return true; }
  double price() const override { return child_->price(); }
  void heed(std::string_view policy) override { child_->heed(policy); }

  Status check(const Setup& setup) const override {
    if (time_use() != TimeUse::untimed)
      return error("ranks: where time passes messages wait in an inbox; see the scheduler inbox");
    if (auto good = Obedient::check(setup); !good) return good;
    return child_->check(setup);
  }

  void begin(const Setup& setup, std::uint64_t seed) override {
    settle(setup, seed, {0, 0, options_.high, false});
    waiting_.clear();
    shown_.clear();
    arrived_ = 0;
    child_->begin(setup, seed);
  }

  Action next(World& world) override {
    std::erase_if(shown_, [&](const Waiting& w) { return gone(world.pending(), w); });
    while (shown_.size() < static_cast<std::size_t>(options_.window) && !waiting_.empty())
      show_best(world);
    for (;;) {
      const Action action = child_->next(world);
      if (action.kind != Do::nothing || waiting_.empty()) return action;
      show_best(world);  // what was shown is in nobody's power now
    }
  }

  void on_pending(World& world, Do kind, std::uint32_t slot) override {
    if (kind == Do::deliver) {
      const Flight& flight = world.pending().flights[slot];
      const double old = options_.aging * world.deliveries();
      const double key = gene_of(flight, kOwn);
      if (key != kOwn) {
        waiting_.push_back({key + old, arrived_++, slot, flight.generation});
        world.hold(kind, slot, Holder::scheduler);
        return;
      }
    }
    if (child_->sees_pending()) child_->on_pending(world, kind, slot);
  }

  std::uint32_t on_choice(World& world, std::uint32_t n) override {
    return child_->on_choice(world, n);
  }

 private:
  static constexpr double kOwn = -1e300;  // of a message of a node to itself: it does not wait
  struct Waiting {
    double key;  // the lowest is next
    std::uint64_t arrived;
    std::uint32_t slot, generation;
  };

  static bool gone(const Pending& pending, const Waiting& w) {
    const Flight& flight = pending.flights[w.slot];
    return !flight.alive() || flight.generation != w.generation;
  }

  void show_best(World& world) {
    std::erase_if(waiting_, [&](const Waiting& w) { return gone(world.pending(), w); });
    if (waiting_.empty()) return;
    const auto best =
        std::min_element(waiting_.begin(), waiting_.end(), [](const Waiting& a, const Waiting& b) {
          return std::pair(a.key, a.arrived) < std::pair(b.key, b.arrived);
        });
    const Waiting chosen = *best;
    *best = waiting_.back();
    waiting_.pop_back();
    shown_.push_back(chosen);
    world.release(Do::deliver, chosen.slot, Holder::scheduler);
    if (child_->sees_pending()) child_->on_pending(world, Do::deliver, chosen.slot);
  }

  Options options_;
  std::unique_ptr<Scheduler> child_;
  std::vector<Waiting> waiting_, shown_;
  std::uint64_t arrived_ = 0;
};

using O = Ranks::Options;
const Registration registered =
    scheduler<Ranks>("ranks",
                     "another scheduler, random if none is named, that sees only the messages with "
                     "the lowest genes, which are drawn or evolved")
        .children(schedulers(), "scheduler", 0, 1)
        .param<&O::window>("window", 1, 1'000'000, "messages that it sees at once")
        .param<&O::high>("high", 1.0, 1e6, "highest gene that is drawn")
        .param<&O::aging>("aging", 0.0, 1e6, "by how much those that wait are lowered a delivery")
        .param<&O::classes>("classes", "which messages share a gene; none: as the system says")
        .param<&O::gauges>("gauges", "what is measured, such as steps");

}  // namespace
}  // namespace schism::evolve
