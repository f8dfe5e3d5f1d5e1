// What the contract tests share: every registered system in varied universes, random moves over
// everything that is enabled, and the slow definitions that the engine is compared with. Header
// only, for tests; nothing here is fast.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "schism/base/random.hpp"
#include "schism/schedule/registry.hpp"
#include "schism/sim/sim_world.hpp"
#include "schism/system/systems.hpp"
#include "schism/testing/moves.hpp"
#include "schism/world/touches.hpp"

namespace schism::contract {

// ---- the state as text ---------------------------------------------------------------------

// Which table, and the name in it.
using PendingKey = std::pair<Do, std::uint64_t>;

inline std::vector<PendingKey> pending_keys(const World& world) {
  const Pending& p = world.pending();
  std::vector<PendingKey> out;
  const auto collect = [&](Do kind, const auto& table) {
    for (std::uint32_t slot = 0; slot < table.size(); ++slot)
      if (table[slot].alive()) out.emplace_back(kind, table[slot].name.bits());
  };
  collect(Do::deliver, p.flights);
  collect(Do::fire, p.timers);
  collect(Do::complete, p.waits);
  collect(Do::submit, p.askings);
  std::sort(out.begin(), out.end());
  return out;
}

// Two pending events with one causal identity could not be told apart by the causal hash.
inline bool ids_are_unique(const World& world) {
  const Pending& p = world.pending();
  std::set<Hash128> ids;
  std::size_t count = 0;
  const auto collect = [&](const auto& table) {
    for (std::uint32_t slot = 0; slot < table.size(); ++slot)
      if (table[slot].alive()) ids.insert(table[slot].id), ++count;
  };
  collect(p.flights), collect(p.timers), collect(p.waits), collect(p.askings);
  return ids.size() == count;
}

// Which pending event an action takes, if it is about one.
inline std::optional<PendingKey> key_of(const Action& a) {
  switch (a.kind) {
    case Do::deliver:
    case Do::drop:
    case Do::duplicate:
    case Do::mutate:
    case Do::omit: return PendingKey{Do::deliver, a.name.bits()};
    case Do::fire:
    case Do::submit: return PendingKey{a.kind, a.name.bits()};
    case Do::complete:  // a failing one is marked as a copy
      return PendingKey{a.kind,
                        Name(a.name.from(), a.name.to(), a.name.type(), a.name.nth()).bits()};
    default: return std::nullopt;
  }
}

// Everything that two orders of independent steps must agree on, readable when they do not.
inline std::string state_text(const World& world) {
  const Pending& p = world.pending();
  std::string out = fmt::format("causal {} digest {}\n", to_hex(world.causal_hash()),
                                to_hex(world.digest_from_scratch()));
  for (NodeId id = 0; id < p.nodes; ++id)
    out += fmt::format("node {} up {} paused {} time {} outcomes {} {}\n", id, world.runs(id),
                       p.paused.has(static_cast<std::uint32_t>(id)), world.local_time(id),
                       world.crash_outcomes(id).size(), to_json(world.inspect(id)));
  std::vector<std::string> lines;
  const auto line = [&](std::string_view what, const Slot& slot, const std::string& more) {
    lines.push_back(fmt::format("{} {:016x} id {} {} held {} {}\n", what, slot.name.bits(),
                                to_hex(slot.id), slot.at != kNone ? "enabled" : "not",
                                slot.holders(), more));
  };
  for (std::uint32_t s = 0; s < p.flights.size(); ++s)
    if (p.flights[s].alive())
      line("flight", p.flights[s],
           to_json(p.flights[s].body->type->to_value(p.flights[s].body->content())));
  for (std::uint32_t s = 0; s < p.timers.size(); ++s)
    if (p.timers[s].alive()) line("timer", p.timers[s], std::to_string(p.timers[s].due));
  for (std::uint32_t s = 0; s < p.waits.size(); ++s)
    if (p.waits[s].alive())
      line("wait", p.waits[s], fmt::format("{} {}", p.waits[s].done.tag, p.waits[s].place));
  for (std::uint32_t s = 0; s < p.askings.size(); ++s)
    if (p.askings[s].alive()) line("asking", p.askings[s], std::to_string(p.askings[s].target));
  for (NodeId from = 0; from < p.nodes; ++from)
    for (NodeId to = 0; to < p.nodes; ++to)
      if (world.cut(from, to)) lines.push_back(fmt::format("cut {} {}\n", from, to));
  std::sort(lines.begin(), lines.end());
  for (const std::string& l : lines) out += l;
  const Faults& f = p.left;
  out += fmt::format("left {} {} {} {} {} {} {} {} {} {}; clock {}; calm {}\n", f.drop, f.duplicate,
                     f.mutate, f.inject, f.omit, f.crash, f.pause, f.cut, f.partition, f.disk_error,
                     world.clock(), world.calm());
  return out;
}

// ---- a recorded run, and what happened before what -------------------------------------------

struct Step {
  Move move;
  std::string label;           // what it is, in every order of independent steps
  std::vector<Touch> touched;  // before and by its effects
  int creator = -1;            // which step made what it takes; -1: the start, or nothing
};

inline bool before(const std::vector<Step>& steps, std::size_t i, std::size_t j) {
  return steps[j].creator == static_cast<int>(i) || dependent(steps[i].touched, steps[j].touched);
}

inline constexpr std::size_t kStepsMax = 256;

// The labelled happens-before order as text: equal texts, equal classes. This is the definition
// that the causal hash has to agree with.
inline std::string canonical(const std::string& start, const std::vector<Step>& steps) {
  const std::size_t n = steps.size();
  std::vector<std::string> labels;
  std::map<std::string, int> seen;
  for (const Step& step : steps)
    labels.push_back(step.label + " #" + std::to_string(seen[step.label]++));
  std::vector<std::bitset<kStepsMax>> past(n);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = j; i-- > 0;)
      if (!past[j][i] && before(steps, i, j)) past[j] |= past[i], past[j].set(i);
  std::vector<std::size_t> sorted(n);
  for (std::size_t i = 0; i < n; ++i) sorted[i] = i;
  std::sort(sorted.begin(), sorted.end(),
            [&](std::size_t a, std::size_t b) { return labels[a] < labels[b]; });
  std::string out = start;
  for (const std::size_t j : sorted) {
    out += "\n" + labels[j] + " after ";
    for (const std::size_t i : sorted) out += past[j][i] ? '1' : '0';
  }
  return out;
}

// A world that is driven move by move, with what the slow definitions need kept beside it.
class Play {
 public:
  explicit Play(Setup setup, std::uint64_t choices = 0, std::vector<Observer> observers = {})
      : setup_(std::move(setup)), chooser_(choices) {
    world_.listen(kEveryEvent);
    world_.observe(std::move(observers));
    world_.attend(&chooser_, false);
    restart();
  }
  Play(const Play&) = delete;
  Play& operator=(const Play&) = delete;

  void restart() {
    chooser_.about_to({});
    world_.reset(setup_);
    steps_.clear();
    born_.clear();
    alive_ = pending_keys(world_);
    for (const PendingKey& key : alive_) born_[key] = -1;
    resurrected_ = false;
    macros_.clear();
    start_ = fmt::format("seed {}", setup_.node_seed);
    for (const Action& choice : world_.decisions())
      start_ += fmt::format(" {:x}", choice.name.bits());
  }

  // Applied as a replay would: the hint may be stale, only the name counts.
  Refusal apply(const Move& move) {
    Step step{move, move.text(), touches(world_, move.action), -1};
    if (const auto key = key_of(move.action))
      if (const auto found = born_.find(*key); found != born_.end()) step.creator = found->second;
    Action action = move.action;
    if (move.carries()) action = with_content(action, world_.add_content(move.content));
    chooser_.about_to(action);
    const std::size_t decided = world_.decisions().size();
    if (const Refusal refusal = world_.apply(action); refusal != Refusal::none) return refusal;
    for (std::size_t i = decided + 1; i < world_.decisions().size(); ++i)
      step.label += fmt::format(" choice {:x}", world_.decisions()[i].name.bits());
    for (const Touch& touch : touched_by_effects(world_)) step.touched.push_back(touch);
    if (action.kind == Do::begin) macros_.push_back(macro_of(action));
    if (action.kind == Do::end) macros_.pop_back();
    auto now = pending_keys(world_);
    for (const PendingKey& key : now) {
      if (std::binary_search(alive_.begin(), alive_.end(), key)) continue;
      if (!born_.emplace(key, static_cast<int>(steps_.size())).second) resurrected_ = true;
    }
    alive_ = std::move(now);
    steps_.push_back(std::move(step));
    return Refusal::none;
  }

  std::vector<Move> moves(Rng& rng) const { return enabled_moves(world_, rng, macros_); }

  // A move that goes on with the protocol, or now and then any move at all.
  std::optional<Move> random_move(Rng& rng, double faults = 0.3) const {
    auto all = moves(rng);
    if (all.empty()) return std::nullopt;
    if (!rng.chance(faults)) {
      std::vector<Move> progress;
      for (const Move& move : all)
        if (is_progress(move.action)) progress.push_back(move);
      if (!progress.empty()) all = std::move(progress);
    } else {
      // By kind first: there are many more fates of messages than of nodes.
      std::set<Do> kinds;
      for (const Move& move : all) kinds.insert(move.action.kind);
      auto kind = kinds.begin();
      std::advance(kind, static_cast<std::ptrdiff_t>(rng.below(kinds.size())));
      std::erase_if(all, [&](const Move& move) { return move.action.kind != *kind; });
    }
    return all[rng.below(all.size())];
  }

  // Random moves; false, with the move, where one that is listed as enabled was refused.
  bool go(Rng& rng, std::size_t length, std::string* problem = nullptr, double faults = 0.3) {
    for (std::size_t i = 0; i < length; ++i) {
      const auto move = random_move(rng, faults);
      if (!move) return true;
      const Refusal refusal = apply(*move);
      if (refusal == Refusal::none) continue;
      if (problem) *problem = move->text() + ": " + std::string(refusal_text(refusal));
      return false;
    }
    return true;
  }

  // The given moves from the beginning; false where one does not apply.
  bool again(const std::vector<Move>& moves) {
    restart();
    for (const Move& move : moves)
      if (apply(move) != Refusal::none) return false;
    return true;
  }

  static bool is_progress(const Action& a) {
    switch (a.kind) {
      case Do::deliver:
      case Do::fire:
      case Do::submit:
      case Do::restart:
      case Do::resume:
      case Do::end:
      case Do::heal: return true;
      case Do::complete: return a.name.copy() == 0;
      default: return false;
    }
  }

  SimWorld& world() { return world_; }
  const SimWorld& world() const { return world_; }
  const std::vector<Step>& steps() const { return steps_; }
  std::vector<Move> done() const {
    std::vector<Move> out;
    for (const Step& step : steps_) out.push_back(step.move);
    return out;
  }
  const std::string& start() const { return start_; }
  std::string form() const { return canonical(start_, steps_); }
  int born(const PendingKey& key) const { return born_.at(key); }
  bool knows(const PendingKey& key) const { return born_.contains(key); }
  bool resurrected() const { return resurrected_; }
  const Setup& setup() const { return setup_; }

 private:
  Setup setup_;
  Chooser chooser_;
  SimWorld world_;
  std::vector<Step> steps_;
  std::string start_;
  std::map<PendingKey, int> born_;
  std::vector<PendingKey> alive_;
  std::vector<Macro> macros_;
  bool resurrected_ = false;
};

// Another order of the same steps: a random walk by swaps of neighbours that are independent.
inline std::vector<std::size_t> another_order(const std::vector<Step>& steps, Rng& rng,
                                              std::size_t swaps) {
  std::vector<std::size_t> order(steps.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (order.size() < 2) return order;
  for (std::size_t k = 0; k < swaps; ++k) {
    const std::size_t at = rng.below(order.size() - 1);
    const std::size_t a = order[at], b = order[at + 1];
    const bool free = !dependent(steps[a].touched, steps[b].touched) &&
                      steps[b].creator != static_cast<int>(a) &&
                      steps[a].creator != static_cast<int>(b);
    if (free) std::swap(order[at], order[at + 1]);
  }
  return order;
}

inline std::vector<Move> in_order(const std::vector<Step>& steps,
                                  const std::vector<std::size_t>& order) {
  std::vector<Move> out;
  for (const std::size_t i : order) out.push_back(steps[i].move);
  return out;
}

// So that a failure can be read: what the run did.
inline std::string story(const Play& play) {
  std::string out = play.setup().system->name + " nodes " + std::to_string(play.setup().nodes);
  const WorldOptions& o = play.setup().options;
  const Faults& f = o.faults;
  out += fmt::format(
      " down={} cut={} links={} disk={} completions={} faults drop {} duplicate {} mutate {} "
      "inject {} crash {} pause {} cut {} partition {} disk-error {} down-max {}{}",
      enum_name(o.down), enum_name(o.cut), enum_name(o.links), enum_name(o.disk),
      enum_name(o.completions), f.drop, f.duplicate, f.mutate, f.inject, f.crash, f.pause, f.cut,
      f.partition, f.disk_error, o.down_max, o.scripted ? " scripted" : "");
  for (const Step& step : play.steps()) out += "\n  " + step.label;
  return out;
}

}  // namespace schism::contract
