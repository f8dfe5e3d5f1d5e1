#include "schism/linearize/history.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cassert>

namespace schism::linearize {
namespace {

void encode_size(std::string& out, char tag, std::size_t n) {
  out += tag;
  for (int shift = 0; shift < 64; shift += 8) out += static_cast<char>(n >> shift);
}

// Bytes that are equal exactly when the values are. JSON would not do: it has one spelling for all
// texts that are no UTF-8.
void encode(std::string& out, const Value& value) {
  struct Visitor {
    std::string& out;
    void operator()(std::monostate) const { out += 'n'; }
    void operator()(bool b) const { out += b ? 't' : 'f'; }
    void operator()(std::int64_t i) const { encode_size(out, 'i', static_cast<std::uint64_t>(i)); }
    void operator()(double d) const {
      encode_size(out, 'd', std::bit_cast<std::uint64_t>(d == 0 ? 0.0 : d));
    }
    void operator()(const std::string& s) const {
      encode_size(out, 's', s.size());
      out += s;
    }
    void operator()(const Value::Array& a) const {
      encode_size(out, 'a', a.size());
      for (const Value& item : a) encode(out, item);
    }
    void operator()(const Value::Object& o) const {
      std::vector<std::string> entries;
      for (const auto& [key, item] : o) {
        std::string& entry = entries.emplace_back();
        encode_size(entry, 'k', key.size());
        entry += key;
        encode(entry, item);
      }
      std::sort(entries.begin(), entries.end());
      encode_size(out, 'o', entries.size());
      for (const std::string& entry : entries) out += entry;
    }
  };
  std::visit(Visitor{out}, value.data());
}

}  // namespace

Id Names::id(std::int64_t integer) {
  const auto [at, fresh] = integers_.try_emplace(integer, static_cast<Id>(values_.size()));
  if (fresh) values_.emplace_back(integer);
  return at->second;
}

Id Names::id(std::string_view text) {
  scratch_.clear();
  encode_size(scratch_, 's', text.size());
  scratch_ += text;
  const auto at = others_.find(scratch_);
  if (at != others_.end()) return at->second;
  others_.emplace(scratch_, static_cast<Id>(values_.size()));
  values_.emplace_back(text);
  return static_cast<Id>(values_.size() - 1);
}

Id Names::id(const Value& value) {
  if (const auto* integer = value.as_int()) return id(*integer);
  if (const auto* text = value.as_text()) return id(std::string_view(*text));
  scratch_.clear();
  encode(scratch_, value);
  const auto at = others_.find(scratch_);
  if (at != others_.end()) return at->second;
  others_.emplace(scratch_, static_cast<Id>(values_.size()));
  values_.push_back(value);
  return static_cast<Id>(values_.size() - 1);
}

namespace {

bool has_element(Function f) {
  switch (f) {
    case Function::write:
    case Function::cas:
    case Function::enqueue:
    case Function::add:
    case Function::remove:
    case Function::contains:
    case Function::append: return true;
    default: return false;
  }
}

}  // namespace

OpId History::invoke(std::int64_t client, const Call& call, std::uint32_t mark) {
  Operation op;
  op.client = client;
  op.key = keys_.id(call.key);
  op.function = call.function;
  if (has_element(call.function)) op.first = values_.id(call.first);
  if (call.function == Function::cas) op.second = values_.id(call.second);
  if (call.function == Function::txn) put_steps(op, call.parts, false);
  op.invoked = events_++;
  op.invoke_mark = mark;
  operations_.push_back(op);
  return static_cast<OpId>(operations_.size() - 1);
}

bool History::answer(OpId id, Outcome outcome, std::uint32_t mark) {
  assert(id < operations_.size());
  Operation& op = operations_[id];
  if (op.outcome == Outcome::ok || op.outcome == Outcome::fail) return false;
  op.outcome = outcome;
  op.answered = events_++;
  op.answer_mark = mark;
  return true;
}

void History::done(OpId op, std::uint32_t mark) {
  assert(operations_[op].function != Function::read);
  answer(op, Outcome::ok, mark);
}

void History::saw(OpId op, const Value& value, std::uint32_t mark) {
  const Function function = operations_[op].function;
  assert((function == Function::read && !reads_whole()) || function == Function::dequeue);
  static_cast<void>(function);
  if (answer(op, Outcome::ok, mark)) operations_[op].first = values_.id(value);
}

void History::missed(OpId op, std::uint32_t mark) {
  const Function function = operations_[op].function;
  assert(function == Function::cas || function == Function::dequeue);
  static_cast<void>(function);
  if (answer(op, Outcome::ok, mark)) operations_[op].missed = true;
}

void History::told(OpId op, bool yes, std::uint32_t mark) {
  if (answer(op, Outcome::ok, mark))
    operations_[op].second = static_cast<Id>(yes ? Told::yes : Told::no);
}

void History::saw_all(OpId op, std::span<const Value> elements, std::uint32_t mark) {
  assert(operations_[op].function == Function::read && reads_whole());
  if (!answer(op, Outcome::ok, mark)) return;
  operations_[op].first = static_cast<Id>(elements_.size());
  operations_[op].second = static_cast<Id>(elements.size());
  for (const Value& element : elements) elements_.push_back(values_.id(element));
}

void History::committed(OpId op, std::span<const Part> parts, std::uint32_t mark) {
  assert(operations_[op].function == Function::txn);
  if (answer(op, Outcome::ok, mark)) put_steps(operations_[op], parts, true);
}

void History::put_steps(Operation& op, std::span<const Part> parts, bool answered) {
  op.first = static_cast<Id>(steps_.size());
  op.second = static_cast<Id>(parts.size());
  for (const Part& part : parts) {
    Step step{part.function, false, keys_.id(part.key), 0, 0, 0};
    const auto* list = part.value.as_array();
    if (part.function != Function::read) {
      step.value = values_.id(part.value);
    } else if (answered && object_ != Object::list_append) {
      step.seen = true;
      step.value = values_.id(part.value);
    } else if (answered) {  // nothing is the empty list
      step.seen = true;
      step.begin = static_cast<std::uint32_t>(elements_.size());
      if (list)
        for (const Value& element : *list) elements_.push_back(values_.id(element));
      step.count = static_cast<std::uint32_t>(elements_.size()) - step.begin;
    }
    steps_.push_back(step);
  }
}

void History::failed(OpId op, std::uint32_t mark) { answer(op, Outcome::fail, mark); }
void History::unknown(OpId op, std::uint32_t mark) { answer(op, Outcome::info, mark); }

void History::clear() {
  operations_.clear();
  elements_.clear();
  steps_.clear();
  keys_ = Names();
  values_ = Names();
  events_ = 0;
}

std::string History::describe(OpId id) const {
  const Operation& op = operations_[id];
  const bool ok = op.outcome == Outcome::ok;
  const std::string name(enum_name(op.function));
  switch (op.function) {
    case Function::read:
      if (!ok) return name;
      return name + " " +
             (reads_whole() ? describe_list(elements(op)) : print_value(values_[op.first]));
    case Function::dequeue:
      if (!ok) return name;
      return name + " " + (op.missed ? "empty" : print_value(values_[op.first]));
    case Function::acquire:
    case Function::release: return name;
    case Function::txn: return describe_steps(op);
    case Function::cas:
      return fmt::format("cas {} -> {}{}", print_value(values_[op.first]),
                         print_value(values_[op.second]), op.missed ? " missed" : "");
    default: break;
  }
  std::string out = name + " " + print_value(values_[op.first]);
  const bool can_tell = op.function == Function::add || op.function == Function::remove ||
                        op.function == Function::contains;
  if (ok && can_tell && op.told() != Told::nothing) out += op.told() == Told::yes ? " yes" : " no";
  return out;
}

std::string History::describe_list(std::span<const Id> elements) const {
  std::string out = "[";
  for (const Id element : elements)
    out += (out.size() > 1 ? " " : "") + print_value(values_[element]);
  return out + "]";
}

std::string History::describe_steps(const Operation& op) const {
  std::string out;
  for (const Step& step : steps(op)) {
    if (!out.empty()) out += ", ";
    out += fmt::format("{} {}", enum_name(step.function), print_value(keys_[step.key]));
    if (step.function == Function::read && !step.seen) continue;
    if (step.function == Function::read && object_ == Object::list_append)
      out += " " + describe_list(elements(step));
    else out += " " + print_value(values_[step.value]);
  }
  return out.empty() ? "nothing" : out;
}

std::string print_value(const Value& value) {
  return value.is_null() ? "nil" : schism::print(value);
}

}  // namespace schism::linearize
