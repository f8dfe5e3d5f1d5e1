// What goes wrong: other fates of messages, crashes, pauses, cut links, and the calm after them.
#include <algorithm>
#include <cassert>

#include "schism/base/difference.hpp"
#include "schism/sim/step.hpp"
#include "schism/system/system.hpp"

namespace schism {

// ---- fates of a message --------------------------------------------------------------------

// What can be delivered can also be lost, copied or changed. So can, in a script, what is held or
// not first; and in systematic search what waits for a node that is down.
Refusal SimWorld::why_no_fate(const Flight& flight) const {
  if (flight.at != kNone) return Refusal::none;
  const Refusal why = setup_.options.scripted ? in_its_way(flight) : why_not(flight);
  if (why != Refusal::node_down || !setup_.options.fates_while_down) return why;
  const bool first = setup_.options.links == LinkOrder::any || flight.prev == kNone;
  return first || setup_.options.scripted ? Refusal::none : why;
}

Refusal SimWorld::drop(const Action& action) {
  const std::uint32_t slot = find_flight(action);
  if (slot == kNone) return Refusal::not_pending;
  if (const Refusal no = afford(action, pending_.left.drop); no != Refusal::none) return no;
  const Flight flight = pending_.flights[slot];
  if (const Refusal why = why_no_fate(flight); why != Refusal::none) return why;
  begin_step(action, slot);
  pay(action, pending_.left.drop);
  remove_flight(slot);
  retire(flight.body);
  const Hash128 label = paid(action, label_of(Do::drop, flight.id));
  total_ += label;  // the message's own history ends here
  touch_fate(action, flight.name, label);
  emit(Happened::dropped, flight.name.to(), flight.name.from(), flight.name.bits(), flight.body);
  touch_observers(label);
  return Refusal::none;
}

Refusal SimWorld::duplicate(const Action& action) {
  const std::uint32_t slot = find_flight(action);
  if (slot == kNone) return Refusal::not_pending;
  if (const Refusal no = afford(action, pending_.left.duplicate); no != Refusal::none) return no;
  const Flight flight = pending_.flights[slot];
  if (const Refusal why = why_no_fate(flight); why != Refusal::none) return why;
  const Name original(flight.name.from(), flight.name.to(), flight.name.type(), flight.name.nth());
  int& copies = copies_[original.bits()];
  if (copies + 1 >= kCopiesMax) return Refusal::out_of_budget;
  begin_step(action, slot);
  pay(action, pending_.left.duplicate);
  ++copies;
  const NodeId from = flight.name.from(), to = flight.name.to();
  const Hash128 label = paid(action, label_of(Do::duplicate, flight.id));
  total_ += label;
  pending_.flights[slot].id = absorb(flight.id, 1);
  touch_fate(action, flight.name, label);
  const Name name(from, to, flight.name.type(), flight.name.nth(), copies);
  emit(Happened::duplicated, to, from, name.bits(), flight.body);
  launch(link(from, to), name, BodyPool::share(flight.body), absorb(flight.id, 2), flight.group());
  touch_observers(label);
  return Refusal::none;
}

void SimWorld::note_seals(const Body* body) {
  if (!body->type->seals) return;
  // Only read: the walk is one for both uses.
  body->type->seals(const_cast<void*>(body->content()), this, [](void* self, const Seal& seal) {
    auto& world = *static_cast<SimWorld*>(self);
    if (!seal.holds() || !world.seen_.insert(seal.is).second) return;
    world.seen_sum_ += scatter(seal.is);
    world.rest_changed_ = true;
  });
}

Refusal SimWorld::seal(const TypeInfo& type, void* content) const {
  if (!type.seals) return Refusal::none;
  struct Look {
    const SimWorld* world;
    bool forged = false;
  } look{this};
  type.seals(content, &look, [](void* self, const Seal& seal) {
    auto& at = *static_cast<Look*>(self);
    if (at.world->liar(seal.signer)) {
      if (seal.place) *seal.place = seal.should_be;
    } else if (seal.signer >= 0 && seal.holds() && !at.world->seen_.contains(seal.is)) {
      at.forged = true;
    }
  });
  return look.forged ? Refusal::forged : Refusal::none;
}

// Without the liars' own signatures, which follow from the rest.
Value SimWorld::unsealed(const TypeInfo& type, const void* content) {
  if (!type.seals) return type.to_value(content);
  Body* copy = pool_.copy(type, content);
  type.seals(copy->content(), this, [](void* self, const Seal& seal) {
    if (static_cast<SimWorld*>(self)->liar(seal.signer) && seal.place) *seal.place = 0;
  });
  Value out = type.to_value(copy->content());
  pool_.release(copy);
  return out;
}

// What a lie may hold depends on what liars have received.
void SimWorld::touch_liars(const Hash128& label) {
  if (liars_.empty()) return;
  for (NodeId id = 0; id < places_; ++id) {
    if (!liar(id)) continue;
    mark_dirty(at(id));
    touch(at(id).hash, label);
  }
}

Refusal SimWorld::mutate(const Action& action) {
  const std::uint32_t slot = find_flight(action);
  if (slot == kNone) return Refusal::not_pending;
  if (!may_lie(action.name.from())) return Refusal::not_a_liar;
  if (const Refusal no = afford(action, pending_.left.mutate); no != Refusal::none) return no;
  const Flight before = pending_.flights[slot];
  if (const Refusal why = why_no_fate(before); why != Refusal::none) return why;
  const TypeInfo& type = *before.body->type;
  const std::uint32_t index = action.arg();
  if (index >= contents_.size() || !type.copy) return Refusal::bad_content;
  const bool differs = is_difference(contents_[index]);  // from what it was taken of, below
  const auto content = differs ? told(unsealed(type, before.body->content()), contents_[index])
                               : std::optional(contents_[index]);
  if (!content) return Refusal::bad_content;
  Body* body = pool_.copy(type, before.body->content());
  const bool fits = type.from_value(*content, body->content());
  const Refusal why = fits ? seal(type, body->content()) : Refusal::bad_content;
  if (why != Refusal::none) {
    pool_.release(body);
    return why;
  }
  begin_step(action, slot);
  pay(action, pending_.left.mutate);
  contents_[index] = type.to_value(body->content());
  differences_.resize(contents_.size());
  differences_[index] =
      schism::difference(unsealed(type, before.body->content()), unsealed(type, body->content()));
  Flight& flight = pending_.flights[slot];
  if (keep_digest_) in_flight_ -= content_of(flight);
  flight.body = body;
  if (keep_digest_) in_flight_ += content_of(flight);
  retire(before.body);
  const Hash128 label =
      paid(action, absorb(label_of(Do::mutate, before.id), type.hash(body->content())));
  total_ += label;
  flight.id = absorb(before.id, label);
  touch_fate(action, flight.name, label);
  touch_liars(label);
  emit(Happened::mutated, flight.name.to(), flight.name.from(), flight.name.bits(), body);
  touch_observers(label);
  return Refusal::none;
}

Refusal SimWorld::omit(const Action& action) {
  const std::uint32_t slot = find_flight(action);
  if (slot == kNone) return Refusal::not_pending;
  if (!may_lie(action.name.from())) return Refusal::not_a_liar;
  if (const Refusal no = afford(action, pending_.left.omit); no != Refusal::none) return no;
  const Flight flight = pending_.flights[slot];
  if (const Refusal why = why_no_fate(flight); why != Refusal::none) return why;
  begin_step(action, slot);
  pay(action, pending_.left.omit);
  remove_flight(slot);
  retire(flight.body);
  const Hash128 label = paid(action, label_of(Do::omit, flight.id));
  total_ += label;
  touch_fate(action, flight.name, label);
  emit(Happened::omitted, flight.name.to(), flight.name.from(), flight.name.bits(), flight.body);
  touch_observers(label);
  return Refusal::none;
}

// The name says from whom, to whom and of which type; its number is ours.
Refusal SimWorld::inject(const Action& action) {
  const NodeId from = action.name.from(), to = action.name.to();
  const int type_number = action.name.type();
  if (from >= places_ || to >= places_ || type_number >= message_types_)
    return Refusal::not_allowed;
  if (!may_lie(from)) return Refusal::not_a_liar;
  if (const Refusal no = afford(action, pending_.left.inject); no != Refusal::none) return no;
  const TypeInfo& type = *at(to).type->messages[type_number];
  if (action.arg() >= contents_.size() || !type.construct) return Refusal::bad_content;
  Body* body = pool_.build(type);
  const bool fits = type.from_value(contents_[action.arg()], body->content());
  const Refusal why = fits ? seal(type, body->content()) : Refusal::bad_content;
  if (why != Refusal::none) {
    pool_.release(body);
    return why;
  }
  begin_step(action, 0);
  pay(action, pending_.left.inject);
  contents_[action.arg()] = type.to_value(body->content());
  // Copies of a number that no sender reaches: forged messages do not shift the sender's own.
  const Name name(from, to, type_number, 0xfffffff - injected_++);
  const Hash128 label =
      paid(action, absorb(label_of(Do::inject, name), type.hash(body->content())));
  emit(Happened::injected, to, from, name.bits(), body);
  touch_fate(action, name, label);
  touch_liars(label);
  Link& on = touch_link(from, to);
  const bool lost = (!at(to).up && setup_.options.down == WhenDown::lost) ||
                    (on.cut && setup_.options.cut == WhenCut::loses);
  if (lost) {
    emit(Happened::lost, to, from, name.bits(), body, 0, true);
    retire(body);
  } else {
    launch(on, name, body, absorb(label, 1), 0);
  }
  touch_observers(label);
  return Refusal::none;
}

void SimWorld::lose(std::uint32_t slot) {
  const Flight flight = pending_.flights[slot];
  remove_flight(slot);
  retire(flight.body);
  emit(Happened::lost, flight.name.to(), flight.name.from(), flight.name.bits(), flight.body);
}

// ---- holds ---------------------------------------------------------------------------------

void SimWorld::hold(Do kind, std::uint32_t slot, Holder who) { set_hold(kind, slot, who, true); }
void SimWorld::release(Do kind, std::uint32_t slot, Holder who) {
  set_hold(kind, slot, who, false);
}

void SimWorld::set_hold(Do kind, std::uint32_t slot, Holder who, bool on) {
  switch (kind) {
    case Do::fire:
      pending_.timers[slot].hold(who, on);
      mark_dirty(at(pending_.timers[slot].name.from()));
      return refresh_timer(slot);
    case Do::complete:
      pending_.waits[slot].hold(who, on);
      mark_dirty(at(pending_.waits[slot].name.from()));
      return refresh_wait(slot);
    case Do::submit:
      pending_.askings[slot].hold(who, on);
      rest_changed_ = true;
      return refresh_asking(slot);
    default: break;
  }
  Flight& flight = pending_.flights[slot];
  if (keep_digest_) in_flight_ -= content_of(flight);
  flight.hold(who, on);
  if (keep_digest_) in_flight_ += content_of(flight);
  refresh(slot);
}

void SimWorld::refresh_timer(std::uint32_t slot) {
  const Armed& armed = pending_.timers[slot];
  Dense& all = pending_.armed[static_cast<std::size_t>(armed.name.type())];
  const bool enabled = !at(armed.name.from()).paused && !armed.held();
  if (enabled == (armed.at != kNone)) return;
  if (enabled) all.add(pending_.timers, slot), ++pending_.armed_total;
  else all.remove(pending_.timers, slot), --pending_.armed_total;
}

// ---- nodes ---------------------------------------------------------------------------------

void SimWorld::refresh_link(NodeId from, NodeId to) {
  const Link& on = link(from, to);
  if (on.run != run_) return;
  for (std::uint32_t slot = on.head; slot != kNone; slot = pending_.flights[slot].next)
    refresh(slot);
}

void SimWorld::refresh_node(NodeId id) {
  NodeState& node = at(id);
  sets_changed_ = true;
  for (NodeId from = 0; from < places_; ++from) refresh_link(from, id);
  for (const TimerKey& key : node.timers)
    if (key.slot != kNone) refresh_timer(key.slot);
  for (std::uint32_t slot = node.wait_head; slot != kNone; slot = pending_.waits[slot].next)
    refresh_wait(slot);
  for (std::uint32_t slot = 0; slot < pending_.askings.size(); ++slot)
    if (pending_.askings[slot].alive()) refresh_asking(slot);
  const auto number = static_cast<std::uint32_t>(id);
  const bool live = node.up && !node.paused;
  live ? pending_.live.add(number) : pending_.live.remove(number);
  pending_.attend_desks(number, live);
  node.up ? pending_.down.remove(number) : pending_.down.add(number);
  node.paused ? pending_.paused.add(number) : pending_.paused.remove(number);
  live ? pending_.pausable.add(number) : pending_.pausable.remove(number);
  const auto& allowed = setup_.options.may_crash;
  const bool may =
      allowed.empty() || std::find(allowed.begin(), allowed.end(), identity(id)) != allowed.end();
  node.up&& may ? pending_.crashable.add(number) : pending_.crashable.remove(number);
}

Refusal SimWorld::crash(const Action& action) {
  const NodeId id = action.name.from();
  if (id >= places_) return Refusal::not_allowed;
  NodeState& node = at(id);
  if (!node.up) return Refusal::node_down;
  if (const Refusal no = afford(action, pending_.left.crash); no != Refusal::none) return no;
  if (!pending_.crashable.has(static_cast<std::uint32_t>(id)) ||
      pending_.down.size() >= pending_.down_max)
    return Refusal::not_allowed;
  const CrashOutcome outcome = CrashOutcome::of(action.arg());
  if (outcome.kept > node.disk.unsynced() || (outcome.torn && !node.disk.can_tear(outcome.kept)))
    return Refusal::not_allowed;
  begin_step(action, 0);
  pay(action, pending_.left.crash);
  const Hash128 label = paid(action, absorb(label_of(Do::crash, action.name), outcome.arg()));
  enter(id, label, Do::crash, action.name);
  emit(Happened::crashed, id, id, outcome.arg());

  stop_handlers(node);
  node.disk.crash(pool_, outcome);
  if (setup_.options.down == WhenDown::lost)
    for (NodeId from = 0; from < places_; ++from) {
      const Link& on = link(from, id);
      while (on.run == run_ && on.head != kNone) lose(on.head);
    }
  node.up = false;
  views_[static_cast<std::size_t>(id)].object = nullptr;
  node.paused = false;
  touch_gate(node, label);
  if (!action.free || pending_.down_max < static_cast<std::uint32_t>(places_))
    touch(budgets_[static_cast<std::size_t>(Do::crash)], label);
  refresh_node(id);
  free_clients(node, label);
  if (notice_type_ >= 0) tell_of_crash(id);
  leave();
  return Refusal::none;
}

// What a node was about to do.
void SimWorld::stop_handlers(NodeState& node) {
  for (TimerKey& key : node.timers)
    if (key.slot != kNone) disarm(node, key);
  while (node.wait_head != kNone) remove_wait(node, node.wait_head);
  if (node.type->state->destroy) node.type->state->destroy(node.object);
}

// Who waits there does not know whether it took effect, and goes on.
void SimWorld::free_clients(NodeState& node, const Hash128& label) {
  if (answers_anywhere_)  // touches.hpp: who has ever asked it
    for (const std::uint16_t client : node.askers) touch(client_hashes_[client], label);
  const std::vector<Name> open = std::move(node.unanswered);
  node.unanswered.clear();
  for (const Name request : open) {
    ballots_.close(request);
    offer_next_request(request.from(), absorb(node.hash, ++created_));
  }
}

// The failure detector: a message from the crashed node to each that may learn of it.
void SimWorld::tell_of_crash(NodeId id) {
  const TypeInfo& type = *current_->type->messages[notice_type_];
  Body* body = pool_.build(type);
  const std::uint32_t group = ++group_;
  for (NodeId to = 0; to < places_; ++to)
    if (to != id || notice_own_) send_one(to, notice_type_, BodyPool::share(body), group);
  retire(body);
}

std::vector<CrashOutcome> SimWorld::crash_outcomes(NodeId id) const {
  std::vector<CrashOutcome> out;
  const Disk& disk = at(id).disk;
  for (std::uint32_t kept = 0; kept <= disk.unsynced(); ++kept) {
    out.push_back({kept, false});
    if (disk.can_tear(kept)) out.push_back({kept, true});
  }
  return out;
}

Refusal SimWorld::restart(const Action& action) {
  const NodeId id = action.name.from();
  if (id >= places_) return Refusal::not_allowed;
  NodeState& node = at(id);
  if (node.up && liar(id)) return forget(action);
  if (node.up) return Refusal::node_up;
  if (!pending_.recovers || action.arg() > 0) return Refusal::not_allowed;
  begin_step(action, 0);
  ++node.restarts;
  const Name name(id, 0, 0, static_cast<std::uint32_t>(node.restarts));
  const Hash128 label = label_of(Do::restart, name);
  if (pending_.down_max < static_cast<std::uint32_t>(places_))  // another crash may be possible now
    touch(budgets_[static_cast<std::size_t>(Do::crash)], label);
  touch_gate(node, label);
  // Two marks: that it is up again, and that its first handler runs.
  emit(Happened::restarted, id, id, name.bits());
  start_node(id, Do::restart, name, label);
  return Refusal::none;
}

// A liar that is up begins again, without its disk or with the disk of an earlier sync: to others
// it is a node that has forgotten what it said. It costs what a message costs that it makes up.
Refusal SimWorld::forget(const Action& action) {
  const NodeId id = action.name.from();
  NodeState& node = at(id);
  if (const Refusal no = afford(action, pending_.left.inject); no != Refusal::none) return no;
  if (action.arg() > node.disk.syncs()) return Refusal::not_allowed;
  begin_step(action, 0);
  pay(action, pending_.left.inject);
  ++node.restarts;
  const Name name(id, 0, 0, static_cast<std::uint32_t>(node.restarts));
  Hash128 label = paid(action, label_of(Do::restart, name));
  if (action.arg() > 0) label = absorb(label, action.arg());
  if (!action.free) touch(budgets_[static_cast<std::size_t>(Do::inject)], label);
  enter(id, label, Do::restart, name);
  stop_handlers(node);
  node.disk.go_back_to(pool_, action.arg());
  node.paused = false;
  touch_gate(node, label);
  free_clients(node, label);
  leave();
  emit(Happened::restarted, id, id, name.bits());
  start_node(id, Do::restart, name, label);
  return Refusal::none;
}

Refusal SimWorld::pause(const Action& action) {
  const NodeId id = action.name.from();
  if (id >= places_) return Refusal::not_allowed;
  NodeState& node = at(id);
  if (!node.up) return Refusal::node_down;
  if (node.paused) return Refusal::node_paused;
  if (const Refusal no = afford(action, pending_.left.pause); no != Refusal::none) return no;
  begin_step(action, 0);
  pay(action, pending_.left.pause);
  node.paused = true;
  const Hash128 label = paid(action, label_of(Do::pause, action.name));
  enter(id, label, Do::pause, action.name);
  touch_gate(node, label);
  if (!action.free) touch(budgets_[static_cast<std::size_t>(Do::pause)], label);
  emit(Happened::paused, id, id, 0);
  refresh_node(id);
  leave();
  return Refusal::none;
}

Refusal SimWorld::resume(const Action& action) {
  const NodeId id = action.name.from();
  if (id >= places_) return Refusal::not_allowed;
  NodeState& node = at(id);
  if (!node.paused) return Refusal::node_not_paused;
  begin_step(action, 0);
  node.paused = false;
  const Hash128 label = label_of(Do::resume, action.name);
  enter(id, label, Do::resume, action.name);
  touch_gate(node, label);
  emit(Happened::resumed, id, id, 0);
  refresh_node(id);
  leave();
  return Refusal::none;
}

// ---- links ---------------------------------------------------------------------------------

Refusal SimWorld::cut_link(const Action& action) {
  const NodeId from = action.name.from(), to = action.name.to();
  if (from >= places_ || to >= places_ || from == to || !gates_links_) return Refusal::not_allowed;
  Link& on = touch_link(from, to);
  if (on.cut) return Refusal::link_cut;
  const bool within = in_partition_ && !action.free;
  if (const Refusal no = afford(action, within ? 1 : pending_.left.cut); no != Refusal::none)
    return no;
  begin_step(action, 0);
  const Hash128 label = paid(action, label_of(Do::cut, action.name));
  if (!within) pay(action, pending_.left.cut);
  if (!action.free) {
    // Which of the two budgets it is charged to depends on the macro steps around it.
    touch(budgets_[static_cast<std::size_t>(Do::begin)], label);
    touch(budgets_[static_cast<std::size_t>(Do::cut)], label);
  }
  on.cut = true;
  sets_changed_ = true;
  touch_gate(link_gates_[link_index(from, to)], label);
  emit(Happened::cut, from, to, 0);
  if (setup_.options.cut == WhenCut::loses)
    while (on.head != kNone) lose(on.head);
  else refresh_link(from, to);
  const auto number = static_cast<std::uint32_t>(link_index(from, to));
  pending_.cuttable.remove(number);
  pending_.severed.add(number);
  touch_observers(label);
  return Refusal::none;
}

Refusal SimWorld::heal_link(const Action& action) {
  const NodeId from = action.name.from(), to = action.name.to();
  if (from >= places_ || to >= places_) return Refusal::not_allowed;
  if (!cut(from, to)) return Refusal::link_not_cut;
  begin_step(action, 0);
  link(from, to).cut = false;
  const Hash128 label = label_of(Do::heal, action.name);
  touch_gate(link_gates_[link_index(from, to)], label);
  emit(Happened::healed, from, to, 0);
  refresh_link(from, to);
  const auto number = static_cast<std::uint32_t>(link_index(from, to));
  pending_.severed.remove(number);
  pending_.cuttable.add(number);
  touch_observers(label);
  return Refusal::none;
}

// ---- notes, and the calm -------------------------------------------------------------------

Refusal SimWorld::begin(const Action& action) {
  const Macro macro = macro_of(action);
  const bool partition = macro == Macro::partition;
  if (partition && in_partition_) return Refusal::not_allowed;
  if (partition)
    if (const Refusal no = afford(action, pending_.left.partition); no != Refusal::none) return no;
  const std::string* text = nullptr;
  if (const std::uint32_t content = content_index(action); content != kNoContent) {
    text = content < contents_.size() ? contents_[content].as_text() : nullptr;
    if (!text) return Refusal::bad_content;
  }
  begin_step(action, 0);
  if (partition) pay(action, pending_.left.partition);
  Hash128 label = label_of(Do::begin, Name(action.arg() & 0xff));
  if (partition) label = paid(action, label);
  Body* body = nullptr;
  if (text) {
    label = absorb(label, hash_text(*text));
    Label named{*text};
    retire(body = pool_.make(type_info<Label>(), &named));
  }
  touch(budgets_[static_cast<std::size_t>(Do::begin)], label);
  in_partition_ = in_partition_ || partition;
  macros_.push_back(macro);
  emit(Happened::noted, 0, 0, action.name.bits(), body,
       static_cast<std::uint16_t>(action.arg() & 0xff));
  touch_observers(label);
  return Refusal::none;
}

Refusal SimWorld::end(const Action& action) {
  if (macros_.empty()) return Refusal::not_allowed;
  begin_step(action, 0);
  if (macros_.back() == Macro::partition) in_partition_ = false;  // there is none around it
  macros_.pop_back();
  const Hash128 label = label_of(Do::end, Name(action.arg()));
  touch(budgets_[static_cast<std::size_t>(Do::begin)], label);
  emit(Happened::noted, 0, 0, action.name.bits(), nullptr, static_cast<std::uint16_t>(action.arg()),
       true);
  touch_observers(label);
  return Refusal::none;
}

// Node clocks become one clock that goes on from the latest of them; deadlines keep their distance.
Refusal SimWorld::calm_down(const Action& action) {
  if (calm_ || pending_.broken() > 0) return Refusal::not_allowed;
  begin_step(action, 0);
  if (setup_.options.time == TimeUse::untimed) {
    for (const NodeState& node : nodes_) clock_ = std::max(clock_, node.clock);
    for (NodeState& node : nodes_) {
      const Micros local = local_time(node);
      const Micros shift = clock_ - node.clock;
      node.skew +=
          local - node.skew -
          (clock_ + static_cast<Micros>(static_cast<I128>(clock_) * node.drift_ppm / 1'000'000));
      for (const TimerKey& key : node.timers)
        if (key.slot != kNone) pending_.timers[key.slot].due += shift;
      mark_dirty(node);
    }
  }
  calm_ = true;
  const Faults left = pending_.left;
  pending_.left = {};  // but liars go on, within their budgets
  if (!liars_.empty()) {
    pending_.left.mutate = left.mutate, pending_.left.inject = left.inject;
    pending_.left.omit = left.omit;
  }
  // It touches everything: all before it is before it, all after it after it.
  total_ = absorb(total_, label_of(Do::calm, action.name));
  emit(Happened::calmed, 0, 0, 0);
  return Refusal::none;
}

}  // namespace schism
