// `itf`: Apalache's Informal Trace Format, a state of the whole system a step. Read by Apalache, by
// Quint and by the trace viewers of TLA+.
#include <fmt/format.h>

#include "schism/base/escape.hpp"
#include "schism/draw/format.hpp"
#include "schism/draw/scene.hpp"
#include "schism/explain/states.hpp"

namespace schism::draw {
namespace {

constexpr std::int64_t kExact = (std::int64_t{1} << 53) - 1;  // what a JSON number holds

Value tagged(const char* tag, Value value) { return Value::Object{{tag, std::move(value)}}; }

// Sequences and records are themselves; what the format has no word for says so.
Value to_itf(const Value& value) {
  if (const auto* i = value.as_int())
    return *i > kExact || *i < -kExact ? tagged("#bigint", std::to_string(*i)) : value;
  if (const auto* text = value.as_text()) return *text;
  if (value.as_bool()) return value;
  if (const auto* array = value.as_array()) {
    Value::Array out;
    for (const Value& item : *array) out.push_back(to_itf(item));
    return out;
  }
  if (const auto* object = value.as_object()) {
    Value::Object out;
    // A name with # would be taken for a mark of the format.
    for (const auto& [key, item] : *object)
      out.emplace_back(key.starts_with('#') ? "_" + key : key, to_itf(item));
    return out;
  }
  return tagged("#unserializable", to_json(value));
}

Value state_of(const Scene& scene, std::size_t i, const std::vector<Value>& nodes) {
  const SceneStep& s = scene.steps[i];
  Value out;
  out.set("#meta", Value::Object{{"index", static_cast<std::int64_t>(i)}});
  out.set("step", static_cast<std::int64_t>(i));
  out.set("action", s.title);
  out.set("node", s.node);
  Value::Array up, states;
  for (NodeId id = 0; id < scene.nodes; ++id) {
    const Value& state = nodes[static_cast<std::size_t>(id)];
    if (state.is_null()) continue;
    up.emplace_back(id);
    states.push_back(Value::Array{id, to_itf(state)});
  }
  out.set("up", tagged("#set", std::move(up)));
  out.set("nodes", tagged("#map", std::move(states)));
  return out;
}

std::string draw_itf(const Trace& trace, const DrawOptions&) {
  const Scene scene = make_scene(trace, false);
  const States states = states_of(trace);
  std::string description = headline(trace);
  if (trace.violation) description += "; " + verdict_line(trace);
  Value head;
  head.set("#meta", Value::Object{{"format", "ITF"},
                                  {"format-description",
                                   "https://apalache-mc.org/docs/adr/015adr-trace.html"},
                                  {"description", description},
                                  {"source", trace.config.setup.system->name}});
  head.set("vars", Value::Array{"step", "action", "node", "up", "nodes"});
  std::string out = to_json(head);
  out.pop_back();
  out += ",\"states\":[";
  std::vector<Value> now(static_cast<std::size_t>(scene.nodes));
  for (std::size_t i = 0; i < scene.steps.size(); ++i) {
    for (const auto& [node, state] : states.changed[i]) now[static_cast<std::size_t>(node)] = state;
    out += (i == 0 ? "\n" : ",\n") + to_json(state_of(scene, i, now));
  }
  return out + "\n]}\n";
}

const Registration registered =
    add_format({80, "itf", "the states of all nodes for TLA+ tools (Apalache's ITF)", draw_itf});

}  // namespace
}  // namespace schism::draw
