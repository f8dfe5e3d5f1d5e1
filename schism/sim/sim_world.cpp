#include "schism/sim/sim_world.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <typeinfo>

#include "schism/base/random.hpp"
#include "schism/sim/step.hpp"
#include "schism/system/system.hpp"

namespace schism {
namespace {

std::string type_name(const std::exception& exception) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(typeid(exception).name(), nullptr, nullptr, &status), &std::free);
  return status == 0 && name ? name.get() : "an exception";
}

}  // namespace

// ---- a step --------------------------------------------------------------------------------

Refusal SimWorld::apply(const Action& action) {
  if (!setup_.death) return dispatch(action);
  const NodeId place = std::max<NodeId>(place_of(action), 0);
  if (dies_at(step_ + 1, false)) {  // before any handler
    begin_step(action, action.hint);
    die(place);
    return Refusal::none;
  }
  const Refusal refusal = dispatch(action);
  if (refusal == Refusal::none && !died_ && dies_at(step_, false)) die(place);
  return refusal;
}

Refusal SimWorld::dispatch(const Action& action) {
  switch (action.kind) {
    case Do::deliver: return deliver(action);
    case Do::fire: return fire(action);
    case Do::complete: return complete(action);
    case Do::submit: return submit(action);
    case Do::drop: return drop(action);
    case Do::duplicate: return duplicate(action);
    case Do::mutate: return mutate(action);
    case Do::inject: return inject(action);
    case Do::omit: return omit(action);
    case Do::crash: return crash(action);
    case Do::restart: return restart(action);
    case Do::pause: return pause(action);
    case Do::resume: return resume(action);
    case Do::cut: return cut_link(action);
    case Do::heal: return heal_link(action);
    case Do::advance: return advance(action);
    case Do::begin: return begin(action);
    case Do::end: return end(action);
    case Do::calm: return calm_down(action);
    case Do::choose:  // part of the step before it
    case Do::nothing: break;
  }
  return Refusal::unknown_kind;
}

void SimWorld::touch_observers(const Hash128& label) {
  for (std::size_t i = 0; i < observers_.size(); ++i) {
    if (!(step_mask_ & observers_[i].mask)) continue;
    for (const Event& event : events_)
      if (observers_[i].sees(event)) {
        touch(observer_hashes_[i], label);
        break;
      }
  }
}

// ---- the way of a message ------------------------------------------------------------------

SimWorld::Link& SimWorld::touch_link(NodeId from, NodeId to) {
  const std::size_t index = link_index(from, to);
  Link& link = links_[index];
  if (link.run != run_) {  // set up on first use: a run costs what it touches
    link = {kNone, kNone, run_, false};
    std::fill_n(sent_.begin() +
                    static_cast<std::ptrdiff_t>(index * static_cast<std::size_t>(message_types_)),
                message_types_, 0U);
  }
  return link;
}

void SimWorld::post(NodeId to, int type, void* message) {
  if (to < 0 || to >= nodes) {
    fail("a message to node " + std::to_string(to) + ", which does not exist");
    return;
  }
  Body* body = pool_.make(*current_->type->messages[type], message);
  if (to == self) return send_one(here_, type, body, 0);  // what it tells itself stays there
  send_to_all_of(to, type, body, 0);
}

// Each copy of a liar has a link of its own. Copies do not hear each other: to the code of a node
// the others are those with other names.
void SimWorld::send_to_all_of(NodeId node, int type, Body* body, std::uint32_t group) {
  for (NodeId twin = nodes; twin < places_; ++twin)
    if (identity(twin) == node) send_one(twin, type, BodyPool::share(body), group);
  send_one(node, type, body, group);
}

void SimWorld::post_to_others(int type, void* message) {
  Body* body = pool_.make(*current_->type->messages[type], message);
  const std::uint32_t group = ++group_;
  for (NodeId to = 0; to < nodes; ++to)
    if (to != self) send_to_all_of(to, type, BodyPool::share(body), group);
  retire(body);
}

void SimWorld::send_one(NodeId to, int type, Body* body, std::uint32_t group) {
  const NodeId from = here_;
  Link& link = touch_link(from, to);
  const Name name = next_name(from, to, type);
  const Hash128 id = absorb(current_->hash, ++created_);
  emit(Happened::sent, from, to, name.bits(), body);
  if (liar(from)) note_seals(body);
  NodeState& receiver = at(to);
  if (gates_sends_) receiver.gate_uses += id;
  if (gates_links_) link_gates_[link_index(from, to)].uses += id;
  if (orders_sends_) touch(link_order_[link_index(from, to)], id);
  const bool lost = (!receiver.up && setup_.options.down == WhenDown::lost) ||
                    (link.cut && setup_.options.cut == WhenCut::loses);
  if (lost) {
    emit(Happened::lost, to, from, name.bits(), body, 0, true);
    retire(body);
    return;
  }
  launch(link, name, body, id, group);
}

void SimWorld::refresh(std::uint32_t slot) {
  Flight& flight = pending_.flights[slot];
  const bool enabled = why_not(flight) == Refusal::none;
  if (enabled == (flight.at != kNone)) return;
  if (enabled) pending_.deliverable.add(pending_.flights, slot);
  else pending_.deliverable.remove(pending_.flights, slot);
}

std::uint32_t SimWorld::find_flight(const Action& action) const {
  const auto is = [&](std::uint32_t slot) {
    return slot < pending_.flights.size() && pending_.flights[slot].alive() &&
           pending_.flights[slot].name == action.name;
  };
  if (is(action.hint)) return action.hint;
  const NodeId from = action.name.from(), to = action.name.to();
  if (from >= places_ || to >= places_) return kNone;
  const Link& on = link(from, to);
  if (on.run != run_) return kNone;
  for (std::uint32_t slot = on.head; slot != kNone; slot = pending_.flights[slot].next)
    if (is(slot)) return slot;
  return kNone;
}

Refusal SimWorld::deliver(const Action& action) {
  const std::uint32_t slot = find_flight(action);
  if (slot == kNone) return Refusal::not_pending;
  const Flight& flight = pending_.flights[slot];
  if (flight.at == kNone) return why_not(flight);
  if (action.arg() > 0 && !ticking()) return Refusal::wrong_time;
  begin_step(action, slot);
  ++deliveries_;
  clock_ += action.arg();
  // Copies: the slot is free from here on, and the table may grow inside a handler.
  const Name name = flight.name;
  Body* const body = flight.body;
  const Hash128 label = label_of(Do::deliver, flight.id);
  remove_flight(slot);
  retire(body);

  const NodeId from = name.from(), to = name.to();
  if (gates_links_) link_gates_[link_index(from, to)].uses += label;
  if (!link_order_.empty()) touch(link_order_[link_index(from, to)], label);
  enter(to, label, Do::deliver, name);
  emit(Happened::delivered, to, from, name.bits(), body);
  if (liar(to)) note_seals(body);
  if (current_->up) {
    handle([&] {
      current_->type->on_message[name.type()](current_->object, *this, identity(from),
                                              body->content());
    });
    if (setup_.options.disk == DiskUse::sync) complete_at_once(to);
  }
  leave();
  return Refusal::none;
}

// ---- time ----------------------------------------------------------------------------------

Micros SimWorld::local_time(const NodeState& node) const {
  if (!ticking()) return node.clock + node.skew;
  // 128 bits: a day of microseconds times the drift would not fit 64.
  const auto drift = static_cast<Micros>(static_cast<I128>(clock_) * node.drift_ppm / 1'000'000);
  return clock_ + node.skew + drift;
}

Micros SimWorld::global_delay(const NodeState& node, Micros delay) const {
  if (!ticking() || node.drift_ppm == 0) return delay;
  return static_cast<Micros>(static_cast<I128>(delay) * 1'000'000 / (1'000'000 + node.drift_ppm));
}

Micros SimWorld::now() {
  const Micros time = local_time(*current_);
  // In untimed runs the clock is a function of the node's own history; else it is an input.
  if (ticking() && !clock_read_)
    current_->hash = absorb(current_->hash, static_cast<std::uint64_t>(time));
  clock_read_ = true;
  ++clock_reads_;
  return time;
}

void SimWorld::set_timer(int timer, int key, Micros least, Micros most) {
  NodeState& node = *current_;
  // Without a clock a timer fires whenever somebody says so: there is nothing to draw.
  Micros delay = std::max<Micros>(least, 0);
  if (most > least && ticking()) {
    const auto span = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least) + 1;
    delay = std::max<Micros>(least + static_cast<Micros>(scale_below(next_draw(), span)), 0);
  }
  if (key < 0 || key >= kNodesMax) {
    fail("a timer key must be from 0 to " + std::to_string(kNodesMax - 1));
    return;
  }
  TimerKey* entry = nullptr;
  for (TimerKey& k : node.timers)
    if (k.timer == timer && k.key == key) entry = &k;
  if (!entry) entry = &node.timers.emplace_back(TimerKey{timer, key});
  if (entry->slot != kNone) disarm(node, *entry);
  const std::uint32_t slot = pending_.timers.take();
  entry->slot = slot;
  Armed& armed = pending_.timers[slot];
  armed.id = absorb(node.hash, ++created_);
  armed.name = Name(here_, key, timer, entry->armed++);
  armed.due = (ticking() ? clock_ : node.clock) + global_delay(node, delay);
  armed.created = step_;
  // It is new and its node runs: nobody holds it, and nothing is in its way.
  pending_.armed[static_cast<std::size_t>(timer)].add(pending_.timers, slot);
  ++pending_.armed_total;
  emit(Happened::timer_set, here_, here_, armed.name.bits(), nullptr,
       static_cast<std::uint16_t>(timer));
  if (sees_pending_) attendant_->on_pending(*this, Do::fire, slot);
}

void SimWorld::disarm(NodeState& node, TimerKey& key) {
  const std::uint32_t slot = key.slot;
  const Armed& armed = pending_.timers[slot];
  if (armed.at != kNone) {
    pending_.armed[static_cast<std::size_t>(key.timer)].remove(pending_.timers, slot);
    --pending_.armed_total;
  }
  emit(Happened::timer_cancelled, armed.name.from(), armed.name.from(), armed.name.bits(), nullptr,
       static_cast<std::uint16_t>(key.timer));
  pending_.timers.give_back(slot);
  key.slot = kNone;
  mark_dirty(node);
}

void SimWorld::cancel_timer(int timer, int key) {
  for (TimerKey& k : current_->timers)
    if (k.timer == timer && k.key == key && k.slot != kNone) disarm(*current_, k);
}

Refusal SimWorld::fire(const Action& action) {
  const NodeId id = action.name.from();
  if (id >= places_) return Refusal::not_allowed;
  NodeState& node = at(id);
  TimerKey* key = nullptr;
  for (TimerKey& k : node.timers)
    if (k.timer == action.name.type() && k.key == action.name.to() && k.slot != kNone) key = &k;
  if (!key || pending_.timers[key->slot].name != action.name) return Refusal::not_pending;
  const std::uint32_t slot = key->slot;
  const Armed armed = pending_.timers[slot];
  if (armed.held()) return Refusal::held;
  if (node.paused) return Refusal::node_paused;
  if (setup_.options.time == TimeUse::stepped && !calm_ && armed.due > clock_)
    return Refusal::not_due;
  begin_step(action, slot);
  pending_.armed[static_cast<std::size_t>(key->timer)].remove(pending_.timers, slot);
  --pending_.armed_total;
  pending_.timers.give_back(slot);
  key->slot = kNone;
  Micros& clock = ticking() ? clock_ : node.clock;
  clock = std::max(clock, armed.due);
  enter(id, label_of(Do::fire, armed.id), Do::fire, armed.name);
  emit(Happened::timer_fired, id, id, armed.name.bits(), nullptr,
       static_cast<std::uint16_t>(armed.name.type()));
  handle([&] { node.type->on_timer(node.object, *this, armed.name.type(), armed.name.to()); });
  if (setup_.options.disk == DiskUse::sync) complete_at_once(id);
  leave();
  return Refusal::none;
}

Refusal SimWorld::advance(const Action& action) {
  if (!ticking() || advance_us(action) < 0) return Refusal::wrong_time;
  begin_step(action, 0);
  clock_ += advance_us(action);
  emit(Happened::clock, 0, 0, static_cast<std::uint64_t>(clock_));
  touch_observers(label_of(Do::advance, action.name));
  return Refusal::none;
}

// ---- inputs, announcements -----------------------------------------------------------------

std::uint64_t SimWorld::draw() {
  ++drawn_;
  return next_draw();
}

std::uint64_t SimWorld::next_draw() {
  return keyed(setup_.node_seed ^ mix64(static_cast<std::uint64_t>(here_)), trigger_, draws_++);
}

std::uint64_t SimWorld::draw_below(std::uint64_t n) {
  if (setup_.options.draws == Draws::chosen && n <= kSmallDraw)
    return choose(static_cast<std::uint32_t>(n));
  return scale_below(draw(), n);
}

std::uint32_t SimWorld::choose(std::uint32_t n) {
  if (n <= 1) return 0;
  const std::uint32_t k = attendant_ ? attendant_->on_choice(*this, n) : 0;
  assert(k < n);
  decisions_.push_back(choose_of(k, n));
  if (auto* box = guard::BlackBox::active()) box->decided(decisions_.back());
  current_->hash = absorb(current_->hash, std::uint64_t{n} << 32 | k);
  emit(Happened::chosen, here_, here_, k, nullptr, static_cast<std::uint16_t>(n));
  return k;
}

void SimWorld::announce(const TypeInfo& type, const void* content) {
  if (liar(self)) return;  // whatever it says of itself
  Body* body = pool_.copy(type, content);
  retire(body);
  step_mask_ |= mask_of(Happened::announced) | mask_of_type(type);
  events_.push_back({Happened::announced, false, static_cast<std::uint16_t>(self),
                     static_cast<std::uint16_t>(self), 0, 0, body->content(), body->type});
}

void SimWorld::fail(std::string message) {
  if (liar(self)) return;
  failed_ = true;
  Failure failure{std::move(message)};
  Body* body = pool_.make(type_info<Failure>(), &failure);
  retire(body);
  emit(Happened::failed, self, self, 0, body);
}

// ---- the end of a process ------------------------------------------------------------------

void SimWorld::die(NodeId node) {
  died_ = failed_ = true;
  Failure failure{setup_.death->sentence()};
  Body* body = pool_.make(type_info<Failure>(), &failure);
  retire(body);
  emit(Happened::failed, node, node, 0, body, 0, true);
}

// Nobody catches it: alone, the program would end here.
void SimWorld::threw(const std::exception* exception) {
  if (liar(self)) return;
  failed_ = true;
  Failure failure{"an exception that is no std::exception"};
  if (exception) failure.message = type_name(*exception) + ": " + exception->what();
  Body* body = pool_.make(type_info<Failure>(), &failure);
  retire(body);
  emit(Happened::failed, self, self, 0, body, 0, true);
}

}  // namespace schism
