#include "schism/world/touches.hpp"

#include <set>

namespace schism {
namespace {

struct Relation {
  explicit Relation(const World& world)
      : world(world),
        options(world.setup().options),
        places(static_cast<std::uint64_t>(world.setup().places())) {}

  // In a script everything can happen, whatever the budgets say.
  bool may(std::uint32_t budgets) const { return options.scripted || budgets > 0; }
  bool gates_nodes() const { return may(options.faults.crash + options.faults.pause); }
  bool gates_sends() const { return may(options.faults.crash) && options.down == WhenDown::lost; }
  bool gates_links() const { return may(options.faults.cut + options.faults.partition); }
  // Whether one node's crash can be refused because of another that is down.
  bool limits_down() const {
    return options.down_max > 0 && static_cast<std::uint64_t>(options.down_max) < places;
  }
  // Otherwise a client waits at one node, whose history says everything.
  bool answers_anywhere() const { return world.answers_anywhere(); }
  bool fifo() const { return options.links == LinkOrder::fifo; }
  bool orders_sends() const {
    return fifo() && may(options.faults.duplicate + options.faults.inject);
  }
  std::uint64_t link(std::uint64_t from, std::uint64_t to) const { return from * places + to; }

  const World& world;
  const WorldOptions& options;
  std::uint64_t places;
};

// Tells a request's name from a message's: no message has that many copies.
constexpr std::uint64_t kRequestBit = std::uint64_t{kCopiesMax - 1} << 28;

std::uint64_t id(NodeId node) { return static_cast<std::uint64_t>(node); }

std::set<std::uint64_t> asked_at(const World& world, NodeId node) {
  std::set<std::uint64_t> clients;
  for (const Action& action : world.decisions())
    if (action.kind == Do::submit && static_cast<NodeId>(action.arg()) == node)
      clients.insert(id(action.name.from()));
  return clients;
}

}  // namespace

std::vector<Touch> touches(const World& world, const Action& action) {
  const Relation is(world);
  const Name name = action.name;
  const std::uint64_t from = id(name.from()), to = id(name.to());
  std::vector<Touch> out;
  const auto add = [&](ObjectKind kind, std::uint64_t which, bool use = false) {
    out.push_back({kind, which, use});
  };
  const auto budget = [&](Do kind) { add(ObjectKind::budget, static_cast<std::uint64_t>(kind)); };
  const bool paid = !action.free;
  const bool forgets =
      action.kind == Do::restart && world.liar(name.from()) && world.runs(name.from());
  switch (action.kind) {
    case Do::deliver:
      add(ObjectKind::node, to);
      add(ObjectKind::message, name.bits());
      if (is.gates_links()) add(ObjectKind::link_gate, is.link(from, to), true);
      if (is.fifo()) add(ObjectKind::link_order, is.link(from, to));
      break;
    case Do::drop:
    case Do::duplicate:
    case Do::mutate:
    case Do::inject:
    case Do::omit:
      if (action.kind != Do::inject) add(ObjectKind::message, name.bits());
      // Forged messages and copies are numbered.
      if (paid || action.kind == Do::inject || action.kind == Do::duplicate) budget(action.kind);
      // What a lie may hold depends on what liars have received.
      if (action.kind == Do::mutate || action.kind == Do::inject)
        for (NodeId liar = 0; liar < world.setup().places(); ++liar)
          if (world.liar(liar)) add(ObjectKind::node, id(liar));
      if (is.gates_nodes()) add(ObjectKind::node_gate, to, true);
      if (is.gates_links()) add(ObjectKind::link_gate, is.link(from, to), true);
      if (is.fifo()) add(ObjectKind::link_order, is.link(from, to));
      break;
    case Do::fire: add(ObjectKind::node, from); break;
    case Do::complete:
      add(ObjectKind::node, from);
      if (name.copy() > 0 && paid) budget(Do::complete);
      break;
    case Do::submit:
      // A request to any node can be made at one of them.
      add(ObjectKind::node, action.arg());
      add(ObjectKind::message, name.bits() | kRequestBit);
      if (is.answers_anywhere()) add(ObjectKind::client, from);
      break;
    case Do::crash:
    case Do::pause:
    case Do::restart:
    case Do::resume:
      if (action.kind == Do::pause && paid) budget(Do::pause);
      if ((action.kind == Do::crash && paid) ||
          ((action.kind == Do::crash || (action.kind == Do::restart && !forgets)) &&
           is.limits_down()))
        budget(Do::crash);
      // A liar that is up forgets, which is one of its lies.
      if (forgets && paid) budget(Do::inject);
      add(ObjectKind::node, from);
      if (is.gates_nodes()) add(ObjectKind::node_gate, from);
      // Whoever waits for its answer goes on. Who has ever asked it may: whether it still waits
      // depends on what others do.
      if ((action.kind == Do::crash || forgets) && is.answers_anywhere())
        for (const std::uint64_t client : asked_at(world, name.from()))
          add(ObjectKind::client, client);
      break;
    case Do::cut:
      // Whether it is charged to a partition that has begun, or to the budget of single cuts.
      if (paid) budget(Do::begin), budget(Do::cut);
      add(ObjectKind::link_gate, is.link(from, to));
      break;
    case Do::heal: add(ObjectKind::link_gate, is.link(from, to)); break;
    case Do::begin:
    case Do::end: budget(Do::begin); break;
    case Do::advance: add(ObjectKind::clock, 0); break;
    case Do::calm:  // everything
      add(ObjectKind::clock, 0);
      for (std::uint64_t node = 0; node < is.places; ++node) {
        add(ObjectKind::node, node);
        add(ObjectKind::node_gate, node);
      }
      for (std::uint64_t link = 0; link < is.places * is.places; ++link) {
        add(ObjectKind::link_gate, link);
        add(ObjectKind::link_order, link);
      }
      for (std::uint64_t kind = 0; kind < kActionKindCount; ++kind) add(ObjectKind::budget, kind);
      for (std::uint64_t i = 0; i < world.observers().size(); ++i) add(ObjectKind::observer, i);
      break;
    case Do::choose:
    case Do::nothing: break;
  }
  return out;
}

std::vector<Touch> touched_by_hold(const World& world, Do kind, std::uint32_t slot) {
  const Relation is(world);
  const Name name = world.pending().slot(kind, slot).name;
  switch (kind) {
    case Do::fire:
    case Do::complete: return {{ObjectKind::node, id(name.from())}};
    case Do::submit: return {{ObjectKind::message, name.bits() | kRequestBit}};
    default: break;
  }
  std::vector<Touch> out = {{ObjectKind::message, name.bits()}};
  if (is.fifo()) out.push_back({ObjectKind::link_order, is.link(id(name.from()), id(name.to()))});
  return out;
}

std::vector<Touch> touched_by_effects(const World& world) {
  const Relation is(world);
  std::vector<Touch> out;
  for (const Event& event : world.events()) {
    const bool answer = event.kind == Happened::answered || event.kind == Happened::answered_late;
    if (answer && is.answers_anywhere())
      out.push_back({ObjectKind::client, id(event.name().from())});
    if (event.kind != Happened::sent) continue;
    const std::uint64_t link = is.link(event.node, event.peer);
    if (is.gates_sends()) out.push_back({ObjectKind::node_gate, event.peer, true});
    if (is.gates_links()) out.push_back({ObjectKind::link_gate, link, true});
    if (is.orders_sends()) out.push_back({ObjectKind::link_order, link});
  }
  const auto& observers = world.observers();
  for (std::size_t i = 0; i < observers.size(); ++i)
    for (const Event& event : world.events())
      if (observers[i].sees(event)) {
        out.push_back({ObjectKind::observer, i});
        break;
      }
  return out;
}

bool dependent(const std::vector<Touch>& a, const std::vector<Touch>& b) {
  for (const Touch& x : a)
    for (const Touch& y : b)
      if (x.kind == y.kind && x.which == y.which && !(x.use && y.use)) return true;
  return false;
}

}  // namespace schism
