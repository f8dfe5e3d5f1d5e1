#include "schism/process/process_world.hpp"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <system_error>

#include "schism/base/random.hpp"
#include "schism/process/node_process.hpp"
#include "schism/system/system.hpp"

namespace schism {

using process::Word;

// ---- runs ----------------------------------------------------------------------------------

ProcessWorld::~ProcessWorld() {
  end_run();
  clear_run();
}

void ProcessWorld::end_process(Node& node) {
  node.child.reset();  // kills it, and waits for it
  node.busy = false;
  node.up = false;
}

void ProcessWorld::end_run() {
  for (Node& node : nodes_)  // all at once, then one after the other
    if (node.child) node.child->kill();
  for (Node& node : nodes_) end_process(node);
  for (NodeView& view : views_) view.object = nullptr;
}

void ProcessWorld::clear_run() {
  for (std::uint32_t slot = 0; slot < pending_.flights.size(); ++slot)
    if (pending_.flights[slot].alive()) pool_.release(pending_.flights[slot].body);
  for (Body* body : retired_) pool_.release(body);
  retired_.clear();
  for (const Planned& planned : workload_) pool_.release(planned.body);
  workload_.clear();
  for (Node& node : nodes_) {
    node.disk.clear(pool_);
    if (node.mirror && node.type->state->destroy) node.type->state->destroy(node.mirror);
  }
  nodes_.clear();
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

void ProcessWorld::build_nodes() {
  const auto n = static_cast<std::size_t>(setup_.nodes);
  const auto types = static_cast<std::size_t>(setup_.system->message_count());
  nodes_.resize(n);
  views_.assign(n, {});
  links_cut_.assign(n * n, false);
  on_link_.assign(n * n, {});
  sent_.assign(n * n * types, 0);
  pending_.armed.assign(setup_.system->timer_names().size(), Dense{});
  for (NodeId id = 0; id < setup_.nodes; ++id) {
    Node& node = at(id);
    node.type = &setup_.system->class_of(id, setup_);
    const TypeInfo& type = *node.type->state;
    std::size_t room = std::size_t{type.size} + type.align;
    node.storage = std::make_unique<std::byte[]>(room);
    void* place = node.storage.get();
    node.mirror = std::align(type.align, type.size, place, room);
    type.construct(node.mirror);
    node.hash = scatter(0x1000U + static_cast<std::uint64_t>(id));
    const auto& skew = setup_.options.skew_us;
    node.shift =
        static_cast<std::size_t>(id) < skew.size() ? skew[static_cast<std::size_t>(id)] : 0;
    views_[static_cast<std::size_t>(id)].type = &type;
  }
}

void ProcessWorld::reset_sets() {
  const WorldOptions& options = setup_.options;
  const auto n = static_cast<std::uint32_t>(setup_.nodes);
  pending_.nodes = setup_.nodes;
  pending_.left = options.faults;
  pending_.recovers = options.crashes == Crashes::recover;
  pending_.down_max = options.down_max > 0 ? static_cast<std::uint32_t>(options.down_max) : n;
  for (IdSet* set : {&pending_.live, &pending_.crashable}) set->reset(n, true);
  for (IdSet* set : {&pending_.down, &pending_.pausable, &pending_.paused}) set->reset(n, false);
  std::vector<const NodeClass*> classes;
  for (const Node& node : nodes_) classes.push_back(node.type);
  pending_.open_desks(classes);
  for (std::uint32_t id = 0; id < n; ++id) {
    const auto& may = options.may_crash;
    if (!may.empty() && std::find(may.begin(), may.end(), id) == may.end())
      pending_.crashable.remove(id);
  }
  pending_.cuttable.reset(n * n, true);
  pending_.severed.reset(n * n, false);
  for (std::uint32_t id = 0; id < n; ++id) pending_.cuttable.remove(id * n + id);
}

void ProcessWorld::reset(const Setup& setup) {
  setup_ = setup;
  answers_anywhere_ = setup_.system->answers_anywhere;
  reset(setup.node_seed);
}

void ProcessWorld::reset(std::uint64_t node_seed) {
  end_run();
  clear_run();
  setup_.node_seed = node_seed;
  step_ = deliveries_ = drawn_ = clock_reads_ = 0;
  calm_ = failed_ = in_partition_ = false;
  events_.clear();
  step_mask_ = 0;
  decisions_.clear();
  contents_.clear();
  macros_.clear();
  copies_.clear();
  group_ = 0;
  other_steps_ = {};
  shift_ = clock_ = 0;
  refresh_listening();
  build_nodes();
  reset_sets();
  began_ = process::wall_clock();
  // All are there before the first one starts: what it sends must find its receiver up.
  for (NodeId id = 0; id < setup_.nodes; ++id) start_process(id);
  plan_workload();
  for (NodeId id = 0; id < setup_.nodes; ++id) {
    const Name name(id, 0, 0, 0);
    emit(Happened::started, id, id, name.bits());
    call(id, Word::start, Do::restart, name, {});
    while (!settle(1'000'000)) continue;  // who hangs is noticed
  }
}

void ProcessWorld::start_process(NodeId id) {
  Node& node = at(id);
  const process::NodeLife life{&setup_, id, node.restarts, began_};
  node.child = std::make_unique<guard::Child>([&](int channel) { process::live(life, channel); });
  if (!node.child->started())
    throw std::system_error(errno, std::generic_category(), "a node's process cannot be started");
  node.wire = process::Wire(node.child->channel());
  node.up = true;
  views_[static_cast<std::size_t>(id)].object = node.mirror;
}

// The node as its process shows it.
void ProcessWorld::show(NodeId id, const std::string& fields) {
  Node& node = at(id);
  const TypeInfo& type = *node.type->state;
  const auto value = parse_json(fields);
  if (type.destroy) type.destroy(node.mirror);
  type.construct(node.mirror);
  if (!value || !type.from_value(*value, node.mirror)) cannot_read(type.name);
}

// ---- clients -------------------------------------------------------------------------------

void ProcessWorld::plan_workload() {
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
    // The same as in a simulated world.
    const std::uint64_t seed = keyed(setup_.node_seed, 0x776f726b6c6f6164ULL);
    Workload plan(pool_, setup_.nodes, setup_.config.get(), seed);
    setup_.system->workload(plan);
    random_workload_ = plan.random != Rng(seed);
    for (const Workload::Request& r : plan.requests)
      plan_request({r.client, r.target, setup_.system->request_number(*r.body->type), r.body});
  }
  client_next_.assign(client_requests_.size(), 0);
  ballots_.clear();
  for (std::size_t client = 0; client < client_requests_.size(); ++client)
    offer_next_request(static_cast<int>(client), seeded("client", client));
}

void ProcessWorld::plan_request(const Planned& request) {
  const auto client = static_cast<std::size_t>(request.client);
  if (client >= client_requests_.size()) client_requests_.resize(client + 1);
  client_requests_[client].push_back(static_cast<std::uint32_t>(workload_.size()));
  workload_.push_back(request);
}

std::vector<ClientRequest> ProcessWorld::requests() const {
  std::vector<ClientRequest> out;
  for (const Planned& r : workload_)
    out.push_back({r.client, r.target, r.type, r.body->type->to_value(r.body->content())});
  return out;
}

void ProcessWorld::ask(const ClientRequest& request) {
  const TypeInfo& type = *setup_.system->request_class()->requests[request.type];
  Body* body = pool_.build(type);
  type.from_value(request.content, body->content());
  plan_request({request.client, request.target, request.type, body});
  client_next_.resize(client_requests_.size());
  const auto by_client = [&](Name name) { return name.from() == request.client; };
  bool open = false;
  pending_.each([&](Do kind, std::uint32_t slot) {
    open = open || (kind == Do::submit && by_client(pending_.askings[slot].name));
  });
  for (const Node& node : nodes_)
    open = open || std::any_of(node.unanswered.begin(), node.unanswered.end(), by_client);
  if (!open) offer_next_request(request.client, seeded("asked", workload_.size()));
}

void ProcessWorld::offer_next_request(int client, const Hash128& id) {
  const auto c = static_cast<std::size_t>(client);
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
  refresh(Do::submit, slot);
}

}  // namespace schism
