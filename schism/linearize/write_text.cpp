#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "schism/linearize/text.hpp"

namespace schism::linearize {
namespace {

std::string edn_value(const Value& value) {
  if (value.is_null()) return "nil";
  if (const auto* array = value.as_array()) {
    std::string out = "[";
    for (const Value& item : *array) out += (out.size() > 1 ? " " : "") + edn_value(item);
    return out + "]";
  }
  if (const auto* object = value.as_object()) {
    std::string out = "{";
    for (const auto& [key, item] : *object) {
      if (out.size() > 1) out += ", ";
      out += edn_value(Value(key)) + " " + edn_value(item);
    }
    return out + "}";
  }
  return to_json(value);
}

// Calls row(operation, is_answer) in order of events.
template <class Row>
void each_event(const History& history, Row row) {
  struct At {
    std::uint32_t position;
    OpId op;
    bool answer;
  };
  std::vector<At> order;
  for (OpId op = 0; op < history.operations().size(); ++op) {
    order.push_back({history[op].invoked, op, false});
    if (history[op].outcome != Outcome::pending) order.push_back({history[op].answered, op, true});
  }
  std::sort(order.begin(), order.end(),
            [](const At& a, const At& b) { return a.position < b.position; });
  for (const At& at : order) row(history[at.op], at.answer);
}

Value elements_of(const History& history, std::span<const Id> ids) {
  Value::Array out;
  for (const Id id : ids) out.push_back(history.values()[id]);
  return out;
}

// Steps as [f, key, value]; in EDN their names are keywords.
Value steps_of(const History& history, const Operation& op, std::string_view colon) {
  Value::Array out;
  for (const Step& s : history.steps(op)) {
    const std::string_view name = s.function == Function::read    ? "r"
                                  : s.function == Function::write ? "w"
                                                                  : "append";
    Value value;
    if (s.function != Function::read || history.object() != Object::list_append)
      value = history.values()[s.value];
    else if (s.seen) value = elements_of(history, history.elements(s));
    out.push_back(Value::Array{std::string(colon) + std::string(name), history.keys()[s.key],
                               std::move(value)});
  }
  return out;
}

// The value of an event, or nothing where the format has none.
std::optional<Value> event_value(const History& history, const Operation& op, bool answer,
                                 std::string_view colon) {
  const bool ok = answer && op.outcome == Outcome::ok;
  switch (op.function) {
    case Function::acquire:
    case Function::release: return std::nullopt;
    case Function::cas:
      return Value(Value::Array{history.values()[op.first], history.values()[op.second]});
    case Function::txn: return steps_of(history, op, colon);
    case Function::read:
    case Function::dequeue:
      if (!ok) return std::nullopt;
      if (op.missed) return Value();
      if (history.object() == Object::set || history.object() == Object::list)
        return elements_of(history, history.elements(op));
      break;
    case Function::contains:
      if (ok) return Value(op.told() == Told::yes);
      break;
    default: break;
  }
  return history.values()[op.first];
}

// Which word says it, and what, where an answer says more than that it was.
std::optional<std::pair<std::string_view, bool>> said(const Operation& op, bool answer) {
  if (!answer || op.outcome != Outcome::ok) return std::nullopt;
  if (op.function == Function::cas && op.missed) return std::pair("swapped", false);
  const bool changes = op.function == Function::add || op.function == Function::remove;
  if (changes && op.told() != Told::nothing) return std::pair("changed", op.told() == Told::yes);
  return std::nullopt;
}

}  // namespace

std::string to_json_lines(const History& history) {
  std::string out;
  each_event(history, [&](const Operation& op, bool answer) {
    Value row;
    row.set("process", op.client);
    row.set("type", answer ? enum_name(op.outcome) : std::string_view("invoke"));
    row.set("f", enum_name(op.function));
    if (op.key != 0) row.set("key", history.keys()[op.key]);
    if (auto value = event_value(history, op, answer, "")) row.set("value", std::move(*value));
    if (const auto more = said(op, answer)) row.set(std::string(more->first), more->second);
    out += to_json(row) + "\n";
  });
  return out;
}

std::string to_edn(const History& history) {
  std::string out;
  each_event(history, [&](const Operation& op, bool answer) {
    out += fmt::format("{{:process {}, :type :{}, :f :{}", op.client,
                       answer ? enum_name(op.outcome) : std::string_view("invoke"),
                       enum_name(op.function));
    if (op.key != 0) out += ", :key " + edn_value(history.keys()[op.key]);
    const auto value = event_value(history, op, answer, ":");
    out += ", :value " + (value ? edn_value(*value) : "nil");
    if (const auto more = said(op, answer))
      out += fmt::format(", :{} {}", more->first, more->second);
    out += "}\n";
  });
  return out;
}

}  // namespace schism::linearize
