#include "schism/linearize/assemble.hpp"

#include <algorithm>

namespace schism::linearize {
namespace {

// A list of histories' operations: which function a model has.
bool has(Model model, Function f) {
  switch (model) {
    case Model::any:
    case Model::cas_register:
    case Model::key_value: return f == Function::read || f == Function::write || f == Function::cas;
    case Model::register_: return f == Function::read || f == Function::write;
    case Model::queue: return f == Function::enqueue || f == Function::dequeue;
    case Model::mutex:
    case Model::owned_mutex: return f == Function::acquire || f == Function::release;
    case Model::set:
      return f == Function::add || f == Function::remove || f == Function::contains ||
             f == Function::read;
    case Model::list: return f == Function::append || f == Function::read;
    case Model::multi_register:
      return f == Function::txn || f == Function::read || f == Function::write;
    case Model::list_append:
    case Model::rw_register: return f == Function::txn;
  }
  return false;
}

std::string_view name_of(Model model) {
  for (const ModelWord& word : model_words())
    if (word.model == model) return word.name;
  return "any";
}

bool is_transactional(Model model) { return model >= Model::multi_register; }

// Of a transaction's step.
std::optional<Function> step_function(const Value& name) {
  Field field;
  field.set(name);
  const std::string_view word = field.word();
  if (word == "r" || word == "read") return Function::read;
  if (word == "w" || word == "write") return Function::write;
  if (word == "append") return Function::append;
  return std::nullopt;
}

// Keys of maps are texts: so are those of steps, where both may be in one history.
Value as_text(const Value& key) { return key.as_text() ? key : Value(to_json(key)); }

}  // namespace

Status Assembler::add(const Event& e) {
  if (!e.process.is_there()) return error("line {}: the event has no process", e.line);
  if (!e.process.as_int())
    return error("line {}: the process must be a number (or nemesis, which is skipped)", e.line);
  const std::int64_t client = *e.process.as_int();
  const std::string_view type = e.type.word();
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

Status Assembler::invoke(const Event& e, std::int64_t client) {
  const auto [open, fresh] = open_.try_emplace(client, 0);
  if (!fresh)
    return error("line {}: process {} invokes while its operation of line {} is open", e.line,
                 client, history_[open->second].invoke_mark);
  const auto function = function_of(e.f.word());
  if (!function)
    return error(
        "line {}: the function (f) must be read or get, write or put, cas, enqueue, "
        "dequeue, acquire, release, add, remove, contains, append or txn",
        e.line);
  if (!has(model_, *function))
    return error("line {}: the model {} has no {}", e.line, name_of(model_), enum_name(*function));
  const Result<Call> call = call_of(e, *function);
  if (!call) return error("{}", call.error());
  open->second = history_.invoke(client, *call, e.line);
  return {};
}

Result<Call> Assembler::call_of(const Event& e, Function function) {
  if (is_transactional(model_)) {
    auto parts = parts_of(e, function);
    if (!parts) return error("{}", parts.error());
    return transact(*std::move(parts));
  }
  Call call{function, {}, {}, {}};
  const Value::Array* tuple = tuples_ ? e.value.as_pair() : nullptr;
  if (tuples_ && !tuple) return error("line {}: the value must be a pair of key and value", e.line);
  call.key = tuple ? (*tuple)[0] : e.key.value();
  if (model_ == Model::key_value && call.key.is_null())
    return error("line {}: the model key_value wants a key", e.line);
  if (function == Function::cas) {
    const Value::Array* pair = tuple ? (*tuple)[1].as_array() : e.value.as_array();
    if (!pair || pair->size() != 2)
      return error("line {}: the value of a cas must be a pair, old and new", e.line);
    call.first = (*pair)[0];
    call.second = (*pair)[1];
    return call;
  }
  if (function == Function::read || function == Function::dequeue ||
      function == Function::acquire || function == Function::release)
    return call;
  if (!e.value.is_there())
    return error(
        "line {}: {} {} wants a value", e.line,
        function == Function::add || function == Function::append || function == Function::enqueue
            ? "an"
            : "a",
        enum_name(function));
  call.first = tuple ? (*tuple)[1] : e.value.value();
  if (function == Function::enqueue && call.first.is_null())
    return error("line {}: nil cannot be enqueued: as an answer it means that a queue is empty",
                 e.line);
  return call;
}

// [[:r k v] [:w k v] [:append k v]]; of a read or write of several registers also a map, or for a
// read the list of its keys.
Result<std::vector<Part>> Assembler::parts_of(const Event& e, Function function) const {
  std::vector<Part> parts;
  if (function != Function::txn) {
    if (const auto* map = e.value.as_object()) {
      for (const auto& [key, value] : *map) parts.push_back({function, Value(key), value});
    } else if (const auto* keys = e.value.as_array(); keys && function == Function::read) {
      for (const Value& key : *keys) parts.push_back({function, as_text(key), {}});
    } else if (function == Function::write) {
      return error("line {}: the value of a write must be a map", e.line);
    }
    return parts;
  }
  const Value::Array* steps = e.value.as_array();
  if (!steps)
    return error("line {}: the value of a txn must be a list of steps such as [r, key, value]",
                 e.line);
  for (const Value& step : *steps) {
    const Value::Array* words = step.as_array();
    const auto f = words && words->size() >= 2 ? step_function((*words)[0]) : std::nullopt;
    if (!f || words->size() > 3 || (*f != Function::read && words->size() != 3))
      return error(
          "line {}: a step of a txn is [r, key, value], [w, key, value] or [append, key, "
          "value]",
          e.line);
    const Function sets = model_ == Model::list_append ? Function::append : Function::write;
    if (*f != Function::read && *f != sets)
      return error("line {}: the model {} has no {}", e.line, name_of(model_), enum_name(*f));
    Part part{*f, model_ == Model::multi_register ? as_text((*words)[1]) : (*words)[1], {}};
    if (words->size() == 3) part.value = (*words)[2];
    if (*f == Function::read && model_ == Model::list_append && !part.value.is_null() &&
        !part.value.as_array())
      return error("line {}: what a read saw must be a list", e.line);
    parts.push_back(std::move(part));
  }
  return parts;
}

// ---- answers ----------------------------------------------------------------------------------

Status Assembler::answer(const Event& e, std::string_view type, std::int64_t client, OpId op) {
  const Function function = history_[op].function;
  if (e.f.is_there()) {
    const auto said = function_of(e.f.word());
    const bool same = is_transactional(model_) ? said && has(model_, *said) : said == function;
    if (!same)
      return error("line {}: process {} answers another function than it invoked in line {}",
                   e.line, client, history_[op].invoke_mark);
  }
  if (type == "fail") return history_.failed(op, e.line), Status();
  if (type == "info") return history_.unknown(op, e.line), Status();
  if (function == Function::txn) return answer_transaction(e, op);
  if (function == Function::contains) return answer_contains(e, op);
  if (function == Function::read || function == Function::dequeue)
    return answer_read(e, client, op);
  const bool changes = function == Function::add || function == Function::remove;
  if (e.said.is_there() && ((function != Function::cas && !changes) || !e.said.as_bool()))
    return error("line {}: {}", e.line,
                 history_.object() == Object::registers
                     ? "swapped is true or false, and for cas only"
                     : "changed is true or false, and for add and remove only");
  if (e.said.is_there() && changes) history_.told(op, *e.said.as_bool(), e.line);
  else if (e.said.is_there() && !*e.said.as_bool()) history_.missed(op, e.line);
  else history_.done(op, e.line);
  return {};
}

Status Assembler::answer_read(const Event& e, std::int64_t client, OpId op) {
  const bool takes = history_[op].function == Function::dequeue;
  if (!e.value.is_there())
    return takes ? error("line {}: a dequeue that is ok must say the value (nil: it was empty)",
                         e.line)
                 : error("line {}: a read that is ok must say the value (nil is one)", e.line);
  if (const auto* all = e.value.as_array();
      all && !tuples_ && !takes && history_.object() != Object::registers)
    return history_.saw_all(op, *all, e.line), Status();
  Value held;
  if (tuples_) {
    const Value::Array* pair = e.value.as_pair();
    if (!pair) return error("line {}: the value must be a pair of key and value", e.line);
    if (history_.keys()[history_[op].key] != (*pair)[0])
      return error("line {}: process {} answers another key than it invoked in line {}", e.line,
                   client, history_[op].invoke_mark);
    held = (*pair)[1];
  } else {
    held = e.value.value();
  }
  if (takes) {
    if (held.is_null()) history_.missed(op, e.line);
    else history_.saw(op, held, e.line);
  } else if (history_.object() == Object::registers) {
    history_.saw(op, held, e.line);
  } else if (held.is_null() || held.as_array()) {
    history_.saw_all(op, held.is_null() ? std::span<const Value>() : *held.as_array(), e.line);
  } else {
    return error("line {}: a read of a {} must say all elements, as a list", e.line,
                 enum_name(history_.object()));
  }
  return {};
}

// true or false, or [element, true or false].
Status Assembler::answer_contains(const Event& e, OpId op) {
  const bool* said = e.value.as_bool();
  if (const Value::Array* pair = e.value.as_pair()) {
    said = (*pair)[1].as_bool();
    const Value::Array* inner = (*pair)[1].as_array();
    if (tuples_ && inner && inner->size() == 2) said = (*inner)[1].as_bool();
  }
  if (!said) return error("line {}: a contains that is ok must say true or false", e.line);
  history_.told(op, *said, e.line);
  return {};
}

Status Assembler::answer_transaction(const Event& e, OpId op) {
  const auto asked = history_.steps(history_[op]);
  Function function = Function::txn;
  if (model_ == Model::multi_register && !e.value.as_array())
    function =
        !asked.empty() && asked[0].function == Function::write ? Function::write : Function::read;
  const bool only_writes = std::all_of(asked.begin(), asked.end(),
                                       [](const Step& s) { return s.function != Function::read; });
  if (only_writes && !asked.empty() && !e.value.is_there())
    return history_.done(op, e.line), Status();
  auto parts = parts_of(e, function);
  if (!parts) return error("{}", parts.error());
  bool same = parts->size() == asked.size() || (asked.empty() && function == Function::read);
  for (std::size_t i = 0; same && function == Function::txn && i < asked.size(); ++i)
    same = (*parts)[i].function == asked[i].function &&
           history_.keys()[asked[i].key] == (*parts)[i].key;
  if (!same)
    return error("line {}: the answer has other steps than the invocation in line {}", e.line,
                 history_[op].invoke_mark);
  history_.committed(op, *parts, e.line);
  return {};
}

}  // namespace schism::linearize
