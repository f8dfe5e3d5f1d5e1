#include "schism/explain/states.hpp"

#include "schism/explain/causality.hpp"
#include "schism/run/make_world.hpp"
#include "schism/trace/timeline.hpp"

namespace schism::draw {

States states_of(const Trace& trace) {
  States out;
  out.changed.resize(trace.steps.size());
  if (!has(trace.config.setup, Need::exact_replay)) return out;  // another run would be shown
  Timeline line(trace, 0);
  const int nodes = trace.config.setup.nodes;
  // Where each node's last state is kept: states are large, and maps do not move what they hold.
  std::vector<const Value*> now(static_cast<std::size_t>(nodes), nullptr);
  const auto look = [&](std::size_t step, const World& world, NodeId id) {
    Value state = world.inspect(id);
    const Value*& known = now[static_cast<std::size_t>(id)];
    if (known && state == *known) return;
    known = &out.changed[step].insert_or_assign(id, std::move(state)).first->second;
  };
  for (std::size_t step = 0; step < trace.steps.size(); ++step) {
    const World& world = line.seek(static_cast<std::uint32_t>(step));
    const Action& action = trace.steps[step].action;
    if (is_everywhere(action.kind)) {
      for (NodeId id = 0; id < nodes; ++id) look(step, world, id);
    } else if (const NodeId id = place_of(action); id >= 0 && id < nodes) {
      look(step, world, id);
    }
  }
  return out;
}

std::vector<Value> States::after(std::size_t step, int nodes) const {
  std::vector<Value> out(static_cast<std::size_t>(nodes));
  for (std::size_t i = 0; i <= step && i < changed.size(); ++i)
    for (const auto& [node, state] : changed[i]) out[static_cast<std::size_t>(node)] = state;
  return out;
}

namespace {

// A long value by its size: the difference is what matters here.
std::string brief(const Value& value) {
  constexpr std::size_t kShort = 24;
  const std::string text = print(value);
  if (text.size() <= kShort) return text;
  if (const auto* array = value.as_array())
    return "[" + std::to_string(array->size()) + (array->size() == 1 ? " item]" : " items]");
  return value.as_object() ? "(…)" : "…";
}

}  // namespace

std::string describe_change(const Value& before, const Value& after) {
  if (after.is_null()) return before.is_null() ? "" : "down";
  if (before.is_null()) return "up";
  const auto* fields = after.as_object();
  if (!fields || !before.as_object()) return brief(before) + " → " + brief(after);
  std::string out;
  for (const auto& [key, value] : *fields) {
    const Value* old = before.find(key);
    if (old && *old == value) continue;
    const std::string was = old ? brief(*old) : "-", is = brief(value);
    out += (out.empty() ? "" : ", ") + key + (was == is ? " changes" : " " + was + " → " + is);
  }
  return out;
}

}  // namespace schism::draw
