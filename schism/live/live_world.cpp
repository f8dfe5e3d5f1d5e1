#include "schism/live/live_world.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schism/base/text.hpp"
#include "schism/run/make_world.hpp"
#include "schism/schedule/faults.hpp"
#include "schism/system/system.hpp"
#include "schism/trace/describe.hpp"

namespace schism {
namespace {

// So much by hand is never used up; the trace gets what was used.
constexpr std::uint32_t kPlenty = 1U << 30;
// A timer, a request or a fault whose step carries no time of its own happens at the recorded
// clock; it is moved by a step of its own only where it is behind by more than this.
constexpr Micros kGrain = 1000;
constexpr std::size_t kNewsMax = 10'000;

Setup live_setup(const RunConfig& config, std::uint64_t seed) {
  Setup setup = config.setup;
  setup.node_seed = seed;
  setup.options.time = TimeUse::timed;
  setup.options.faults = {};
  setup.options.faults.crash = setup.options.faults.pause = kPlenty;
  setup.options.faults.drop = setup.options.faults.cut = kPlenty;
  return setup;
}

}  // namespace

LiveWorld::LiveWorld(const RunConfig& config, const LiveOptions& options)
    : config_(config),
      options_(options),
      game_(live_setup(config, options.seed)),
      rng_(mix64(options.seed ^ 0x6c697665ULL)) {
  for (int i = 0; i <= nodes(); ++i) places_.push_back(std::make_unique<Place>());
}

LiveWorld::~LiveWorld() { stop(); }

Status LiveWorld::check(const RunConfig& config) {
  if (auto s = needs(config.setup, "run", {Need::virtual_clock}); !s) return s;
  if (is_guarded(config.setup))
    return error("{} may crash its process, and threads cannot be guarded; `schism step` can",
                 config.setup.system->name);
  return {};
}

void LiveWorld::start() {
  const Lock lock(mutex_);
  running_ = true;
  began_ = std::chrono::steady_clock::now();
  World& world = game_.world();
  world.attend(this, true);
  workload_clients_ = kNodesMax;  // while the world plans it, all clients are of the workload
  game_.begin();                  // nodes start before there are threads, as they exist before them
  workload_clients_ = 0;
  for (const ClientRequest& request : world.requests())
    workload_clients_ = std::max(workload_clients_, request.client + 1);
  fresh_client_ = workload_clients_;
  after_step();
  for (NodeId node = 0; node <= nodes(); ++node)
    place(node).thread = std::thread([this, node] { live_as(node); });
}

void LiveWorld::stop() {
  {
    const Lock lock(mutex_);
    if (!running_) return;
    running_ = false;
    stopping_ = true;
    wake_all();
  }
  for (const auto& place : places_)
    if (place->thread.joinable()) place->thread.join();
  const Lock lock(mutex_);
  game_.world().attend(nullptr, false);
  game_.finish(false);
}

bool LiveWorld::stopped() const {
  const Lock lock(mutex_);
  return stopping_;
}

// ---- threads -------------------------------------------------------------------------------

Micros LiveWorld::wall() const {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() -
                                                               began_)
      .count();
}

void LiveWorld::wake_all() {
  for (const auto& place : places_) place->wake.notify_all();
  done_.notify_all();
}

void LiveWorld::live_as(NodeId node) {
  Lock lock(mutex_);
  Place& own = place(node);
  const bool is_node = node < nodes();
  while (!stopping_) {
    if (!own.orders.empty()) {
      Order& order = *own.orders.front();
      own.orders.pop_front();
      order.refusal = apply(order.action);
      order.done = true;
      wake_all();  // what waited for this node may go on
      continue;
    }
    const auto due = own.mailbox.first(game_.world().pending());
    if (!due) {
      own.wake.wait(lock);
    } else if (due->at > wall()) {
      own.wake.wait_until(lock, began_ + std::chrono::microseconds(due->at));
    } else {
      own.mailbox.remove(*due);
      if (is_node) serve(node, *due);
      else hand_out(*due);
    }
  }
}

void LiveWorld::serve(NodeId node, const Mailbox::Due& due) {
  const Slot& slot = game_.world().pending().slot(due.item.kind, due.item.slot);
  if (due.item.kind != Do::submit) {
    apply(make_action(due.item.kind, slot.name, 0, due.item.slot));
    return;
  }
  const auto number = static_cast<std::uint32_t>(node);
  if (game_.world().pending().live.has(number)) {
    apply(make_action(Do::submit, slot.name, number, due.item.slot));
  } else {  // the client notices, and tries again somewhere
    clients().mailbox.put(game_.world().clock() + options_.think, due.item);
    clients().wake.notify_all();
  }
}

void LiveWorld::hand_out(const Mailbox::Due& due) {
  const Pending& pending = game_.world().pending();
  const Asking& asking = pending.askings[due.item.slot];
  NodeId to = asking.target;
  if (to == kAnyNode) {
    const IdSet& takers = pending.takers(asking.name);
    if (takers.size() == 0) {
      clients().mailbox.put(wall() + std::max<Micros>(options_.think, kGrain), due.item);
      return;
    }
    to = static_cast<NodeId>(takers[static_cast<std::uint32_t>(
        scale_below(mix64(asking.name.bits() ^ rng_.next()), takers.size()))]);
  }
  place(to).mailbox.put(due.at, due.item);
  place(to).wake.notify_all();
}

// ---- steps ---------------------------------------------------------------------------------

void LiveWorld::catch_up(Micros until, Micros grain) {
  const Micros behind = until - game_.world().clock();
  if (behind <= grain || game_.apply(advance_by(behind)) != Refusal::none) return;
  after_step();
}

Refusal LiveWorld::apply(Action action) {
  const World& world = game_.world();
  const Micros now = wall();
  if (action.kind == Do::deliver || action.kind == Do::complete) {
    catch_up(now, kArgMax);
    const Micros wait = std::clamp<Micros>(now - world.clock(), 0, kArgMax);
    action = with_arg(action, static_cast<std::uint32_t>(wait));
  } else if (action.kind == Do::fire) {  // the clock goes to its due time by itself
    const Micros due = world.pending().timers[action.hint].due;
    if (now - std::max(due, world.clock()) > kGrain) catch_up(now, 0);
  } else {
    catch_up(now, kGrain);
  }
  if (stopping_) return Refusal::not_allowed;
  const Refusal refusal = game_.apply(action);
  if (refusal == Refusal::none) after_step();
  return refusal;
}

void LiveWorld::after_step() {
  const World& world = game_.world();
  for (const Event& event : world.events()) note(event);
  stats_.steps = world.step();
  stats_.deliveries = world.deliveries();
  if (!game_.violation() && stats_.steps < options_.steps_max) return;
  stopping_ = true;
  wake_all();
}

void LiveWorld::note(const Event& event) {
  switch (event.kind) {
    case Happened::timer_fired: ++stats_.timers; return;
    case Happened::disk_completed: ++stats_.disk; return;
    case Happened::dropped:
    case Happened::lost: ++stats_.lost; return;
    case Happened::invoked: ++stats_.asked; break;
    case Happened::answered: ++stats_.answered; break;
    case Happened::announced:
      if (!options_.announcements) return;
      break;
    case Happened::failed:
    case Happened::crashed:
    case Happened::restarted:
    case Happened::paused:
    case Happened::resumed: break;
    default: return;
  }
  if (!options_.news || news_.size() >= kNewsMax) return;
  news_.push_back(fmt::format("{:>9.3f}s  {}: {}",
                              static_cast<double>(game_.world().clock()) * 1e-6, event.node,
                              printable(print_event(*config_.setup.system, event))));
}

Micros LiveWorld::latency(Name name) const {
  const auto span = static_cast<std::uint64_t>(options_.delay_max - options_.delay_min);
  return options_.delay_min +
         static_cast<Micros>(scale_below(keyed(options_.seed, name.bits(), 6), span + 1));
}

void LiveWorld::on_pending(World& world, Do kind, std::uint32_t slot) {
  const Slot& event = world.pending().slot(kind, slot);
  Mailbox::Item item{kind, slot, event.generation};
  Micros due = world.clock();
  NodeId to = event.name.from();
  if (kind == Do::deliver) {
    to = event.name.to();
    due += latency(event.name);
    if (to_unit(keyed(options_.seed, event.name.bits(), 7)) < options_.loss) item.kind = Do::drop;
  } else if (kind == Do::fire) {
    due = event.due;
  } else if (kind == Do::complete) {
    due += options_.disk;
  } else {
    const bool by_itself = options_.workload || event.name.from() >= workload_clients_;
    if (!by_itself) return;
    to = nodes();
    due += options_.think;
  }
  place(to).mailbox.put(due, item);
  place(to).wake.notify_all();
}

std::uint32_t LiveWorld::on_choice(World&, std::uint32_t n) {
  return static_cast<std::uint32_t>(rng_.below(n));
}

// ---- what a person does --------------------------------------------------------------------

Status LiveWorld::order(NodeId node, const Action& action) {
  Lock lock(mutex_);
  if (!running_ || stopping_) return error("the run has ended");
  Order order{action};
  place(node).orders.push_back(&order);
  place(node).wake.notify_all();
  done_.wait(lock, [&] { return order.done || stopping_; });
  std::erase(place(node).orders, &order);
  if (!order.done) return error("the run has ended");
  if (order.refusal == Refusal::none) return {};
  return error("{}: {}", print_action(*config_.setup.system, action), refusal_text(order.refusal));
}

Status LiveWorld::crash(NodeId node) {
  Action action = node_action(Do::crash, node);
  {
    const Lock lock(mutex_);
    if (game_.world().runs(node)) action = random_crash(game_.world(), action, rng_);
  }
  // The disk may have synced meanwhile; losing all that it has not is always possible.
  if (order(node, action)) return {};
  return order(node, node_action(Do::crash, node));
}

Status LiveWorld::restart(NodeId node) { return order(node, node_action(Do::restart, node)); }
Status LiveWorld::pause(NodeId node) { return order(node, node_action(Do::pause, node)); }
Status LiveWorld::resume(NodeId node) { return order(node, node_action(Do::resume, node)); }
Status LiveWorld::cut(NodeId from, NodeId to) { return order(to, link_action(Do::cut, from, to)); }
Status LiveWorld::heal(NodeId from, NodeId to) {
  return order(to, link_action(Do::heal, from, to));
}

Status LiveWorld::ask(const ClientRequest& request) {
  const Lock lock(mutex_);
  if (!running_ || stopping_) return error("the run has ended");
  asked_ = true;
  fresh_client_ = std::max(fresh_client_, request.client + 1);
  game_.world().ask(request);
  return {};
}

int LiveWorld::fresh_client() const {
  const Lock lock(mutex_);
  return std::min(fresh_client_, kNodesMax - 1);
}

Status LiveWorld::ask_next() {
  const Lock lock(mutex_);
  if (!running_ || stopping_) return error("the run has ended");
  const auto& askings = game_.world().pending().askings;
  std::uint32_t oldest = kNone;
  for (std::uint32_t slot = 0; slot < askings.size(); ++slot)
    if (askings[slot].alive() &&
        (oldest == kNone || askings[slot].created < askings[oldest].created))
      oldest = slot;
  if (oldest == kNone) return error("no client has a next request now");
  clients().mailbox.put(0, {Do::submit, oldest, askings[oldest].generation});
  clients().wake.notify_all();
  return {};
}

// ---- looking -------------------------------------------------------------------------------

Value LiveWorld::inspect(NodeId node) const {
  const Lock lock(mutex_);
  return game_.world().runs(node) ? game_.world().inspect(node) : Value();
}

bool LiveWorld::paused(NodeId node) const {
  const Lock lock(mutex_);
  return game_.world().pending().paused.has(static_cast<std::uint32_t>(node));
}

LiveStats LiveWorld::stats() const {
  const Lock lock(mutex_);
  LiveStats out = stats_;
  out.clock = game_.world().clock();
  return out;
}

std::vector<std::string> LiveWorld::news() {
  const Lock lock(mutex_);
  return std::exchange(news_, {});
}

std::optional<Violation> LiveWorld::violation() const {
  const Lock lock(mutex_);
  return game_.violation();
}

Trace LiveWorld::trace() const {
  Lock lock(mutex_);
  const World& world = game_.world();
  RunConfig config = config_;
  config.setup.options.time = TimeUse::timed;
  const Faults &had = game_.setup().options.faults, &left = world.pending().left;
  Faults& used = config.setup.options.faults;
  used = {};
  used.crash = had.crash - left.crash, used.pause = had.pause - left.pause;
  used.drop = had.drop - left.drop, used.cut = had.cut - left.cut;
  if (asked_)
    config.setup.requests = std::make_shared<const std::vector<ClientRequest>>(world.requests());
  auto steps = record(world.decisions(), world.contents());
  // The run is played again for its events: beside the live one only where that cannot disturb it.
  if (config.setup.system->thread_safe) lock.unlock();
  return make_trace(config, {options_.seed, options_.seed}, 0, std::move(steps));
}

}  // namespace schism
