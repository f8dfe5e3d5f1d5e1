#include "schism/doctor/fingerprint.hpp"

#include <fmt/format.h>

#include "schism/trace/describe.hpp"

namespace schism::doctor {
namespace {

Hash128 absorb_action(const Hash128& h, const Action& a) {
  return absorb(absorb(h, a.name.bits()), std::uint64_t{a.arg()} << 8 | std::uint64_t(a.kind));
}

Hash128 absorb_event(Hash128 h, const Event& e) {
  h = absorb(h, std::uint64_t(e.kind) << 56 | std::uint64_t{e.flag} << 48 |
                    std::uint64_t{e.node} << 32 | std::uint64_t{e.peer} << 16 | e.detail);
  h = absorb(h, e.value);
  return e.type && e.body ? absorb(h, e.type->hash(e.body)) : h;
}

Hash128 absorb_state(const Hash128& h, const World& world, NodeId id) {
  const void* node = world.node(id);
  return node ? absorb(h, world.node_type(id).hash(node)) : absorb(h, 0);
}

std::string handler_of(const World& world, const Action& a) {
  const System& system = *world.setup().system;
  switch (a.kind) {
    case Do::deliver: return fmt::format("on({})", system.message(a.name.type()).name);
    case Do::fire: return fmt::format("on_timer({})", system.timer_name(a.name.type()));
    case Do::complete: return "on_disk";
    case Do::submit: {
      const NodeClass* taker = system.request_class();
      return taker ? fmt::format("on_request({})", taker->requests[a.name.type()]->name) : "";
    }
    case Do::nothing:
    case Do::restart: return "start";
    default: return "";
  }
}

}  // namespace

void Fingerprint::begin() {
  hash_ = seeded("fingerprint");
  action_ = {};
  decided_ = 0;
}

void Fingerprint::take(const World& world) {
  action_ = {};
  for (const Action& decision : world.decisions().subspan(decided_)) {
    hash_ = absorb_action(hash_, decision);
    if (decision.kind != Do::choose) action_ = decision;
  }
  decided_ = world.decisions().size();
  for (const Event& event : world.events()) hash_ = absorb_event(hash_, event);
  hash_ = absorb(absorb(hash_, static_cast<std::uint64_t>(world.clock())), world.drawn());
  if (const NodeId node = place_of(action_); node >= 0) {
    hash_ = absorb_state(hash_, world, node);
  } else if (world.step() == 0) {
    for (NodeId id = 0; id < world.setup().places(); ++id) hash_ = absorb_state(hash_, world, id);
  }
}

void Fingerprint::finish(const Runner& runner) {
  hash_ = absorb(hash_, std::uint64_t{runner.fair()});
  for (const auto& oracle : runner.oracles())
    hash_ = absorb(hash_, std::uint64_t{oracle->met().value_or(false)} << 1 | oracle->judged());
  if (const auto& v = runner.violation())
    hash_ = absorb(absorb_text(absorb_text(hash_, v->property), v->message), v->step);
}

StepWords words_of(const World& world, const Fingerprint& print) {
  const System& system = *world.setup().system;
  const Action action = print.action();
  StepWords words;
  words.step = world.step();
  words.hash = to_hex(print.hash());
  words.action = world.step() == 0 ? "start" : print_action(system, action);
  words.handler = handler_of(world, action);
  words.node = place_of(action);
  for (const Event& event : world.events()) {
    const std::string text = print_event(system, event);
    words.events.push_back(words.node >= 0 ? text : fmt::format("node {}: {}", event.node, text));
  }
  if (words.node >= 0) {
    words.state = world.runs(words.node)
                      ? schism::print(world.node_type(words.node).name, world.inspect(words.node))
                      : "down";
  } else if (world.step() == 0) {
    for (NodeId id = 0; id < world.setup().places(); ++id)
      words.state += fmt::format("{}{}", id == 0 ? "" : ", ",
                                 schism::print(world.node_type(id).name, world.inspect(id)));
  }
  return words;
}

StepWords last_words(const Runner& runner, const Fingerprint& print) {
  StepWords words;
  words.step = -1;
  words.hash = to_hex(print.hash());
  words.action = "the end";
  words.events.push_back(runner.violation()
                             ? fmt::format("{} is violated: {}", runner.violation()->property,
                                           runner.violation()->message)
                             : "nothing is violated");
  return words;
}

}  // namespace schism::doctor
