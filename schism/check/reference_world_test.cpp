// The reference world itself: how it plays a run, and what its states and classes are.
#include "schism/check/testing/reference_world.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "schism/run/config.hpp"

namespace schism::check {

// ---- contents ----------------------------------------------------------------------------------

ReferenceWorld::Content ReferenceWorld::owned(const TypeInfo& type,
                                              const std::function<void(void*)>& fill) {
  void* const bytes = ::operator new (type.size, std::align_val_t{type.align});
  fill(bytes);
  const auto let_go = [&type](void* p) {
    if (type.destroy) type.destroy(p);
    ::operator delete (p, std::align_val_t{type.align});
  };
  return {&type, std::shared_ptr<void>(bytes, let_go)};
}

ReferenceWorld::Content ReferenceWorld::moved(const TypeInfo& type, void* from) {
  return owned(type, [&](void* to) {
    if (type.move) type.move(to, from);
    else std::memcpy(to, from, type.size);
  });
}

// ---- a run -------------------------------------------------------------------------------------

void ReferenceWorld::end() {
  letters_.clear(), peers_.clear(), used_.clear(), sent_.clear(), copies_.clear();
  clients_.clear(), histories_.clear(), seen_.clear();
  crashes_ = 0;
  given_.clear(), chosen_.clear();
}

void ReferenceWorld::begin() {
  end();
  nodes = setup_.nodes;
  config = setup_.config.get();
  listening = 0;
  peers_.resize(static_cast<std::size_t>(nodes));
  for (NodeId id = 0; id < nodes; ++id) {
    peer(id).type = &setup_.system->class_of(id, setup_);
    build(id);
  }
  if (setup_.system->workload) {
    Workload plan(pool_, nodes, config, 0);
    setup_.system->workload(plan);
    for (const Workload::Request& r : plan.requests) {
      clients_[r.client].plan.push_back(
          {r.target, setup_.system->request_number(*r.body->type),
           owned(*r.body->type, [&](void* to) { r.body->type->copy(to, r.body->content()); })});
      pool_.release(r.body);
    }
    for (auto& [client, its] : clients_) offer(client);
  }
  for (NodeId id = 0; id < nodes; ++id) start(id);
}

void ReferenceWorld::build(NodeId id) {
  peer(id).object = owned(*peer(id).type->state, peer(id).type->state->construct);
}

void ReferenceWorld::start(NodeId id) {
  self = id;
  restarts = peer(id).lives - 1;
  if (here().type->start) here().type->start(here().object.bytes.get(), *this);
  settle(id);
}

// After a handler: where disks take no time, everything that was asked for is done at once.
void ReferenceWorld::settle(NodeId id) {
  while (setup_.options.disk == DiskUse::sync && !peer(id).waits.empty()) finish(id, 0);
}

void ReferenceWorld::send(NodeId to, int type, const Content& content) {
  const Name plain(self, to, type, 0);
  const Name name(self, to, type, sent_[plain.bits()]++);
  if (!peer(to).up() && forgets_ && setup_.options.down == WhenDown::lost) return;
  letters_.push_back({name, 0, content});
}

void ReferenceWorld::offer(int client) {
  Client& c = clients_[client];
  c.asking = c.next < c.plan.size();
  if (c.asking) ++c.next;
}

void ReferenceWorld::answer(Name request, const TypeInfo&, const void*) {
  for (NodeId id = 0; id < nodes; ++id)
    if (id == self || setup_.system->answers_anywhere)
      if (std::erase(peer(id).unanswered, request) > 0) offer(request.from());
}

// ---- disks -------------------------------------------------------------------------------------

void ReferenceWorld::perform(Files& files, const Operation& o) {
  auto& file = files[o.file];
  if (o.op == DiskOp::write) file = {o.record};
  if (o.op == DiskOp::append) file.push_back(o.record);
  if (o.op == DiskOp::truncate && o.length < file.size()) file.resize(o.length);
}

ReferenceWorld::Files ReferenceWorld::seen(const Peer& p) {
  Files files = p.durable;
  for (const Operation& o : p.journal) perform(files, o);
  return files;
}

void ReferenceWorld::make_durable(Peer& p, std::size_t operations) {
  for (; operations > 0; --operations) {
    perform(p.durable, p.journal.front());
    p.journal.erase(p.journal.begin());
    ++p.forgotten;
  }
}

void ReferenceWorld::disk(DiskOp op, int file, const TypeInfo* type, void* bytes,
                          std::uint32_t length, int tag) {
  Peer& p = here();
  if (op != DiskOp::sync && op != DiskOp::read)
    p.journal.push_back({op, file, bytes ? moved(*type, bytes) : Content{}, length});
  if (tag == kNoTag) return;
  const auto kind = static_cast<int>(op);
  p.waits.push_back({Name(self, 0, kind, p.operations[kind]++),
                     {op, file, tag, true},
                     p.forgotten + p.journal.size()});
}

// What the journal has for the same file, and so everything before that, becomes durable with it.
void ReferenceWorld::disk_write_now(int file, const TypeInfo& type, void* bytes) {
  Peer& p = here();
  std::size_t last = 0;
  for (std::size_t i = 0; i < p.journal.size(); ++i)
    if (p.journal[i].file == file) last = i + 1;
  make_durable(p, last);
  p.durable[file] = {moved(type, bytes)};
}

void ReferenceWorld::finish(NodeId id, std::size_t index) {
  Peer& p = peer(id);
  const Wait wait = p.waits[index];
  p.waits.erase(p.waits.begin() + static_cast<std::ptrdiff_t>(index));
  if (wait.done.op == DiskOp::sync && wait.place > p.forgotten)
    make_durable(p, wait.place - p.forgotten);
  if (p.type->on_disk) p.type->on_disk(p.object.bytes.get(), *this, wait.done);
}

// ---- what can happen ---------------------------------------------------------------------------

bool ReferenceWorld::first_on_link(std::size_t letter) const {
  const Name name = letters_[letter].name;
  for (std::size_t i = 0; i < letter; ++i)
    if (letters_[i].name.from() == name.from() && letters_[i].name.to() == name.to()) return false;
  return true;
}

void ReferenceWorld::add_fates(std::size_t letter, std::vector<Action>& out) const {
  const Name name = letters_[letter].name;
  if (fifo() && !first_on_link(letter)) return;
  const bool arrives = peer(name.to()).up() || setup_.options.down == WhenDown::empty;
  if (arrives && !full(name.to())) out.push_back(make_action(Do::deliver, name));
  const auto at = used_.find({name.from(), name.to()});
  const Used used = at == used_.end() ? Used{} : at->second;
  if (used.drops < bounds_.drops) out.push_back(make_action(Do::drop, name));
  if (used.duplicates < bounds_.duplicates) out.push_back(make_action(Do::duplicate, name));
}

void ReferenceWorld::add_requests(std::vector<Action>& out) const {
  for (const auto& [client, c] : clients_) {
    if (!c.asking) continue;
    const Request& r = c.plan[c.next - 1];
    const Name name(client, 0, r.type, static_cast<std::uint32_t>(c.next - 1));
    for (NodeId id = 0; id < setup_.nodes; ++id) {
      const bool it = r.target == id || (r.target == kAnyNode && peer(id).type->takes(r.type));
      const bool there =
          peer(id).up() || (setup_.options.down == WhenDown::empty && r.target == id);
      if (it && there && !full(id))
        out.push_back(make_action(Do::submit, name, static_cast<std::uint32_t>(id)));
    }
  }
}

bool ReferenceWorld::may_crash(NodeId id) const {
  return peer(id).up() && (bounds_.crashes == 0 || crashes_ < bounds_.crashes) &&
         std::count(bounds_.may_crash.begin(), bounds_.may_crash.end(), id) > 0;
}

std::vector<Action> ReferenceWorld::enabled() const {
  std::vector<Action> out;
  for (std::size_t i = 0; i < letters_.size(); ++i) add_fates(i, out);
  add_requests(out);
  for (NodeId id = 0; id < setup_.nodes; ++id) {
    const Peer& p = peer(id);
    if (full(id)) continue;
    for (const auto& [timer, t] : p.timers)
      if (t.on)
        out.push_back(make_action(Do::fire, Name(id, timer.second, timer.first, t.armed - 1)));
    const bool any = setup_.options.completions == DiskOrder::any;
    for (std::size_t i = 0; i < p.waits.size() && (any || i == 0); ++i)
      out.push_back(make_action(Do::complete, p.waits[i].name));
    if (may_crash(id))
      for (const CrashOutcome outcome : outcomes(id))
        out.push_back(node_action(Do::crash, id, outcome.arg()));
    if (!p.up() && p.lives <= static_cast<int>(bounds_.restarts))
      out.push_back(node_action(Do::restart, id));
  }
  return out;
}

// ---- a step ------------------------------------------------------------------------------------

std::size_t ReferenceWorld::find(Name name) const {
  for (std::size_t i = 0; i < letters_.size(); ++i)
    if (letters_[i].name == name) return i;
  ADD_FAILURE() << "no such message";
  return 0;
}

// Where nobody comes back nothing depends on what the disk kept.
std::vector<CrashOutcome> ReferenceWorld::outcomes(NodeId id) const {
  const Peer& p = peer(id);
  if (p.lives > static_cast<int>(bounds_.restarts)) return {{0, false}};
  std::vector<CrashOutcome> out;
  for (std::uint32_t kept = 0; kept <= p.journal.size(); ++kept) {
    out.push_back({kept, false});
    if (kept < p.journal.size() && p.journal[kept].record.type) out.push_back({kept, true});
  }
  return out;
}

void ReferenceWorld::crash(NodeId id, CrashOutcome outcome) {
  Peer& p = peer(id);
  ++crashes_;
  for (std::size_t i = 0; i < p.journal.size() && i <= outcome.kept; ++i) {
    Operation o = p.journal[i];
    if (i == outcome.kept && !outcome.torn) break;
    o.record.torn = i == outcome.kept;
    perform(p.durable, o);
  }
  for (auto& [name, timer] : p.timers) timer.on = false;
  p.waits.clear();
  p.forgotten += p.journal.size();
  p.journal.clear();
  p.object = {};
  if (forgets_ && setup_.options.down == WhenDown::lost)
    std::erase_if(letters_, [&](const Letter& l) { return l.name.to() == id; });
  const std::vector<Name> open = std::exchange(p.unanswered, {});
  for (const Name request : open) offer(request.from());
  if (!setup_.system->crash_notice) return;
  const CrashNotice notice = setup_.system->crash_notice(setup_);
  if (notice.type < 0) return;
  self = id;
  const TypeInfo& type = *p.type->messages[notice.type];
  for (NodeId to = 0; to < nodes; ++to)
    if (to != id || notice.own) send(to, notice.type, owned(type, type.construct));
}

std::vector<ReferenceWorld::Step> ReferenceWorld::otherwise(const Step& step) const {
  std::vector<Step> out;
  for (std::size_t i = step.size() - 1; i < chosen_.size(); ++i) {
    const auto n = static_cast<std::uint32_t>(chosen_[i].name.bits() >> 32);
    for (std::uint32_t k = 1; k < n; ++k) {
      Step other = {step.front()};
      other.insert(other.end(), chosen_.begin(), chosen_.begin() + static_cast<std::ptrdiff_t>(i));
      other.push_back(choose_of(k, n));
      out.push_back(std::move(other));
    }
  }
  return out;
}

void ReferenceWorld::apply(const Step& step) {
  const Action action = step.front();
  given_.assign(step.begin() + 1, step.end());
  chosen_.clear();
  record(action);
  const Name name = action.name;
  const NodeId place = place_of(action);
  if (place >= 0) {
    ++peer(place).events;
    self = place;
    restarts = here().lives - 1;
  }
  switch (action.kind) {
    case Do::deliver: {
      const std::size_t at = find(name);
      const Content content = letters_[at].content;
      letters_.erase(letters_.begin() + static_cast<std::ptrdiff_t>(at));
      if (!here().up()) break;
      here().type->on_message[name.type()](here().object.bytes.get(), *this, name.from(),
                                           content.bytes.get());
      settle(place);
      break;
    }
    case Do::drop:
      letters_.erase(letters_.begin() + static_cast<std::ptrdiff_t>(find(name)));
      ++used_[{name.from(), name.to()}].drops;
      break;
    case Do::duplicate: {
      const std::size_t at = find(name);
      ++letters_[at].version;
      const Name original(name.from(), name.to(), name.type(), name.nth());
      const Name copy(name.from(), name.to(), name.type(), name.nth(), ++copies_[original.bits()]);
      letters_.push_back({copy, 0, letters_[at].content});
      ++used_[{name.from(), name.to()}].duplicates;
      break;
    }
    case Do::fire: {
      Timer& t = here().timers[{name.type(), name.to()}];
      t.on = false;
      here().clock = std::max(here().clock, t.due);
      here().type->on_timer(here().object.bytes.get(), *this, name.type(), name.to());
      settle(place);
      break;
    }
    case Do::complete: {
      std::size_t at = 0;
      while (here().waits[at].name != name) ++at;
      finish(place, at);
      break;
    }
    case Do::submit: {
      Client& c = clients_[name.from()];
      const Request r = c.plan[c.next - 1];
      c.asking = false;
      if (!here().up()) {
        offer(name.from());
        break;
      }
      here().unanswered.push_back(name);
      here().type->on_request[r.type](here().object.bytes.get(), *this, name,
                                      r.content.bytes.get());
      settle(place);
      break;
    }
    case Do::crash: crash(place, CrashOutcome::of(action.arg())); break;
    case Do::restart:
      ++here().lives;
      build(place);
      start(place);
      break;
    default: ADD_FAILURE() << "not in this world: " << action_name(action.kind);
  }
  for (const Action& choice : chosen_)
    histories_[fmt::format("node {}", place)] += fmt::format("chose {:x};", choice.name.bits());
}

// ---- what a state is ---------------------------------------------------------------------------

std::string ReferenceWorld::node_state(NodeId id, bool clocks) const {
  const Peer& p = peer(id);
  std::string out = fmt::format("node {} life {} {}", id, p.lives,
                                p.up() ? p.object.text() : std::string("down"));
  if (bounds_.events > 0) out += fmt::format(" events {}", p.events);
  if (clocks) out += fmt::format(" clock {}", p.clock);
  for (const auto& [name, t] : p.timers)
    if (t.on)
      out += fmt::format(" timer {}.{}{}", name.first, name.second,
                         clocks ? fmt::format(" due {}", t.due) : "");
  for (const auto& [file, records] : p.durable)
    for (const Content& record : records) out += fmt::format(" file {} {}", file, record.text());
  for (const Operation& o : p.journal)
    out += fmt::format(" queued {} {} {} {}", disk_op_name(o.op), o.file,
                       o.record.type ? o.record.text() : "", o.length);
  for (const Wait& w : p.waits) {
    out += fmt::format(" waits {} {} {}", disk_op_name(w.done.op), w.done.file, w.done.tag);
    if (w.done.op == DiskOp::sync)
      out += fmt::format(" for {}", w.place > p.forgotten ? w.place - p.forgotten : 0);
  }
  std::multiset<std::uint64_t> open;
  for (const Name request : p.unanswered) open.insert(request.bits());
  for (const std::uint64_t request : open) out += fmt::format(" asked {:x}", request);
  return out + "\n";
}

std::string ReferenceWorld::state(bool clocks) const {
  std::string out;
  for (NodeId id = 0; id < setup_.nodes; ++id) out += node_state(id, clocks);
  std::vector<std::string> flying;
  std::map<std::pair<NodeId, NodeId>, std::uint32_t> before;
  for (const Letter& l : letters_) {
    const std::uint32_t place = fifo() ? before[{l.name.from(), l.name.to()}]++ : 0;
    flying.push_back(fmt::format("{} to {}: {} type {} {}\n", l.name.from(), l.name.to(), place,
                                 l.name.type(), l.content.text()));
  }
  std::sort(flying.begin(), flying.end());
  for (const std::string& line : flying) out += line;
  for (const auto& [link, used] : used_)
    if (used.drops + used.duplicates > 0)
      out += fmt::format("link {} {} lost {} copied {}\n", link.first, link.second, used.drops,
                         used.duplicates);
  for (const auto& [client, c] : clients_)
    out += fmt::format("client {} next {} asks {}\n", client, c.next, c.asking);
  if (bounds_.crashes > 0) out += fmt::format("crashes {}\n", crashes_);
  return out;
}

// ---- what a class is ---------------------------------------------------------------------------

// Which objects a step touches: docs/checking.md, "How the reduction works".
void ReferenceWorld::record(const Action& a) {
  const Name n = a.name;
  const bool of_message = a.kind == Do::deliver || a.kind == Do::drop || a.kind == Do::duplicate;
  const int version = of_message ? letters_[find(n)].version : 0;
  const std::string label =
      fmt::format("{} {:x}/{} {};", action_name(a.kind), n.bits(), version, a.arg());
  const auto touch = [&](const std::string& object) { histories_[object] += label; };
  if (place_of(a) >= 0) touch(fmt::format("node {}", place_of(a)));
  if (a.kind == Do::crash && bounds_.crashes > 0) touch("crashes");
  if (place_of(a) >= 0 && setup_.system->answers_anywhere) touch("clients");
  const bool waits = bounds_.restarts > 0 && setup_.options.down != WhenDown::empty;
  if (of_message) {
    if (waits || bounds_.drops + bounds_.duplicates > 0)
      touch(fmt::format("message {:x}/{}", n.bits(), version));
    const std::string link = fmt::format("{}>{}", n.from(), n.to());
    if (a.kind == Do::duplicate) touch("copies " + link);
    else if (fifo() || a.kind == Do::drop) touch("link " + link);
  }
  if (a.kind == Do::submit) {
    const Client& c = clients_[n.from()];
    const bool anywhere = c.plan[c.next - 1].target == kAnyNode;
    if (anywhere || waits) touch(fmt::format("request {:x}", n.bits()));
  }
}

std::string ReferenceWorld::run_class() const {
  std::string out;
  for (const auto& [object, history] : histories_) out += object + ": " + history + "\n";
  return out;
}

}  // namespace schism::check
