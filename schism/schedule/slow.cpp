// `slow`: another scheduler in a network with a few slow places. Some directed links, senders or
// disks, drawn from the run's seed, serve what they have rarely as long as the run lasts, so that
// messages stay away for a hundred others. A walk that treats all messages alike does that once in
// thousands of runs.
#include <algorithm>
#include <numeric>

#include "schism/schedule/around.hpp"
#include "schism/schedule/registry.hpp"
#include "schism/system/system.hpp"

namespace schism {
namespace {

class Slow final : public Around {
 public:
  struct Options {
    std::int64_t links = 0, senders = 0, disks = 0, slowness = 200;
  };

  Slow(const Options& options, std::vector<Child<Scheduler>> children)
      : Around(children.empty() ? std::move(*schedulers().make({"random", {}}, "scheduler"))
                                : std::move(children[0].made)),
        options_(options) {
    if (options_.links + options_.senders + options_.disks == 0) options_.links = 3;
  }

  bool sees_pending() const override { return true; }

  Status check(const Setup& setup) const override {
    if (inner().time_use() != TimeUse::untimed)
      return error("slow: where time passes latencies say what is slow; see slow-links of timed");
    return inner().check(setup);
  }

  void begin(const Setup& setup, std::uint64_t seed) override {
    random_ = Rng(keyed(seed, hash_text("slow")));
    nodes_ = static_cast<std::uint32_t>(setup.places());
    held_.clear();
    links_ = some_of(nodes_ * (nodes_ - 1), options_.links);
    senders_ = some_of(nodes_, options_.senders);
    disks_ = some_of(nodes_, options_.disks);
    inner().begin(setup, seed);
  }

  Action next(World& world) override {
    if (!held_.empty() && random_.below(static_cast<std::uint64_t>(options_.slowness)) == 0)
      let_go(world);
    for (;;) {
      const Action action = inner().next(world);
      if (action.kind != Do::nothing || held_.empty()) return action;
      let_go(world);  // nothing else is left to do
    }
  }

  void on_pending(World& world, Do kind, std::uint32_t slot) override {
    const Slot& event = world.pending().slot(kind, slot);
    if (is_slow(kind, event.name)) {
      world.hold(kind, slot, Holder::scheduler);
      held_.push_back({kind, slot, event.generation});
    } else {
      Around::on_pending(world, kind, slot);
    }
  }

 private:
  struct Held {
    Do kind;
    std::uint32_t slot, generation;
  };

  // So many of them, or all.
  std::vector<bool> some_of(std::uint32_t all, std::int64_t wanted) {
    std::vector<std::uint32_t> order(all);
    std::iota(order.begin(), order.end(), 0U);
    std::vector<bool> out(all, false);
    for (std::uint32_t i = 0; i < all && i < static_cast<std::uint64_t>(wanted); ++i) {
      std::swap(order[i], order[i + random_.below(all - i)]);
      out[order[i]] = true;
    }
    return out;
  }

  bool is_slow(Do kind, Name name) const {
    const auto from = static_cast<std::uint32_t>(name.from());
    if (kind == Do::complete) return disks_[from];
    if (kind != Do::deliver || from >= nodes_) return false;
    const auto to = static_cast<std::uint32_t>(name.to());
    if (to >= nodes_ || to == from) return false;
    return senders_[from] || links_[from * (nodes_ - 1) + (to < from ? to : to - 1)];
  }

  void let_go(World& world) {
    const auto at = static_cast<std::size_t>(random_.below(held_.size()));
    const Held held = held_[at];
    held_[at] = held_.back();
    held_.pop_back();
    const Slot& event = world.pending().slot(held.kind, held.slot);
    if (!event.alive() || event.generation != held.generation) return;  // it is gone
    world.release(held.kind, held.slot, Holder::scheduler);
    Around::on_pending(world, held.kind, held.slot);
  }

  Options options_;
  Rng random_{0};
  std::uint32_t nodes_ = 0;
  std::vector<bool> links_, senders_, disks_;
  std::vector<Held> held_;
};

const Registration registered =
    scheduler<Slow>("slow",
                    "another scheduler, random if none is named, where a few places are slow")
        .children(schedulers(), "scheduler", 0, 1)
        .param<&Slow::Options::links>("links", 0, 1000,
                                      "directed links; 3 if nothing is slow otherwise")
        .param<&Slow::Options::senders>("senders", 0, 1000, "nodes whose messages are all slow")
        .param<&Slow::Options::disks>("disks", 0, 1000, "nodes whose disks are slow")
        .param<&Slow::Options::slowness>("slowness", 1, 1'000'000,
                                         "steps between two that are let go, on average");

}  // namespace
}  // namespace schism
