#include "schism/schedule/fault_plan.hpp"

#include <algorithm>
#include <tuple>

namespace schism {
namespace {

// More would be as good as certain; the plan must stay short.
constexpr std::uint32_t kUnitsMax = 64;

bool is_repair(Do kind) { return kind == Do::restart || kind == Do::resume || kind == Do::heal; }

}  // namespace

void FaultPlan::begin(const Faults& budgets, std::uint64_t horizon, std::uint64_t seed) {
  agenda_.clear();
  script_.clear();
  step_ = 0;
  horizon_ = std::max<std::uint64_t>(horizon, 8);
  rng_ = Rng(seed ^ 0x6661756c7473ULL);
  const std::pair<Do, std::uint32_t> units[] = {
      {Do::drop, budgets.drop},      {Do::duplicate, budgets.duplicate},
      {Do::mutate, budgets.mutate},  {Do::crash, budgets.crash},
      {Do::pause, budgets.pause},    {Do::cut, budgets.cut},
      {Do::begin, budgets.partition}};
  for (const auto& [kind, budget] : units)
    for (std::uint32_t i = 0; i < std::min(budget, kUnitsMax); ++i)
      plan(1 + rng_.below(horizon_), kind);
}

void FaultPlan::plan(std::uint64_t step, Do kind, NodeId node) {
  const auto at = std::upper_bound(agenda_.begin(), agenda_.end(), step,
                                   [](std::uint64_t s, const Turn& turn) { return s < turn.step; });
  agenda_.insert(at, {step, kind, node});
}

Action FaultPlan::next(World& world) {
  ++step_;
  while (script_.empty()) {
    if (agenda_.empty() || agenda_.front().step > step_) return {};
    const Turn turn = agenda_.front();
    agenda_.erase(agenda_.begin());
    take(world, turn);
  }
  const Action action = script_.front();
  script_.pop_front();
  return action;
}

bool FaultPlan::repairs_pending() const {
  return !script_.empty() || std::any_of(agenda_.begin(), agenda_.end(),
                                         [](const Turn& turn) { return is_repair(turn.kind); });
}

Action FaultPlan::hasten(World& world) {
  while (script_.empty()) {
    const auto at = std::find_if(agenda_.begin(), agenda_.end(),
                                 [](const Turn& turn) { return is_repair(turn.kind); });
    if (at == agenda_.end()) return {};
    const Turn turn = *at;
    agenda_.erase(at);
    take(world, turn);
  }
  const Action action = script_.front();
  script_.pop_front();
  return action;
}

void FaultPlan::take(World& world, const Turn& turn) {
  const Pending& pending = world.pending();
  const auto some = [&](Do kind) {
    return pending.nth(kind, static_cast<std::uint32_t>(rng_.below(pending.count(kind))));
  };
  const auto later = [&] { return step_ + 1 + rng_.below(horizon_ / 4 + 1); };
  switch (turn.kind) {
    case Do::restart:
      if (!world.runs(turn.node) && pending.recovers)
        script_.push_back(node_action(Do::restart, turn.node));
      return;
    case Do::resume:
      if (pending.paused.has(static_cast<std::uint32_t>(turn.node)))
        script_.push_back(node_action(Do::resume, turn.node));
      return;
    case Do::heal: heal_all(world, script_); return;
    case Do::begin:
      if (pending.left.partition == 0 || pending.live.size() < 2) return;
      partition(world, *random_sides(world, rng_), script_);
      plan(later(), Do::heal);
      return;
    case Do::mutate:
      if (pending.left.mutate > 0 && pending.deliverable.size() > 0)
        if (const Action message = some(Do::deliver); world.may_lie(message.name.from()))
          if (const auto mutation = random_mutation(world, message, rng_))
            script_.push_back(*mutation);
      return;
    default: break;
  }
  if (pending.count(turn.kind) == 0) return;
  Action fault = some(turn.kind);
  if (turn.kind == Do::crash) fault = random_crash(world, fault, rng_);
  script_.push_back(fault);
  if (turn.kind == Do::crash) plan(later(), Do::restart, fault.name.from());
  if (turn.kind == Do::pause) plan(later(), Do::resume, fault.name.from());
  if (turn.kind == Do::cut) plan(later(), Do::heal);
}

}  // namespace schism
