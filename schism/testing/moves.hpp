// Every registered system in varied universes, and random moves over everything that is enabled,
// what only a script does included. Header only, for tests; nothing here is fast.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "schism/base/random.hpp"
#include "schism/schema/shape.hpp"
#include "schism/system/systems.hpp"
#include "schism/world/world.hpp"

namespace schism::contract {

// ---- universes -----------------------------------------------------------------------------

// Those that do not take the test's process with them: here nobody forks.
inline std::vector<std::shared_ptr<const System>> sturdy_systems() {
  auto all = systems().sorted();
  std::erase_if(all, [](const auto& system) { return system->fragile; });
  return all;
}

inline bool is_test_system(const System& system) { return system.name.starts_with("test-"); }

template <class E>
E any_of(Rng& rng) {
  return static_cast<E>(rng.below(enum_count<E>()));
}

// Every semantics and every budget, but each budget is often 0: what cannot happen leaves out
// objects, and that must be right too.
inline WorldOptions any_options(Rng& rng) {
  WorldOptions o;
  o.down = any_of<WhenDown>(rng);
  o.cut = any_of<WhenCut>(rng);
  o.links = any_of<LinkOrder>(rng);
  o.disk = rng.chance(0.75) ? DiskUse::async : DiskUse::sync;
  o.completions = any_of<DiskOrder>(rng);
  const auto budget = [&](std::uint64_t most) {
    return rng.chance(0.4) ? 0U : static_cast<std::uint32_t>(1 + rng.below(most));
  };
  o.faults.drop = budget(3);
  o.faults.duplicate = budget(3);
  o.faults.mutate = budget(2);
  o.faults.inject = budget(2);
  o.faults.omit = budget(2);
  // Who lies is not judged, and can be made to say anything.
  if (rng.chance(0.7)) o.liars = {1};
  if (rng.chance(0.3)) o.liars.push_back(0);
  o.faults.crash = budget(4);
  o.faults.pause = budget(3);
  o.faults.cut = budget(3);
  o.faults.partition = budget(2);
  o.faults.disk_error = budget(2);
  o.down_max = static_cast<int>(rng.below(3));
  if (rng.chance(0.2)) o.may_crash = {0};
  if (rng.chance(0.2)) o.skew_us = {5, -3};
  if (rng.chance(0.2)) o.drift_ppm = {100'000, -50'000};
  o.scripted = rng.chance(0.3);
  return o;
}

inline Setup any_setup(const System& system, Rng& rng) {
  Setup setup;
  setup.system = &system;
  const auto config = system.fresh_config();
  for (const Bug& bug : system.bugs)
    if (rng.chance(0.3)) bug.plant(config.get());
  setup.config = config;
  const int wanted = static_cast<int>(rng.between(2, 4));
  setup.nodes = std::clamp(wanted, system.node_range.low, system.node_range.high);
  setup.options = any_options(rng);
  std::erase_if(setup.options.liars, [&](std::int64_t id) { return id >= setup.nodes; });
  std::erase_if(setup.options.may_crash, [&](std::int64_t id) { return id >= setup.nodes; });
  setup.node_seed = rng.next();
  setup.options.twins = !setup.options.liars.empty() && setup.node_seed % 3 == 0;
  return setup;
}

// ---- moves ---------------------------------------------------------------------------------

inline bool carries_content(Do kind) { return kind == Do::mutate || kind == Do::inject; }

struct Move {
  Action action;
  Value content;  // of mutate, inject and a label; the action's index is set when it is applied

  bool carries() const {
    return carries_content(action.kind) || (action.kind == Do::begin && content.as_text());
  }
  std::string text() const {
    std::string out = fmt::format("{}{} {:016x}", action_name(action.kind),
                                  action.free ? " free" : "", action.name.bits());
    if (carries_content(action.kind)) return out + " " + to_json(content);
    return out + fmt::format(" {}", action.arg()) + (carries() ? " " + to_json(content) : "");
  }
};

// Content that a faulty sender might send: the system's own mutator, or just the same again. Only
// the test systems promise to survive other numbers and texts.
inline Value other_content(const System& system, const Flight& flight, Rng& rng) {
  const TypeInfo& type = *flight.body->type;
  const Value content = type.to_value(flight.body->content());
  Value changed = content;
  if (system.mutate) return system.mutate(rng, type, changed) ? changed : content;
  if (!is_test_system(system)) return content;
  for (auto& [name, value] : changed.object()) {
    if (const auto* i = value.as_int()) value = Value(*i + static_cast<std::int64_t>(rng.below(3)));
    else if (const auto* text = value.as_text()) value = Value(*text + "!");
  }
  return fits(*type.schema, changed) ? changed : content;  // words are texts, but not any text
}

// A message that is held, or behind others, can still have a fate if nothing else is in its way.
inline bool has_fate(const World& world, const Flight& flight) {
  const auto to = static_cast<std::uint32_t>(flight.name.to());
  const bool reachable =
      world.runs(flight.name.to()) || world.setup().options.down == WhenDown::empty;
  return flight.alive() && reachable && !world.pending().paused.has(to) &&
         !world.cut(flight.name.from(), flight.name.to());
}

// What only a script does: fates of messages that cannot be delivered now, and all faults for free.
inline void add_scripted_moves(const World& world, Rng& rng, bool in_partition,
                               std::vector<Move>& out) {
  const Pending& pending = world.pending();
  const auto both = [&](std::uint32_t left, bool listed, const Move& move) {
    if (left > 0 && !listed) out.push_back(move);
    out.push_back({for_free(move.action), move.content});
  };
  for (std::uint32_t slot = 0; slot < pending.flights.size(); ++slot) {
    const Flight& flight = pending.flights[slot];
    if (!has_fate(world, flight)) continue;
    const bool listed = flight.at != kNone;
    both(pending.left.drop, listed, {make_action(Do::drop, flight.name, 0, slot), {}});
    if (flight.name.copy() == 0)
      both(pending.left.duplicate, listed, {make_action(Do::duplicate, flight.name, 0, slot), {}});
    else if (pending.left.duplicate > 0 && !listed)
      out.push_back({make_action(Do::duplicate, flight.name, 0, slot), {}});
    if (!world.may_lie(flight.name.from())) continue;
    both(pending.left.omit, listed, {make_action(Do::omit, flight.name, 0, slot), {}});
    both(pending.left.mutate, listed,
         {make_action(Do::mutate, flight.name, 0, slot),
          other_content(*world.setup().system, flight, rng)});
    if (slot == 0)
      both(0, false,
           {make_action(Do::inject,
                        Name(flight.name.from(), flight.name.to(), flight.name.type(), 0)),
            other_content(*world.setup().system, flight, rng)});
  }
  if (pending.down.size() < pending.down_max)
    for (std::uint32_t i = 0; i < pending.crashable.size(); ++i) {
      const auto id = static_cast<NodeId>(pending.crashable[i]);
      for (const CrashOutcome outcome : world.crash_outcomes(id))
        both(0, false, {node_action(Do::crash, id, outcome.arg()), {}});
    }
  for (std::uint32_t i = 0; i < pending.pausable.size(); ++i)
    both(0, false, {node_action(Do::pause, static_cast<NodeId>(pending.pausable[i])), {}});
  for (std::uint32_t i = 0; i < pending.completable.size(); ++i)
    both(0, false, {failing(pending.nth(Do::complete, i)), {}});
  for (std::uint32_t i = 0; i < pending.cuttable.size(); ++i) {
    const int id = static_cast<int>(pending.cuttable[i]);
    both(0, false, {link_action(Do::cut, id / pending.nodes, id % pending.nodes), {}});
  }
  if (!in_partition) both(0, false, {begin_macro(Macro::partition), {}});
}

// Everything that the world says is enabled now.
inline std::vector<Move> enabled_moves(const World& world, Rng& rng,
                                       const std::vector<Macro>& macros) {
  const Pending& pending = world.pending();
  const bool in_partition =
      std::find(macros.begin(), macros.end(), Macro::partition) != macros.end();
  std::vector<Move> out;
  for (const Do kind : {Do::deliver, Do::drop, Do::duplicate, Do::fire, Do::complete, Do::submit,
                        Do::restart, Do::pause, Do::resume, Do::heal})
    for (std::uint32_t i = 0; i < pending.count(kind); ++i)
      out.push_back({pending.nth(kind, i), {}});
  for (std::uint32_t i = 0; i < pending.count(Do::crash); ++i) {
    const NodeId id = pending.nth(Do::crash, i).name.from();
    for (const CrashOutcome outcome : world.crash_outcomes(id))
      out.push_back({node_action(Do::crash, id, outcome.arg()), {}});
  }
  for (NodeId id = 0; id < pending.nodes && pending.left.inject > 0; ++id)
    if (world.liar(id) && world.runs(id))  // it forgets, or goes back to an older disk
      for (std::uint32_t syncs = 0; syncs <= world.syncs(id); ++syncs)
        out.push_back({node_action(Do::restart, id, syncs), {}});
  if (pending.left.disk_error > 0)
    for (std::uint32_t i = 0; i < pending.completable.size(); ++i)
      out.push_back({failing(pending.nth(Do::complete, i)), {}});
  for (std::uint32_t i = 0; i < pending.deliverable.size(); ++i) {
    const std::uint32_t slot = pending.deliverable[i];
    const Flight& flight = pending.flights[slot];
    if (!world.may_lie(flight.name.from())) continue;
    if (pending.left.omit > 0) out.push_back({make_action(Do::omit, flight.name, 0, slot), {}});
    if (pending.left.mutate > 0)
      out.push_back({make_action(Do::mutate, flight.name, 0, slot),
                     other_content(*world.setup().system, flight, rng)});
    // A forged message looks like one that is in flight.
    if (pending.left.inject > 0 && i < 4)
      out.push_back({make_action(Do::inject,
                                 Name(flight.name.from(), flight.name.to(), flight.name.type(), 0)),
                     other_content(*world.setup().system, flight, rng)});
  }
  // Inside a partition cuts are free of charge.
  if (pending.left.cut > 0 || in_partition)
    for (std::uint32_t i = 0; i < pending.cuttable.size(); ++i) {
      const int id = static_cast<int>(pending.cuttable[i]);
      out.push_back({link_action(Do::cut, id / pending.nodes, id % pending.nodes), {}});
    }
  constexpr std::size_t deepest = 3;
  if (!macros.empty()) out.push_back({end_macro(Macro::other), {}});
  if (pending.left.partition > 0 && !in_partition)
    out.push_back({begin_macro(Macro::partition), {}});
  if (pending.left.partition + pending.left.cut > 0 && macros.size() < deepest)
    out.push_back({begin_macro(Macro::other), {}});
  if (world.setup().options.scripted) {
    add_scripted_moves(world, rng, in_partition, out);
    if (macros.size() < deepest)
      for (const Value& label : {Value(), Value("one")})
        out.push_back({begin_macro(Macro::scenario), label});
  }
  return out;
}

// Answers choices by a function of the step that asks, so that they do not shift when steps do.
class Chooser final : public Attendant {
 public:
  explicit Chooser(std::uint64_t seed) : seed_(seed) {}
  void about_to(const Action& action) {
    key_ = mix64(action.name.bits()) ^ static_cast<std::uint64_t>(action.kind);
    nth_ = 0;
  }
  void on_pending(World&, Do, std::uint32_t) override {}
  std::uint32_t on_choice(World&, std::uint32_t n) override {
    return static_cast<std::uint32_t>(scale_below(keyed(seed_, key_, nth_++), n));
  }

 private:
  std::uint64_t seed_, key_ = 0, nth_ = 0;
};

}  // namespace schism::contract
