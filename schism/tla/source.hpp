// Where things stand in a user's files, and what is wrong there. Inside the evaluator an error is
// an exception, because it may arise in the middle of any expression; at the edge of the library
// it becomes a value with one sentence.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schism::tla {

struct Location {
  std::uint32_t file = 0;  // of Symbols::file
  std::uint32_t line = 0;  // 0: nowhere
  std::uint32_t column = 0;
};

// Anything that ends an evaluation. What was being evaluated is added on the way out.
class Failure : public std::runtime_error {
 public:
  Failure(Location where, const std::string& what) : std::runtime_error(what), where(where) {}
  Location where;
  std::vector<std::pair<std::string, Location>> within;  // operators, innermost first
};

// A construct that this program does not know: never a wrong answer instead.
class Unsupported : public Failure {
 public:
  Unsupported(Location where, const std::string& what) : Failure(where, "not supported: " + what) {}
};

template <class... Args>
[[noreturn]] void fail(Location where, fmt::format_string<Args...> format, Args&&... args) {
  throw Failure(where, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace schism::tla
