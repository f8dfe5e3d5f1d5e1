#include "schism/trace/operand_words.hpp"

#include <fmt/format.h>

#include "schism/base/params.hpp"

namespace schism {
namespace {

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count_words(list); ++i) out.emplace_back(nth_word(list, i));
  return out;
}

bool by_word(Means means) {
  return means == Means::message || means == Means::timer || means == Means::operation ||
         means == Means::request || means == Means::macro;
}

std::string_view what_is(Means means) {
  switch (means) {
    case Means::message: return "message type";
    case Means::timer: return "timer";
    case Means::operation: return "operation";
    case Means::request: return "request";
    default: return "macro";
  }
}

std::string request_type(const System& system, int type) {
  for (const NodeClass* c : system.classes)
    if (type < c->request_count) return std::string(c->requests[type]->name);
  return std::to_string(type);
}

// Without a list of all words: traces have many.
std::optional<std::uint64_t> number_of(const System& system, Means means, std::string_view word) {
  if (means != Means::message) return std::nullopt;
  for (int t = 0; t < system.message_count(); ++t)
    if (system.message(t).name == word) return static_cast<std::uint64_t>(t);
  return std::nullopt;
}

}  // namespace

std::vector<std::string> words_of(const System& system, Means means) {
  std::vector<std::string> out;
  int requests = 0;
  switch (means) {
    case Means::message:
      for (int t = 0; t < system.message_count(); ++t) out.emplace_back(system.message(t).name);
      return out;
    case Means::request:
      for (const NodeClass* c : system.classes) requests = std::max(requests, c->request_count);
      for (int t = 0; t < requests; ++t) out.push_back(request_type(system, t));
      return out;
    case Means::timer: return system.timer_names();
    case Means::operation: return split(kDiskOpNames);
    case Means::macro: return split(kMacroNames);
    default: return out;
  }
}

std::string word_of(const System& system, Means means, std::uint64_t number) {
  const auto i = static_cast<int>(number);
  switch (means) {
    case Means::message: return std::string(system.message(i).name);
    case Means::request: return request_type(system, i);
    case Means::timer: return system.timer_name(i);
    case Means::operation: return std::string(disk_op_name(static_cast<DiskOp>(number)));
    case Means::macro: return std::string(nth_word(kMacroNames, number < kMacroCount ? number : 0));
    default: return std::to_string(number);
  }
}

void put_operand(const System& system, const Operand& operand, std::uint64_t number, Value& out) {
  if (operand.optional && number == 0) return;
  const std::string key(operand.key);
  if (by_word(operand.means)) out.set(key, word_of(system, operand.means, number));
  else if (operand.means == Means::flag) out.set(key, number != 0);
  else out.set(key, static_cast<std::int64_t>(number));
}

std::uint64_t OperandReader::operand(const Operand& operand) {
  if (operand.means == Means::flag) return flag(operand.key) ? 1 : 0;
  if (by_word(operand.means)) {
    const Value* given = object_.find(operand.key);
    if (given && given->as_text())
      if (const auto known = number_of(system_, operand.means, *given->as_text())) return *known;
    return static_cast<std::uint64_t>(
        word(operand.key, words_of(system_, operand.means), what_is(operand.means)));
  }
  const auto top =
      operand.means == Means::node ? nodes_ - 1 : static_cast<std::int64_t>(highest(operand.part));
  const auto fallback = operand.optional ? std::optional<std::int64_t>(0) : std::nullopt;
  return static_cast<std::uint64_t>(integer(operand.key, 0, top, fallback));
}

std::int64_t OperandReader::integer(std::string_view key, std::int64_t low, std::int64_t high,
                                    std::optional<std::int64_t> fallback) {
  const Value* v = object_.find(key);
  if (!v && fallback) return *fallback;
  const auto* i = v ? v->as_int() : nullptr;
  if (i && *i >= low && *i <= high) return *i;
  complain(fmt::format("\"{}\" is a whole number from {} to {}", key, low, high));
  return low;
}

bool OperandReader::flag(std::string_view key) {
  const Value* v = object_.find(key);
  if (!v) return false;
  if (const bool* b = v->as_bool()) return *b;
  complain(fmt::format("\"{}\" is true or false", key));
  return false;
}

std::string OperandReader::text(std::string_view key) {
  const Value* v = object_.find(key);
  if (v && v->as_text()) return *v->as_text();
  complain(fmt::format("\"{}\" is a text", key));
  return {};
}

int OperandReader::word(std::string_view key, const std::vector<std::string>& words,
                        std::string_view what) {
  const std::string given = text(key);
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == given) return static_cast<int>(i);
  complain(unknown_word(what, given, words));
  return 0;
}

}  // namespace schism
