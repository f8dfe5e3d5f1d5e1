// What a node has besides the network: its clients and its disk.
#include <algorithm>

#include "schism/sim/step.hpp"
#include "schism/system/system.hpp"

namespace schism {
namespace {

// Another answer than the honest one: its first number is one more, or its first flag is another.
bool say_otherwise(const TypeInfo& type, void* content) {
  Value value = type.to_value(content);
  for (auto& [name, field] : value.object()) {
    if (const auto* i = field.as_int()) field = Value(*i + 1);
    else if (const bool* flag = field.as_bool()) field = Value(!*flag);
    else continue;
    return type.from_value(value, content);
  }
  return false;
}

}  // namespace

// ---- clients -------------------------------------------------------------------------------

void SimWorld::offer_next_request(int client, const Hash128& id) {
  const auto c = static_cast<std::size_t>(client);
  rest_changed_ = true;
  if (client_next_[c] >= client_requests_[c].size()) return;
  const std::uint32_t nth = client_next_[c]++;
  const Planned& planned = workload_[client_requests_[c][nth]];
  const std::uint32_t slot = pending_.askings.take();
  Asking& asking = pending_.askings[slot];
  asking.id = id;
  asking.name = Name(client, 0, planned.type, nth);
  asking.target = planned.target;
  asking.body = planned.body;
  asking.created = step_;
  if (sees_pending_) attendant_->on_pending(*this, Do::submit, slot);
  refresh_asking(slot);
}

void SimWorld::ask(const ClientRequest& request) {
  const TypeInfo& type = *setup_.system->request_class()->requests[request.type];
  Body* body = pool_.build(type);
  type.from_value(request.content, body->content());
  plan_request({request.client, request.target, request.type, body});
  client_next_.resize(client_requests_.size());
  grow_clients();
  const auto by_client = [&](Name name) { return name.from() == request.client; };
  bool open = false;
  for (std::uint32_t slot = 0; slot < pending_.askings.size(); ++slot)
    open = open || (pending_.askings[slot].alive() && by_client(pending_.askings[slot].name));
  for (const NodeState& node : nodes_)
    open = open || std::any_of(node.unanswered.begin(), node.unanswered.end(), by_client);
  if (!open) offer_next_request(request.client, seeded("asked", workload_.size()));
}

void SimWorld::refresh_asking(std::uint32_t slot) {
  const Asking& asking = pending_.askings[slot];
  const bool anywhere = asking.target == kAnyNode;
  bool enabled = !asking.held();
  if (!anywhere) {
    const NodeState& target = at(asking.target);
    enabled = enabled && (target.up || setup_.options.down == WhenDown::empty) && !target.paused &&
              target.type->takes(asking.name.type());
  }
  if (enabled == (asking.at != kNone)) return;
  Dense& all = anywhere ? pending_.desk(asking.name).askable : pending_.askable;
  if (enabled) all.add(pending_.askings, slot);
  else all.remove(pending_.askings, slot);
}

// Its client begins to wait at that node. What becomes of that any node may decide.
void SimWorld::note_asker(NodeState& node, int client, const Hash128& label) {
  const auto number = static_cast<std::uint16_t>(client);
  if (std::find(node.askers.begin(), node.askers.end(), number) == node.askers.end())
    node.askers.push_back(number);
  touch(client_hashes_[number], label);
}

Refusal SimWorld::submit(const Action& action) {
  std::uint32_t slot = action.hint;
  const auto is = [&](std::uint32_t s) {
    return s < pending_.askings.size() && pending_.askings[s].alive() &&
           pending_.askings[s].name == action.name;
  };
  if (!is(slot))
    for (slot = 0; slot < pending_.askings.size() && !is(slot);) ++slot;
  if (slot >= pending_.askings.size()) return Refusal::not_pending;
  const Asking asking = pending_.askings[slot];
  if (asking.held()) return Refusal::held;
  const auto id = static_cast<NodeId>(action.arg());
  if (id >= places_ || (asking.target != kAnyNode && asking.target != id))
    return Refusal::not_allowed;
  NodeState& node = at(id);
  const bool empty = !node.up && setup_.options.down == WhenDown::empty && asking.target == id;
  if (!node.up && !empty) return Refusal::node_down;
  if (node.paused) return Refusal::node_paused;
  if (!node.type->takes(asking.name.type())) return Refusal::not_allowed;
  begin_step(action, slot);
  (asking.target == kAnyNode ? pending_.desk(asking.name).askable : pending_.askable)
      .remove(pending_.askings, slot);
  pending_.askings.give_back(slot);
  if (!empty) node.unanswered.push_back(asking.name);
  const Hash128 label = label_of(Do::submit, asking.id);
  if (answers_anywhere_) note_asker(node, asking.name.from(), label);
  enter(id, label, Do::submit, asking.name);
  emit(Happened::invoked, id, asking.name.from(), asking.name.bits(), asking.body);
  if (empty) {  // nobody there: its client does not know, and goes on
    offer_next_request(asking.name.from(), absorb(node.hash, ++created_));
    leave();
    return Refusal::none;
  }
  handle([&] {
    node.type->on_request[asking.name.type()](node.object, *this, asking.name,
                                              asking.body->content());
  });
  if (setup_.options.disk == DiskUse::sync) complete_at_once(id);
  leave();
  return Refusal::none;
}

bool SimWorld::was_asked(Name request) const {
  const auto client = static_cast<std::size_t>(request.from());
  return client < client_next_.size() && pending_.was_asked(request, client_next_[client]);
}

// Wherever its client waits; false: it does not.
bool SimWorld::close(Name request) {
  bool open = std::erase(current_->unanswered, request) > 0;
  for (std::size_t i = 0; i < nodes_.size() && !open && answers_anywhere_; ++i)
    if (std::erase(nodes_[i].unanswered, request) > 0) open = true, mark_dirty(nodes_[i]);
  return open;
}

void SimWorld::answer(Name request, const TypeInfo& type, const void* content) {
  const bool asked = answers_anywhere_ && was_asked(request);
  if (asked && answers_needed_ > 0) return vote(request, type, content);
  // Nobody believes a liar: where others may answer its client waits for them, else it goes on.
  if (liar(self) && asked) return;
  const auto& here = current_->unanswered;
  if (!asked && std::find(here.begin(), here.end(), request) == here.end())
    return fail(std::string(not_open_text(answers_anywhere_)));
  const bool open = close(request);
  if (liar(self)) return offer_next_request(request.from(), absorb(current_->hash, ++created_));
  if (answers_anywhere_) touch(client_hashes_[static_cast<std::size_t>(request.from())], label_);
  heard(open ? Happened::answered : Happened::answered_late, request, type, content);
  if (open) offer_next_request(request.from(), absorb(current_->hash, ++created_));
}

void SimWorld::heard(Happened kind, Name request, const TypeInfo& type, const void* content) {
  // Who listens to answers of a type means those that were believed.
  const EventMask mask = mask_of(kind) | (kind == Happened::answered ? mask_of_type(type) : 0);
  if (!(listening & mask)) return;
  Body* body = pool_.copy(type, content);
  retire(body);
  step_mask_ |= mask;
  events_.push_back({kind, false, static_cast<std::uint16_t>(here_),
                     static_cast<std::uint16_t>(request.from()), 0, request.bits(), body->content(),
                     body->type});
}

// One of the answers that its client counts. What a liar answers is a choice: as its code has it,
// or nothing; and where liars are enough to be believed by themselves, something else.
void SimWorld::vote(Name request, const TypeInfo& type, const void* content) {
  touch(client_hashes_[static_cast<std::size_t>(request.from())], label_);
  const auto waits = [&](const NodeState& node) {
    const auto& open = node.unanswered;
    return std::find(open.begin(), open.end(), request) != open.end();
  };
  const bool open = std::any_of(nodes_.begin(), nodes_.end(), waits);
  Body* said = pool_.copy(type, content);
  retire(said);
  std::uint32_t way = 0;
  if (open && liar(self)) way = choose(static_cast<int>(liars_.size()) >= answers_needed_ ? 3 : 2);
  if (way == 2 && !say_otherwise(type, said->content())) way = 1;
  const Hash128 answer = type.hash(said->content());
  if (open && way != 1) {
    ballots_.add(request, self, answer);
    for (const NodeId id : liars_)
      if (way == 2) ballots_.add(request, id, answer);
    rest_changed_ = true;
  }
  if (!open || way == 1 || !believed(request, answer))
    return heard(Happened::answered_late, request, type, said->content());
  close(request);
  ballots_.close(request);
  heard(Happened::answered, request, type, said->content());
  offer_next_request(request.from(), absorb(current_->hash, ++created_));
}

// Enough say so, or would if all liars did, which they may.
bool SimWorld::believed(Name request, const Hash128& answer) {
  const int by = ballots_.count(request, answer);
  if (by >= answers_needed_) return true;
  int others = 0;
  for (const NodeId id : liars_) others += ballots_.has(request, id, answer) ? 0 : 1;
  return by + others >= answers_needed_ && choose(2) == 1;
}

// ---- disks ---------------------------------------------------------------------------------

void SimWorld::disk(DiskOp op, int file, const TypeInfo* type, void* record, std::uint32_t length,
                    int tag) {
  NodeState& node = *current_;
  Body* body = record ? pool_.make(*type, record) : nullptr;
  const std::uint64_t place = node.disk.apply(pool_, op, file, body, length);
  // The event outlives the record where the same step replaces it.
  if (body && (listening & mask_of(Happened::disk_queued))) retire(BodyPool::share(body));
  emit(Happened::disk_queued, here_, here_, static_cast<std::uint64_t>(file), body,
       static_cast<std::uint16_t>(op));
  if (tag == kNoTag) return;
  const std::uint32_t slot = pending_.waits.take();
  DiskWait& wait = pending_.waits[slot];
  wait.id = absorb(node.hash, ++created_);
  wait.name = Name(here_, 0, static_cast<int>(op), node.disk_ops[static_cast<int>(op)]++);
  wait.due = 0;
  wait.created = step_;
  wait.done = {op, file, tag, true};
  wait.place = place;
  wait.next = kNone;
  wait.prev = node.wait_tail;
  if (node.wait_tail != kNone) pending_.waits[node.wait_tail].next = slot;
  else node.wait_head = slot;
  node.wait_tail = slot;
  refresh_wait(slot);
  if (sees_pending_ && setup_.options.disk == DiskUse::async)
    attendant_->on_pending(*this, Do::complete, slot);
}

void SimWorld::refresh_wait(std::uint32_t slot) {
  const DiskWait& wait = pending_.waits[slot];
  const NodeState& node = at(wait.name.from());
  const bool enabled = setup_.options.disk == DiskUse::async && !node.paused && !wait.held() &&
                       (wait.prev == kNone || setup_.options.completions == DiskOrder::any);
  if (enabled == (wait.at != kNone)) return;
  if (enabled) pending_.completable.add(pending_.waits, slot);
  else pending_.completable.remove(pending_.waits, slot);
}

void SimWorld::remove_wait(NodeState& node, std::uint32_t slot) {
  DiskWait& wait = pending_.waits[slot];
  if (wait.at != kNone) pending_.completable.remove(pending_.waits, slot);
  if (wait.prev != kNone) pending_.waits[wait.prev].next = wait.next;
  else node.wait_head = wait.next;
  if (wait.next != kNone) pending_.waits[wait.next].prev = wait.prev;
  else node.wait_tail = wait.prev;
  pending_.waits.give_back(slot);
  if (node.wait_head != kNone) refresh_wait(node.wait_head);
}

void SimWorld::finish_wait(NodeId id, std::uint32_t slot, bool ok) {
  NodeState& node = at(id);
  const DiskWait wait = pending_.waits[slot];
  remove_wait(node, slot);
  DiskDone done = wait.done;
  done.ok = ok;
  if (ok && done.op == DiskOp::sync) node.disk.make_durable(pool_, wait.place);
  emit(Happened::disk_completed, id, id, wait.name.bits(), nullptr,
       static_cast<std::uint16_t>(done.op), !ok);
  if (node.type->on_disk) handle([&] { node.type->on_disk(node.object, *this, done); });
}

void SimWorld::complete_at_once(NodeId id) {
  while (at(id).up && at(id).wait_head != kNone) finish_wait(id, at(id).wait_head, true);
}

std::uint32_t SimWorld::find_wait(const Action& action) const {
  const auto is = [&](std::uint32_t slot) {
    return slot < pending_.waits.size() && pending_.waits[slot].alive() &&
           pending_.waits[slot].name == action.name;
  };
  if (is(action.hint)) return action.hint;
  if (action.name.from() >= places_) return kNone;
  for (auto slot = at(action.name.from()).wait_head; slot != kNone;
       slot = pending_.waits[slot].next)
    if (is(slot)) return slot;
  return kNone;
}

// The action's name has `copy` set where the operation fails.
Refusal SimWorld::complete(const Action& action) {
  const bool ok = action.name.copy() == 0;
  const Name plain(action.name.from(), action.name.to(), action.name.type(), action.name.nth());
  Action look = action;
  look.name = plain;
  const std::uint32_t slot = find_wait(look);
  if (slot == kNone) return Refusal::not_pending;
  const DiskWait& wait = pending_.waits[slot];
  const NodeId id = wait.name.from();
  if (wait.held()) return Refusal::held;
  if (at(id).paused) return Refusal::node_paused;
  if (wait.at == kNone) return Refusal::not_first;
  if (!ok)
    if (const Refusal no = afford(action, pending_.left.disk_error); no != Refusal::none) return no;
  if (action.arg() > 0 && !ticking()) return Refusal::wrong_time;
  begin_step(action, slot);
  clock_ += action.arg();
  Hash128 label = label_of(Do::complete, wait.id);
  if (!ok) {
    pay(action, pending_.left.disk_error);
    rest_changed_ = true;
    label = paid(action, absorb(label, 1));
    if (!action.free) touch(budgets_[static_cast<std::size_t>(Do::complete)], label);
  }
  enter(id, label, Do::complete, action.name);
  finish_wait(id, slot, ok);
  leave();
  return Refusal::none;
}

void SimWorld::disk_sync_now() { current_->disk.make_all_durable(pool_); }
void SimWorld::disk_write_now(int file, const TypeInfo& type, void* record) {
  Body* body = pool_.make(type, record);
  if (listening & mask_of(Happened::disk_queued)) retire(BodyPool::share(body));
  emit(Happened::disk_queued, here_, here_, static_cast<std::uint64_t>(file), body,
       static_cast<std::uint16_t>(DiskOp::write));
  current_->disk.write_through(pool_, file, body);
}
std::uint32_t SimWorld::disk_length(int file) { return current_->disk.length(file); }
StoredRecord SimWorld::disk_record(int file, std::uint32_t index) {
  return current_->disk.record(file, index);
}

}  // namespace schism
