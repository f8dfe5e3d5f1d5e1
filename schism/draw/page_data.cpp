// A run of thousands of steps has few that look different: what a step looks like is written once
// and named by its number. Of states only the fields that changed are written. So a page stays
// small where a run repeats itself, and the script finds equal steps by comparing numbers.
#include "schism/draw/page_data.hpp"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>

#include "schism/base/escape.hpp"
#include "schism/explain/states.hpp"
#include "schism/system/liars.hpp"

namespace schism::draw {
namespace {

std::string quoted(const std::string& text) { return to_json(Value(printable(text))); }

// The looks of steps, each once.
class Looks {
 public:
  std::size_t number_of(const SceneStep& step) {
    std::string look = fmt::format("{{\"kind\":\"{}\",\"node\":{},\"from\":{},\"to\":{}",
                                   action_name(step.kind), step.node, step.from, step.to);
    look += ",\"label\":" + quoted(step.label) + ",\"title\":" + quoted(step.title);
    look += ",\"effects\":[";
    for (const Effect& e : step.effects)
      look += fmt::format("{}[\"{}\",{},{}]", look.back() == '[' ? "" : ",", enum_name(e.kind),
                          quoted(e.text), quoted(e.kind == EffectKind::announces ? e.content : ""));
    look += "]}";
    const auto [at, is_new] = numbers_.try_emplace(look, numbers_.size());
    if (is_new) all_ += (all_.empty() ? "" : ",\n") + look;
    return at->second;
  }
  const std::string& all() const { return all_; }

 private:
  absl::flat_hash_map<std::string, std::size_t> numbers_;
  std::string all_;
};

// Maps and sets as the page can tell them from lists: {"{}": {"1": [0, 1]}}, {"{}": [0, 2]}. No
// field has that name.
Value shaped(const FieldType& type, const Value& value);

Value shaped_items(const FieldType& item, const Value::Array& items) {
  Value::Array out;
  for (const Value& one : items) out.push_back(shaped(item, one));
  return out;
}

Value shaped_map(const FieldType& type, const Value::Array& entries) {
  Value::Object out;
  for (const Value& entry : entries) {
    const auto* parts = entry.as_array();
    if (!parts || parts->size() != 2) return entries;
    out.emplace_back(print(*type.key, (*parts)[0]), shaped(*type.item, (*parts)[1]));
  }
  return Value::Object{{"{}", std::move(out)}};
}

Value shaped(const FieldType& type, const Value& value) {
  if (type.kind == FieldKind::optional && !value.is_null()) return shaped(*type.item, value);
  if (const auto* fields = value.as_object(); fields && type.kind == FieldKind::record) {
    Value::Object out;
    for (std::size_t i = 0; i < fields->size(); ++i) {
      const auto& [name, field] = (*fields)[i];
      const bool known = i < type.fields.size() && type.fields[i].name == name;
      out.emplace_back(name, known ? shaped(*type.fields[i].type, field) : field);
    }
    return out;
  }
  const auto* items = value.as_array();
  if (!items) return value;
  switch (type.kind) {
    case FieldKind::map: return shaped_map(type, *items);
    case FieldKind::set: return Value::Object{{"{}", shaped_items(*type.item, *items)}};
    case FieldKind::list: return shaped_items(*type.item, *items);
    default: return value;
  }
}

// The fields that differ; nothing where the whole state must be written.
std::optional<std::string> changed_fields(const FieldType& type, const Value& before,
                                          const Value& after) {
  const auto *old = before.as_object(), *now = after.as_object();
  if (!old || !now || old->size() != now->size()) return std::nullopt;
  Value::Object fields;
  for (std::size_t i = 0; i < now->size(); ++i) {
    if ((*old)[i].first != (*now)[i].first) return std::nullopt;
    const auto& [name, value] = (*now)[i];
    if ((*old)[i].second == value) continue;
    const bool known = i < type.fields.size() && type.fields[i].name == name;
    fields.emplace_back(name, known ? shaped(*type.fields[i].type, value) : value);
  }
  return to_json(Value(std::move(fields)));
}

class Writer {
 public:
  // A step: its look, the step that sent its message, whether it matters (1: not, 2: it violates),
  // the roles it plays, and the nodes it changes: [node, whole state or 0, changed fields].
  std::string run(const Scene& scene, std::string_view name, std::string_view prefix) {
    const States states = states_of(*scene.trace);
    const Value down;
    std::vector<const Value*> now(static_cast<std::size_t>(scene.nodes), &down);
    std::string out = fmt::format("{{\"name\":\"{}\",\"prefix\":\"{}\",\"steps\":[", name, prefix);
    for (std::size_t i = 0; i < scene.steps.size(); ++i) {
      const SceneStep& step = scene.steps[i];
      out += fmt::format("{}[{},{},{}", i == 0 ? "\n" : ",\n", looks_.number_of(step), step.sent_in,
                         (step.relevant ? 0 : 1) + (step.violating ? 2 : 0));
      const std::string changes = changes_of(scene.trace->config.setup, states.changed[i], now);
      if (!step.roles.empty() || !changes.empty()) out += "," + roles_of(step);
      if (!changes.empty()) out += ",[" + changes + "]";
      out += "]";
    }
    return out + "]}";
  }
  const std::string& looks() const { return looks_.all(); }

 private:
  static std::string roles_of(const SceneStep& step) {
    Value::Array roles;
    for (const std::string& role : step.roles) roles.emplace_back(printable(role));
    return to_json(Value(std::move(roles)));
  }

  static std::string changes_of(const Setup& setup, const std::map<NodeId, Value>& changed,
                                std::vector<const Value*>& now) {
    std::string out;
    for (const auto& [node, state] : changed) {
      const Value*& before = now[static_cast<std::size_t>(node)];
      const FieldType& type =
          *setup.system->class_of(identity_of(setup, node), setup).state->schema;
      const auto fields = changed_fields(type, *before, state);
      out += out.empty() ? "" : ",";
      if (fields) out += fmt::format("[{},0,{}]", node, *fields);
      else out += fmt::format("[{},{}]", node, to_json(shaped(type, state)));
      before = &state;
    }
    return out;
  }

  Looks looks_;
};

std::string rows_text(const std::vector<Row>& rows) {
  std::string out;
  for (const Row& row : rows)
    out += fmt::format("{}[{},{}]", out.empty() ? "" : ",", row.step[0], row.step[1]);
  return "[" + out + "]";
}

std::string pieces_text(const std::vector<Row>& rows, const std::vector<Scene>& scenes) {
  std::string out;
  for (const Piece& piece : fold_rows(rows, scenes))
    if (piece.steps > 1)
      out += fmt::format("{}[{},{},{},{}]", out.empty() ? "" : ",\n", piece.first, piece.steps,
                         piece.told(), quoted(describe(piece, rows, scenes)));
  return "[" + out + "]";
}

}  // namespace

std::string page_data(const std::vector<Scene>& scenes, const std::vector<Row>& rows) {
  const auto& violation = scenes[0].trace->violation;
  std::size_t begin = 0;  // where the page opens: at the violation
  for (std::size_t row = 0; violation && row < rows.size(); ++row)
    if (rows[row].step[0] == static_cast<std::int64_t>(violation->step)) begin = row;
  Value::Array names;
  for (NodeId id = 0; id < scenes[0].nodes; ++id) names.push_back(scenes[0].name(id));
  Writer writer;
  std::string runs = writer.run(scenes[0], violation ? "failing run" : "run", "s");
  if (scenes.size() > 1) runs += ",\n" + writer.run(scenes[1], "passing run", "p");
  return json_for_script(fmt::format(
      "{{\"nodes\":{},\"names\":{},\"begin\":{},\"violated\":{},\n\"looks\":[{}],\n\"runs\":[{}],\n"
      "\"rows\":{},\n\"pieces\":{}}}",
      scenes[0].nodes, to_json(Value(std::move(names))), begin,
      violation ? quoted(violation->property) : "null", writer.looks(), runs, rows_text(rows),
      pieces_text(rows, scenes)));
}

}  // namespace schism::draw
