#include "schism/explain/event.hpp"

#include <fmt/format.h>

namespace schism::draw {
namespace {

std::int64_t integer(const Value& event, std::string_view key, std::int64_t fallback) {
  const Value* v = event.find(key);
  return v && v->as_int() ? *v->as_int() : fallback;
}

std::string text(const Value& event, std::string_view key) {
  const Value* v = event.find(key);
  return v && v->as_text() ? *v->as_text() : std::string();
}

NodeId node_in(const Value& event, std::string_view key, int nodes) {
  const std::int64_t id = integer(event, key, -1);
  return id >= 0 && id < nodes ? static_cast<NodeId>(id) : -1;
}

std::string key_of_message(int from, int to, std::string_view type, std::int64_t nth,
                           std::int64_t copy) {
  return fmt::format("message {} {} {} {} {}", from, to, nth, copy, type);
}

std::string key_of_timer(int node, std::string_view timer, std::int64_t key, std::int64_t nth) {
  return fmt::format("timer {} {} {} {}", node, key, nth, timer);
}

}  // namespace

Seen read_event(const std::string& json, int nodes) {
  Seen seen;
  const auto event = parse_json(json);
  if (!event) return seen;
  seen.kind = text(*event, "event");
  seen.node = node_in(*event, "node", nodes);
  seen.from = node_in(*event, "from", nodes);
  seen.to = node_in(*event, "to", nodes);
  const std::int64_t client = integer(*event, "client", -1);
  if (client >= 0 && client < kNodesMax) seen.client = static_cast<int>(client);
  seen.type = text(*event, "type");
  seen.timer = text(*event, "timer");
  seen.operation = text(*event, "operation");
  if (const Value* body = event->find("body")) seen.body = *body;
  const std::int64_t nth = integer(*event, "n", -1);
  if (seen.from >= 0 && seen.to >= 0 && nth >= 0)
    seen.key = key_of_message(seen.from, seen.to, seen.type, nth, integer(*event, "copy", 0));
  else if (seen.node >= 0 && !seen.timer.empty())
    seen.key = key_of_timer(seen.node, seen.timer, integer(*event, "key", 0), nth);
  return seen;
}

std::vector<Seen> events_of(const Trace& trace, std::size_t step) {
  std::vector<Seen> out;
  for (const std::string& json : trace.steps[step].events)
    out.push_back(read_event(json, trace.config.setup.nodes));
  return out;
}

std::string message_key(const System& system, Name name) {
  return key_of_message(name.from(), name.to(), system.message(name.type()).name, name.nth(),
                        name.copy());
}

std::string timer_key(const System& system, Name name) {
  return key_of_timer(name.from(), system.timer_name(name.type()), name.to(), name.nth());
}

}  // namespace schism::draw
