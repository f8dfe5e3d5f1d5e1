// The numbers of operands as the words of a system, and back: of traces, and for people.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schism/base/value.hpp"
#include "schism/system/system.hpp"
#include "schism/words/operands.hpp"

namespace schism {

// What is named by words: types of messages and requests, timers, operations, macros.
std::vector<std::string> words_of(const System& system, Means means);
std::string word_of(const System& system, Means means, std::uint64_t number);

void put_operand(const System& system, const Operand& operand, std::uint64_t number, Value& out);

// Reads the members of one object, remembering the first thing that is wrong.
class OperandReader {
 public:
  OperandReader(const System& system, int nodes, const Value& object)
      : system_(system), nodes_(nodes), object_(object) {}

  std::uint64_t operand(const Operand& operand);
  std::int64_t integer(std::string_view key, std::int64_t low, std::int64_t high,
                       std::optional<std::int64_t> fallback = std::nullopt);
  bool flag(std::string_view key);
  std::string text(std::string_view key);
  int word(std::string_view key, const std::vector<std::string>& words, std::string_view what);

  void complain(std::string what) {
    if (problem_.empty()) problem_ = std::move(what);
  }
  const std::string& problem() const { return problem_; }

 private:
  const System& system_;
  int nodes_;
  const Value& object_;
  std::string problem_;
};

}  // namespace schism
