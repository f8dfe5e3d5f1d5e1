// What is enabled in a world of processes, and how it looks from outside.
#include <algorithm>
#include <cassert>

#include "schism/process/node_process.hpp"
#include "schism/process/process_world.hpp"
#include "schism/system/system.hpp"

namespace schism {

const Capabilities& ProcessWorld::capabilities() const {
  static constexpr Capabilities can{
      .exact_replay = false, .snapshots = false, .virtual_clock = false, .can_quiesce = true};
  return can;
}

Status ProcessWorld::check(const Setup& setup) {
  const WorldOptions& o = setup.options;
  const std::string_view who = "a world of processes (--world place=processes)";
  if (o.forked) return error("{}: forked=true is for nodes in this process", who);
  if (o.faults.pause + o.faults.inject > 0)
    return error("{} has no faults of the kinds pause and inject", who);
  if (setup.system->crash_notice && setup.system->crash_notice(setup).type >= 0)
    return error("{} has no failure detector, which {} needs", who, setup.system->name);
  const auto readable = [](const TypeInfo& type) {
    // A field that is an expression can be shown, and not set.
    if (!type.construct || type.field_names.find('(') != std::string_view::npos) return false;
    BodyPool pool;
    Body* body = pool.build(type);
    const bool good = type.from_value(type.to_value(body->content()), body->content());
    pool.release(body);
    return good;
  };
  for (const NodeClass* c : setup.system->classes) {
    if (!readable(*c->state))
      return error("{}: what {} shows of itself cannot be read back from its process", who,
                   c->state->name);
    for (int i = 0; i < c->message_count; ++i)
      if (!readable(*c->messages[i]))
        return error("{}: {} cannot be read back from a socket", who, c->messages[i]->name);
  }
  return {};
}

// ---- what is enabled -----------------------------------------------------------------------

Refusal ProcessWorld::in_its_way(const Flight& flight) const {
  if (!at(flight.name.to()).up && setup_.options.down != WhenDown::empty) return Refusal::node_down;
  return cut(flight.name.from(), flight.name.to()) ? Refusal::link_cut : Refusal::none;
}

Refusal ProcessWorld::why_not(Do kind, std::uint32_t slot) const {
  const Slot& s = pending_.slot(kind, slot);
  if (s.held()) return Refusal::held;
  switch (kind) {
    case Do::fire: return at(s.name.from()).up ? Refusal::none : Refusal::node_down;
    case Do::complete: {
      if (!at(s.name.from()).up) return Refusal::node_down;
      if (setup_.options.disk == DiskUse::sync) return Refusal::not_first;
      const bool first = at(s.name.from()).waits.front() == slot;
      return first || setup_.options.completions == DiskOrder::any ? Refusal::none
                                                                   : Refusal::not_first;
    }
    case Do::submit: {
      const NodeId target = pending_.askings[slot].target;
      return target == kAnyNode || at(target).up ? Refusal::none : Refusal::node_down;
    }
    default: break;
  }
  const Flight& flight = pending_.flights[slot];
  if (const Refusal why = in_its_way(flight); why != Refusal::none) return why;
  const bool first = on_link_[link(flight.name.from(), flight.name.to())].front() == slot;
  return first || setup_.options.links == LinkOrder::any ? Refusal::none : Refusal::not_first;
}

void ProcessWorld::refresh(Do kind, std::uint32_t slot) {
  const auto set = [&](auto& table, Dense& dense, bool on) {
    if (on == (table[slot].at != kNone)) return;
    if (on) dense.add(table, slot);
    else dense.remove(table, slot);
    if (kind == Do::fire) pending_.armed_total += on ? 1U : ~0U;
  };
  const bool on = pending_.slot(kind, slot).alive() && why_not(kind, slot) == Refusal::none;
  switch (kind) {
    case Do::fire: {
      const auto timer = static_cast<std::size_t>(pending_.timers[slot].name.type());
      return set(pending_.timers, pending_.armed[timer], on);
    }
    case Do::complete: return set(pending_.waits, pending_.completable, on);
    case Do::submit: {
      const Asking& asking = pending_.askings[slot];
      const bool anywhere = asking.target == kAnyNode;
      return set(pending_.askings, anywhere ? pending_.desk(asking.name).askable : pending_.askable,
                 on);
    }
    default: return set(pending_.flights, pending_.deliverable, on);
  }
}

// After a fault: there are few events pending, and few faults.
void ProcessWorld::refresh_all() {
  pending_.each([&](Do kind, std::uint32_t slot) { refresh(kind, slot); });
}

void ProcessWorld::forget(Do kind, std::uint32_t slot) {
  const auto away = [&](auto& table, Dense& dense) {
    if (table[slot].at != kNone) {
      dense.remove(table, slot);
      if (kind == Do::fire) --pending_.armed_total;
    }
    table.give_back(slot);
  };
  switch (kind) {
    case Do::fire: {
      const auto timer = static_cast<std::size_t>(pending_.timers[slot].name.type());
      return away(pending_.timers, pending_.armed[timer]);
    }
    case Do::complete: return away(pending_.waits, pending_.completable);
    case Do::submit: {
      const Asking& asking = pending_.askings[slot];
      const bool anywhere = asking.target == kAnyNode;
      return away(pending_.askings,
                  anywhere ? pending_.desk(asking.name).askable : pending_.askable);
    }
    default: break;
  }
  const Name name = pending_.flights[slot].name;
  auto& line = on_link_[link(name.from(), name.to())];
  std::erase(line, slot);
  away(pending_.flights, pending_.deliverable);
  if (!line.empty()) refresh(Do::deliver, line.front());
}

void ProcessWorld::set_hold(Do kind, std::uint32_t slot, Holder who, bool on) {
  switch (kind) {
    case Do::fire: pending_.timers[slot].hold(who, on); break;
    case Do::complete: pending_.waits[slot].hold(who, on); break;
    case Do::submit: pending_.askings[slot].hold(who, on); break;
    default: pending_.flights[slot].hold(who, on); break;
  }
  refresh(kind, slot);
}

void ProcessWorld::refresh_listening() {
  listening_ = wanted_;
  for (const Observer& observer : observers_) listening_ |= observer.mask;
}

// ---- looking at it -------------------------------------------------------------------------

Micros ProcessWorld::base() const { return process::wall_clock() - began_ + shift_; }
Micros ProcessWorld::local_time(NodeId id) const { return clock_of(at(id)); }

Value ProcessWorld::inspect(NodeId id) const {
  const void* object = node(id);
  return object ? node_type(id).to_value(object) : Value();
}

std::vector<CrashOutcome> ProcessWorld::crash_outcomes(NodeId id) const {
  std::vector<CrashOutcome> out;
  const Disk& disk = at(id).disk;
  for (std::uint32_t kept = 0; kept <= disk.unsynced(); ++kept) {
    out.push_back({kept, false});
    if (disk.can_tear(kept)) out.push_back({kept, true});
  }
  return out;
}

Hash128 ProcessWorld::causal_hash() const {
  Hash128 sum = absorb(seeded(setup_.system->name, static_cast<std::uint64_t>(setup_.nodes)),
                       setup_.node_seed);
  sum += other_steps_;
  for (const Node& node : nodes_) sum += node.hash;
  return sum;
}

// The nodes as they show themselves, and what is under way. Who needs more needs snapshots.
Hash128 ProcessWorld::digest_from_scratch() const { return renamed_digest({}); }

Hash128 ProcessWorld::renamed_digest(const Renaming& r) const {
  Hash128 sum = seeded("processes", static_cast<std::uint64_t>(calm_));
  for (NodeId id = 0; id < setup_.nodes; ++id) {
    const Node& node = at(id);
    const Hash128 shown = node.up ? node.type->state->renamed(node.mirror, r) : Hash128{};
    sum += absorb(shown, static_cast<std::uint64_t>(r.node(id)));
  }
  pending_.each([&](Do kind, std::uint32_t slot) {
    const Slot& s = pending_.slot(kind, slot);
    const Name n = kind == Do::submit ? renamed_request(s.name, r) : renamed_message(s.name, r);
    Hash128 h = absorb(scatter(n.bits() & ~std::uint64_t{0xffffffff}),
                       static_cast<std::uint64_t>(kind) << 8 | s.holders());
    if (kind == Do::deliver) {
      const Body& body = *pending_.flights[slot].body;
      h = absorb(h, body.type->renamed(body.content(), r));
    }
    sum += h;
  });
  const Faults& f = pending_.left;
  for (const std::uint32_t left :
       {f.drop, f.duplicate, f.mutate, f.crash, f.cut, f.partition, f.disk_error})
    sum = absorb(sum, left);
  return sum;
}

void ProcessWorld::restore(const Snapshot&) { assert(false && "processes have no snapshots"); }

}  // namespace schism
