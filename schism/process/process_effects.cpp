// What nodes do: the frames that their processes send while a handler runs, as effects on the
// world.
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "schism/base/random.hpp"
#include "schism/guard/black_box.hpp"
#include "schism/process/node_process.hpp"
#include "schism/process/process_world.hpp"
#include "schism/system/system.hpp"

namespace schism {

using process::Frame;
using process::Wire;
using process::Word;

void ProcessWorld::emit(Happened kind, NodeId node, NodeId peer, std::uint64_t value,
                        const Body* body, std::uint16_t detail, bool flag) {
  if (!(listening_ & mask_of(kind))) return;
  step_mask_ |= mask_of(kind);
  events_.push_back({kind, flag, static_cast<std::uint16_t>(node), static_cast<std::uint16_t>(peer),
                     detail, value, body ? body->content() : nullptr, body ? body->type : nullptr});
}

// That is no fault of the system, so it is no verdict about it either.
void ProcessWorld::cannot_read(std::string_view what) {
  throw std::runtime_error(fmt::format(
      "a world of processes cannot read {} back: not all of it can be set from its fields", what));
}

Body* ProcessWorld::body_of(const TypeInfo& type, const std::string& json) {
  Body* body = parse_body(type, json);
  if (!body) cannot_read(type.name);
  return body;
}

Body* ProcessWorld::parse_body(const TypeInfo& type, const std::string& json) {
  const auto value = parse_json(json);
  if (!value || !type.construct) return nullptr;
  Body* body = pool_.build(type);
  if (type.from_value(*value, body->content())) return body;
  pool_.release(body);
  return nullptr;
}

// ---- handlers ------------------------------------------------------------------------------

void ProcessWorld::call(NodeId id, Word word, Do kind, Name name, std::array<std::int64_t, 4> more,
                        std::string content) {
  Node& node = at(id);
  Frame frame;
  frame.word = word;
  frame.numbers = {static_cast<std::int64_t>(listening_),
                   shift_ + node.shift,
                   static_cast<std::int64_t>(name.bits() ^ static_cast<std::uint64_t>(kind) << 58),
                   more[0],
                   more[1],
                   more[2],
                   more[3]};
  frame.content = std::move(content);
  node.hash = absorb(absorb(node.hash, static_cast<std::uint64_t>(kind)), name.bits());
  node.busy = true;
  node.asleep = 0;
  if (!node.wire.send(frame)) lost_process(id, false);
}

bool ProcessWorld::settle(Micros bound) {
  const Micros until = process::wall_clock() + bound;
  for (NodeId id = 0; id < setup_.nodes; ++id) hear_out(id, until);
  clock_ = base();
  return std::none_of(nodes_.begin(), nodes_.end(), [](const Node& node) { return node.busy; });
}

// Until its handler has come back or it has died. How long a handler may take is a matter of the
// CPU time that its process counts itself; one that waits for something that does not come uses
// none, and is seen asleep each time that somebody looks. The wall clock decides nothing: on a busy
// machine it says nothing about a handler.
void ProcessWorld::hear_out(NodeId id, Micros until) {
  constexpr std::uint32_t looks = 16;
  Node& node = at(id);
  while (node.busy) {
    const Micros now = process::wall_clock();
    if (until <= now) return;
    Frame frame;
    const Micros pause = std::max<Micros>(setup_.options.hang / looks, 1000);
    const auto heard = node.wire.hear(frame, std::min(pause, until - now));
    if (heard == Wire::Heard::gone) return lost_process(id, false);
    if (heard == Wire::Heard::frame) {
      node.asleep = 0;
      take(id, frame);
    } else if (node.asleep = guard::is_asleep(node.child->pid()) ? node.asleep + 1 : 0;
               node.asleep > looks) {
      return lost_process(id, true);
    }
  }
}

void ProcessWorld::take(NodeId id, const Frame& frame) {
  Node& node = at(id);
  const auto& n = frame.numbers;
  const auto reply = [&](Frame answer) {
    answer.word = frame.word;
    if (!node.wire.send(answer)) lost_process(id, false);
  };
  switch (frame.word) {
    case Word::post:
    case Word::broadcast: {
      const bool all = frame.word == Word::broadcast;
      const auto type = static_cast<int>(all ? n[0] : n[1]);
      if (!all && (n[0] < 0 || n[0] >= setup_.nodes))
        return fail(id, "a message to node " + std::to_string(n[0]) + ", which does not exist",
                    false);
      Body* body = body_of(*node.type->messages[type], frame.content);
      if (!all) return send_one(id, static_cast<NodeId>(n[0]), type, body, 0);
      const std::uint32_t group = ++group_;
      for (NodeId to = 0; to < setup_.nodes; ++to)
        if (to != id) send_one(id, to, type, BodyPool::share(body), group);
      return retire(body);
    }
    case Word::set_timer: return set_timer(id, frame);
    case Word::cancel: return cancel_timer(id, static_cast<int>(n[0]), static_cast<int>(n[1]));
    case Word::announce: {
      Body* body = body_of(*frame.type, frame.content);
      retire(body);
      step_mask_ |= mask_of(Happened::announced) | mask_of_type(*body->type);
      events_.push_back({Happened::announced, false, static_cast<std::uint16_t>(id),
                         static_cast<std::uint16_t>(id), 0, 0, body->content(), body->type});
      return;
    }
    case Word::answer: return answer(id, frame);
    case Word::fail: return fail(id, frame.content, n[0] != 0);
    case Word::choose: {
      const auto alternatives = static_cast<std::uint32_t>(n[0]);
      const std::uint32_t k = attendant_ ? attendant_->on_choice(*this, alternatives) : 0;
      decisions_.push_back(choose_of(k, alternatives));
      node.hash = absorb(node.hash, std::uint64_t{alternatives} << 32 | k);
      emit(Happened::chosen, id, id, k, nullptr, static_cast<std::uint16_t>(alternatives));
      Frame chosen;
      chosen.numbers[0] = k;
      return reply(std::move(chosen));
    }
    case Word::store: return store(id, frame);
    case Word::sync_now: return node.disk.make_all_durable(pool_);
    case Word::write_now: {
      Body* body = body_of(*frame.type, frame.content);
      emit(Happened::disk_queued, id, id, static_cast<std::uint64_t>(n[0]), body,
           static_cast<std::uint16_t>(DiskOp::write));
      retire(BodyPool::share(body));
      return node.disk.write_through(pool_, static_cast<int>(n[0]), body);
    }
    case Word::disk_length: {
      Frame length;
      length.numbers[0] = node.disk.length(static_cast<int>(n[0]));
      return reply(std::move(length));
    }
    case Word::disk_record: {
      const StoredRecord stored =
          node.disk.record(static_cast<int>(n[0]), static_cast<std::uint32_t>(n[1]));
      Frame record;
      record.numbers[0] = stored.torn ? 1 : 0;
      record.type = stored.type;
      if (stored.content) record.content = to_json(stored.type->to_value(stored.content));
      return reply(std::move(record));
    }
    case Word::done: return done(id, frame);
    default: return;
  }
}

void ProcessWorld::done(NodeId id, const Frame& frame) {
  Node& node = at(id);
  node.busy = false;
  drawn_ += static_cast<std::uint32_t>(frame.numbers[0]);
  clock_reads_ += static_cast<std::uint32_t>(frame.numbers[1]);
  show(id, frame.content);
  if (setup_.options.disk == DiskUse::sync && !node.waits.empty()) complete_next(id);
}

// ---- what they ask for ---------------------------------------------------------------------

void ProcessWorld::send_one(NodeId from, NodeId to, int type, Body* body, std::uint32_t group) {
  const auto types = static_cast<std::size_t>(setup_.system->message_count());
  std::uint32_t& count = sent_[link(from, to) * types + static_cast<std::size_t>(type)];
  const Name name(from, to, type, count++);
  const Hash128 id = absorb(at(from).hash, ++at(from).created);
  emit(Happened::sent, from, to, name.bits(), body);
  const bool lost = (!at(to).up && setup_.options.down == WhenDown::lost) ||
                    (cut(from, to) && setup_.options.cut == WhenCut::loses);
  if (!lost) return launch(name, body, id, group);
  emit(Happened::lost, to, from, name.bits(), body, 0, true);
  retire(body);
}

void ProcessWorld::launch(Name name, Body* body, const Hash128& id, std::uint32_t group) {
  const std::uint32_t slot = pending_.flights.take(group);
  Flight& flight = pending_.flights[slot];
  flight.id = id;
  flight.name = name;
  flight.body = body;
  flight.created = step_;
  flight.due = 0;
  on_link_[link(name.from(), name.to())].push_back(slot);
  if (sees_pending_) attendant_->on_pending(*this, Do::deliver, slot);
  refresh(Do::deliver, slot);
}

void ProcessWorld::set_timer(NodeId id, const Frame& frame) {
  Node& node = at(id);
  const auto timer = static_cast<int>(frame.numbers[0]), key = static_cast<int>(frame.numbers[1]);
  const Micros least = frame.numbers[2], most = frame.numbers[3];
  if (key < 0 || key >= kNodesMax)
    return fail(id, "a timer key must be from 0 to " + std::to_string(kNodesMax - 1), false);
  cancel_timer(id, timer, key);
  auto entry = std::find_if(node.timers.begin(), node.timers.end(),
                            [&](const Timer& t) { return t.timer == timer && t.key == key; });
  if (entry == node.timers.end()) entry = node.timers.insert(entry, Timer{timer, key});
  const Name name(id, key, timer, entry->armed++);
  // Before the calm a timer fires whenever somebody says so: there is nothing to draw.
  Micros delay = std::max<Micros>(least, 0);
  if (most > least && calm_)
    delay += static_cast<Micros>(
        scale_below(keyed(setup_.node_seed, name.bits()),
                    static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least) + 1));
  const std::uint32_t slot = pending_.timers.take();
  entry->slot = slot;
  Armed& armed = pending_.timers[slot];
  armed.id = absorb(node.hash, ++node.created);
  armed.name = name;
  armed.due = clock_of(node) + delay;
  armed.created = step_;
  refresh(Do::fire, slot);
  emit(Happened::timer_set, id, id, name.bits(), nullptr, static_cast<std::uint16_t>(timer));
  if (sees_pending_) attendant_->on_pending(*this, Do::fire, slot);
}

void ProcessWorld::cancel_timer(NodeId id, int timer, int key) {
  for (Timer& t : at(id).timers) {
    if (t.timer != timer || t.key != key || t.slot == kNone) continue;
    emit(Happened::timer_cancelled, id, id, pending_.timers[t.slot].name.bits(), nullptr,
         static_cast<std::uint16_t>(timer));
    forget(Do::fire, t.slot);
    t.slot = kNone;
  }
}

void ProcessWorld::store(NodeId id, const Frame& frame) {
  Node& node = at(id);
  const auto op = static_cast<DiskOp>(frame.numbers[0]);
  const auto file = static_cast<int>(frame.numbers[1]), tag = static_cast<int>(frame.numbers[3]);
  Body* body = frame.type ? body_of(*frame.type, frame.content) : nullptr;
  if (body) retire(BodyPool::share(body));
  const std::uint64_t place =
      node.disk.apply(pool_, op, file, body, static_cast<std::uint32_t>(frame.numbers[2]));
  emit(Happened::disk_queued, id, id, static_cast<std::uint64_t>(file), body,
       static_cast<std::uint16_t>(op));
  if (tag == kNoTag) return;
  const std::uint32_t slot = pending_.waits.take();
  DiskWait& wait = pending_.waits[slot];
  wait.id = absorb(node.hash, ++node.created);
  wait.name = Name(id, 0, static_cast<int>(op), node.disk_ops[static_cast<int>(op)]++);
  wait.due = 0;
  wait.created = step_;
  wait.done = {op, file, tag, true};
  wait.place = place;
  node.waits.push_back(slot);
  refresh(Do::complete, slot);
  if (sees_pending_ && setup_.options.disk == DiskUse::async)
    attendant_->on_pending(*this, Do::complete, slot);
}

// Where operations complete within the step.
void ProcessWorld::complete_next(NodeId id) {
  const std::uint32_t slot = at(id).waits.front();
  const DiskWait wait = pending_.waits[slot];
  at(id).waits.erase(at(id).waits.begin());
  forget(Do::complete, slot);
  if (wait.done.op == DiskOp::sync) at(id).disk.make_durable(pool_, wait.place);
  emit(Happened::disk_completed, id, id, wait.name.bits(), nullptr,
       static_cast<std::uint16_t>(wait.done.op));
  call(id, Word::disk, Do::complete, wait.name,
       {static_cast<int>(wait.done.op), wait.done.file, wait.done.tag, 1});
}

void ProcessWorld::answer(NodeId id, const Frame& frame) {
  Node& node = at(id);
  const Name request(static_cast<std::uint64_t>(frame.numbers[0]));
  if (!enough_say(id, request, frame)) return;
  Node* asked = nullptr;  // where its client waits
  for (Node& other : nodes_)
    if (answers_anywhere_ || &other == &node)
      if (std::erase(other.unanswered, request) > 0) asked = &other;
  if (!asked && !(answers_anywhere_ && was_asked(request)))
    return fail(id, std::string(not_open_text(answers_anywhere_)), false);
  const Happened kind = asked ? Happened::answered : Happened::answered_late;
  Body* body = body_of(*frame.type, frame.content);
  retire(body);
  const EventMask mask = mask_of(kind) | (asked ? mask_of_type(*body->type) : 0);
  if (listening_ & mask) {
    step_mask_ |= mask;
    events_.push_back({kind, false, static_cast<std::uint16_t>(id),
                       static_cast<std::uint16_t>(request.from()), 0, request.bits(),
                       body->content(), body->type});
  }
  if (asked) offer_next_request(request.from(), absorb(node.hash, ++node.created));
}

// Where a client believes only what several nodes answer: whether this is the one that it needed,
// or too late.
bool ProcessWorld::enough_say(NodeId id, Name request, const Frame& frame) {
  if (!setup_.system->answers || !was_asked(request)) return true;
  const auto waits = [&](const Node& node) {
    return std::find(node.unanswered.begin(), node.unanswered.end(), request) !=
           node.unanswered.end();
  };
  if (std::none_of(nodes_.begin(), nodes_.end(), waits)) return true;
  Body* body = body_of(*frame.type, frame.content);
  retire(body);
  const Hash128 answer = body->type->hash(body->content());
  ballots_.add(request, id, answer);
  const bool enough = ballots_.count(request, answer) >= setup_.system->answers(setup_);
  if (enough) {
    ballots_.close(request);
  } else if (listening_ & mask_of(Happened::answered_late)) {
    step_mask_ |= mask_of(Happened::answered_late);
    events_.push_back({Happened::answered_late, false, static_cast<std::uint16_t>(id),
                       static_cast<std::uint16_t>(request.from()), 0, request.bits(),
                       body->content(), body->type});
  }
  return enough;
}

bool ProcessWorld::was_asked(Name request) const {
  const auto client = static_cast<std::size_t>(request.from());
  return client < client_next_.size() && pending_.was_asked(request, client_next_[client]);
}

// ---- when they fail ------------------------------------------------------------------------

void ProcessWorld::fail(NodeId id, std::string message, bool fatal) {
  failed_ = true;
  Failure failure{std::move(message)};
  Body* body = pool_.make(type_info<Failure>(), &failure);
  retire(body);
  emit(Happened::failed, id, id, 0, body, 0, fatal);
}

// It died by itself, or its handler never came back.
void ProcessWorld::lost_process(NodeId id, bool hangs) {
  Node& node = at(id);
  node.child->kill();  // a process that is dying already keeps its own reason
  const int status = node.child->wait();
  hangs = hangs || (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF);
  std::string how = "a handler that does not come back";
  if (!hangs && WIFSIGNALED(status)) {
    const char* name = ::sigabbrev_np(WTERMSIG(status));
    how = "SIG" + std::string(name ? name : "?");
  } else if (!hangs) {
    how = "exit with status " + std::to_string(WEXITSTATUS(status));
  }
  const std::string said = node.child->said();
  end_process(node);
  views_[static_cast<std::size_t>(id)].object = nullptr;
  fail(id,
       "the process of node " + std::to_string(id) + " ended: " + how +
           (said.empty() ? "" : "; it said: " + said),
       true);
}

}  // namespace schism
