// Inside SimWorld: what every step goes through, shared by the files that implement it.
#pragma once

#include "schism/guard/black_box.hpp"
#include "schism/sim/sim_world.hpp"

namespace schism {

// What an event is, for the histories of the objects that it touches.
inline Hash128 label_of(Do kind, const Hash128& id) {
  const auto k = static_cast<std::uint64_t>(kind) + 1;
  return {id.lo + k * 0x9e3779b97f4a7c15ULL, id.hi + k * 0xc2b2ae3d27d4eb4fULL};
}
inline Hash128 label_of(Do kind, Name name) { return label_of(kind, scatter(name.bits())); }

// Called once it is certain that the action applies.
inline void SimWorld::begin_step(const Action& action, std::uint32_t slot) {
  for (Body* body : retired_) pool_.release(body);
  retired_.clear();
  events_.clear();
  step_mask_ = 0;
  ++step_;
  created_ = 0;
  // Deliveries, timers and disks change nodes and messages only.
  if (action.kind > Do::deliver && action.kind != Do::fire && action.kind != Do::complete)
    rest_changed_ = true;
  decisions_.push_back(action);
  decisions_.back().hint = slot & kHintMax;
  if (auto* box = guard::BlackBox::active()) box->begin_step(step_, decisions_.back());
}

inline void SimWorld::mark_dirty(NodeState& node) {
  if (!keep_digest_ || node.dirty) return;
  node.dirty = true;
  dirty_.push_back(static_cast<NodeId>(&node - nodes_.data()));
}

inline void SimWorld::enter(NodeId id, const Hash128& label, Do kind, Name name) {
  NodeState& node = at(id);
  current_ = &node;
  here_ = id;
  self = identity(id);
  restarts = node.restarts;
  label_ = label;
  trigger_ = name.bits() ^ static_cast<std::uint64_t>(kind) << 58;
  draws_ = 0;
  clock_read_ = false;
  mark_dirty(node);
  total_ -= node.hash;
  node.hash = absorb(node.hash, label);
}

// Every call of a system's code. A process that dies in it leaves its number behind, and a world
// that knows of the death stops before it.
template <class F>
inline void SimWorld::handle(F&& handler) {
  ++calls_;
  if (setup_.death) {
    if (died_) return;
    if (dies_at(step_, true)) return die(here_);
  }
  auto* const box = guard::BlackBox::active();
  if (box) box->enter(calls_);
  try {
    handler();
  } catch (const std::exception& exception) {
    threw(&exception);
  } catch (...) {
    threw(nullptr);
  }
  if (box) box->leave();  // does not come back where the system has forked itself
}

inline bool SimWorld::dies_at(std::uint32_t step, bool inside) const {
  const Death& death = *setup_.death;
  return death.inside == inside && death.step == step && death.call == calls_;
}

inline void SimWorld::leave() {
  total_ += current_->hash;
  if (!observers_.empty()) touch_observers(label_);
  current_ = nullptr;
}

// touches.hpp says which objects each action touches, and how; this is the same in hashes.
inline void SimWorld::touch(Hash128& object, const Hash128& label) {
  total_ -= object;
  object = absorb(object, label);
  total_ += object;
}

// The uses since the last exclusive touch are a set: they commute with each other.
inline void SimWorld::touch_gate(NodeState& node, const Hash128& label) {
  if (!gates_nodes_) return;
  touch(node.gate, absorb(label, node.gate_uses));
  node.gate_uses = {};
}

inline void SimWorld::touch_gate(LinkGate& gate, const Hash128& label) {
  touch(gate.hash, absorb(label, gate.uses));
  gate.uses = {};
}

// Forged messages and copies are numbered, so their order matters whoever pays for them.
inline void SimWorld::touch_fate(const Action& action, Name message, const Hash128& label) {
  const NodeId from = message.from(), to = message.to();
  if (!action.free || action.kind == Do::inject || action.kind == Do::duplicate)
    touch(budgets_[static_cast<std::size_t>(action.kind)], label);
  if (gates_nodes_) at(to).gate_uses += label;
  if (gates_links_) link_gates_[link_index(from, to)].uses += label;
  if (!link_order_.empty()) touch(link_order_[link_index(from, to)], label);
}

inline void SimWorld::emit(Happened kind, NodeId node, NodeId peer, std::uint64_t value,
                           const Body* body, std::uint16_t detail, bool flag) {
  if (!(listening & mask_of(kind))) return;
  step_mask_ |= mask_of(kind);
  events_.push_back({kind, flag, static_cast<std::uint16_t>(node), static_cast<std::uint16_t>(peer),
                     detail, value, body ? body->content() : nullptr, body ? body->type : nullptr});
}

// Budgets: free actions are for those who play by a script.
inline Refusal SimWorld::afford(const Action& action, std::uint32_t left) const {
  if (action.free) return setup_.options.scripted ? Refusal::none : Refusal::not_allowed;
  return left > 0 ? Refusal::none : Refusal::out_of_budget;
}

inline void SimWorld::pay(const Action& action, std::uint32_t& left) {
  if (!action.free) --left;
}

// Runs that differ in who paid are different ones.
inline Hash128 paid(const Action& action, const Hash128& label) {
  return action.free ? absorb(label, 0x66726565U) : label;
}

// Two states that differ in who holds what have different futures; an event that nobody holds is as
// if there were no holds.
inline Hash128 with_holders(const Slot& slot, const Hash128& content) {
  return slot.held() ? absorb(content, 0x68656c6400U + slot.holders()) : content;
}

inline Name SimWorld::next_name(NodeId from, NodeId to, int type) {
  std::uint32_t& count = sent_[link_index(from, to) * static_cast<std::size_t>(message_types_) +
                               static_cast<std::size_t>(type)];
  return {from, to, type, count++};
}

inline Hash128 SimWorld::content_of(const Flight& flight) const {
  const std::uint64_t way = flight.name.bits() & ~std::uint64_t{0xffffffff};  // from, to, type
  return with_holders(flight, absorb(flight.body->type->hash(flight.body->content()), way));
}

inline void SimWorld::launch(Link& link, Name name, Body* body, const Hash128& id,
                             std::uint32_t group) {
  const std::uint32_t slot = pending_.flights.take(group);
  Flight& flight = pending_.flights[slot];
  flight.id = id;
  flight.name = name;
  flight.body = body;
  flight.created = step_;
  flight.due = 0;
  flight.next = kNone;
  flight.prev = link.tail;
  if (link.tail != kNone) pending_.flights[link.tail].next = slot;
  else link.head = slot;
  link.tail = slot;
  if (keep_digest_) in_flight_ += content_of(flight);
  // It may hold it, or hold and release it.
  if (sees_pending_) attendant_->on_pending(*this, Do::deliver, slot);
  const Flight& now = pending_.flights[slot];
  if (now.at == kNone && why_not(now) == Refusal::none)
    pending_.deliverable.add(pending_.flights, slot);
}

// Whatever keeps every message on its way back, not this one alone.
inline Refusal SimWorld::in_its_way(const Flight& flight) const {
  const NodeState& receiver = at(flight.name.to());
  if (!receiver.up && setup_.options.down != WhenDown::empty) return Refusal::node_down;
  if (receiver.paused) return Refusal::node_paused;
  if (link(flight.name.from(), flight.name.to()).cut) return Refusal::link_cut;
  return Refusal::none;
}

inline Refusal SimWorld::why_not(const Flight& flight) const {
  if (flight.held()) return Refusal::held;
  if (const Refusal why = in_its_way(flight); why != Refusal::none) return why;
  if (setup_.options.links == LinkOrder::fifo && flight.prev != kNone) return Refusal::not_first;
  return Refusal::none;
}

// Its body is still alive: it is retired by the caller, or moved on.
inline void SimWorld::remove_flight(std::uint32_t slot) {
  Flight& flight = pending_.flights[slot];
  if (keep_digest_) in_flight_ -= content_of(flight);
  if (flight.at != kNone) pending_.deliverable.remove(pending_.flights, slot);
  Link& on = link(flight.name.from(), flight.name.to());
  if (flight.prev != kNone) pending_.flights[flight.prev].next = flight.next;
  else on.head = flight.next;
  if (flight.next != kNone) pending_.flights[flight.next].prev = flight.prev;
  else on.tail = flight.prev;
  const std::uint32_t first = on.head;
  pending_.flights.give_back(slot);
  if (setup_.options.links == LinkOrder::fifo && first != kNone) refresh(first);
}

}  // namespace schism
