#include "schism/explain/states.hpp"

#include "schism/explain/causality.hpp"
#include "schism/run/make_world.hpp"
#include "schism/system/liars.hpp"
#include "schism/system/system.hpp"

namespace schism::draw {

States states_of(const Trace& trace) {
  States out;
  out.changed.resize(trace.steps.size());
  if (!has(trace.config.setup, Need::exact_replay)) return out;  // another run would be shown
  Timeline line(trace, 0);
  const int nodes = trace.config.setup.places();
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

StateWalk::StateWalk(Trace& trace) : now_(static_cast<std::size_t>(trace.config.setup.places())) {
  line_ = std::make_unique<Timeline>(trace, 0);
  actions_.reserve(trace.steps.size());
  for (const Recorded& step : trace.steps) actions_.push_back(step.action);
  trace.steps = std::vector<Recorded>();  // and their memory
}

StateWalk::~StateWalk() = default;

const World& StateWalk::world() const { return line_->here(); }

std::map<NodeId, Value> StateWalk::next() {
  std::map<NodeId, Value> out;
  if (step_ >= actions_.size()) return out;
  const World& world = line_->seek(step_);
  const auto look = [&](NodeId id) {
    Value state = world.inspect(id);
    Value& known = now_[static_cast<std::size_t>(id)];
    if (step_ > 0 && state == known) return;
    known = state;
    out.emplace(id, std::move(state));
  };
  const Action action = actions_[step_];
  const auto nodes = static_cast<NodeId>(now_.size());
  if (is_everywhere(action.kind)) {
    for (NodeId id = 0; id < nodes; ++id) look(id);
  } else if (const NodeId id = place_of(action); id >= 0 && id < nodes) {
    look(id);
  }
  ++step_;
  return out;
}

std::vector<std::string> tell_changes(const Setup& setup, const std::map<NodeId, Value>& changed,
                                      std::vector<Value>& now, bool start) {
  std::vector<std::string> out;
  for (const auto& [node, state] : changed) {
    Value& before = now[static_cast<std::size_t>(node)];
    if (!start && !before.is_null() && !state.is_null())
      if (auto change = describe_change(
              before, state, setup.system->class_of(identity_of(setup, node), setup).state);
          !change.empty())
        out.push_back("≡ " + change);
    before = state;
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
std::string brief(const Value& value, const FieldType* type = nullptr) {
  constexpr std::size_t kShort = 24;
  const std::string text = type ? print(*type, value) : print(value);
  if (text.size() <= kShort) return text;
  if (const auto* array = value.as_array()) {
    const std::string items =
        std::to_string(array->size()) + (array->size() == 1 ? " item" : " items");
    const bool keyed = type && (type->kind == FieldKind::map || type->kind == FieldKind::set);
    return keyed ? "{" + items + "}" : "[" + items + "]";
  }
  return value.as_object() ? "(…)" : "…";
}

const FieldType* field_of(const TypeInfo* node, std::string_view name) {
  if (!node) return nullptr;
  for (const FieldInfo& field : node->fields)
    if (field.name == name) return field.type;
  return nullptr;
}

}  // namespace

std::string describe_change(const Value& before, const Value& after, const TypeInfo* node) {
  if (after.is_null()) return before.is_null() ? "" : "down";
  if (before.is_null()) return "up";
  const auto* fields = after.as_object();
  if (!fields || !before.as_object()) return brief(before) + " → " + brief(after);
  std::string out;
  for (const auto& [key, value] : *fields) {
    const Value* old = before.find(key);
    if (old && *old == value) continue;
    const FieldType* type = field_of(node, key);
    const std::string was = old ? brief(*old, type) : "-", is = brief(value, type);
    out += (out.empty() ? "" : ", ") + key + (was == is ? " changes" : " " + was + " → " + is);
  }
  return out;
}

}  // namespace schism::draw
