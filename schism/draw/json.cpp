// `json`: everything that the other pictures are drawn from, as one document. docs/exports.md says
// what each field means.
#include "schism/draw/format.hpp"
#include "schism/draw/scene.hpp"
#include "schism/explain/states.hpp"
#include "schism/trace/describe.hpp"

namespace schism::draw {
namespace {

std::int64_t number(std::size_t n) { return static_cast<std::int64_t>(n); }

Value texts(const std::vector<std::string>& items) {
  Value::Array out;
  for (const std::string& item : items) out.emplace_back(item);
  return out;
}

Value describe(const Violation& v) {
  Value out;
  out.set("property", v.property);
  out.set("message", v.message);
  out.set("step", number(v.step));
  Value::Array evidence;
  for (const Evidence& e : v.evidence)
    evidence.push_back(Value::Object{{"step", number(e.step)}, {"role", e.role}});
  out.set("evidence", std::move(evidence));
  return out;
}

Value describe_causes(const Causality& causality, std::size_t step) {
  Value::Array out;
  for (const Cause& cause : causality.causes(step))
    out.push_back(
        Value::Object{{"step", number(cause.step)}, {"why", std::string(enum_name(cause.why))}});
  return out;
}

Value describe_step(const Scene& scene, const States& states, std::size_t i) {
  const SceneStep& s = scene.steps[i];
  Value out;
  out.set("step", number(i));
  out.set("do", action_name(s.kind));
  out.set("title", s.title);
  if (s.node >= 0) out.set("node", s.node);
  if (s.from >= 0) out.set("from", s.from), out.set("to", s.to);
  if (s.client >= 0) out.set("client", s.client);
  if (s.at >= 0) out.set("clock_us", s.at);
  if (s.sent_in >= 0) out.set("sent_in", s.sent_in);
  out.set("causes", describe_causes(scene.causality, i));
  out.set("relevant", s.relevant);
  if (s.violating) out.set("violating", true);
  if (!s.roles.empty()) out.set("evidence", texts(s.roles));
  Value::Array events;
  for (const RecordedEvent& event : scene.trace->steps[i].events)
    events.push_back(describe_event(*scene.trace->config.setup.system, event));
  out.set("events", std::move(events));
  Value::Object changed;
  for (const auto& [node, state] : states.changed[i])
    changed.emplace_back(std::to_string(node), state);
  out.set("states", std::move(changed));
  return out;
}

std::string draw_json(const Trace& trace, const DrawOptions&) {
  const Scene scene = make_scene(trace);
  const States states = states_of(trace);
  Value head;
  head.set("schism", "run");
  head.set("version", 1);
  head.set("system", trace.config.setup.system->name);
  head.set("nodes", scene.nodes);
  head.set("clients", scene.clients);
  head.set("command", headline(trace));
  head.set("fair", trace.fair);
  head.set("violation", trace.violation ? describe(*trace.violation) : Value());
  // A step a line: the whole can be read by programs, and its parts by people.
  std::string out = to_json(head);
  out.pop_back();
  out += ",\"steps\":[";
  for (std::size_t i = 0; i < scene.steps.size(); ++i)
    out += (i == 0 ? "\n" : ",\n") + to_json(describe_step(scene, states, i));
  return out + "\n]}\n";
}

const Registration registered =
    add_format({20, "json", "steps, events, causes and states, for programs", draw_json});

}  // namespace
}  // namespace schism::draw
