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

Id Names::id(const Value& value) {
  const auto next = static_cast<Id>(values_.size());
  bool fresh = false;
  Id found = 0;
  if (const auto* integer = value.as_int()) {
    const auto [at, inserted] = integers_.try_emplace(*integer, next);
    fresh = inserted, found = at->second;
  } else {
    std::string bytes;
    encode(bytes, value);
    const auto [at, inserted] = others_.try_emplace(std::move(bytes), next);
    fresh = inserted, found = at->second;
  }
  if (fresh) values_.push_back(value);
  return found;
}

OpId History::invoke(std::int64_t client, const Call& call, std::uint32_t mark) {
  Operation op;
  op.client = client;
  op.key = keys_.id(call.key);
  op.function = call.function;
  if (call.function != Function::read) op.first = values_.id(call.first);
  if (call.function == Function::cas) op.second = values_.id(call.second);
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
  assert(operations_[op].function == Function::read);
  if (answer(op, Outcome::ok, mark)) operations_[op].first = values_.id(value);
}

void History::missed(OpId op, std::uint32_t mark) {
  assert(operations_[op].function == Function::cas);
  if (answer(op, Outcome::ok, mark)) operations_[op].missed = true;
}

void History::failed(OpId op, std::uint32_t mark) { answer(op, Outcome::fail, mark); }
void History::unknown(OpId op, std::uint32_t mark) { answer(op, Outcome::info, mark); }

void History::clear() {
  operations_.clear();
  keys_ = Names();
  values_ = Names();
  events_ = 0;
}

std::string History::describe(OpId id) const {
  const Operation& op = operations_[id];
  const std::string first = print_value(values_[op.first]);
  switch (op.function) {
    case Function::read: return op.outcome == Outcome::ok ? "read " + first : "read";
    case Function::write: return "write " + first;
    case Function::cas: break;
  }
  return fmt::format("cas {} -> {}{}", first, print_value(values_[op.second]),
                     op.missed ? " missed" : "");
}

std::string print_value(const Value& value) {
  return value.is_null() ? "nil" : schism::print(value);
}

}  // namespace schism::linearize
