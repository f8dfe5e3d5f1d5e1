#include "schism/linearize/text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>

#include "schism/linearize/edn.hpp"

namespace schism::linearize {
namespace {

struct RawEvent {
  Value map;
  std::uint32_t line = 0;
  const Value* value = nullptr;  // within `map`
};

// Takes events one after the other; false: it has seen enough.
using Take = std::function<Result<bool>(const RawEvent&)>;

// In EDN the keys are keywords; in JSON they are plain.
const Value* field(const Value& map, std::string_view name) {
  if (const Value* plain = map.find(name)) return plain;
  return map.find(":" + std::string(name));
}

std::string_view word(const Value* value) {
  const std::string* text = value ? value->as_text() : nullptr;
  if (!text) return {};
  std::string_view out = *text;
  if (out.starts_with(':')) out.remove_prefix(1);
  return out;
}

const Value::Array* pair_of(const Value* value) {
  const Value::Array* array = value ? value->as_array() : nullptr;
  return array && array->size() == 2 ? array : nullptr;
}

std::optional<Function> function_of(std::string_view name) {
  if (name == "read" || name == "get") return Function::read;
  if (name == "write" || name == "put") return Function::write;
  if (name == "cas") return Function::cas;
  return std::nullopt;
}

bool is_nemesis(const Value& map) { return word(field(map, "process")) == "nemesis"; }

// Decides from event to event whether values are tuples; what is no event is somebody else's
// complaint.
class TupleGuess {
 public:
  // False: no more is needed.
  bool take(const RawEvent& e) {
    if (field(e.map, "key")) return decide_no();
    if (word(field(e.map, "type")) != "invoke") return true;
    any_ = true;
    const Value::Array* pair = pair_of(e.value);
    if (!pair) return decide_no();
    const auto function = function_of(word(field(e.map, "f")));
    if (function == Function::read && !(*pair)[1].is_null()) return decide_no();
    if (function == Function::cas && !pair_of(&(*pair)[1])) return decide_no();
    return true;
  }
  bool tuples() const { return any_ && !no_; }

 private:
  bool decide_no() {
    no_ = true;
    return false;
  }
  bool any_ = false, no_ = false;
};

// Turns event maps into a history, event by event.
class Assembler {
 public:
  Assembler(const ReadOptions& options, bool tuples) : options_(options), tuples_(tuples) {}

  Status add(const RawEvent& e) {
    const Value* process = field(e.map, "process");
    if (!process) return error("line {}: the event has no process", e.line);
    if (!process->as_int())
      return error("line {}: the process must be a number (or nemesis, which is skipped)", e.line);
    const std::int64_t client = *process->as_int();
    const std::string_view type = word(field(e.map, "type"));
    if (type == "invoke") return invoke(e, client);
    if (type != "ok" && type != "fail" && type != "info")
      return error("line {}: the type must be invoke, ok, fail or info", e.line);
    const auto open = open_.find(client);
    if (open == open_.end())
      return error("line {}: process {} has no open operation to answer", e.line, client);
    const OpId op = open->second;
    open_.erase(open);
    return answer(e, type, client, op);
  }
  History take() { return std::move(history_); }

 private:
  Status invoke(const RawEvent& e, std::int64_t client) {
    if (const auto open = open_.find(client); open != open_.end())
      return error("line {}: process {} invokes while its operation of line {} is open", e.line,
                   client, history_[open->second].invoke_mark);
    const std::string_view name = word(field(e.map, "f"));
    const auto function = function_of(name);
    if (!function)
      return error("line {}: the function (f) must be read or get, write or put, or cas", e.line);
    if (*function == Function::cas && options_.model == Model::register_)
      return error("line {}: the model register has no cas", e.line);

    const Value* key = field(e.map, "key");
    const Value* value = e.value;
    if (tuples_) {
      const Value::Array* pair = pair_of(value);
      if (!pair) return error("line {}: the value must be a pair of key and value", e.line);
      key = &(*pair)[0];
      value = &(*pair)[1];
    }
    if (options_.model == Model::key_value && (!key || key->is_null()))
      return error("line {}: the model key_value wants a key", e.line);
    Call call{*function, key ? *key : Value(), {}, {}};
    if (*function == Function::write) {
      if (!value) return error("line {}: a write wants a value", e.line);
      call.first = *value;
    } else if (*function == Function::cas) {
      const Value::Array* pair = pair_of(value);
      if (!pair) return error("line {}: the value of a cas must be a pair, old and new", e.line);
      call.first = (*pair)[0];
      call.second = (*pair)[1];
    }
    open_[client] = history_.invoke(client, call, e.line);
    return {};
  }

  Status answer(const RawEvent& e, std::string_view type, std::int64_t client, OpId op) {
    const Function function = history_[op].function;
    if (const Value* name = field(e.map, "f"); name && function_of(word(name)) != function)
      return error("line {}: process {} answers another function than it invoked in line {}",
                   e.line, client, history_[op].invoke_mark);
    if (type == "fail") return history_.failed(op, e.line), Status();
    if (type == "info") return history_.unknown(op, e.line), Status();
    if (function == Function::read) {
      const Value* seen = e.value;
      if (seen && tuples_) {
        const Value::Array* pair = pair_of(seen);
        if (!pair) return error("line {}: the value must be a pair of key and value", e.line);
        if (history_.keys()[history_[op].key] != (*pair)[0])
          return error("line {}: process {} answers another key than it invoked in line {}", e.line,
                       client, history_[op].invoke_mark);
        seen = &(*pair)[1];
      }
      if (!seen) return error("line {}: a read that is ok must say the value (nil is one)", e.line);
      history_.saw(op, *seen, e.line);
      return {};
    }
    const Value* swapped = field(e.map, "swapped");
    if (swapped && (function != Function::cas || !swapped->as_bool()))
      return error("line {}: swapped is true or false, and for cas only", e.line);
    if (swapped && !*swapped->as_bool()) history_.missed(op, e.line);
    else history_.done(op, e.line);
    return {};
  }

  const ReadOptions& options_;
  bool tuples_;
  History history_;
  absl::flat_hash_map<std::int64_t, OpId> open_;
};

// What every event goes through before somebody takes it.
Result<bool> hand_over(Value map, std::uint32_t line, const Take& take) {
  if (!map.as_object()) return error("line {}: an event must be a map", line);
  if (is_nemesis(map)) return true;
  RawEvent event{std::move(map), line};
  event.value = field(event.map, "value");
  return take(event);
}

Status each_json(std::string_view text, const Take& take) {
  std::uint32_t line = 0;
  while (!text.empty()) {
    ++line;
    const std::size_t end = text.find('\n');
    const std::string_view row = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (row.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    std::string problem;
    auto value = parse_json(row, &problem);
    if (!value) return error("line {}: {}", line, problem);
    const auto more = hand_over(std::move(*value), line, take);
    if (!more) return error("{}", more.error());
    if (!*more) break;
  }
  return {};
}

Status each_edn(std::string_view text, const Take& take) {
  EdnReader reader(text);
  for (;;) {
    const Result<bool> form = reader.next();
    if (!form) return error("{}", form.error());
    if (!*form) return {};
    const auto more = hand_over(reader.form(), reader.line(), take);
    if (!more) return error("{}", more.error());
    if (!*more) return {};
  }
}

// In both a map opens an event; what follows in JSON is a quote. An EDN map with text keys counts
// as JSON, which says so in its first line.
Format guess_format(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return Format::json;
  if (text[first] != '{') return Format::edn;
  const std::size_t second = text.find_first_not_of(" \t\r\n", first + 1);
  return second != std::string_view::npos && (text[second] == '"' || text[second] == '}')
             ? Format::json
             : Format::edn;
}

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

// The value of an event, or nothing where the format has none.
std::optional<Value> event_value(const History& history, const Operation& op, bool answer) {
  const Value& first = history.values()[op.first];
  if (op.function == Function::write) return first;
  if (op.function == Function::cas) return Value(Value::Array{first, history.values()[op.second]});
  if (answer && op.outcome == Outcome::ok) return first;
  return std::nullopt;
}

}  // namespace

// The text is gone through twice where tuples have to be recognised: events as values take twenty
// times the memory of their text, so that they are never kept.
Result<History> read_history(std::string_view text, const ReadOptions& options) {
  const Format format = options.format == Format::automatic ? guess_format(text) : options.format;
  const auto each = [&](const Take& take) {
    return format == Format::json ? each_json(text, take) : each_edn(text, take);
  };
  bool tuples = options.tuples == Tuples::yes;
  if (options.tuples == Tuples::automatic) {
    TupleGuess guess;
    const Status read = each([&](const RawEvent& e) -> Result<bool> { return guess.take(e); });
    if (!read) return error("{}", read.error());
    tuples = guess.tuples();
  }
  Assembler assembler(options, tuples);
  const Status read = each([&](const RawEvent& e) -> Result<bool> {
    if (Status added = assembler.add(e); !added) return error("{}", added.error());
    return true;
  });
  if (!read) return error("{}", read.error());
  return assembler.take();
}

std::string to_json_lines(const History& history) {
  std::string out;
  each_event(history, [&](const Operation& op, bool answer) {
    Value row;
    row.set("process", op.client);
    row.set("type", answer ? enum_name(op.outcome) : std::string_view("invoke"));
    row.set("f", enum_name(op.function));
    if (op.key != 0) row.set("key", history.keys()[op.key]);
    if (auto value = event_value(history, op, answer)) row.set("value", std::move(*value));
    if (answer && op.missed) row.set("swapped", false);
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
    const auto value = event_value(history, op, answer);
    out += ", :value " + (value ? edn_value(*value) : "nil");
    if (answer && op.missed) out += ", :swapped false";
    out += "}\n";
  });
  return out;
}

}  // namespace schism::linearize
