// Enumerations that know their words, for traces, conditions and command lines.
//
//   SCHISM_ENUM(Role, follower, candidate, leader);      // at namespace scope
//   static_assert(enum_name(Role::leader) == "leader");
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#define SCHISM_ENUM(Name, ...)                                                \
  enum class Name : std::uint8_t { __VA_ARGS__ };                             \
  constexpr std::string_view schism_enum_words(Name) { return #__VA_ARGS__; } \
  static_assert(true, "a semicolon follows")

namespace schism {

// The i-th of words separated by commas outside parentheses; empty when there are fewer.
constexpr std::string_view nth_word(std::string_view words, std::size_t i) {
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= words.size(); ++at) {
    const char c = at < words.size() ? words[at] : ',';
    if (c == '(' || c == '{' || c == '<') ++depth;
    if (c == ')' || c == '}' || c == '>') --depth;
    if (c != ',' || depth > 0) continue;
    if (i-- == 0) {
      while (begin < at && words[begin] == ' ') ++begin;
      std::size_t end = at;
      while (end > begin && words[end - 1] == ' ') --end;
      return words.substr(begin, end - begin);
    }
    begin = at + 1;
  }
  return {};
}

constexpr std::size_t count_words(std::string_view words) {
  std::size_t n = 0;
  while (!nth_word(words, n).empty()) ++n;
  return n;
}

template <class E>
concept NamedEnum = std::is_enum_v<E> && requires(E e) {
  { schism_enum_words(e) } -> std::same_as<std::string_view>;
};

template <NamedEnum E>
constexpr std::size_t enum_count() {
  return count_words(schism_enum_words(E{}));
}

template <NamedEnum E>
constexpr std::string_view enum_name(E e) {
  return nth_word(schism_enum_words(e), static_cast<std::size_t>(e));
}

template <NamedEnum E>
constexpr std::optional<E> enum_value(std::string_view name) {
  for (std::size_t i = 0; i < enum_count<E>(); ++i)
    if (nth_word(schism_enum_words(E{}), i) == name) return static_cast<E>(i);
  return std::nullopt;
}

}  // namespace schism
