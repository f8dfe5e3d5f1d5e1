// The beginning of a run, its digests and its snapshots.
#include <algorithm>
#include <cassert>
#include <cstring>

#include "schism/base/random.hpp"
#include "schism/sim/step.hpp"
#include "schism/system/liars.hpp"
#include "schism/system/system.hpp"

namespace schism {

// ---- reset ---------------------------------------------------------------------------------

SimWorld::~SimWorld() {
  clear_run();
  destroy_nodes();
}

namespace {

// A node that died is left as it is, and what it owns is lost. That is meant: a copy of its bytes
// tells the leak sanitizer.
void leave_behind([[maybe_unused]] const void* object, [[maybe_unused]] std::size_t bytes) {
#ifdef __SANITIZE_ADDRESS__
  static auto& left = *new std::vector<std::unique_ptr<std::byte[]>>;
  left.push_back(std::make_unique<std::byte[]>(bytes));
  std::memcpy(left.back().get(), object, bytes);
#endif
}

}  // namespace

void SimWorld::destroy_nodes() {
  if (died_)
    for (NodeState& node : nodes_)
      if (node.up) leave_behind(node.object, node.type->state->size);
  for (NodeState& node : nodes_)
    if (node.up && !died_ && node.type->state->destroy) node.type->state->destroy(node.object);
  for (NodeState& node : nodes_) node.up = false;
  died_ = false;
  views_.clear();
}

void SimWorld::clear_run() {
  for (std::uint32_t slot = 0; slot < pending_.flights.size(); ++slot)
    if (pending_.flights[slot].alive()) pool_.release(pending_.flights[slot].body);
  for (Body* body : retired_) pool_.release(body);
  retired_.clear();
  for (const Planned& planned : workload_) pool_.release(planned.body);
  workload_.clear();
  for (NodeState& node : nodes_) node.disk.clear(pool_);
  pending_.flights.clear();
  pending_.timers.clear();
  pending_.waits.clear();
  pending_.askings.clear();
  pending_.deliverable.clear();
  pending_.completable.clear();
  pending_.askable.clear();
  pending_.clear_desks();
  for (Dense& armed : pending_.armed) armed.clear();
  pending_.armed_total = 0;
}

// Memory for the nodes, and tables of the right size: once a system and number of nodes.
void SimWorld::build_nodes() {
  const auto n = static_cast<std::size_t>(places_);
  const auto types = static_cast<std::size_t>(setup_.system->message_count());
  const bool same = built_for_ == setup_.system && nodes_.size() == n;
  if (!same) {
    nodes_.clear();
    nodes_.resize(n);
    storage_.clear();
    storage_.resize(n);
    links_.assign(n * n, Link{});
    sent_.assign(n * n * types, 0);
    run_ = 0;
    built_for_ = setup_.system;
    message_types_ = static_cast<int>(types);
    int timers = 0;
    for (const NodeClass* c : setup_.system->classes)
      timers = std::max(timers, static_cast<int>(count_words(c->timer_words)));
    pending_.armed.assign(static_cast<std::size_t>(timers), Dense{});
  }
  capabilities_.snapshots = true;
  for (NodeId id = 0; id < nodes; ++id) build_node(id);
}

void SimWorld::build_node(NodeId id) {
  NodeState& node = at(id);
  const NodeClass* type = &setup_.system->class_of(identity(id), setup_);
  if (node.type != type) {
    std::size_t room = std::size_t{type->state->size} + type->state->align;
    auto& storage = storage_[static_cast<std::size_t>(id)];
    storage = std::make_unique<std::byte[]>(room);
    void* place = storage.get();
    node.object = std::align(type->state->align, type->state->size, place, room);
    node.type = type;
  }
  if (!type->state->copy) capabilities_.snapshots = false;
}

void SimWorld::reset(const Setup& setup) {
  destroy_nodes();
  clear_run();
  setup_ = setup;
  answers_anywhere_ = setup_.system->answers_anywhere;
  answers_needed_ = setup_.system->answers ? std::max(setup_.system->answers(setup_), 1) : 0;
  nodes = setup_.nodes;
  places_ = setup_.places();
  config = setup_.config.get();
  build_nodes();
  const Faults& faults = setup_.options.faults;
  const bool scripted = setup_.options.scripted;  // then everything can happen
  gates_nodes_ = scripted || faults.crash + faults.pause > 0;
  gates_sends_ = (scripted || faults.crash > 0) && setup_.options.down == WhenDown::lost;
  orders_sends_ =
      setup_.options.links == LinkOrder::fifo && (scripted || faults.duplicate + faults.inject > 0);
  gates_links_ = scripted || faults.cut > 0 || faults.partition > 0;
  const CrashNotice notice =
      setup_.system->crash_notice ? setup_.system->crash_notice(setup_) : CrashNotice{};
  notice_type_ = notice.type, notice_own_ = notice.own;
  sets_changed_ = true;
  beginning_ = absorb(seeded(setup_.system->name, static_cast<std::uint64_t>(nodes)),
                      static_cast<std::uint64_t>(setup_.options.time));
  if (places_ > nodes) beginning_ = absorb(beginning_, static_cast<std::uint64_t>(places_));
  reset(setup_.node_seed);
}

void SimWorld::reset(std::uint64_t node_seed) {
  destroy_nodes();
  clear_run();
  setup_.node_seed = node_seed;
  ++run_;
  step_ = deliveries_ = calls_ = 0;
  clock_ = 0;
  drawn_ = clock_reads_ = 0;
  calm_ = failed_ = in_partition_ = false;
  macros_.clear();
  group_ = injected_ = created_ = 0;
  copies_.clear();
  events_.clear();
  step_mask_ = 0;
  decisions_.clear();
  contents_.clear();
  differences_.clear();
  set_liars(liars_of(setup_));
  assert(places_ == nodes || liars_.size() == static_cast<std::size_t>(places_ - nodes));
  for (NodeId twin = nodes; twin < places_; ++twin) build_node(twin);  // whose it is, is drawn
  seen_.clear();
  seen_sum_ = {};
  pending_.left = setup_.options.faults;
  if (sets_changed_ || places_ > nodes) reset_sets();
  reset_hashes();
  refresh_listening();

  views_.clear();
  dirty_.clear();
  const bool stillborn = setup_.death && dies_at(0, false);  // already while it was built
  for (NodeId id = 0; id < places_; ++id) reset_node(id, !stillborn);
  if (stillborn) return die(0);
  // All objects exist before the first one starts: what it sends must find its receiver up.
  plan_workload();
  for (NodeId id = 0; id < places_; ++id) {
    const Name name(id, 0, 0, 0);
    run_start(id, Do::restart, name, label_of(Do::restart, name));
  }
  if (setup_.death && !died_ && dies_at(0, false)) die(0);
}

void SimWorld::reset_sets() {
  const WorldOptions& options = setup_.options;
  const auto n = static_cast<std::uint32_t>(places_);
  pending_.nodes = places_;
  pending_.recovers = options.crashes == Crashes::recover;
  pending_.down_max = options.down_max > 0 ? static_cast<std::uint32_t>(options.down_max) : n;
  pending_.live.reset(n, true);
  std::vector<const NodeClass*> classes;
  for (const NodeState& node : nodes_) classes.push_back(node.type);
  pending_.open_desks(classes);
  pending_.crashable.reset(n, true);
  for (std::uint32_t id = 0; id < n && !options.may_crash.empty(); ++id)
    if (std::find(options.may_crash.begin(), options.may_crash.end(),
                  identity(static_cast<NodeId>(id))) == options.may_crash.end())
      pending_.crashable.remove(id);
  pending_.down.reset(n, false);
  pending_.pausable.reset(n, true);
  pending_.paused.reset(n, false);
  pending_.cuttable.reset(gates_links_ ? n * n : 0, true);
  pending_.severed.reset(gates_links_ ? n * n : 0, false);
  if (gates_links_)
    for (std::uint32_t id = 0; id < n; ++id) pending_.cuttable.remove(id * n + id);
  sets_changed_ = false;
}

// Objects that are not nodes; the causal hash begins with the configuration.
void SimWorld::reset_hashes() {
  total_ = absorb(beginning_, setup_.node_seed);
  in_flight_ = node_digests_ = {};
  rest_changed_ = true;
  const auto links = static_cast<std::size_t>(places_) * static_cast<std::size_t>(places_);
  link_gates_.clear();
  link_gates_.resize(gates_links_ ? links : 0);
  for (std::size_t i = 0; i < link_gates_.size(); ++i)
    total_ += link_gates_[i].hash = scatter(0x100000U + i);
  link_order_.resize(setup_.options.links == LinkOrder::fifo ? links : 0);
  for (std::size_t i = 0; i < link_order_.size(); ++i)
    total_ += link_order_[i] = scatter(0x300000U + i);
  observer_hashes_.resize(observers_.size());
  for (std::size_t i = 0; i < observers_.size(); ++i)
    total_ += observer_hashes_[i] = scatter(0x3000U + i);
  for (Hash128& budget : budgets_) budget = {};
}

void SimWorld::reset_node(NodeId id, bool build) {
  NodeState& node = at(id);
  const auto index = static_cast<std::size_t>(id);
  node.hash = scatter(0x1000U + index);
  node.gate = scatter(0x2000U + index);
  node.gate_uses = {};
  total_ += node.hash;
  if (gates_nodes_) total_ += node.gate;
  node.digest = {};
  node.dirty = false;
  node.paused = false;
  node.restarts = 0;
  node.clock = 0;
  const WorldOptions& options = setup_.options;
  node.skew = index < options.skew_us.size() ? options.skew_us[index] : 0;
  node.drift_ppm = index < options.drift_ppm.size() ? options.drift_ppm[index] : 0;
  node.timers.clear();
  node.wait_head = node.wait_tail = kNone;
  std::fill(std::begin(node.disk_ops), std::end(node.disk_ops), 0U);
  node.unanswered.clear();
  node.askers.clear();
  node.disk.keep_syncs(liar(id));
  if (build) node.type->state->construct(node.object);
  node.up = build;
  views_.push_back({build ? node.object : nullptr, node.type->state});
}

void SimWorld::plan_workload() {
  client_requests_.clear();
  client_next_.clear();
  random_workload_ = false;
  if (setup_.requests) {
    const NodeClass* taker = setup_.system->request_class();
    for (const ClientRequest& r : *setup_.requests) {
      Body* body = pool_.build(*taker->requests[r.type]);
      taker->requests[r.type]->from_value(r.content, body->content());
      plan_request({r.client, r.target, r.type, body});
    }
  } else if (setup_.system->workload) {
    const std::uint64_t seed = keyed(setup_.node_seed, 0x776f726b6c6f6164ULL);
    Workload plan(pool_, nodes, config, seed);
    setup_.system->workload(plan);
    random_workload_ = plan.random != Rng(seed);
    for (const Workload::Request& r : plan.requests)
      plan_request({r.client, r.target, setup_.system->request_number(*r.body->type), r.body});
  }
  client_next_.assign(client_requests_.size(), 0);
  client_hashes_.clear();
  ballots_.clear();
  grow_clients();
  for (std::size_t client = 0; client < client_requests_.size(); ++client)
    offer_next_request(static_cast<int>(client), seeded("client", client));
}

// A client is an object of its own only where its waiting is no single node's affair.
void SimWorld::grow_clients() {
  if (!answers_anywhere_) return;
  for (std::size_t i = client_hashes_.size(); i < client_requests_.size(); ++i)
    total_ += client_hashes_.emplace_back(scatter(0x4000U + i));
}

void SimWorld::plan_request(const Planned& request) {
  assert(request.client >= 0 && request.client < kNodesMax && request.target < nodes);
  const auto client = static_cast<std::size_t>(request.client);
  if (client >= client_requests_.size()) client_requests_.resize(client + 1);
  client_requests_[client].push_back(static_cast<std::uint32_t>(workload_.size()));
  workload_.push_back(request);
}

std::vector<ClientRequest> SimWorld::requests() const {
  std::vector<ClientRequest> out;
  for (const Planned& r : workload_)
    out.push_back({r.client, r.target, r.type, r.body->type->to_value(r.body->content())});
  return out;
}

// After a restart the node is built anew; what it knows is on its disk.
void SimWorld::start_node(NodeId id, Do kind, Name name, const Hash128& label) {
  NodeState& node = at(id);
  node.type->state->construct(node.object);
  node.up = true;
  views_[static_cast<std::size_t>(id)].object = node.object;
  refresh_node(id);
  run_start(id, kind, name, label);
}

void SimWorld::run_start(NodeId id, Do kind, Name name, const Hash128& label) {
  NodeState& node = at(id);
  enter(id, label, kind, name);
  emit(Happened::started, id, id, name.bits());
  if (node.type->start) handle([&] { node.type->start(node.object, *this); });
  if (setup_.options.disk == DiskUse::sync) complete_at_once(id);
  leave();
}

void SimWorld::refresh_listening() {
  listening = wanted_;
  for (const Observer& observer : observers_) listening |= observer.mask;
}

// ---- looking at it -------------------------------------------------------------------------

Value SimWorld::inspect(NodeId id) const {
  const void* object = views_[static_cast<std::size_t>(id)].object;
  return object ? node_type(id).to_value(object) : Value();
}

Hash128 SimWorld::node_digest(const NodeState& node) const {
  Hash128 h = scatter(0x6e6f646500U + (std::uint64_t{node.up} << 1 | std::uint64_t{node.paused}));
  if (node.up) h = absorb(h, node.type->state->hash(node.object));
  h = node_rest(node, h);
  if (!node.disk.pristine()) h = absorb(h, node.disk.digest());
  Hash128 open;  // nothing depends on which was asked first
  for (const Name request : node.unanswered) open += scatter(request.bits());
  return node.unanswered.empty() ? h : absorb(h, open);
}

Hash128 SimWorld::node_rest(const NodeState& node, Hash128 h) const {
  Hash128 timers;
  const Micros base = ticking() ? clock_ : node.clock;
  for (const TimerKey& key : node.timers) {
    if (key.slot == kNone) continue;
    const Armed& armed = pending_.timers[key.slot];
    const Micros due = times_ == DigestTimes::nothing  ? 0
                       : times_ == DigestTimes::clocks ? armed.due
                                                       : std::max<Micros>(armed.due - base, 0);
    const Hash128 timer = absorb(
        absorb(scatter(static_cast<std::uint64_t>(key.timer)), static_cast<std::uint64_t>(key.key)),
        static_cast<std::uint64_t>(due));
    timers += with_holders(armed, timer);
  }
  h = absorb(h, timers);
  if (times_ == DigestTimes::clocks) h = absorb(h, static_cast<std::uint64_t>(base));
  for (std::uint32_t slot = node.wait_head; slot != kNone; slot = pending_.waits[slot].next) {
    const DiskWait& wait = pending_.waits[slot];
    h = absorb(absorb(absorb(h, static_cast<std::uint64_t>(wait.done.op)),
                      static_cast<std::uint64_t>(wait.done.file)),
               static_cast<std::uint64_t>(wait.done.tag));
    // The same operations may be queued with the sync before or behind the last of them.
    if (wait.done.op == DiskOp::sync) h = absorb(h, node.disk.queued_before(wait.place));
    h = with_holders(wait, h);
  }
  return h;
}

Hash128 SimWorld::budgets_left() const {
  Hash128 h = scatter(0x7265737400U + std::uint64_t{calm_});
  const Faults& left = pending_.left;
  for (const std::uint32_t budget :
       {left.drop, left.duplicate, left.mutate, left.inject, left.crash, left.pause, left.cut,
        left.partition, left.disk_error})
    h = absorb(h, budget);
  if (left.omit > 0) h = absorb(absorb(h, 0x6f6d6974U), left.omit);
  if (seen_sum_ != Hash128{}) h = absorb(h, seen_sum_);
  h = absorb(h, std::uint64_t{in_partition_} << 1 | static_cast<std::uint64_t>(!macros_.empty()));
  if (macros_.size() > 1)  // one inside another: each end comes back to the one around it
    for (const Macro macro : macros_) h = absorb(h, 1 + static_cast<std::uint64_t>(macro));
  return h;
}

Hash128 SimWorld::rest_digest() const {
  const Hash128 h = budgets_left();
  Hash128 cuts, asked;
  for (std::uint32_t i = 0; i < pending_.severed.size(); ++i) cuts += scatter(pending_.severed[i]);
  for (std::size_t c = 0; c < client_next_.size(); ++c)
    asked += absorb(scatter(c), client_next_[c]);
  for (std::uint32_t slot = 0; slot < pending_.askings.size(); ++slot)
    if (const Asking& asking = pending_.askings[slot]; asking.alive())
      asked += with_holders(asking, scatter(asking.name.bits()));
  const auto same = [](auto name) { return name; };
  if (!ballots_.empty()) asked += absorb(seeded("ballots"), ballots_.digest(same, same));
  return absorb(absorb(h, cuts), asked);
}

Hash128 SimWorld::digest_of(const Hash128& node_sum, const Hash128& in_flight,
                            const Hash128& rest) const {
  return absorb(absorb(rest, node_sum), in_flight);
}

void SimWorld::keep_digest(bool on) {
  keep_digest_ = on;
  if (!on) return;
  in_flight_ = {};
  for (std::uint32_t slot = 0; slot < pending_.flights.size(); ++slot)
    if (pending_.flights[slot].alive()) in_flight_ += content_of(pending_.flights[slot]);
  for (NodeState& node : nodes_) mark_dirty(node);
  rest_changed_ = true;
}

void SimWorld::digest_times(DigestTimes times) {
  times_ = times;
  for (NodeState& node : nodes_) mark_dirty(node);
}

void SimWorld::refresh_digest(NodeId id) {
  NodeState& node = at(id);
  node_digests_ -= node.digest;
  node.digest = absorb(node_digest(node), static_cast<std::uint64_t>(id));
  node_digests_ += node.digest;
  node.dirty = false;
}

Hash128 SimWorld::digest() {
  if (!keep_digest_) return digest_from_scratch();
  for (const NodeId id : dirty_) refresh_digest(id);
  dirty_.clear();
  if (ticking())  // deadlines are relative: they change with the clock
    for (NodeId id = 0; id < places_; ++id)
      if (!at(id).timers.empty()) refresh_digest(id);
  if (rest_changed_) rest_ = rest_digest();
  rest_changed_ = false;
  const bool fifo = setup_.options.links == LinkOrder::fifo;
  return digest_of(node_digests_, fifo ? fifo_contents() : in_flight_, rest_);
}

Hash128 SimWorld::digest_from_scratch() const {
  Hash128 node_sum, in_flight;
  for (NodeId id = 0; id < places_; ++id)
    node_sum += absorb(node_digest(at(id)), static_cast<std::uint64_t>(id));
  if (setup_.options.links == LinkOrder::fifo) {
    in_flight = fifo_contents();
  } else {
    for (std::uint32_t slot = 0; slot < pending_.flights.size(); ++slot)
      if (pending_.flights[slot].alive()) in_flight += content_of(pending_.flights[slot]);
  }
  return digest_of(node_sum, in_flight, rest_digest());
}

// On a link that keeps order, contents in flight are a sequence.
Hash128 SimWorld::fifo_contents() const {
  Hash128 sum;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    if (links_[i].run != run_ || links_[i].head == kNone) continue;
    Hash128 h = seeded("sequence", i);
    for (std::uint32_t slot = links_[i].head; slot != kNone; slot = pending_.flights[slot].next)
      h = absorb(h, content_of(pending_.flights[slot]));
    sum += h;
  }
  return sum;
}

// ---- snapshots -----------------------------------------------------------------------------

struct SimWorld::Copies final : World::Snapshot {
  ~Copies() override;
  Copies() = default;
  Copies(const Copies&) = delete;
  Copies& operator=(const Copies&) = delete;

  SimWorld* world = nullptr;
  Pending pending;
  std::vector<NodeState> nodes;
  std::vector<std::unique_ptr<std::byte[]>> storage;
  std::vector<void*> objects;
  std::vector<Link> links;
  std::vector<std::uint32_t> sent;
  std::vector<LinkGate> link_gates;
  std::vector<Hash128> link_order, observer_hashes, client_hashes;
  std::vector<std::uint32_t> client_next;
  Ballots ballots;
  Hash128 budgets[kActionKindCount];
  absl::flat_hash_map<std::uint64_t, int> copies;
  std::vector<Action> decisions;
  std::vector<Value> contents, differences;
  absl::flat_hash_set<std::uint64_t> seen;
  Hash128 seen_sum;
  Hash128 total, in_flight, node_digests;
  std::vector<NodeId> dirty;
  std::uint32_t run = 0, group = 0, injected = 0, step = 0, deliveries = 0, calls = 0;
  Micros clock = 0;
  std::vector<Macro> macros;
  bool in_partition = false, calm = false, failed = false;
};

SimWorld::Copies::~Copies() {
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].up && nodes[i].type->state->destroy) nodes[i].type->state->destroy(objects[i]);
  for (std::uint32_t slot = 0; slot < pending.flights.size(); ++slot)
    if (pending.flights[slot].alive()) world->pool_.release(pending.flights[slot].body);
  for (NodeState& node : nodes) node.disk.clear(world->pool_);
}

std::unique_ptr<World::Snapshot> SimWorld::snapshot() const {
  if (!capabilities_.snapshots) return nullptr;
  auto s = std::make_unique<Copies>();
  s->world = const_cast<SimWorld*>(this);  // only for its pool of bodies
  s->pending = pending_;
  s->nodes = nodes_;
  for (const NodeState& node : nodes_) {
    const TypeInfo& type = *node.type->state;
    const std::size_t bytes = type.size + type.align;
    s->storage.push_back(std::make_unique<std::byte[]>(bytes));
    void* place = s->storage.back().get();
    std::size_t room = bytes;
    s->objects.push_back(std::align(type.align, type.size, place, room));
    if (node.up) type.copy(s->objects.back(), node.object);
    node.disk.share_bodies();
  }
  for (std::uint32_t slot = 0; slot < pending_.flights.size(); ++slot)
    if (pending_.flights[slot].alive()) BodyPool::share(pending_.flights[slot].body);
  s->links = links_, s->sent = sent_, s->link_gates = link_gates_, s->link_order = link_order_;
  s->observer_hashes = observer_hashes_, s->client_hashes = client_hashes_;
  s->client_next = client_next_, s->ballots = ballots_, s->copies = copies_;
  std::copy(std::begin(budgets_), std::end(budgets_), std::begin(s->budgets));
  s->decisions = decisions_, s->contents = contents_, s->differences = differences_;
  s->seen = seen_, s->seen_sum = seen_sum_;
  s->total = total_, s->in_flight = in_flight_;
  s->node_digests = node_digests_, s->dirty = dirty_;
  s->run = run_, s->group = group_, s->injected = injected_;
  s->step = step_, s->deliveries = deliveries_, s->clock = clock_;
  s->macros = macros_, s->in_partition = in_partition_;
  s->calm = calm_, s->failed = failed_, s->calls = calls_;
  return s;
}

void SimWorld::restore(const Snapshot& snapshot) {
  const auto& s = static_cast<const Copies&>(snapshot);
  assert(s.world == this && "a snapshot belongs to the world that made it");
  assert(s.run == run_ && "and to its run");
  for (Body* body : retired_) pool_.release(body);
  retired_.clear();
  for (std::uint32_t slot = 0; slot < pending_.flights.size(); ++slot)
    if (pending_.flights[slot].alive()) pool_.release(pending_.flights[slot].body);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    NodeState& node = nodes_[i];
    const TypeInfo& type = *node.type->state;
    if (node.up && !died_ && type.destroy) type.destroy(node.object);
    node.disk.clear(pool_);
    node = s.nodes[i];  // the object pointer is the same: a node never moves
    if (node.up) type.copy(node.object, s.objects[i]);
    views_[i].object = node.up ? node.object : nullptr;
    node.disk.share_bodies();
  }
  pending_ = s.pending;
  for (std::uint32_t slot = 0; slot < pending_.flights.size(); ++slot)
    if (pending_.flights[slot].alive()) BodyPool::share(pending_.flights[slot].body);
  links_ = s.links, sent_ = s.sent, link_gates_ = s.link_gates, link_order_ = s.link_order;
  observer_hashes_ = s.observer_hashes, client_hashes_ = s.client_hashes;
  client_next_ = s.client_next, ballots_ = s.ballots, copies_ = s.copies;
  std::copy(std::begin(s.budgets), std::end(s.budgets), std::begin(budgets_));
  decisions_ = s.decisions, contents_ = s.contents, differences_ = s.differences;
  seen_ = s.seen, seen_sum_ = s.seen_sum;
  total_ = s.total, in_flight_ = s.in_flight;
  node_digests_ = s.node_digests, dirty_ = s.dirty;
  rest_changed_ = true;
  group_ = s.group, injected_ = s.injected;
  step_ = s.step, deliveries_ = s.deliveries, clock_ = s.clock;
  macros_ = s.macros, in_partition_ = s.in_partition;
  calm_ = s.calm, failed_ = s.failed, died_ = false;
  calls_ = s.calls;
  events_.clear();
  step_mask_ = 0;
}

}  // namespace schism
