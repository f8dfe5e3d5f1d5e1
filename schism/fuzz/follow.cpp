// `follow`: a schedule that its explorer hands over, then another scheduler. An action means the
// pending event of its name; where there is none any more, the oldest of the same kind on the same
// way: a mutated schedule shifts numbers. What then still does not apply is skipped.
#include <algorithm>

#include "schism/fuzz/schedule.hpp"
#include "schism/schedule/registry.hpp"
#include "schism/schedule/scheduler.hpp"

namespace schism::fuzz {
namespace {

bool same_way(Name a, Name b) {
  return a.from() == b.from() && a.to() == b.to() && a.type() == b.type();
}

// The slot that a name means among the enabled ones; kNone: none.
template <class Slots>
std::uint32_t find(const Slots& slots, const Dense& enabled, const Action& action) {
  const std::uint32_t hint = action.hint;
  if (hint < slots.size() && slots[hint].alive() && slots[hint].name == action.name &&
      slots[hint].at != kNone)
    return hint;
  std::uint32_t best = kNone;
  for (std::uint32_t i = 0; i < enabled.size(); ++i) {
    const std::uint32_t slot = enabled[i];
    const Name name = slots[slot].name;
    if (name == action.name) return slot;
    if (!same_way(name, action.name)) continue;
    if (best == kNone || (name.bits() & 0xffffffffU) < (slots[best].name.bits() & 0xffffffffU))
      best = slot;
  }
  return best;
}

class Follow final : public Scheduler {
 public:
  struct Options {};
  Follow(const Options&, std::vector<Child<Scheduler>> children)
      : then_(children.empty() ? std::move(*schedulers().make({"random"}, "scheduler"))
                               : std::move(children[0].made)) {}

  TimeUse time_use() const override { return then_->time_use(); }
  bool plays(Do fault) const override { return then_->plays(fault); }
  double price() const override { return then_->price(); }
  bool sees_pending() const override { return then_->sees_pending(); }

  // In timed runs when something happens is not the schedule's to say.
  Status check(const Setup& setup) const override {
    if (time_use() != TimeUse::untimed)
      return error(
          "follow: a schedule is followed where time does not matter, and what goes on "
          "after it is {}",
          enum_name(time_use()));
    return then_->check(setup);
  }

  void prepare(const RunPlan& plan) override {
    schedule_ = {};
    if (plan.gene.empty()) return;
    if (auto gene = unpack(plan.gene)) schedule_ = std::move(gene->schedule);
  }

  void begin(const Setup& setup, std::uint64_t seed) override {
    next_ = 0;
    followed_ = skipped_ = 0;
    then_->begin(setup, seed);
  }

  Action next(World& world) override {
    while (next_ < schedule_.moves.size()) {
      const Action& move = schedule_.moves[next_++];
      if (move.kind == Do::choose) continue;
      const Action action = meaning(world, move);
      if (action.kind == Do::nothing) {
        ++skipped_;
        continue;
      }
      ++followed_;
      return action;
    }
    return then_->next(world);
  }

  void on_pending(World& world, Do kind, std::uint32_t slot) override {
    then_->on_pending(world, kind, slot);
  }

  // As it was chosen then, where as many are to choose from.
  std::uint32_t on_choice(World& world, std::uint32_t n) override {
    if (next_ < schedule_.moves.size() && schedule_.moves[next_].kind == Do::choose) {
      const auto k = static_cast<std::uint32_t>(schedule_.moves[next_++].name.bits() & 0xffffffffU);
      return std::min(k, n - 1);
    }
    return then_->on_choice(world, n);
  }

  std::string report() const override {
    return schedule_.moves.empty() ? std::string() : encode(std::pair(followed_, skipped_));
  }

 private:
  // What the move is in this run; nothing: it does not apply.
  Action meaning(World& world, const Action& move) const {
    const Pending& pending = world.pending();
    switch (move.kind) {
      case Do::deliver:
      case Do::drop:
      case Do::duplicate:
      case Do::mutate: return fate(world, move);
      case Do::fire: {
        const auto timer = static_cast<std::uint32_t>(move.name.type());
        if (timer >= pending.timer_classes()) return {};
        return as(move, pending.timers, find(pending.timers, pending.armed[timer], move));
      }
      case Do::complete: return completion(pending, move);
      case Do::submit: return request(pending, move);
      case Do::crash:
      case Do::restart:
      case Do::pause:
      case Do::resume: return to_a_node(world, move);
      case Do::cut:
      case Do::heal:
        return std::max(move.name.from(), move.name.to()) < pending.nodes ? move : Action{};
      case Do::begin:
        if (macro_of(move) == Macro::partition && pending.left.partition == 0 && !move.free)
          return {};
        return with_arg(move, move.arg() & 0xff);
      case Do::end: return move;
      case Do::inject: return with_its_content(world, move);
      default: return {};
    }
  }

  template <class Slots>
  static Action as(const Action& move, const Slots& slots, std::uint32_t slot) {
    if (slot == kNone) return {};
    Action out = make_action(move.kind, slots[slot].name, move.arg(), slot);
    out.free = move.free;
    return out;
  }

  Action fate(World& world, const Action& move) const {
    const Pending& pending = world.pending();
    const Faults& left = pending.left;
    const bool paid = move.kind == Do::deliver || (move.kind == Do::drop && left.drop > 0) ||
                      (move.kind == Do::duplicate && left.duplicate > 0) ||
                      (move.kind == Do::mutate && left.mutate > 0);
    if (!paid && !move.free) return {};
    const Action out = as(move, pending.flights, find(pending.flights, pending.deliverable, move));
    if (out.kind != Do::mutate) return out;
    // Another message than the one whose content it was cannot have it.
    return out.name.type() == move.name.type() ? with_its_content(world, out) : Action{};
  }

  Action with_its_content(World& world, const Action& move) const {
    const std::uint32_t content = content_index(move);
    if (content >= schedule_.contents.size()) return {};
    return with_content(move, world.add_content(schedule_.contents[content]));
  }

  static Action completion(const Pending& pending, const Action& move) {
    const Name& n = move.name;
    const bool fails = n.copy() > 0;
    if (fails && pending.left.disk_error == 0) return {};
    const Action plain = with_name(move, Name(n.from(), n.to(), n.type(), n.nth()));
    const Action out = as(plain, pending.waits, find(pending.waits, pending.completable, plain));
    return fails && out.kind != Do::nothing ? failing(out) : out;
  }

  static Action request(const Pending& pending, const Action& move) {
    auto slot = find(pending.askings, pending.askable, move);
    for (const Desk& desk : pending.desks)
      if (slot == kNone) slot = find(pending.askings, desk.askable, move);
    if (slot == kNone) return {};
    const Action out = as(move, pending.askings, slot);
    const NodeId target = pending.askings[slot].target;
    if (target != kAnyNode) return with_arg(out, static_cast<std::uint32_t>(target));
    const IdSet& takers = pending.takers(out.name);
    if (takers.size() == 0) return {};
    const bool takes =
        move.arg() < static_cast<std::uint32_t>(pending.nodes) && takers.has(move.arg());
    return with_arg(out, takes ? move.arg() : takers[0]);
  }

  static Action to_a_node(const World& world, const Action& move) {
    const Pending& pending = world.pending();
    const NodeId id = move.name.from();
    if (id >= pending.nodes) return {};
    const auto node = static_cast<std::uint32_t>(id);
    switch (move.kind) {
      case Do::crash: break;
      case Do::restart: return pending.down.has(node) ? move : Action{};
      case Do::pause: return pending.pausable.has(node) ? move : Action{};
      default: return pending.paused.has(node) ? move : Action{};
    }
    if (!pending.crashable.has(node)) return {};
    // What the disk kept, as far as there is so much to keep now.
    const CrashOutcome wanted = CrashOutcome::of(move.arg());
    CrashOutcome best;
    for (const CrashOutcome& o : world.crash_outcomes(id))
      if (o.kept <= wanted.kept && (o.kept > best.kept || o.torn == wanted.torn)) best = o;
    return with_arg(move, best.arg());
  }

  std::unique_ptr<Scheduler> then_;
  Schedule schedule_;
  std::size_t next_ = 0;
  std::uint64_t followed_ = 0, skipped_ = 0;
};

const Registration registered =
    scheduler<Follow>("follow",
                      "a schedule that its explorer hands over (`fuzz`), then the scheduler in "
                      "parentheses, else random")
        .children(schedulers(), "scheduler", 0, 1);

}  // namespace
}  // namespace schism::fuzz
