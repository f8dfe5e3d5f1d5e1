// `inputs`: plays an input of ModelFuzz (Algorithm 6). Every process has an inbox in the order of
// sending; a step serves one of them, stops or starts a process; then disks complete, the clock
// advances and timers that are due fire.
#include <algorithm>

#include "schism/model/fuzz_input.hpp"
#include "schism/model/upkeep.hpp"
#include "schism/schedule/registry.hpp"

namespace schism::model {
namespace {

SCHISM_ENUM(Inbox, process, link);

class Inputs final : public Scheduler {
 public:
  struct Options {
    Inbox inbox = Inbox::process;
    Micros tick = 25'000;
  };
  explicit Inputs(const Options& options) : options_(options) {}

  TimeUse time_use() const override { return TimeUse::stepped; }
  bool plays(Do fault) const override { return fault == Do::crash; }
  bool sees_pending() const override { return true; }

  void prepare(const RunPlan& plan) override {
    input_.clear();
    planned_ = !plan.gene.empty();
    if (auto input = from_gene(plan.gene)) input_ = *std::move(input);
  }

  void begin(const Setup& setup, std::uint64_t seed) override {
    nodes_ = static_cast<std::size_t>(setup.places());
    inboxes_.assign(options_.inbox == Inbox::link ? nodes_ * nodes_ : nodes_, {});
    at_ = 0;
    left_ = -1;
    phase_ = Phase::deed;
    upkeep_.begin(options_.tick);
    if (planned_) return;
    InputTerms terms;  // nobody says which: one at random
    terms.nodes = setup.places();
    terms.crashes = std::min<std::int64_t>(terms.crashes, setup.options.faults.crash);
    Rng random(seed);
    input_ = random_input(terms, random);
  }

  void on_pending(World& world, Do kind, std::uint32_t slot) override {
    if (kind != Do::deliver) return;
    const Flight& flight = world.pending().flights[slot];
    inbox(flight.name.from(), flight.name.to()).push(world.pending(), slot);
  }

  Action next(World& world) override {
    while (at_ < input_.size()) {
      const InputStep& step = input_[at_];
      const Action action = act(world, step);
      if (action.kind != Do::nothing) return action;
      if (phase_ == Phase::done) ++at_, phase_ = Phase::deed, left_ = -1;
    }
    return {};
  }

 private:
  enum class Phase : std::uint8_t { deed, ask, upkeep, done };

  InboxQueue& inbox(NodeId from, NodeId to) {
    const auto own = static_cast<std::size_t>(to);
    const bool links = options_.inbox == Inbox::link;
    return inboxes_[links ? own * nodes_ + static_cast<std::size_t>(from) : own];
  }

  // The next action of this step; nothing: its phase is over.
  Action act(World& world, const InputStep& step) {
    switch (phase_) {
      case Phase::deed: {
        const Action action = deed(world, step);
        if (action.kind == Do::nothing) phase_ = Phase::ask;
        return action;
      }
      case Phase::ask: phase_ = Phase::upkeep; return step.asks ? asked(world) : Action{};
      default: {
        const Action action = upkeep_.next(world);
        if (action.kind == Do::nothing) phase_ = Phase::done;
        return action;
      }
    }
  }

  // A request to a node that is down is an empty event, where the world has such.
  Action asked(const World& world) const {
    const Pending& pending = world.pending();
    const std::uint32_t count = pending.count(Do::submit);
    if (count == 0) return {};
    const Action ask = pending.nth(Do::submit, static_cast<std::uint32_t>(at_) % count);
    return world.up(place_of(ask)) ? ask : Action{};
  }

  Action deed(World& world, const InputStep& step) {
    const Pending& pending = world.pending();
    const NodeId node = step.node;
    if (step.deed == Deed::message) return deliver(pending, step);
    if (left_ == 0) return {};
    left_ = 0;
    if (step.deed == Deed::start)
      return pending.down.has(step.node) ? node_action(Do::restart, node) : Action{};
    return pending.crashable.has(step.node) && pending.left.crash > 0 && world.up(node)
               ? node_action(Do::crash, node, CrashOutcome{}.arg())
               : Action{};
  }

  Action deliver(const Pending& pending, const InputStep& step) {
    if (left_ < 0) left_ = step.count;
    auto& box = inbox(step.from, step.node);
    if (left_ == 0) return {};
    const Action first = box.first(pending);
    if (first.kind == Do::nothing) return {};
    box.pop();
    --left_;
    return first;
  }

  Options options_;
  Input input_;
  bool planned_ = false;
  std::size_t nodes_ = 0, at_ = 0;
  std::int64_t left_ = -1;  // of this step's deed
  Phase phase_ = Phase::deed;
  std::vector<InboxQueue> inboxes_;
  Upkeep upkeep_;
};

using O = Inputs::Options;
const Registration registered =
    scheduler<Inputs>("inputs", "processes served by an input of `modelfuzz`, else by a random one")
        .param<&O::inbox>("inbox", "of whom messages wait together: of a process, or of a link")
        .duration<&O::tick>("tick", 1, 10_s, "how far the clock advances a step");

}  // namespace
}  // namespace schism::model
