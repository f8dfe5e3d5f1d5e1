// What is done to a world of processes: pending events are served, messages lost, nodes killed.
#include <algorithm>

#include "schism/process/node_process.hpp"
#include "schism/process/process_world.hpp"
#include "schism/system/system.hpp"

namespace schism {

using process::Word;

Refusal ProcessWorld::apply(const Action& action) {
  const Refusal refusal = dispatch(action);
  clock_ = base();
  return refusal;
}

Refusal ProcessWorld::dispatch(const Action& action) {
  switch (action.kind) {
    case Do::deliver:
    case Do::fire:
    case Do::complete:
    case Do::submit: return serve(action);
    case Do::drop:
    case Do::duplicate: return other_fate(action);
    case Do::mutate:
      return setup_.options.lies == Lies::anyone ? other_fate(action) : Refusal::not_a_liar;
    case Do::omit: return Refusal::not_a_liar;  // there are none
    case Do::crash: return crash(action);
    case Do::restart: return restart(action);
    case Do::cut:
    case Do::heal: return cut_or_heal(action);
    case Do::begin:
    case Do::end: return note(action);
    case Do::calm: return calm_down(action);
    case Do::advance:
      if (!calm_ || advance_us(action) < 0) return Refusal::wrong_time;
      begin_step(action, 0);
      shift_ += advance_us(action);
      emit(Happened::clock, 0, 0, static_cast<std::uint64_t>(base()));
      return Refusal::none;
    case Do::inject:
    case Do::pause:
    case Do::resume: return Refusal::not_allowed;
    case Do::choose:
    case Do::nothing: break;
  }
  return Refusal::unknown_kind;
}

void ProcessWorld::begin_step(const Action& action, std::uint32_t slot) {
  for (Body* body : retired_) pool_.release(body);
  retired_.clear();
  events_.clear();
  step_mask_ = 0;
  ++step_;
  decisions_.push_back(action);
  decisions_.back().hint = slot & kHintMax;
}

Refusal ProcessWorld::afford(const Action& action, std::uint32_t left) const {
  if (action.free) return setup_.options.scripted ? Refusal::none : Refusal::not_allowed;
  return left > 0 ? Refusal::none : Refusal::out_of_budget;
}

std::uint32_t ProcessWorld::find(Do table, Name name, std::uint32_t hint) const {
  std::uint32_t found = kNone;
  pending_.each([&](Do kind, std::uint32_t slot) {
    const bool is = kind == table && pending_.slot(kind, slot).name == name;
    if (is && (found == kNone || slot == hint)) found = slot;
  });
  return found;
}

// What a pending event leads to: a handler of its node, in its process.
Refusal ProcessWorld::serve(const Action& action) {
  const Name n = action.name;
  const bool fails = action.kind == Do::complete && n.copy() > 0;
  const Name name = fails ? Name(n.from(), n.to(), n.type(), n.nth()) : n;
  const NodeId id = action.kind == Do::deliver  ? name.to()
                    : action.kind == Do::submit ? static_cast<NodeId>(action.arg())
                                                : name.from();
  if (id >= setup_.nodes) return Refusal::not_allowed;
  Node& node = at(id);
  while (node.busy) hear_out(id, process::wall_clock() + 1'000'000);  // what it does comes first
  const std::uint32_t slot = find(action.kind, name, action.hint);
  if (slot == kNone) return Refusal::not_pending;
  if (const Refusal why = why_not(action.kind, slot); why != Refusal::none) return why;
  const bool takes_time = action.kind == Do::deliver || action.kind == Do::complete;
  if (takes_time && action.arg() > 0 && !calm_) return Refusal::wrong_time;
  if (action.kind == Do::submit) {
    const NodeId target = pending_.askings[slot].target;
    if ((target != kAnyNode && target != id) || !node.type->takes(name.type()))
      return Refusal::not_allowed;
    if (!node.up) return Refusal::node_down;
  }
  if (fails)
    if (const Refusal no = afford(action, pending_.left.disk_error); no != Refusal::none) return no;
  begin_step(action, slot);
  if (takes_time) shift_ += action.arg();
  if (fails && !action.free) --pending_.left.disk_error;
  switch (action.kind) {
    case Do::deliver: serve_message(id, slot); break;
    case Do::fire: serve_timer(id, slot); break;
    case Do::complete: serve_disk(id, slot, fails); break;
    default: serve_request(id, slot); break;
  }
  return Refusal::none;
}

void ProcessWorld::serve_message(NodeId id, std::uint32_t slot) {
  const Name name = pending_.flights[slot].name;
  Body* const body = pending_.flights[slot].body;
  forget(Do::deliver, slot);
  retire(body);
  ++deliveries_;
  emit(Happened::delivered, id, name.from(), name.bits(), body);
  if (at(id).up)  // else an empty event
    call(id, Word::deliver, Do::deliver, name, {name.from(), name.type()},
         to_json(body->type->to_value(body->content())));
}

// Fired early, its clock jumps ahead; after the calm everybody's does.
void ProcessWorld::serve_timer(NodeId id, std::uint32_t slot) {
  Node& node = at(id);
  const Armed armed = pending_.timers[slot];
  const Name name = armed.name;
  for (Timer& timer : node.timers)
    if (timer.slot == slot) timer.slot = kNone;
  forget(Do::fire, slot);
  (calm_ ? shift_ : node.shift) += std::max<Micros>(armed.due - clock_of(node), 0);
  emit(Happened::timer_fired, id, id, name.bits(), nullptr,
       static_cast<std::uint16_t>(name.type()));
  call(id, Word::fire, Do::fire, name, {name.type(), name.to()});
}

void ProcessWorld::serve_disk(NodeId id, std::uint32_t slot, bool fails) {
  Node& node = at(id);
  const DiskWait wait = pending_.waits[slot];
  const Name n = wait.name;
  std::erase(node.waits, slot);
  forget(Do::complete, slot);
  if (!node.waits.empty()) refresh(Do::complete, node.waits.front());
  if (!fails && wait.done.op == DiskOp::sync) node.disk.make_durable(pool_, wait.place);
  emit(Happened::disk_completed, id, id, n.bits(), nullptr,
       static_cast<std::uint16_t>(wait.done.op), fails);
  // A failing completion is named as a copy: what it draws is its own.
  call(id, Word::disk, Do::complete, Name(n.from(), n.to(), n.type(), n.nth(), fails ? 1 : 0),
       {static_cast<int>(wait.done.op), wait.done.file, wait.done.tag, fails ? 0 : 1});
}

void ProcessWorld::serve_request(NodeId id, std::uint32_t slot) {
  const Name name = pending_.askings[slot].name;
  const Body* body = pending_.askings[slot].body;
  forget(Do::submit, slot);
  at(id).unanswered.push_back(name);
  emit(Happened::invoked, id, name.from(), name.bits(), body);
  call(id, Word::submit, Do::submit, name, {static_cast<std::int64_t>(name.bits())},
       to_json(body->type->to_value(body->content())));
}

Refusal ProcessWorld::other_fate(const Action& action) {
  const std::uint32_t slot = find(Do::deliver, action.name, action.hint);
  if (slot == kNone) return Refusal::not_pending;
  Faults& left = pending_.left;
  std::uint32_t& budget = action.kind == Do::drop        ? left.drop
                          : action.kind == Do::duplicate ? left.duplicate
                                                         : left.mutate;
  if (const Refusal no = afford(action, budget); no != Refusal::none) return no;
  const Flight flight = pending_.flights[slot];
  const Refusal why = setup_.options.scripted ? in_its_way(flight) : why_not(Do::deliver, slot);
  if (why != Refusal::none) return why;
  const Name n = flight.name;
  Body* changed = nullptr;
  if (action.kind == Do::mutate) {
    if (action.arg() >= contents_.size()) return Refusal::bad_content;
    changed = parse_body(*flight.body->type, to_json(contents_[action.arg()]));
    if (!changed) return Refusal::bad_content;
  }
  const Name original(n.from(), n.to(), n.type(), n.nth());
  auto copies = std::find_if(copies_.begin(), copies_.end(),
                             [&](const auto& c) { return c.first == original.bits(); });
  if (action.kind == Do::duplicate) {
    if (copies == copies_.end()) copies = copies_.insert(copies, {original.bits(), 0});
    if (copies->second + 1 >= kCopiesMax) return Refusal::out_of_budget;
  }
  begin_step(action, slot);
  if (!action.free) --budget;
  other_steps_ += absorb(flight.id, static_cast<std::uint64_t>(action.kind));
  if (action.kind == Do::drop) {
    forget(Do::deliver, slot);
    retire(flight.body);
    emit(Happened::dropped, n.to(), n.from(), n.bits(), flight.body);
  } else if (action.kind == Do::duplicate) {
    const Name name(n.from(), n.to(), n.type(), n.nth(), ++copies->second);
    emit(Happened::duplicated, n.to(), n.from(), name.bits(), flight.body);
    launch(name, BodyPool::share(flight.body), absorb(flight.id, 2), flight.group());
  } else {
    pending_.flights[slot].body = changed;
    retire(flight.body);
    emit(Happened::mutated, n.to(), n.from(), n.bits(), changed);
  }
  return Refusal::none;
}

void ProcessWorld::lose_all(NodeId from, NodeId to) {
  while (!on_link_[link(from, to)].empty()) {
    const std::uint32_t slot = on_link_[link(from, to)].front();
    const Flight flight = pending_.flights[slot];
    forget(Do::deliver, slot);
    retire(flight.body);
    emit(Happened::lost, to, from, flight.name.bits(), flight.body);
  }
}

Refusal ProcessWorld::crash(const Action& action) {
  const NodeId id = action.name.from();
  if (id >= setup_.nodes) return Refusal::not_allowed;
  Node& node = at(id);
  if (!node.up) return Refusal::node_down;
  if (const Refusal no = afford(action, pending_.left.crash); no != Refusal::none) return no;
  const auto number = static_cast<std::uint32_t>(id);
  const CrashOutcome outcome = CrashOutcome::of(action.arg());
  if (!pending_.crashable.has(number) || pending_.down.size() >= pending_.down_max ||
      outcome.kept > node.disk.unsynced() || (outcome.torn && !node.disk.can_tear(outcome.kept)))
    return Refusal::not_allowed;
  begin_step(action, 0);
  if (!action.free) --pending_.left.crash;
  node.hash = absorb(node.hash, seeded("crash", outcome.arg()));
  emit(Happened::crashed, id, id, outcome.arg());
  end_process(node);
  views_[static_cast<std::size_t>(id)].object = nullptr;
  for (const Timer& timer : std::vector<Timer>(node.timers))
    cancel_timer(id, timer.timer, timer.key);
  for (const std::uint32_t slot : node.waits) forget(Do::complete, slot);
  node.waits.clear();
  node.disk.crash(pool_, outcome);
  if (setup_.options.down == WhenDown::lost)
    for (NodeId from = 0; from < setup_.nodes; ++from) lose_all(from, id);
  for (IdSet* set : {&pending_.live, &pending_.crashable}) set->remove(number);
  pending_.attend_desks(number, false);
  pending_.down.add(number);
  refresh_all();
  // Their clients do not know whether these took effect, and go on.
  const std::vector<Name> open = std::move(node.unanswered);
  node.unanswered.clear();
  for (const Name request : open) {
    ballots_.close(request);
    offer_next_request(request.from(), absorb(node.hash, ++node.created));
  }
  return Refusal::none;
}

Refusal ProcessWorld::restart(const Action& action) {
  const NodeId id = action.name.from();
  if (id >= setup_.nodes) return Refusal::not_allowed;
  Node& node = at(id);
  if (node.up || !pending_.down.has(static_cast<std::uint32_t>(id))) return Refusal::node_up;
  if (!pending_.recovers) return Refusal::not_allowed;
  begin_step(action, 0);
  ++node.restarts;
  const Name name(id, 0, 0, static_cast<std::uint32_t>(node.restarts));
  start_process(id);
  const auto number = static_cast<std::uint32_t>(id);
  pending_.down.remove(number);
  pending_.live.add(number);
  pending_.attend_desks(number, true);
  const auto& may = setup_.options.may_crash;
  if (may.empty() || std::find(may.begin(), may.end(), id) != may.end())
    pending_.crashable.add(number);
  refresh_all();
  emit(Happened::restarted, id, id, name.bits());
  emit(Happened::started, id, id, name.bits());
  call(id, Word::start, Do::restart, name, {});
  return Refusal::none;
}

Refusal ProcessWorld::cut_or_heal(const Action& action) {
  const NodeId from = action.name.from(), to = action.name.to();
  if (from >= setup_.nodes || to >= setup_.nodes || from == to) return Refusal::not_allowed;
  const bool cuts = action.kind == Do::cut;
  if (cut(from, to) == cuts) return cuts ? Refusal::link_cut : Refusal::link_not_cut;
  if (cuts && !in_partition_)
    if (const Refusal no = afford(action, pending_.left.cut); no != Refusal::none) return no;
  begin_step(action, 0);
  if (cuts && !in_partition_ && !action.free) --pending_.left.cut;
  links_cut_[link(from, to)] = cuts;
  const auto number = static_cast<std::uint32_t>(link(from, to));
  (cuts ? pending_.cuttable : pending_.severed).remove(number);
  (cuts ? pending_.severed : pending_.cuttable).add(number);
  other_steps_ += absorb(scatter(action.name.bits()), step_);
  emit(cuts ? Happened::cut : Happened::healed, from, to, 0);
  if (cuts && setup_.options.cut == WhenCut::loses) lose_all(from, to);
  refresh_all();
  return Refusal::none;
}

Refusal ProcessWorld::note(const Action& action) {
  const bool ends = action.kind == Do::end;
  if (ends && macros_.empty()) return Refusal::not_allowed;
  const Macro macro = ends ? macros_.back() : macro_of(action);
  const bool partition = macro == Macro::partition;
  Body* body = nullptr;
  if (!ends && partition) {
    if (in_partition_) return Refusal::not_allowed;
    if (const Refusal no = afford(action, pending_.left.partition); no != Refusal::none) return no;
  }
  if (!ends && has_content(action)) {
    const std::uint32_t content = content_index(action);
    const auto* text = content < contents_.size() ? contents_[content].as_text() : nullptr;
    if (!text) return Refusal::bad_content;
    Label label{*text};
    body = pool_.make(type_info<Label>(), &label);
  }
  begin_step(action, 0);
  if (body) retire(body);
  if (ends) macros_.pop_back();
  else macros_.push_back(macro);
  if (partition) in_partition_ = !ends;
  if (partition && !ends && !action.free) --pending_.left.partition;
  emit(Happened::noted, 0, 0, 0, body, static_cast<std::uint16_t>(action.arg() & 0xff), ends);
  return Refusal::none;
}

// One clock for all, that of whoever is furthest; deadlines keep their distance.
Refusal ProcessWorld::calm_down(const Action& action) {
  if (calm_ || pending_.broken() > 0) return Refusal::not_allowed;
  begin_step(action, 0);
  Micros most = 0;
  for (const Node& node : nodes_) most = std::max(most, node.shift);
  for (NodeId id = 0; id < setup_.nodes; ++id) {
    Node& node = at(id);
    for (const Timer& timer : node.timers)
      if (timer.slot != kNone) pending_.timers[timer.slot].due += most - node.shift;
    node.shift = 0;
  }
  shift_ += most;
  calm_ = true;
  pending_.left = {};
  emit(Happened::calmed, 0, 0, 0);
  return Refusal::none;
}

}  // namespace schism
