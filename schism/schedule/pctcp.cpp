// `pctcp`: Ozkan, Majumdar, Niksic, Befrouei, Weissenbacher, "Randomized Testing of Distributed
// Systems with Probabilistic Guarantees", OOPSLA 2018. Messages are partitioned online into chains
// by happens-before; chains have random priorities; at d-1 random messages the chain about to be
// served is demoted. A bug of depth d in a run of at most h messages and width w is hit with
// probability at least 1/(w^2 h^(d-1)). The guarantee is for messages alone; see docs/pctcp.md.
//
// Timers of a node and class, disk operations of a node and requests of a client are each a line of
// their own; timers may fire so often in a row, after which messages go first.
#include <absl/container/flat_hash_map.h>

#include <algorithm>

#include "schism/schedule/chains.hpp"
#include "schism/schedule/fault_plan.hpp"
#include "schism/schedule/priority_lines.hpp"
#include "schism/schedule/registry.hpp"
#include "schism/schedule/scheduler.hpp"

namespace schism {
namespace {

class Pctcp final : public Scheduler {
 public:
  struct Options {
    std::int64_t depth = 3;
    std::int64_t horizon = 500;
    std::int64_t timers = 3;
    bool netrix = false;
  };

  explicit Pctcp(const Options& options) : options_(options) {}

  TimeUse time_use() const override { return TimeUse::untimed; }
  bool plays(Do fault) const override { return FaultPlan::plays(fault); }
  bool sees_pending() const override { return true; }

  Status check(const Setup&) const override {
    if (options_.horizon < options_.depth)
      return error("pctcp: horizon is at least depth, not {} and {}", options_.horizon,
                   options_.depth);
    return {};
  }

  void begin(const Setup& setup, std::uint64_t seed) override {
    rng_ = Rng(seed ^ 0x7063746370ULL);
    faults_.begin(setup.options.faults, static_cast<std::uint64_t>(options_.horizon), seed);
    chains_.clear();
    clocks_.reset(setup.places());
    lines_.clear(options_.netrix);
    line_of_chain_.clear();
    line_of_place_.clear();
    arrived_ = 0;
    fired_ = 0;
    draw_change_points();
  }

  Action next(World& world) override {
    if (const Action fault = faults_.next(world); fault.kind != Do::nothing) return fault;
    const Action action = choose(world.pending());
    return action.kind != Do::nothing ? action : faults_.hasten(world);
  }

  void on_pending(World& world, Do kind, std::uint32_t slot) override {
    const Slot& s = world.pending().slot(kind, slot);
    if (kind != Do::deliver) {
      lines_.enqueue(line_of_place(kind, s.name), {slot, s.generation, kind});
      return;
    }
    const NodeId from = s.name.from();
    bool opened = false;
    const std::uint32_t chain =
        chains_.add(clocks_.of(from), opened, [&](std::uint64_t k) { return rng_.below(k); });
    clocks_.on_sent(slot, from);
    if (opened) line_of_chain_.push_back(new_line());
    lines_.enqueue(line_of_chain_[chain], {slot, s.generation, kind, label_of_next(), chain});
  }

  std::uint32_t on_choice(World&, std::uint32_t n) override {
    return static_cast<std::uint32_t>(rng_.below(n));
  }

 private:
  using Item = PriorityLines::Item;
  using Fit = PriorityLines::Fit;

  void draw_change_points() {
    points_.clear();
    const auto h = static_cast<std::uint64_t>(options_.horizon);
    while (points_.size() + 1 < static_cast<std::size_t>(options_.depth)) {
      // Netrix draws from [0, h) and may draw a number twice; messages are counted from 1.
      const std::uint64_t point = rng_.below(h) + (options_.netrix ? 0 : 1);
      const bool twice = std::find(points_.begin(), points_.end(), point) != points_.end();
      if (!twice || options_.netrix) points_.push_back(point);
    }
  }

  // Of several points that coincide the last counts.
  std::uint32_t label_of_next() {
    ++arrived_;
    std::uint32_t label = PriorityLines::kUnlabelled;
    for (std::size_t i = 0; i < points_.size(); ++i)
      if (points_[i] == arrived_) label = static_cast<std::uint32_t>(i);
    return label;
  }

  std::uint32_t new_line() {
    const std::uint64_t drawn = rng_.next();
    if (!options_.netrix) return lines_.open(drawn);
    // A number in a range that grows with the lines, so that late ones tend to be high. Netrix
    // breaks ties anew at each step, we by a number that is drawn once.
    const std::uint64_t number = rng_.below(lines_.size() + 1);
    return lines_.open(number << 32 | drawn >> 32);
  }

  std::uint32_t line_of_place(Do kind, Name name) {
    const std::uint64_t place = static_cast<std::uint64_t>(kind) << 56 |
                                static_cast<std::uint64_t>(name.from()) << 24 |
                                (kind == Do::fire ? static_cast<std::uint64_t>(name.type()) : 0);
    const auto [at, added] = line_of_place_.try_emplace(place, 0);
    if (added) at->second = new_line();
    return at->second;
  }

  Action choose(const Pending& pending) {
    const bool messages_first = fired_ >= options_.timers && pending.deliverable.size() > 0;
    const auto served = lines_.pick([&](const Item& item) {
      const Slot& slot = pending.slot(item.kind, item.slot);
      if (!slot.alive() || slot.generation != item.generation) {
        if (item.kind == Do::deliver) chains_.lost(item.chain);
        return Fit::never;
      }
      const bool blocked = slot.at == kNone || (item.kind == Do::fire && messages_first) ||
                           (item.kind == Do::submit && pending.takers(slot.name).size() == 0);
      return blocked ? Fit::later : Fit::now;
    });
    if (lines_.demoted_since_redraw() && !options_.netrix)
      lines_.redraw([&] { return rng_.next(); });
    return served ? action_for(pending, *served) : Action{};
  }

  Action action_for(const Pending& pending, const Item& item) {
    const Slot& slot = pending.slot(item.kind, item.slot);
    fired_ = item.kind == Do::fire ? fired_ + 1 : item.kind == Do::deliver ? 0 : fired_;
    std::uint32_t arg = 0;
    if (item.kind == Do::deliver) {
      const NodeId to = slot.name.to();
      chains_.delivered(item.chain, to, clocks_.on_delivered(item.slot, to));
    } else if (item.kind == Do::submit) {
      const NodeId target = pending.askings[item.slot].target;
      const IdSet& takers = pending.takers(slot.name);
      arg = target != kAnyNode ? static_cast<std::uint32_t>(target)
                               : takers[static_cast<std::uint32_t>(rng_.below(takers.size()))];
    }
    return make_action(item.kind, slot.name, arg, item.slot);
  }

  Options options_;
  Rng rng_;
  FaultPlan faults_;
  ChainPartition chains_;
  DeliveryClocks clocks_;
  PriorityLines lines_;
  std::vector<std::uint32_t> line_of_chain_;
  // Timers of a node and class, disk operations of a node, requests of a client. Only looked up.
  absl::flat_hash_map<std::uint64_t, std::uint32_t> line_of_place_;
  std::vector<std::uint64_t> points_;
  std::uint64_t arrived_ = 0;  // messages
  std::int64_t fired_ = 0;     // timers in a row
};

using O = Pctcp::Options;
const Registration registered =
    scheduler<Pctcp>("pctcp", "random priorities of causal chains, with a guarantee by depth")
        .param<&O::depth>("depth", 1, 100, "how many messages must be in order to hit a bug")
        .param<&O::horizon>("horizon", 1, 1'000'000'000, "messages in a run, at most")
        .param<&O::timers>("timers", 0, 1'000'000, "timers that may fire in a row before messages")
        .param<&O::netrix>("netrix", "priorities and change points as in Netrix's code");

}  // namespace
}  // namespace schism
